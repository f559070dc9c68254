//! Batches whose matrices the copy unit reads and stores: interleaved, and one that stands for all.

use gemm_runtime::prelude::*;

use super::{captured, on_a_stream};
use crate::common::halves;

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 3, copy = tma)]
fn by_warps(x: Batched<f16, H, M, K>, w: Batched<f16, H, N, K>) -> Batched<f32, H, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 64, 64], schedule = cooperative, mma = wgmma, stages = 3)]
fn walking(x: Batched<f16, H, M, K>, w: Batched<f16, H, N, K>) -> Batched<f32, H, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], cluster = [2, 1], mma = wgmma, stages = 3)]
fn of_clusters(x: Batched<f16, H, M, K>, w: Batched<f16, H, N, K>) -> Batched<f32, H, M, N> {
    matmul(x, w)
}

const HEADS: usize = 7;
const SHAPE: Shape = Shape { m: 301, n: 136, k: 72 };

/// The strides of matrices of `columns` columns that share their rows, which have a gap at the end.
fn side_by_side(columns: usize) -> [isize; 3] {
    [columns, HEADS * columns + 8, 1].map(|stride| stride as isize)
}

#[test]
fn heads_that_share_their_rows_are_read_and_stored() {
    let Some((device, stream)) = on_a_stream() else { return };
    let Shape { m, n, k } = SHAPE;
    let pitch = HEADS * n + 8;
    for stride in [0, n * k + 8] {
        let x = device.vector(&halves((HEADS * k + 8) * m, 1)).expect("x");
        let w = device.vector(&halves(HEADS * (n * k + 8), 2)).expect("w");
        let x = BatchedRef::strided(&x, [HEADS, m, k], side_by_side(k)).expect("it fits");
        let strides = [stride as isize, k as isize, 1];
        let w = BatchedRef::strided(&w, [HEADS, n, k], strides).expect("it fits");
        let (of_x, of_w) = (x.to_vec().expect("x"), w.to_vec().expect("w"));
        let expected = walking::reference(HEADS, SHAPE, &of_x, &of_w).expect("it fits");
        for number in 0..3 {
            let prepare = [by_warps::prepare, walking::prepare, of_clusters::prepare][number];
            let mut y = stream.clone_htod(&vec![f32::NAN; pitch * m]).expect("y");
            let view = BatchedMut::strided(&mut y, [HEADS, m, n], side_by_side(n));
            let mut prepared = match prepare(&device, &x, &w, view.expect("it fits")) {
                Err(error @ Error::UnsupportedArchitecture { .. }) => {
                    eprintln!("skipped: {error}");
                    continue;
                }
                prepared => prepared.expect("it is right"),
            };
            let graph = captured(&stream, || prepared.launch().expect("it is captured"));
            graph.launch().expect("it runs");
            drop(prepared);
            let got = stream.clone_dtoh(&y).expect("y");
            stream.synchronize().expect("nothing failed");
            for (i, value) in got.into_iter().enumerate() {
                let (row, head, column) = (i / pitch, i % pitch / n, i % pitch % n);
                if head == HEADS {
                    assert!(value.is_nan(), "the gap of row {row}");
                    continue;
                }
                let want = expected[(head * m + row) * n + column];
                assert_eq!(value, want, "{head} ({row}, {column}), stride {stride}");
            }
        }
    }
}
