//! Messages about extents have the index names of the signature, and those of scales say what states an extent.

use gemm_runtime::prelude::*;

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn layer(
    x: Mat<f16, T, D>,
    w: Mat<f16, H, D>,
    bias: Vector<f16, H>,
    residual: Mat<f16, T, H>,
) -> Mat<f16, T, H> {
    matmul(x, w) + bias + residual
}

#[gemm]
fn quantised(
    x: Mat<bf16, T, D>,
    w: Mat<i4x2, H, D>,
    s: Tiled<bf16, H, D, 1, 128>,
) -> Mat<bf16, T, H> {
    matmul(x, w * s)
}

#[gemm]
fn packed(
    x: Mat<bf16, T, D>,
    w: Mat<i4x32, H, D>,
    s: Tiled<bf16, H, D, 1, 128>,
) -> Mat<bf16, T, H> {
    matmul(x, w * s)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn largest(x: Mat<f16, T, D>, w: Mat<f16, H, D>) -> Vector<f32, T> {
    max(matmul(x, w))
}

#[track_caller]
fn refused<T>(launch: Result<T, Error>, message: &str) {
    assert_eq!(launch.err().expect("extents differ").to_string(), message);
}

#[test]
fn messages_have_the_names_of_the_signature() {
    let device = Device::emulator();
    let zeros = |rows, columns| device.zeros::<f16>(rows, columns).expect("it fits");
    let (x, w, residual) = (zeros(5, 8), zeros(6, 8), zeros(5, 6));
    let bias = device.vector(&[f16::ZERO; 6]).expect("bias");
    let launch = layer(&device, &x, &zeros(8, 6), &bias, &residual);
    refused(launch, "layer: w: expected 8 columns (D of x), got 6");
    let launch = layer(&device, &x, &w, &bias, &zeros(6, 5));
    refused(launch, "layer: residual: expected 5 rows (T of x), got 6");
    let shape = layer::SIGNATURE.shape(&[[5, 8], [6, 8], [1, 7], [5, 6]]);
    refused(shape, "layer: bias: expected 6 elements (H of w), got 7");
    let shape = layer::SIGNATURE.shape(&[[1 << 31, 8], [6, 8], [1, 6], [1 << 31, 6]]);
    refused(shape, "layer: T = 2147483648 exceeds the limit of 1073741824");
    refused(largest(&device, &x, &zeros(0, 8)), "largest: out: nothing to reduce, H is 0");
    let shape = Shape { m: 5, n: 0, k: 8 };
    let values = largest::reference(shape, &[f16::ZERO; 40], &[]);
    refused(values, "largest: out: nothing to reduce, H is 0");
}

#[test]
fn scales_that_are_passed_transposed_have_the_index_of_the_signature() {
    let device = Device::emulator();
    let x = device.zeros::<bf16>(4, 256).expect("x");
    let w = device.matrix(16, 128, &[i4x2::default(); 16 * 128]).expect("w");
    let transposed = device.zeros::<bf16>(2, 16).expect("s");
    let launch = quantised(&device, &x, &w, &transposed);
    refused(launch, "quantised: s: expected 16 rows (H = 16 in tiles of 1), got 2");
    let launch = packed(&device, &x, &device.pack(&w).expect("packed"), &transposed);
    refused(launch, "packed: s: expected 16 rows (H = 16 in tiles of 1), got 2");
    let short = device.zeros::<bf16>(4, 200).expect("x");
    let w = device.matrix(16, 100, &[i4x2::default(); 16 * 100]).expect("w");
    let message = "quantised: s: D = 200 is not a multiple of 128, the D of a tile with one scale";
    let scales = device.zeros::<bf16>(16, 2).expect("s");
    refused(quantised(&device, &short, &w, &scales), message);
}

#[test]
fn rows_of_packed_weights_alone_do_not_state_an_extent() {
    let device = Device::emulator();
    let x = device.zeros::<bf16>(4, 256).expect("x");
    let w = device.matrix(10, 128, &[i4x2::default(); 10 * 128]).expect("w");
    let w = device.pack(&w).expect("packed");
    let scales = device.zeros::<bf16>(10, 2).expect("s");
    let message = "packed: s: expected 16 rows (H = 16 in tiles of 1), got 10\n\
        help: w has 1 packed row of 16 lines, and nothing else states H: pass an output of this extent to `into`";
    refused(packed(&device, &x, &w, &scales), message);
    let mut out = device.zeros::<bf16>(4, 10).expect("out");
    packed::into(&device, &x, &w, &scales, &mut out).expect("the output states it");
}
