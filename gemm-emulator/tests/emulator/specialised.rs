//! A persistent GEMM of a producer and two consumers, which multiply by `wgmma`, and its planted mistakes.

mod cluster;

use gemm_emulator::{
    Direction, Fault, Launch, Memory, Module, Statistics, Swizzle, TensorMap, TensorStoreProblem,
    Violation, WarpgroupProblem,
};
use half::f16;

use crate::device::{Random, Value, assert_violation, download};
use crate::nvrtc::module;
use crate::tensor_gemm::matrix;

const TEXT: &str = include_str!("../kernels/specialised.cu");
/// Stages of 128 x 64 elements of A and of B, and staging of 64 x 128 elements for each consumer.
const SHARED_BYTES: u32 = 3 * 32768 + 2 * 16384;

fn compile(options: &[&str]) -> &'static Module {
    module(TEXT, "sm_90a", options)
}

/// Runs the kernel in two blocks and compares what it wrote, if it came to its end.
fn run(
    module: &Module,
    shape: [usize; 3],
    seed: u64,
    find_races: bool,
) -> Result<Statistics, Fault> {
    run_blocks(module, shape, (seed, find_races), (2, 128))
}

/// As [`run`], in that number of blocks, with that number of rows in a box of B.
fn run_blocks(
    module: &Module,
    [m, n, k]: [usize; 3],
    (seed, find_races): (u64, bool),
    (blocks, box_rows): (u32, u32),
) -> Result<Statistics, Fault> {
    let (memory, mut random) = (Memory::new(), Random(3));
    let (map_a, a) = matrix(&memory, &mut random, [m, k], 128);
    let (map_b, b) = matrix(&memory, &mut random, [n, k], box_rows);
    let out = memory.allocate((m * n * 2) as u64).expect("allocates");
    let map_out = TensorMap {
        address: out,
        element_bytes: 2,
        dims: vec![n as u64, m as u64],
        strides: vec![n as u64 * 2],
        box_dims: vec![64, 64],
        swizzle: Swizzle::Bytes128,
        rounds_to_tf32: false,
    };
    let encoded = |map: &TensorMap| map.encode().expect("is legal").to_vec();
    let [m_bytes, n_bytes, k_bytes] = [m, n, k].map(|extent| (extent as i32).bytes());
    let maps = [&map_a, &map_b, &map_out].map(encoded);
    let arguments: Vec<_> =
        maps.into_iter().chain([out.bytes(), m_bytes, n_bytes, k_bytes]).collect();
    let launch = Launch {
        arguments: &arguments,
        shared_bytes: SHARED_BYTES,
        find_races,
        seed,
        instruction_limit: 1_000_000,
        ..Launch::new("specialised", [blocks, 1, 1], [384, 1, 1])
    };
    let statistics = module.launch(&memory, &launch)?;
    compare(&memory, out, [&a, &b], [m, n, k]);
    Ok(statistics)
}

fn compare(memory: &Memory, out: u64, [a, b]: [&[f64]; 2], [m, n, k]: [usize; 3]) {
    let got: Vec<[u8; 2]> = download(memory, out, m * n);
    for (at, got) in got.iter().enumerate() {
        let (row, column) = (at / n, at % n);
        let want: f64 = (0..k).map(|at| a[row * k + at] * b[column * k + at]).sum();
        let got = f16::from_le_bytes(*got).to_f64();
        assert!((got - want).abs() < 2e-3 * (k as f64).sqrt(), "{row}, {column}: {got}, {want}");
    }
}

const SHAPE: [usize; 3] = [256, 384, 320];

