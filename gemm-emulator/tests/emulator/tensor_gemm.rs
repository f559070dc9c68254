//! A GEMM that tensor copies feed through full and empty mbarriers, and its planted mistakes.

use gemm_emulator::{
    Direction, Fault, Launch, MbarrierProblem, Memory, Statistics, Swizzle, TensorMap, Violation,
};
use half::f16;

use crate::device::{Random, Value, assert_violation, download};
use crate::nvrtc::module;
use crate::tensor_copies::TEXT;

/// A matrix of random f16 and its map, with a box of 64 columns and that many rows.
pub(crate) fn matrix(
    memory: &Memory,
    random: &mut Random,
    [rows, columns]: [usize; 2],
    box_rows: u32,
) -> (TensorMap, Vec<f64>) {
    let pitch = (columns * 2).next_multiple_of(16) + 16;
    let address = memory.allocate((rows * pitch) as u64).expect("allocates");
    let values: Vec<f16> = (0..rows * columns).map(|_| f16::from_f64(random.unit())).collect();
    for (row, values) in values.chunks(columns).enumerate() {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        memory.write(address + (row * pitch) as u64, &bytes).expect("writes");
    }
    let map = TensorMap {
        address,
        element_bytes: 2,
        dims: vec![columns as u64, rows as u64],
        strides: vec![pitch as u64],
        box_dims: vec![64, box_rows],
        swizzle: Swizzle::Bytes128,
        rounds_to_tf32: false,
    };
    (map, values.into_iter().map(f64::from).collect())
}

/// Runs the kernel and compares what it wrote, if it came to its end.
fn run([m, n, k]: [usize; 3], options: &[&str], find_races: bool) -> Result<Statistics, Fault> {
    let (memory, mut random) = (Memory::new(), Random(3));
    let (map_a, a) = matrix(&memory, &mut random, [m, k], 64);
    let (map_b, b) = matrix(&memory, &mut random, [n, k], 64);
    let out = memory.allocate((m * n * 4) as u64).expect("allocates");
    let encoded = |map: &TensorMap| map.encode().expect("is legal").to_vec();
    let extents = [m, n, k].map(|extent| (extent as i32).bytes());
    let [m_bytes, n_bytes, k_bytes] = extents;
    let arguments = [encoded(&map_a), encoded(&map_b), out.bytes(), m_bytes, n_bytes, k_bytes];
    let blocks = (m.div_ceil(64) * n.div_ceil(64)) as u32;
    let launch = Launch {
        arguments: &arguments,
        shared_bytes: 4 * 16384,
        find_races,
        instruction_limit: 1_000_000,
        ..Launch::new("gemm", [blocks, 1, 1], [128, 1, 1])
    };
    let statistics = module(TEXT, "sm_90", options).launch(&memory, &launch)?;
    let got: Vec<f32> = download(&memory, out, m * n);
    for (at, got) in got.iter().enumerate() {
        let (row, column) = (at / n, at % n);
        let want: f64 = (0..k).map(|at| a[row * k + at] * b[column * k + at]).sum();
        assert!((f64::from(*got) - want).abs() < 1e-4 * (k as f64).sqrt(), "{row}, {column}");
    }
    Ok(statistics)
}

const SHAPE: [usize; 3] = [128, 64, 512];

