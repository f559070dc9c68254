//! A whole GEMM kernel of the kind the emulator is for.

use gemm_emulator::{Fault, Memory, Module, Space, Statistics, Violation};
use half::{bf16, f16};

use crate::device::{Random, Value, assert_violation, download, launch};
use crate::nvrtc::{TARGETS, module};

pub(crate) const TEXT: &str = include_str!("../kernels/gemm.cu");
const BLOCK: usize = 128;
const THREADS: u32 = 256;

/// One run of the test kernel.
#[derive(Clone, Copy)]
pub(crate) struct Problem {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) stages: u32,
    pub(crate) bfloat: bool,
    /// B is given as rows of n elements.
    pub(crate) b_transposed: bool,
}

pub(crate) struct Run {
    pub(crate) result: Result<Statistics, Fault>,
    pub(crate) out: Vec<f32>,
    pub(crate) expected: Vec<f64>,
}

fn element(problem: Problem, x: f64) -> (u16, f64) {
    if problem.bfloat {
        let x = bf16::from_f64(x);
        (x.to_bits(), x.to_f64())
    } else {
        let x = f16::from_f64(x);
        (x.to_bits(), x.to_f64())
    }
}

/// A matrix of random elements with rows `ld` elements apart, and its values without the gaps. What lies between the
/// rows is never written.
fn matrix(
    memory: &Memory,
    random: &mut Random,
    problem: Problem,
    [rows, columns, ld]: [usize; 3],
) -> (u64, Vec<f64>) {
    let address = memory.allocate((rows * ld * 2) as u64).expect("allocates");
    let mut values = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        let elements: Vec<_> = (0..columns).map(|_| element(problem, random.unit())).collect();
        let bytes: Vec<u8> = elements.iter().flat_map(|(bits, _)| bits.bytes()).collect();
        memory.write(address + (row * ld * 2) as u64, &bytes).expect("writes");
        values.extend(elements.iter().map(|(_, value)| value));
    }
    (address, values)
}

pub(crate) fn run(module: &Module, problem: Problem) -> Run {
    let Problem { m, n, k, stages, b_transposed, .. } = problem;
    let (memory, mut random) = (Memory::new(), Random(1));
    let ld_a = k.next_multiple_of(8) + 8;
    let (a_at, a) = matrix(&memory, &mut random, problem, [m, k, ld_a]);
    let (rows_b, columns_b) = if b_transposed { (k, n) } else { (n, k) };
    let ld_b = columns_b.next_multiple_of(8);
    let (b_at, b) = matrix(&memory, &mut random, problem, [rows_b, columns_b, ld_b]);
    let ld_out = n;
    let out = memory.allocate((m * n * 4) as u64).expect("allocates");
    let alpha = 0.5f32;
    let arguments = [
        (m as i32).bytes(),
        (n as i32).bytes(),
        (k as i32).bytes(),
        a_at.bytes(),
        (ld_a as i64).bytes(),
        b_at.bytes(),
        (ld_b as i64).bytes(),
        alpha.bytes(),
        out.bytes(),
        (ld_out as i64).bytes(),
    ];
    let blocks = m.div_ceil(BLOCK) * n.div_ceil(BLOCK);
    let shared = (stages * 256 * 32 * 2).max(64 * 128 * 4);
    let result = launch(module, &memory, blocks as u32, THREADS, shared, &arguments);
    let mut expected = vec![0.0; m * n];
    for row in 0..m {
        for column in 0..n {
            let b = |at: usize| if b_transposed { b[at * n + column] } else { b[column * k + at] };
            let sum: f64 = (0..k).map(|at| a[row * k + at] * b(at)).sum();
            expected[row * n + column] = f64::from(alpha) * sum;
        }
    }
    Run { result, out: download(&memory, out, m * n), expected }
}

