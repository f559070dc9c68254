//! On the emulator a kernel accesses only its operands, and ends.

use crate::common::{arguments, matrices, numbers, operands, run, scaled, violation};
use gemm_emulator::{Direction, Violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{Kernel, launch};

/// The kernel with one text in place of another.
fn edited(from: &str, to: &str) -> Kernel {
    let mut kernel = scaled();
    assert_eq!(kernel.text.matches(from).count(), 1, "{from}");
    kernel.text = kernel.text.replace(from, to).into();
    kernel
}

/// A matrix of 6 rows of 8; its rows 1 to 4 and columns 2 to 5 are an operand.
fn around(device: &Device) -> Matrix<f32> {
    device.matrix(6, 8, &numbers(48, 1)).expect("a matrix")
}

#[test]
fn the_gap_between_two_rows_is_not_part_of_an_operand() {
    let device = Device::emulator();
    let around = around(&device);
    let x = around.submatrix(1..5, 2..6).expect("a part");
    let bias = device.vector(&numbers(4, 3)).expect("bias");
    run(&device, &x, &x, &bias, 1.0).expect("it stays inside");
    let kernel = edited("x[row * ld_x + i]", "x[row * ld_x + i + 1]");
    let violation = violation(launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0)));
    assert!(
        matches!(violation, Violation::OutOfBounds { bytes: 4, direction: Direction::Read, .. }),
        "{violation}"
    );
    let text = violation.to_string();
    assert!(text.ends_with("at byte 16 of row 0 of x, which has 4 rows of 16 B"), "{text}");
}

#[test]
fn memory_around_a_vector_is_not_part_of_it() {
    let device = Device::emulator();
    let around = around(&device);
    let x = around.submatrix(1..5, 2..6).expect("a part");
    let long = device.vector(&numbers(8, 3)).expect("a vector");
    let bias = long.slice(2..6).expect("a part");
    run(&device, &x, &x, &bias, 1.0).expect("it stays inside");
    for (to, place) in [
        ("bias[column + 1]", "at byte 16 of the 16 B of bias"),
        ("bias[column - 1]", "4 B before the 16 B of bias"),
    ] {
        let kernel = edited("bias[column]", to);
        let result = launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0));
        let text = violation(result).to_string();
        assert!(text.ends_with(place), "{text}");
    }
}

#[test]
fn the_output_is_not_written_between_its_rows() {
    let device = Device::emulator();
    let (x, _, bias) = matrices(&device, [4, 4, 4]);
    let mut around = device.zeros::<f32>(6, 8).expect("a matrix");
    let mut out = around.submatrix_mut(1..5, 2..6).expect("a part");
    let mut into =
        |kernel: &Kernel| launch::into(&device, kernel, arguments(&x, &x, &bias, &mut out));
    into(&scaled()).expect("it stays inside");
    let kernel =
        edited("out[row * ld_out + column] = alpha", "out[row * ld_out + column + 1] = alpha");
    let error = into(&kernel).expect_err("a column too far");
    assert!(error.to_string().contains("of out, which has 4 rows of 16 B"), "{error}");
}

#[test]
fn inputs_are_only_read() {
    let device = Device::emulator();
    let (x, _, bias) = matrices(&device, [4, 4, 4]);
    let kernel =
        edited("out[row * ld_out + column] = alpha", "const_cast<float*>(bias)[column] = alpha");
    let violation = violation(launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0)));
    let Violation::ReadOnly { operand, .. } = &violation else { panic!("{violation}") };
    assert_eq!(operand.as_deref(), Some("bias"));
}

/// The left and the right half of one matrix, whose rows lie in each other's gaps.
#[test]
fn operands_may_be_parts_of_one_matrix() {
    let device = Device::emulator();
    let host = numbers(9 * 10, 1);
    let whole = device.matrix(9, 10, &host).expect("a matrix");
    let half = |columns: std::ops::Range<usize>| whole.submatrix(0..9, columns).expect("a part");
    let (left, right) = (half(0..5), half(5..10));
    let bias = device.vector(&[0.0; 9]).expect("bias");
    let out = run(&device, &left, &right, &bias, 1.0).expect("it runs");
    let row = |at: usize, from: usize| &host[at * 10 + from..][..5];
    let product = |(x, w): (&f32, &f32)| x * w;
    let expected: Vec<f32> =
        (0..81).map(|at| row(at / 9, 0).iter().zip(row(at % 9, 5)).map(product).sum()).collect();
    assert_eq!(out.to_vec().expect("out"), expected);
}

#[test]
fn kernels_that_do_not_end_are_stopped() {
    let device = Device::emulator();
    let (x, _, bias) = matrices(&device, [4, 4, 4]);
    let kernel = edited("float sum = 0.0f;", "float sum = 0.0f; while (true) asm volatile(\"\");");
    let violation = violation(launch::run::<f32>(&device, &kernel, operands(&x, &x, &bias, 1.0)));
    assert!(matches!(violation, Violation::InstructionLimit { .. }), "{violation}");
}
