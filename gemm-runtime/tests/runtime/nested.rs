//! Batches over two indices: operands over one of them or both, in the layouts of an attention.

use crate::common::{halves, hopper, numbers};
use gemm_runtime::prelude::*;
use gemm_runtime::{BatchError, EmulatorOptions, Target};

/// Scores of queries whose heads share the keys, with a residual for each head and a vector for each
/// row of the batch.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn scores(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, B, T, D>,
    residual: Batched<f32, H, S, T>,
    bias: Batched<f32, (B, H), T>,
    sink: Batched<f32, B, S>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + residual + bias + sink
}

/// Without tensor cores, K shared by blocks.
#[gemm(tile = [16, 32, 16], warps = [1, 1], mma = fma(4, 4), copy = ld_global(16), split_k = 2)]
fn shared(a: Batched<f32, B, M, K>, b: Batched<f32, H, N, K>, c: &mut Batched<f32, (B, H), M, N>) {
    *c += matmul(a, b)
}

#[gemm(tile = [64, 32, 64], schedule = cooperative, mma = wgmma, stages = 2)]
fn walking(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, B, T, D>,
    bias: Batched<f32, H, T>,
) -> Batched<f16, (B, H), S, T> {
    matmul(q, k) + bias
}

/// Matrices that copies bring to epilogue tiles: one that each value of B has for all H.
#[gemm(tile = [64, 64, 64], schedule = pingpong, mma = wgmma, stages = 2)]
fn accumulate(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, H, T, D>,
    residual: Batched<f16, B, S, T>,
    c: &mut Batched<f16, (B, H), S, T>,
) {
    *c += matmul(q, k) + residual
}

#[gemm(tile = [64, 16, 64], cluster = [2, 1], mma = wgmma, stages = 2)]
fn of_clusters(a: Mat<f16, M, K>, b: Batched<f16, (B, H), N, K>) -> Batched<f32, (B, H), M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 2, copy = tma)]
fn by_warps(a: Batched<f16, (B, H), M, K>, b: Batched<f16, H, N, K>) -> Batched<f16, (B, H), M, N> {
    matmul(a, b)
}

#[gemm]
fn chosen(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, (B, H), T, D>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn flat(q: Batched<f16, B, S, D>, k: Batched<f16, B, T, D>) -> Batched<f32, B, S, T> {
    matmul(q, k)
}

const B: usize = 2;
const H: usize = 3;

/// B×S×H×D in memory as B×H×S×D.
fn heads(buffer: &DeviceVector<f16>, [s, d]: [usize; 2]) -> BatchedRef<'_, f16> {
    heads_of(buffer, [s, d], d)
}

/// The same with heads that begin `pitch` elements apart.
fn heads_of(buffer: &DeviceVector<f16>, [s, d]: [usize; 2], pitch: usize) -> BatchedRef<'_, f16> {
    let strides = [s * H * pitch, pitch, H * pitch, 1].map(|stride| stride as isize);
    BatchedRef::strided(buffer, [B, H, s, d], strides).expect("it fits")
}

#[test]
fn operands_over_one_index_or_both_are_those_of_the_reference() {
    let (s, t, d) = (35, 21, 19);
    let shape = Shape { m: s, n: t, k: d };
    let device = Device::emulator();
    let of_q = device.vector(&halves(B * s * H * d, 0)).expect("q");
    let q = heads(&of_q, [s, d]);
    let [k, residual, bias, sink] =
        [B * t * d, H * s * t, B * H * t, B * s].map(|count| numbers(count, count));
    let k: Vec<f16> = k.into_iter().map(f16::from_f32).collect();
    let on = [
        device.batched(H, s, t, &residual).expect("residual"),
        device.batched(B, H, t, &bias).expect("bias"),
    ];
    let keys = device.batched(B, t, d, &k).expect("k");
    let sinks = device.matrix(B, s, &sink).expect("sink");
    let out = scores(&device, &q, &keys, &on[0], &on[1], &sinks).expect("it runs");
    assert_eq!((out.batches(), out.rows(), out.columns()), (vec![B, H], s, t));
    let q = q.to_vec().expect("q");
    let expected =
        scores::reference([B, H], shape, &q, &k, &residual, &bias, &sink).expect("it fits");
    assert!(out.to_vec().expect("out") == expected);

    // The sum of one element, by hand.
    let (b, h, i, j) = (1, 2, 30, 20);
    let product: f32 = (0..d)
        .map(|x| {
            let q = q[((b * H + h) * s + i) * d + x].to_f32();
            q * k[(b * t + j) * d + x].to_f32()
        })
        .sum();
    let rest = residual[(h * s + i) * t + j] + bias[(b * H + h) * t + j] + sink[b * s + i];
    assert_eq!(expected[((b * H + h) * s + i) * t + j], product + rest);

    let kernel = &scores::KERNEL;
    let batches: Vec<&[bool]> = kernel.parameters.iter().map(|one| &one.batch.0[..]).collect();
    let [both, outer, inner] = [[true, true], [true, false], [false, true]];
    assert_eq!(batches, [both, outer, inner, both, outer, both]);
}

