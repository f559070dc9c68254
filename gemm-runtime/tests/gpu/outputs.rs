//! Several outputs on a GPU, compared with one kernel for each.

use gemm_runtime::prelude::*;

use super::{captured, gpu, on_a_stream};
use crate::common::{factors, fractions};

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
fn both(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w) + bias;
    (z, gelu(z))
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
fn first(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
fn second(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

fn operands(
    device: &Device,
    [m, n, k]: [usize; 3],
) -> (Matrix<f16>, Matrix<f16>, DeviceVector<f16>) {
    let [x, w] = factors(device, [m, n, k], fractions);
    (x, w, device.vector(&fractions(n, 3)).expect("bias"))
}

#[test]
fn two_outputs_are_what_two_kernels_write() {
    let Some(device) = gpu() else { return };
    for shape in [[64, 64, 64], [1, 1, 1], [700, 901, 333], [1000, 1024, 512]] {
        let (x, w, bias) = operands(&device, shape);
        let (z, y) = both(&device, &x, &w, &bias).expect("it runs");
        let one = first(&device, &x, &w, &bias).expect("it runs");
        let other = second(&device, &x, &w, &bias).expect("it runs");
        assert_eq!(z.to_vec().expect("z"), one.to_vec().expect("one"), "{shape:?}");
        assert_eq!(y.to_vec().expect("y"), other.to_vec().expect("other"), "{shape:?}");
    }
}

#[test]
fn a_captured_launch_writes_all_outputs() {
    let Some((device, stream)) = on_a_stream() else { return };
    let shape @ [m, n, _] = [300, 200, 400];
    let (x, w, bias) = operands(&device, shape);
    let (expected_z, expected_y) = both(&device, &x, &w, &bias).expect("it runs");
    let (mut z, mut y) = (device.zeros(m, n).expect("z"), device.zeros(m, n).expect("y"));
    let mut prepared = both::prepare(&device, &x, &w, &bias, &mut z, &mut y).expect("it fits");
    let graph = captured(&stream, || prepared.launch().expect("it is captured"));
    for _ in 0..3 {
        graph.launch().expect("it runs");
    }
    stream.synchronize().expect("nothing failed");
    drop((graph, prepared));
    assert_eq!(z.to_vec().expect("z"), expected_z.to_vec().expect("z"));
    assert_eq!(y.to_vec().expect("y"), expected_y.to_vec().expect("y"));
}
