//! Batches and scalars in device memory, on streams and in graphs.

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use gemm_runtime::prelude::*;

use super::{captured, on_a_stream};
use crate::common::halves;

/// Heads side by side in the rows of one matrix, one weight for all of them.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn heads(
    x: Batched<f16, H, M, K>,
    w: Mat<f16, N, K>,
    alpha: Scalar<f32>,
    y: &mut Batched<f32, H, M, N>,
) {
    *y += alpha * matmul(x, w)
}

const HEADS: usize = 3;
const SHAPE: Shape = Shape { m: 37, n: 20, k: 24 };

/// The strides of [`HEADS`] matrices of `columns` columns that share their rows.
fn side_by_side(columns: usize) -> [isize; 3] {
    [columns, HEADS * columns, 1].map(|stride| stride as isize)
}

#[test]
fn a_captured_batch_reads_the_scalar_of_each_replay() {
    let Some((device, stream)) = on_a_stream() else { return };
    let Shape { m, n, k } = SHAPE;
    let (x_host, w_host) = (halves(HEADS * m * k, 1), halves(n * k, 2));
    let (x, w) = (device.vector(&x_host).expect("x"), device.vector(&w_host).expect("w"));
    let mut y = stream.alloc_zeros::<f32>(HEADS * m * n).expect("y");
    let alpha = device.scalar(0.5f32).expect("alpha");
    let x = BatchedRef::strided(&x, [HEADS, m, k], side_by_side(k)).expect("it fits");
    let w = MatrixRef::new(&w, n, k).expect("it fits");
    let view = BatchedMut::strided(&mut y, [HEADS, m, n], side_by_side(n)).expect("it fits");
    let mut prepared = heads::prepare(&device, &x, w, &alpha, view).expect("it is right");
    let graph = captured(&stream, || prepared.launch().expect("it is captured"));
    drop(prepared);

    let dense = x.to_vec().expect("x");
    let mut expected = vec![0.0; HEADS * m * n];
    for value in [0.5, -2.0, 3.0] {
        alpha.write(value).expect("alpha");
        graph.launch().expect("it runs");
        expected = heads::reference(HEADS, SHAPE, &dense, &w_host, value, &expected).expect("it");
    }
    let got = stream.clone_dtoh(&y).expect("y");
    stream.synchronize().expect("nothing failed");
    for (i, value) in got.into_iter().enumerate() {
        let (row, head, column) = (i / (HEADS * n), i / n % HEADS, i % n);
        assert_eq!(value, expected[head * m * n + row * n + column], "{head} ({row}, {column})");
    }
}

#[test]
fn a_scalar_of_cudarc_is_read_when_the_kernel_runs() {
    let Some((device, stream)) = on_a_stream() else { return };
    let Shape { m, n, k } = SHAPE;
    let x = device.batched(HEADS, m, k, &halves(HEADS * m * k, 1)).expect("x");
    let w = device.matrix(n, k, &halves(n * k, 2)).expect("w");
    let mut y = device.batched_zeros::<f32>(HEADS, m, n).expect("y");
    let mut alpha = stream.clone_htod(&[0.0f32, 2.0, 0.0]).expect("alpha");
    for value in [2.0f32, -1.0] {
        stream.memcpy_htod(&[9.0, value, 9.0], &mut alpha).expect("alpha");
        let second = ScalarRef::new(alpha.slice(1..)).expect("one");
        heads(&device, &x, &w, second, &mut y).expect("it runs");
    }
    let (x, w) = (x.to_vec().expect("x"), w.to_vec().expect("w"));
    let zeros = vec![0.0; HEADS * m * n];
    let expected = heads::reference(HEADS, SHAPE, &x, &w, 1.0, &zeros).expect("it fits");
    assert_eq!(y.to_vec().expect("y"), expected);
    assert!(ScalarRef::new(alpha.slice(3..)).is_err());
}

#[test]
fn a_scalar_cannot_be_written_while_its_stream_is_captured() {
    let Some((device, stream)) = on_a_stream() else { return };
    let alpha = device.scalar(0.5f32).expect("alpha");
    stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        .expect("a capture");
    assert!(alpha.write(1.0).is_err());
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    assert!(stream.end_capture(flags).is_err(), "the capture was broken off");
    alpha.write(2.0).expect("the stream works again");
    assert_eq!(alpha.read().expect("alpha"), 2.0);
}