#[test]
fn results_are_right_whatever_the_interleaving() {
    let module = compile(&[]);
    for seed in 0..4 {
        let ran = run(module, SHAPE, seed, true);
        let statistics = ran.unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(statistics.matrix_multiplies, 2 * 6 * (320 / 16));
    }
    run(module, [128, 128, 64], 0, true).unwrap_or_else(|fault| panic!("{fault}"));
    for options in [&["-DBULK_STORE"][..], &["-DBULK_STORE", "-DFULL_WAIT"]] {
        let module = compile(options);
        for seed in 0..4 {
            run(module, SHAPE, seed, true).unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
    run(compile(&["-DSTAGES=2"]), SHAPE, 0, true).unwrap_or_else(|fault| panic!("{fault}"));
}

/// The violation that one seed finds; others find one too.
fn planted(bug: &str, find_races: bool) -> Violation {
    planted_in(bug, SHAPE, find_races)
}

fn planted_in(bug: &str, shape: [usize; 3], find_races: bool) -> Violation {
    let stores = if bug.contains("STORE") { "-DBULK_STORE" } else { "-DPLAIN" };
    let module = compile(&[&format!("-D{bug}"), stores]);
    let fault = run(module, shape, 1, find_races).expect_err(bug);
    assert!(fault.place().expect("a place").source.is_some(), "{bug} has no source line");
    for seed in 2..6 {
        run(module, shape, seed, find_races).expect_err(bug);
    }
    fault.violation().expect("a violation").clone()
}

fn problem(bug: &str) -> WarpgroupProblem {
    match planted(bug, true) {
        Violation::Warpgroup(problem) => problem,
        other => panic!("{other}"),
    }
}

#[test]
fn multiplications_are_fenced_committed_and_waited_for() {
    assert_eq!(problem("BUG_NO_FENCE"), WarpgroupProblem::NoFence);
    let direction = Direction::Read;
    let found = problem("BUG_NO_LAST_WAIT");
    assert_eq!(found, WarpgroupProblem::AccumulatorInFlight { direction });
    // The producer refills the stage that was not waited for.
    assert!(matches!(problem("BUG_NO_COMMIT"), WarpgroupProblem::Overwritten { .. }));
}

#[test]
fn a_stage_is_not_refilled_while_it_is_multiplied() {
    let found = problem("BUG_EARLY_RELEASE");
    assert!(matches!(found, WarpgroupProblem::Overwritten { .. }), "{found}");
    assert_violation!(planted("BUG_NO_EMPTY_WAIT", true), Violation::Mbarrier { .. });
    let found = planted("BUG_NO_FULL_WAIT", true);
    assert_violation!(
        found,
        Violation::TensorCopyInFlight { .. } | Violation::Uninitialized { .. }
    );
}

#[test]
fn registers_are_there_for_all() {
    let found = problem("BUG_MANY_REGISTERS");
    let (warpgroup, count) = (2, 240);
    assert_eq!(found, WarpgroupProblem::NotGranted { warpgroup, count, free: 56 });
}

#[test]
fn staging_is_ordered_by_the_barrier_of_its_warpgroup() {
    assert_violation!(
        planted("BUG_NO_MEETING", true),
        Violation::Race { .. } | Violation::Uninitialized { .. }
    );
}

#[test]
fn staging_is_fenced_for_stores_and_reused_once_they_have_read_it() {
    let found = planted("BUG_NO_STORE_FENCE", true);
    assert_violation!(
        found,
        Violation::TensorStore(TensorStoreProblem::NotFenced { other: Some(_), .. })
    );
    let overwritten = |found| {
        assert_violation!(
            found,
            Violation::TensorStore(TensorStoreProblem::Overwritten { thread: 128 | 256, .. })
        );
    };
    for bug in ["BUG_NO_STORE_WAIT", "BUG_NO_STORE_COMMIT"] {
        overwritten(planted(bug, true));
        overwritten(planted(bug, false));
    }
    // With more k-tiles than stages, the mbarriers order the warps too.
    overwritten(planted_in("BUG_NO_STORE_MEETING", [256, 384, 64], true));
    run(compile(&["-DBULK_STORE", "-DBUG_NO_STORE_MEETING"]), SHAPE, 1, true).expect("is ordered");
}