#[test]
fn heads_that_share_their_rows_are_written_in_place() {
    let device = Device::emulator();
    let (m, n, k) = (19, 33, 40);
    let (a, b) = (numbers(B * m * k, 1), numbers(H * n * k, 2));
    let a_on = device.batched(B, m, k, &a).expect("a");
    let b_on = device.batched(H, n, k, &b).expect("b");
    let mut memory = device.vector(&numbers(B * m * H * n, 3)).expect("c");
    let strides = [m * H * n, n, H * n, 1].map(|stride| stride as isize);
    let old = BatchedRef::strided(&memory, [B, H, m, n], strides).expect("it fits");
    let old = old.to_vec().expect("c");
    let mut c = BatchedMut::strided(&mut memory, [B, H, m, n], strides).expect("it fits");
    shared(&device, &a_on, &b_on, &mut c).expect("it runs");
    let shape = Shape { m, n, k };
    let expected = shared::reference([B, H], shape, &a, &b, &old).expect("it fits");
    assert!(c.view().to_vec().expect("c") == expected);
    assert_ne!(expected[..n], old[..n]);

    let overlap = BatchedMut::strided(&mut memory, [B, H, m, n], [1, n as isize, 99, 1]);
    let error = overlap.map(|_| ()).expect_err("matrices of two values of B share elements");
    assert!(matches!(error, Error::Batch(BatchError::Overlap { .. })), "{error}");
}

fn rounded(values: Vec<f32>) -> Vec<f16> {
    values.into_iter().map(f16::from_f32).collect()
}

#[test]
fn tensor_copies_have_a_coordinate_for_each_index() {
    let (s, t) = (70, 40);
    // A pitch of 76 elements is not a multiple of 16 bytes: such heads are copied first.
    for (d, pitch) in [(72, 72), (67, 76)] {
        let device = hopper();
        let of_q = device.vector(&halves(B * s * H * pitch, 0)).expect("q");
        let q = heads_of(&of_q, [s, d], pitch);
        check_walking(&device, &q, t, pitch == 76);
        check_others(&device, &q, t);
    }
}

/// Multiplies queries by `t` keys, and stores them in each of three ways.
fn check_walking(device: &Device, q: &BatchedRef<'_, f16>, t: usize, copied: bool) {
    let (s, d, dense) = (q.rows(), q.columns(), q.to_vec().expect("q"));
    let (k, bias) = (halves(B * t * d, 1), numbers(H * t, 2));
    let keys = device.batched(B, t, d, &k).expect("k");
    let biases = device.matrix(H, t, &bias).expect("bias");
    let out = walking(device, q, &keys, &biases).expect("it runs").to_vec().expect("out");
    let shape = Shape { m: s, n: t, k: d };
    let expected = walking::reference([B, H], shape, &dense, &k, &bias).expect("it fits");
    let expected = rounded(expected);
    assert!(out == expected, "{d}");

    // Stored as they are read: heads that share their rows.
    let mut memory = device.vector(&halves(B * s * H * t, 9)).expect("memory");
    let strides = [s * H * t, t, H * t, 1].map(|stride| stride as isize);
    let mut view = BatchedMut::strided(&mut memory, [B, H, s, t], strides).expect("it fits");
    walking::into(device, q, &keys, &biases, &mut view).expect("it runs");
    assert!(view.view().to_vec().expect("out") == expected, "stored apart, {d}");

    let mut out = device.batched_zeros([B, H], s, t).expect("out");
    let prepared = walking::prepare(device, q, &keys, &biases, &mut out).expect("it fits");
    assert_eq!(!prepared.report().copies.is_empty(), copied, "{d}");
}

