//! Batches over three indices and more: operands over any of them.

use crate::common::{halves, hopper, numbers};
use gemm_runtime::prelude::*;

/// Heads of groups: queries over three indices, keys over the outer two, and matrices, vectors and values
/// over one, two or none.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn grouped(
    q: Batched<f16, (B, G, H), S, D>,
    k: Batched<f16, (B, G), T, D>,
    residual: Batched<f32, (B, H), S, T>,
    mask: Mat<f32, S, T>,
    bias: Batched<f32, (G, H), T>,
    sink: Batched<f32, G, S>,
    all: Batched<f32, (B, G, H), T>,
) -> Batched<f32, (B, G, H), S, T> {
    matmul(q, k) + residual + mask + bias + sink + all
}

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 2, copy = tma)]
fn grouped_by_tma(
    q: Batched<f16, (B, G, H), S, D>,
    k: Batched<f16, H, T, D>,
) -> Batched<f16, (B, G, H), S, T> {
    matmul(q, k)
}

#[gemm(tile = [64, 64, 64], schedule = pingpong, mma = wgmma, stages = 2)]
fn grouped_by_wgmma(
    q: Batched<f16, (B, G, H), S, D>,
    k: Batched<f16, (B, G), T, D>,
    residual: Batched<f16, (B, H), S, T>,
    c: &mut Batched<f16, (B, G, H), S, T>,
) {
    *c += matmul(q, k) + residual
}

const B: usize = 2;
const G: usize = 2;
const H: usize = 3;

/// B×S×G×H×D in memory, heads `pitch` elements apart, as B×G×H×S×D, and the same dense.
fn groups(
    buffer: &DeviceVector<f16>,
    [s, d]: [usize; 2],
    pitch: usize,
) -> (BatchedRef<'_, f16>, Vec<f16>) {
    let heads = G * H * pitch;
    let strides = [s * heads, H * pitch, pitch, heads, 1].map(|stride| stride as isize);
    let view = BatchedRef::strided(buffer, [B, G, H, s, d], strides).expect("it fits");
    let dense = view.to_vec().expect("dense");
    (view, dense)
}

#[test]
fn operands_over_any_of_three_indices_are_those_of_the_reference() {
    let (s, t, d) = (35, 21, 19);
    let (device, shape) = (Device::emulator(), Shape { m: s, n: t, k: d });
    let of_q = device.vector(&halves(B * s * G * H * d, 0)).expect("q");
    let (q, dense) = groups(&of_q, [s, d], d);
    let k = halves(B * G * t * d, 1);
    let [residual, mask, bias, sink, all] =
        [B * H * s * t, s * t, G * H * t, G * s, B * G * H * t].map(|count| numbers(count, count));
    let out = grouped(
        &device,
        &q,
        &device.batched([B, G], t, d, &k).expect("k"),
        &device.batched([B, H], s, t, &residual).expect("residual"),
        &device.matrix(s, t, &mask).expect("mask"),
        &device.batched(G, H, t, &bias).expect("bias"),
        &device.matrix(G, s, &sink).expect("sink"),
        &device.batched([B, G], H, t, &all).expect("all"),
    );
    let out = out.expect("it runs");
    assert_eq!(out.batches(), [B, G, H]);
    let expected =
        grouped::reference([B, G, H], shape, &dense, &k, &residual, &mask, &bias, &sink, &all);
    let expected = expected.expect("it fits");
    assert!(out.to_vec().expect("out") == expected);

    // The sum of one element, by hand.
    let (b, g, h, i, j) = (1, 0, 2, 30, 20);
    let number = (b * G + g) * H + h;
    let factors =
        (0..d).map(|x| (dense[(number * s + i) * d + x], k[((b * G + g) * t + j) * d + x]));
    let product: f32 = factors.map(|(q, k)| q.to_f32() * k.to_f32()).sum();
    let rest =
        residual[((b * H + h) * s + i) * t + j] + mask[i * t + j] + bias[(g * H + h) * t + j];
    let sum = product + rest + sink[g * s + i] + all[number * t + j];
    assert_eq!(expected[(number * s + i) * t + j], sum);
}

#[test]
fn tensor_copies_have_a_coordinate_for_each_of_three_indices() {
    let (s, t) = (70, 40);
    // A pitch of 76 elements is not a multiple of 16 bytes: such heads are copied first.
    for (d, pitch) in [(72, 72), (67, 76)] {
        let (device, shape) = (hopper(), Shape { m: s, n: t, k: d });
        let of_q = device.vector(&halves(B * s * G * H * pitch, 0)).expect("q");
        let (q, dense) = groups(&of_q, [s, d], pitch);
        let rounded = |values: Result<Vec<f32>, Error>| -> Vec<f16> {
            values.expect("it fits").into_iter().map(f16::from_f32).collect()
        };

        let w = halves(H * t * d, 1);
        let weights = device.batched(H, t, d, &w).expect("w");
        let out = grouped_by_tma(&device, &q, &weights).expect("it runs").to_vec().expect("out");
        let expected = grouped_by_tma::reference([B, G, H], shape, &dense, &w);
        assert!(out == rounded(expected), "by warps, {pitch}");

        let (k, residual) = (halves(B * G * t * d, 2), halves(B * H * s * t, 3));
        let keys = device.batched([B, G], t, d, &k).expect("k");
        let residuals = device.batched([B, H], s, t, &residual).expect("residual");
        // Stored as queries are read: heads that share their rows.
        let memory = halves(B * s * G * H * t, 4);
        let mut memory = device.vector(&memory).expect("memory");
        let (_, old) = groups(&memory, [s, t], t);
        let heads = G * H * t;
        let strides = [s * heads, H * t, t, heads, 1].map(|stride| stride as isize);
        let mut c = BatchedMut::strided(&mut memory, [B, G, H, s, t], strides).expect("it fits");
        grouped_by_wgmma(&device, &q, &keys, &residuals, &mut c).expect("it runs");
        let expected = grouped_by_wgmma::reference([B, G, H], shape, &dense, &k, &residual, &old);
        assert!(c.view().to_vec().expect("c") == rounded(expected), "by warpgroups, {pitch}");
    }
}

/// Without tensor cores, K shared by blocks.
#[gemm(tile = [16, 32, 16], warps = [1, 1], mma = fma(4, 4), copy = ld_global(16), split_k = 2)]
fn of_four(
    a: Batched<f32, (A, G, H), M, K>,
    b: Batched<f32, (B, H), N, K>,
) -> Batched<f32, (A, B, G, H), M, N> {
    matmul(a, b)
}

#[test]
fn an_output_has_a_matrix_for_each_value_of_four_indices() {
    let (device, shape) = (Device::emulator(), Shape { m: 19, n: 33, k: 40 });
    let Shape { m, n, k } = shape;
    let (a, b) = (numbers(3 * G * H * m * k, 1), numbers(B * H * n * k, 2));
    let a_on = device.batched([3, G, H], m, k, &a).expect("a");
    let b_on = device.batched([B, H], n, k, &b).expect("b");
    let out = of_four(&device, &a_on, &b_on).expect("it runs");
    assert_eq!(out.batches(), [3, B, G, H]);
    let expected = of_four::reference([3, B, G, H], shape, &a, &b).expect("it fits");
    assert!(out.to_vec().expect("out") == expected);
}