#[test]
fn results_are_right_for_any_number_of_stages_and_any_tail() {
    for options in [&[][..], &["-DSTAGES=2"], &["-DSTAGES=4"], &["-DPOLL"]] {
        let statistics = run(SHAPE, options, true).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(statistics.global_bytes_loaded, 2 * 2 * 64 * 512 * 2);
    }
    for shape in [[1, 1, 1], [70, 130, 65], [64, 64, 63], [65, 1, 300]] {
        run(shape, &[], true).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

fn planted(bug: &str, find_races: bool) -> Violation {
    let fault = run(SHAPE, &[&format!("-D{bug}")], find_races).expect_err(bug);
    assert!(fault.place().expect("a place").source.is_some(), "{bug} has no source line");
    fault.violation().expect("a violation").clone()
}

#[test]
fn waits_that_nothing_ends_are_named() {
    // Too many bytes are expected: everybody waits for a copy that nobody starts.
    let Violation::MbarrierDeadlock { waits, .. } = planted("BUG_MANY_BYTES", true) else {
        panic!("expected a deadlock");
    };
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert_eq!((waits[0].parity, waits[0].threads), (0, 128));
    assert_eq!((waits[0].missing_arrivals, waits[0].arrivals, waits[0].missing_bytes), (0, 1, 16));
    // An arrival is missing: the producer waits for a stage, the consumers for the next tile.
    for bug in ["BUG_MISSING_ARRIVAL", "BUG_MANY_ARRIVALS"] {
        let violation = planted(bug, true);
        let Violation::MbarrierDeadlock { waits, .. } = &violation else { panic!("{violation}") };
        let producer = waits.iter().find(|wait| wait.threads == 1).expect("the producer waits");
        assert_eq!((producer.missing_arrivals, producer.missing_bytes), (1, 0), "{violation}");
        let text = violation.to_string();
        assert!(text.starts_with("no thread can run; ") && text.contains("are missing"), "{text}");
    }
}

#[test]
fn stages_are_waited_for_and_released_in_order() {
    for bug in [
        "BUG_NO_FULL_WAIT",
        "BUG_NO_EMPTY_WAIT",
        "BUG_EARLY_ARRIVAL",
        "BUG_FEW_ARRIVALS",
        "BUG_FEW_BYTES",
    ] {
        let violation = planted(bug, true);
        assert_violation!(violation, Violation::Race { .. } | Violation::TensorCopyInFlight { .. });
    }
    assert_violation!(planted("BUG_PARITY", true), Violation::Uninitialized { .. });
}

/// The instruction in place of the fence after the producer's wait for a stage.
const NO_FENCE: &str = "-DREFILL_FENCE=fence.acq_rel.cta";

#[test]
fn a_fence_of_the_proxies_lies_between_loads_and_the_next_copy() {
    for form in ["async", "async.shared::cta", "async.shared::cluster"] {
        let option = format!("-DREFILL_FENCE=fence.proxy.{form}");
        run(SHAPE, &[&option], true).unwrap_or_else(|fault| panic!("{form}: {fault}"));
    }
    run(SHAPE, &[NO_FENCE, "-DREADERS_FENCE"], true).unwrap_or_else(|fault| panic!("{fault}"));
    for options in [
        &[NO_FENCE][..],
        &[NO_FENCE, "-DEARLY_FENCE"],
        &[NO_FENCE, "-DLOADS_FENCE"],
        &["-DREFILL_FENCE=fence.proxy.async.global"],
        &["-DREFILL_FENCE=fence.proxy.alias"],
    ] {
        let fault = run(SHAPE, options, true).expect_err("lacks a fence");
        let place = fault.place().expect("a place");
        assert!(place.instruction.contains("cp.async.bulk.tensor.2d"), "{fault}");
        assert_eq!(place.thread, [0, 0, 0], "{fault}");
        let read = Direction::Read;
        let Some(Violation::TensorCopyNotFenced { address, other: None, other_direction }) =
            fault.violation()
        else {
            panic!("{options:?}: {fault}");
        };
        // The first stage follows the mbarriers, at a multiple of 1024.
        assert_eq!((*address, *other_direction), (1024, read), "{options:?}");
        run(SHAPE, options, false).expect("numbers are right, and no race is looked for");
    }
}

#[test]
fn an_mbarrier_is_initialised_before_others_use_it() {
    let violation = planted("BUG_NO_BARRIER", true);
    assert_violation!(
        violation,
        Violation::Race { .. }
            | Violation::Mbarrier { problem: MbarrierProblem::NotInitialized, .. }
    );
}

#[test]
fn mistakes_of_waiting_are_found_without_looking_for_races() {
    assert_violation!(planted("BUG_FEW_BYTES", false), Violation::TensorCopyInFlight { .. });
    // The first reader comes before the first copy is even started.
    assert_violation!(planted("BUG_PARITY", false), Violation::Uninitialized { .. });
    // The fence of a refill would show it too.
    let fault = run(SHAPE, &["-DBUG_NO_FENCE", NO_FENCE], false).expect_err("is not shown");
    let Some(Violation::Mbarrier { problem, .. }) = fault.violation() else { panic!("{fault}") };
    assert_eq!(*problem, MbarrierProblem::NotShown { owner: 0 });
}