/// |out - expected| / |expected| in the Frobenius norm.
fn relative_error(run: &Run) -> f64 {
    let pairs = run.out.iter().zip(&run.expected);
    let error: f64 = pairs.map(|(out, expected)| (f64::from(*out) - expected).powi(2)).sum();
    let norm: f64 = run.expected.iter().map(|expected| expected.powi(2)).sum();
    (error / norm).sqrt()
}

fn check(module: &Module, problem: Problem) -> Statistics {
    let run = run(module, problem);
    let statistics = match &run.result {
        Ok(statistics) => statistics.clone(),
        Err(fault) => panic!("{fault}"),
    };
    let error = relative_error(&run);
    assert!(error <= 1e-6 * (problem.k as f64).sqrt(), "error {error:e}");
    statistics
}

const SQUARE: Problem =
    Problem { m: 256, n: 256, k: 128, stages: 3, bfloat: false, b_transposed: false };

#[test]
fn results_are_right_on_every_target() {
    for target in TARGETS {
        let module = module(TEXT, target, &[]);
        let statistics = check(module, SQUARE);
        assert_eq!(statistics.matrix_multiplies, 256 * 256 * 128 / (16 * 8 * 16));
        // The output, written once.
        assert_eq!(statistics.global_bytes_stored, 256 * 256 * 4);
        // Each block reads its rows of both operands once.
        assert_eq!(statistics.global_bytes_loaded, 4 * 2 * 128 * 128 * 2);
    }
}

#[test]
fn tails_of_every_extent_are_right() {
    let module = module(TEXT, "sm_80", &[]);
    for [m, n, k] in [[1, 1, 1], [129, 127, 33], [7, 260, 40], [130, 5, 95], [128, 128, 31]] {
        check(module, Problem { m, n, k, ..SQUARE });
    }
}

#[test]
fn transposed_loads_bf16_and_short_atoms_are_right() {
    let options = ["-DELEMENT_BF16", "-DB_TRANSPOSED", "-DATOM_K8", "-DSTAGES=4"];
    for target in TARGETS {
        let module = module(TEXT, target, &options);
        for [m, n, k] in [[128, 128, 64], [70, 201, 53]] {
            let (bfloat, b_transposed) = (true, true);
            check(module, Problem { m, n, k, stages: 4, bfloat, b_transposed });
        }
    }
}

/// The violation of the kernel with a mistake planted in it.
fn planted(bug: &str, problem: Problem) -> Violation {
    let module = module(TEXT, "sm_80", &[&format!("-D{bug}")]);
    let fault = run(module, problem).result.expect_err(bug);
    let place = fault.place().expect("a place");
    assert!(place.source.is_some(), "{bug} has no source line");
    fault.violation().expect("a violation").clone()
}

#[test]
fn planted_mistakes_are_found() {
    let tails = Problem { m: 130, n: 126, k: 60, ..SQUARE };
    assert_violation!(planted("BUG_LAX_WAIT", SQUARE), Violation::CopyInFlight { .. });
    assert_violation!(planted("BUG_NO_COMMIT", SQUARE), Violation::CopyInFlight { .. });
    assert_violation!(planted("BUG_NO_BARRIER", SQUARE), Violation::CopyNotPublished { .. });
    assert_violation!(planted("BUG_NO_FINAL_WAIT", SQUARE), Violation::Race { .. });
    assert_violation!(planted("BUG_NO_EPILOGUE_BARRIER", SQUARE), Violation::Race { .. });
    assert_violation!(planted("BUG_M_TAIL", tails), Violation::OutOfBounds { .. });
    assert_violation!(planted("BUG_K_TAIL", tails), Violation::Uninitialized { .. });
    assert_violation!(planted("BUG_N_STORE", tails), Violation::Misaligned { .. });
    let copy = planted("BUG_MISALIGNED_COPY", SQUARE);
    assert_violation!(copy, Violation::Misaligned { space: Space::Shared, bytes: 16, .. });
}
