//! Batches over two indices, whose tensor maps have four dimensions.

use gemm_runtime::prelude::*;

use super::{captured, on_a_stream};
use crate::common::halves;

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 3)]
fn by_threads(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, B, T, D>,
    bias: Batched<f16, H, T>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + bias
}

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 3, copy = tma)]
fn by_warps(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, B, T, D>,
    bias: Batched<f16, H, T>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + bias
}

#[gemm(tile = [128, 64, 64], schedule = cooperative, mma = wgmma, stages = 3)]
fn walking(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, B, T, D>,
    bias: Batched<f16, H, T>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + bias
}

#[gemm(tile = [64, 64, 64], schedule = pingpong, mma = wgmma, stages = 3)]
fn in_place(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, H, T, D>,
    residual: Batched<f16, B, S, T>,
    c: &mut Batched<f16, (B, H), S, T>,
) {
    *c += matmul(q, k) + residual
}

const B: usize = 3;
const H: usize = 5;
const SHAPE: Shape = Shape { m: 301, n: 136, k: 72 };

/// The strides of B×S×H×D as `(B, H), S, D`.
fn strides(rows: usize, columns: usize) -> [isize; 4] {
    [rows * H * columns, columns, H * columns, 1].map(|stride| stride as isize)
}

#[test]
fn heads_of_sequences_are_read_and_stored() {
    let Some((device, stream)) = on_a_stream() else { return };
    let Shape { m, n, k: d } = SHAPE;
    let q = device.vector(&halves(B * m * H * d, 1)).expect("q");
    let q = BatchedRef::strided(&q, [B, H, m, d], strides(m, d)).expect("it fits");
    let (k, bias) = (halves(B * n * d, 2), halves(H * n, 3));
    let keys = device.batched(B, n, d, &k).expect("k");
    let biases = device.matrix(H, n, &bias).expect("bias");
    let dense = q.to_vec().expect("q");
    let expected = walking::reference([B, H], SHAPE, &dense, &k, &bias).expect("it fits");
    for number in 0..3 {
        let prepare = [by_threads::prepare, by_warps::prepare, walking::prepare][number];
        let mut y = stream.clone_htod(&vec![f32::NAN; B * m * H * n]).expect("y");
        let view = BatchedMut::strided(&mut y, [B, H, m, n], strides(m, n)).expect("it fits");
        let mut prepared = match prepare(&device, &q, &keys, &biases, view) {
            Err(error @ Error::UnsupportedArchitecture { .. }) => {
                eprintln!("skipped: {error}");
                continue;
            }
            prepared => prepared.expect("it is right"),
        };
        let graph = captured(&stream, || prepared.launch().expect("it is captured"));
        graph.launch().expect("it runs");
        drop(prepared);
        let got = BatchedRef::strided(&y, [B, H, m, n], strides(m, n)).expect("it fits");
        assert!(got.to_vec().expect("y") == expected, "{number}");
    }
}

#[test]
fn heads_are_updated_in_place() {
    let Some((device, _)) = on_a_stream() else { return };
    let Shape { m, n, k: d } = SHAPE;
    let q = device.vector(&halves(B * m * H * d, 1)).expect("q");
    let q = BatchedRef::strided(&q, [B, H, m, d], strides(m, d)).expect("it fits");
    let dense = q.to_vec().expect("q");
    let (w, residual, old) = (halves(H * n * d, 4), halves(B * m * n, 5), halves(B * H * m * n, 6));
    let weights = device.batched(H, n, d, &w).expect("w");
    let residuals = device.batched(B, m, n, &residual).expect("residual");
    let mut c = device.batched([B, H], m, n, &old).expect("c");
    match in_place(&device, &q, &weights, &residuals, &mut c) {
        Err(error @ Error::UnsupportedArchitecture { .. }) => eprintln!("skipped: {error}"),
        result => {
            result.expect("it runs");
            let expected = in_place::reference([B, H], SHAPE, &dense, &w, &residual, &old);
            let rounded: Vec<f16> =
                expected.expect("it fits").into_iter().map(f16::from_f32).collect();
            assert!(c.to_vec().expect("c") == rounded);
        }
    }
}
