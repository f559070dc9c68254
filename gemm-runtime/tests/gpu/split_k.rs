//! K split among blocks, which on a GPU run and arrive in any order.

use gemm_runtime::prelude::*;

use super::{captured, gpu, on_a_stream};
use crate::common::{bits, factors, fractions, halves};

/// Small tiles, so that a launch has more blocks than the GPU runs at a time.
#[gemm(tile = [32, 32, 32], warps = [1, 1], stages = 3, split_k = 7)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 32, 32], warps = [1, 1], stages = 3)]
fn whole(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 3, split_k = 16)]
fn accumulate(a: Mat<i8, M, K>, b: Mat<i8, N, K>, c: &mut Mat<i32, M, N>) {
    *c += matmul(a, b)
}

#[test]
fn all_blocks_of_a_tile_are_added_up() {
    let Some(device) = gpu() else { return };
    for shape in [[32, 32, 224], [1, 1, 193], [700, 900, 1000], [3000, 2000, 449]] {
        let [a, b] = factors(&device, shape, halves);
        let split = product(&device, &a, &b).expect("it runs");
        let expected = whole(&device, &a, &b).expect("it runs");
        assert_eq!(bits(&split), bits(&expected), "{shape:?}");
    }
}

#[test]
fn every_launch_gives_the_same_bits() {
    let Some(device) = gpu() else { return };
    let shape = [500, 700, 5000];
    let [a, b] = factors(&device, shape, fractions);
    let first = bits(&product(&device, &a, &b).expect("it runs"));
    for _ in 0..20 {
        assert_eq!(bits(&product(&device, &a, &b).expect("it runs")), first);
    }
    let mut out = device.zeros::<f32>(shape[0], shape[1]).expect("it fits");
    for _ in 0..5 {
        let mut prepared = product::prepare(&device, &a, &b, &mut out).expect("it fits");
        for _ in 0..50 {
            prepared.launch().expect("it runs");
        }
        drop(prepared);
        assert_eq!(bits(&out), first);
    }
}

#[test]
fn a_captured_launch_keeps_its_workspace() {
    let Some((device, stream)) = on_a_stream() else { return };
    let (m, n, k) = (300, 200, 4000);
    let number = |i: usize| ((i * 7) % 11) as i8 - 5;
    let host = |count| (0..count).map(number).collect::<Vec<i8>>();
    let (a, b) = (host(m * k), host(n * k));
    let expected =
        accumulate::reference(Shape { m, n, k }, &a, &b, &vec![0; m * n]).expect("it fits");
    let a = device.matrix(m, k, &a).expect("it fits");
    let b = device.matrix(n, k, &b).expect("it fits");
    let mut c = device.zeros::<i32>(m, n).expect("it fits");
    let mut prepared = accumulate::prepare(&device, &a, &b, &mut c).expect("it fits");
    let graph = captured(&stream, || prepared.launch().expect("it is captured"));
    for _ in 0..10 {
        graph.launch().expect("it runs");
    }
    stream.synchronize().expect("nothing failed");
    drop((graph, prepared));
    let expected: Vec<i32> = expected.into_iter().map(|sum| 10 * sum).collect();
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn two_streams_have_a_workspace_each() {
    let Some((first, stream)) = on_a_stream() else { return };
    let other = stream.context().new_stream().expect("a stream");
    let second = Device::from_stream(other).expect("its device");
    let shape = [200, 300, 4096];
    let devices = [&first, &second];
    let inputs = devices.map(|device| factors(device, shape, halves));
    let mut outputs =
        devices.map(|device| device.zeros::<f32>(shape[0], shape[1]).expect("it fits"));
    let [out, other_out] = &mut outputs;
    let mut one = product::prepare(&first, &inputs[0][0], &inputs[0][1], out).expect("it fits");
    let mut two =
        product::prepare(&second, &inputs[1][0], &inputs[1][1], other_out).expect("it fits");
    for _ in 0..50 {
        one.launch().expect("it runs");
        two.launch().expect("it runs");
    }
    drop((one, two));
    let expected = bits(&whole(&first, &inputs[0][0], &inputs[0][1]).expect("it runs"));
    for out in &outputs {
        assert_eq!(bits(out), expected);
    }
}
