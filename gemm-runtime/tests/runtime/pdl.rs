//! Kernels that start before their predecessor has ended, on the emulator: their accesses before the
//! wait are checked.

use crate::common::{factors, halves, violation};
use gemm_emulator::{Direction, Violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, Kernel, launch};

#[gemm(tile = [16, 32, 32], warps = [1, 2], stages = 3, pdl = [w])]
fn weights(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [16, 32, 32], warps = [1, 2], stages = 3, split_k = 2, pdl = [])]
fn nothing(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [16, 32, 32], warps = [1, 2], stages = 3, pdl = [x, w])]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [16, 32, 32], warps = [1, 2], stages = 3)]
fn plain(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Runs a kernel on 20 × 40 × 100, and its violation if it has one.
fn run(kernel: &Kernel) -> Result<Vec<f16>, Violation> {
    let device = Device::emulator();
    let [x, w] = factors(&device, [20, 40, 100], halves);
    let mut out = device.zeros::<f16>(20, 40).expect("out");
    let arguments = [(&x).argument(), (&w).argument(), (&mut out).argument()];
    match launch::into(&device, kernel, arguments) {
        Ok(()) => Ok(out.to_vec().expect("out")),
        error => Err(violation(error)),
    }
}

/// A kernel with another text.
fn edited(kernel: &Kernel, from: &str, to: &str) -> Kernel {
    assert!(kernel.text.contains(from), "{from}");
    Kernel { text: kernel.text.replace(from, to).into(), ..kernel.clone() }
}

const WAIT: &str = "    wait_for_predecessor();\n";

#[test]
fn kernels_that_overlap_give_what_a_plain_one_gives() {
    let expected = run(&plain::KERNEL).expect("it runs");
    for kernel in [&weights::KERNEL, &nothing::KERNEL, &both::KERNEL] {
        assert_eq!(run(kernel).expect("it runs"), expected);
    }
}

#[test]
fn a_block_that_ends_without_waiting_is_found() {
    let early = edited(
        &both::KERNEL,
        "    Accumulators acc = {};\n",
        "    if (block.n > 0) return;\n    Accumulators acc = {};\n",
    );
    assert_eq!(run(&early), Err(Violation::EndsBeforePredecessor));
}

#[test]
fn an_access_before_the_wait_names_its_operand() {
    let early_access = |kernel: &Kernel| match run(kernel) {
        Err(Violation::BeforePredecessor { direction, operand: Some(operand), .. }) => {
            (direction, operand)
        }
        other => panic!("{other:?}"),
    };
    // What is promised of `w` is not promised of `x`.
    let promised = |pdl: &'static [usize]| {
        let mut kernel = weights::KERNEL.clone();
        kernel.launch.pdl = Some(pdl.into());
        early_access(&kernel)
    };
    assert_eq!(promised(&[]), (Direction::Read, "w".to_owned()));
    assert_eq!(promised(&[0]), (Direction::Read, "w".to_owned()));
    // The copies of `x` precede the wait.
    let late = format!("{WAIT}#pragma unroll\n");
    let start = "    launch_dependents();\n}\n";
    let moved = edited(&weights::KERNEL, &late, "#pragma unroll\n");
    let moved = edited(&moved, start, &format!("{WAIT}{start}"));
    assert_eq!(early_access(&moved), (Direction::Read, "x".to_owned()));
    // The output is written before the wait.
    let both_calls = format!("{WAIT}    launch_dependents();\n");
    let moved = edited(&both::KERNEL, &both_calls, "");
    let epilogue = "n);\n}\n";
    let moved = edited(&moved, epilogue, &format!("n);\n{both_calls}}}\n"));
    assert_eq!(early_access(&moved), (Direction::Write, "out".to_owned()));
}
