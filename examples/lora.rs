//! A linear layer with a low-rank update, `y = x · wᵀ + alpha / rank · (x · aᵀ) · bᵀ`, in two launches: the first
//! one makes the narrow `t = x · aᵀ`, the second one sums both terms in the same registers. The result is compared
//! with a plain loop in f64.
//!
//! `cargo run --release --example lora`

mod plain;

use gemm_runtime::prelude::*;
use plain::{doubles, error, product, random, report};

/// t = x · aᵀ
#[gemm]
fn down(x: Mat<f16, M, K>, a: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, a)
}

/// y = x · wᵀ + alpha / rank · t · bᵀ
#[gemm]
fn lora(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    alpha: f32,
    rank: f32,
) -> Mat<f16, M, N> {
    matmul(x, w) + alpha / rank * matmul(t, b)
}

/// Tokens, features in and out, and the rank of the update.
const SHAPE: [usize; 4] = [100, 120, 96, 8];

/// How much of the update is added.
const ALPHA: f32 = 16.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto()?;
    println!("{device}");
    let [tokens, features, out, rank] = SHAPE;
    let mut rng = fastrand::Rng::with_seed(1);
    let mut of = |rows: usize, columns: usize| random(&mut rng, rows * columns);
    let [x, w] = [of(tokens, features), of(out, features)];
    let [a, b] = [of(rank, features), of(out, rank)];

    let on_device = |rows, columns, elements: &[f16]| device.matrix(rows, columns, elements);
    let of_x = on_device(tokens, features, &x)?;
    let t = down(&device, &of_x, &on_device(rank, features, &a)?)?;
    let (of_w, of_b) = (on_device(out, features, &w)?, on_device(out, rank, &b)?);
    let y = lora(&device, &of_x, &of_w, &t, &of_b, ALPHA, rank as f32)?.to_vec()?;

    let [x, w, a, b] = [&x, &w, &a, &b].map(|elements| doubles(elements));
    let update = product(&product(&x, &a, features), &b, rank);
    let scale = f64::from(ALPHA) / rank as f64;
    let layer = product(&x, &w, features);
    let expected: Vec<f64> = layer.iter().zip(&update).map(|(y, u)| y + scale * u).collect();
    report("x · wᵀ + alpha / rank · t · bᵀ", error(&doubles(&y), &expected))
}
