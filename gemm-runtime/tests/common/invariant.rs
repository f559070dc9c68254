//! Functions that are `invariant`, and data whose sums depend on their order.

use std::marker::PhantomData;

use gemm_runtime::Element;
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;

#[gemm(invariant)]
fn linear(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(invariant)]
fn linear_of_a_batch(x: Batched<bf16, B, M, K>, w: Mat<bf16, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

#[gemm(invariant)]
fn activated(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

#[gemm(invariant)]
fn activated_of_a_batch(
    x: Batched<f16, B, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
) -> Batched<f16, B, M, N> {
    gelu(matmul(x, w) + bias)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
fn whole(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3, split_k = 4)]
fn split(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// A function of x, w and perhaps a bias: of a matrix, and of a batch of them.
pub(crate) struct Function<X, Y> {
    pub(crate) kernels: &'static Kernels<'static>,
    pub(crate) of_a_batch: &'static Kernels<'static>,
    pub(crate) has_bias: bool,
    pub(crate) rounded: fn(f32) -> X,
    pub(crate) output: PhantomData<Y>,
}

/// A product of bf16, as it is.
pub(crate) fn product() -> Function<bf16, f32> {
    Function {
        kernels: &linear::KERNELS,
        of_a_batch: &linear_of_a_batch::KERNELS,
        has_bias: false,
        rounded: bf16::from_f32,
        output: PhantomData,
    }
}

/// A product of f16 with an epilogue.
pub(crate) fn with_epilogue() -> Function<f16, f16> {
    Function {
        kernels: &activated::KERNELS,
        of_a_batch: &activated_of_a_batch::KERNELS,
        has_bias: true,
        rounded: f16::from_f32,
        output: PhantomData,
    }
}

/// Numbers of both signs, whose sums cancel and depend on their order.
pub(super) fn cancelling<X: Copy>(rounded: fn(f32) -> X, count: usize, seed: usize) -> Vec<X> {
    let number = |i: usize| rounded(((i * 7919 + seed) % 1009) as f32 / 1009.0 - 0.45);
    let mut all = (0..1009).map(number).collect::<Vec<X>>().repeat(count.div_ceil(1009));
    all.truncate(count);
    all
}

/// An element that no product gives.
pub(super) fn poison<Y: Element>() -> Y {
    bytemuck::pod_read_unaligned(&vec![0xff; size_of::<Y>()])
}

pub(super) fn bytes<Y: Element>(y: &[Y]) -> Vec<u8> {
    bytemuck::cast_slice(y).to_vec()
}

/// The data tells orders apart: without `invariant` a row may have other bits.
pub(crate) fn assert_another_order_gives_other_bits(device: &Device, [m, n, k]: [usize; 3]) {
    let sums = |plan: &'static str| plan.lines().find(|line| line.starts_with("| sums"));
    assert!(sums(whole::PLAN).is_some() && sums(whole::PLAN) != sums(split::PLAN));
    let [x, w] = [(m, 1), (n, 2)].map(|(rows, seed)| {
        device.matrix(rows, k, &cancelling(bf16::from_f32, rows * k, seed)).expect("it fits")
    });
    let of_whole = whole(device, &x, &w).expect("it runs").to_vec().expect("y");
    let of_split = split(device, &x, &w).expect("it runs").to_vec().expect("y");
    assert!(bytes(&of_whole) != bytes(&of_split));
}