/// The same by the other kernels with tensor copies.
fn check_others(device: &Device, q: &BatchedRef<'_, f16>, t: usize) {
    let (s, d, dense) = (q.rows(), q.columns(), q.to_vec().expect("q"));
    let shape = Shape { m: s, n: t, k: d };
    let (w, old) = (halves(H * t * d, 3), halves(B * H * s * t, 4));
    let residual = halves(B * s * t, 5);
    let weights = device.batched(H, t, d, &w).expect("w");
    let residuals = device.batched(B, s, t, &residual).expect("residual");
    let mut c = device.batched([B, H], s, t, &old).expect("c");
    accumulate(device, q, &weights, &residuals, &mut c).expect("it runs");
    let expected = accumulate::reference([B, H], shape, &dense, &w, &residual, &old);
    assert!(c.to_vec().expect("c") == rounded(expected.expect("it fits")), "accumulate, {d}");

    let out = by_warps(device, q, &weights).expect("it runs").to_vec().expect("out");
    let expected = by_warps::reference([B, H], shape, &dense, &w).expect("it fits");
    assert!(out == rounded(expected), "by warps, {d}");

    let a = halves(t * d, 6);
    let weight = device.matrix(t, d, &a).expect("a");
    let out = of_clusters(device, &weight, q).expect("it runs").to_vec().expect("out");
    let shape = Shape { m: t, n: s, k: d };
    let expected = of_clusters::reference([B, H], shape, &a, &dense).expect("it fits");
    assert!(out == expected, "clusters, {d}");
}

#[test]
fn a_launch_chooses_for_two_indices_and_flat_ones_alike() {
    let (s, t, d) = (33, 17, 24);
    for target in [Target::Sm80, Target::Sm90] {
        let device = Device::emulator_with(EmulatorOptions::default().target(target));
        let (of_q, of_k) = (halves(B * s * H * d, 0), halves(B * t * H * d, 1));
        let (of_q, of_k) = (device.vector(&of_q).expect("q"), device.vector(&of_k).expect("k"));
        let (q, k) = (heads(&of_q, [s, d]), heads(&of_k, [t, d]));
        let out = chosen(&device, &q, &k).expect("it runs");
        let [dense_q, dense_k] = [q, k].map(|view| view.to_vec().expect("dense"));
        let shape = Shape { m: s, n: t, k: d };
        let expected = chosen::reference([B, H], shape, &dense_q, &dense_k).expect("it fits");
        assert!(out.to_vec().expect("out") == expected, "{target}");

        // Both indices are one in a dense batch.
        let q = device.batched([B, H], s, d, &dense_q).expect("q");
        let k = device.batched(B * H, t, d, &dense_k).expect("k");
        assert!(flat(&device, &q, &k).expect("it runs").to_vec().expect("out") == expected);
    }
}

#[test]
fn extents_of_both_indices_are_named() {
    let device = Device::emulator();
    let nested = |batch: [usize; 2], rows: usize| {
        let elements = halves(batch[0] * batch[1] * rows * 8, 0);
        device.batched::<f16>(batch, rows, 8, &elements).expect("it fits")
    };
    let message = |q: &BatchedMatrix<f16>, k: &BatchedMatrix<f16>| {
        chosen(&device, q, k).expect_err("they differ").to_string()
    };
    assert_eq!(
        message(&nested([2, 3], 4), &nested([3, 3], 5)),
        "chosen: k: expected a batch of 2 along the outermost index (that of q), got 3"
    );
    assert_eq!(
        message(&nested([2, 3], 4), &nested([2, 4], 5)),
        "chosen: k: expected a batch of 3 along the innermost index (that of q), got 4"
    );
    let six = device.batched_zeros::<f16>(6, 4, 8).expect("six");
    assert_eq!(
        message(&six, &nested([2, 3], 5)),
        "chosen: q: expected a batch over 2 indices, got 6 matrices, 32 elements apart\n\
         help: `into_batches` gives the matrices several indices"
    );
    let memory = device.vector(&halves(2 * 4 * 3 * 8, 0)).expect("q");
    let apart = BatchedRef::strided(&memory, [2, 3, 4, 8], [96, 8, 24, 1]).expect("it fits");
    let error = flat(&device, &apart, &nested([1, 6], 5)).expect_err("two strides");
    assert!(matches!(error, Error::Batch(BatchError::Indices { .. })), "{error}");
    assert_eq!(
        error.to_string(),
        "flat: q: expected a batch over 1 index, got 2 times 3 matrices, 96 and 8 elements apart\n\
         help: declare an index for each, as in `Batched<T, (B, H), ..>`"
    );
    let six = device.batched_zeros::<f16>(6, 1, 1).expect("six");
    let error = six.into_batches([4, 2]).expect_err("they are 8");
    assert_eq!(error.to_string(), "6 matrices are not a batch of 4 times 2");
    let none = device.batched_zeros::<f16>([2, 0], 4, 8).expect("none");
    let keys = device.batched_zeros::<f16>([2, 0], 5, 8).expect("none");
    let out = chosen(&device, &none, &keys).expect("nothing is launched");
    assert_eq!(out.batches(), [2, 0]);
}
