//! An annotated function from its call to its result, on the emulator.

use gemm_runtime::Report;
use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

fn halves(count: usize, seed: usize) -> Vec<f16> {
    let value = |i: usize| ((i * 37 + seed * 11) % 19) as f32 / 16.0 - 0.5;
    (0..count).map(|i| f16::from_f32(value(i))).collect()
}

fn assert_close(got: &[f16], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        let error = (got.to_f32() - expected).abs();
        assert!(error <= expected.abs() / 1024.0 + 1e-4, "{i}: {got} for {expected}");
    }
}

#[test]
fn an_annotated_function_agrees_with_its_reference() {
    let device = Device::emulator();
    for (m, n, k) in [(64, 64, 64), (70, 33, 45), (1, 1, 1), (65, 130, 0)] {
        let (x, w, bias) = (halves(m * k, 1), halves(n * k, 2), halves(n, 3));
        let dx = device.matrix(m, k, &x).expect("x");
        let dw = device.matrix(n, k, &w).expect("w");
        let db = device.vector(&bias).expect("bias");
        let y = linear_gelu(&device, &dx, &dw, &db).expect("it runs");
        let expected = linear_gelu::reference(Shape { m, n, k }, &x, &w, &bias).expect("it fits");
        assert_close(&y.to_vec().expect("y"), &expected);

        let mut into = device.zeros(m, n).expect("a matrix");
        linear_gelu::into(&device, &dx, &dw, &db, &mut into).expect("it runs");
        assert_close(&into.to_vec().expect("into"), &expected);
        linear_gelu::prepare(&device, &dx, &dw, &db, &mut into)
            .and_then(|mut prepared| prepared.launch())
            .expect("it runs");
        assert_close(&into.to_vec().expect("into"), &expected);
    }
}

#[test]
fn a_wrong_shape_is_said_in_the_words_of_the_signature() {
    let device = Device::emulator();
    let x = device.zeros(8, 8).expect("x");
    let w = device.zeros(15, 8).expect("w");
    let bias = device.vector(&halves(16, 0)).expect("bias");
    let mut y = device.zeros(8, 16).expect("y");
    let error = linear_gelu::into(&device, &x, &w, &bias, &mut y).expect_err("w has 15 rows");
    assert_eq!(error.to_string(), "linear_gelu: w: expected 16 rows (N of the output), got 15");
}

#[test]
fn its_report_has_no_spills() {
    let report: Report = linear_gelu::report(&Device::emulator()).expect("it compiles");
    assert_eq!(report.threads, 128);
    assert!(!report.spills() && report.registers > 32 && report.blocks_per_sm > 0, "{report}");
}
