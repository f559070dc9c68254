//! Statistics of rows from the launch that computes them: RMSNorm between two layers, and softmax between the two
//! products of attention, each result compared with a plain loop in f64.
//!
//! `cargo run --release --example transformer`

mod plain;

use gemm_runtime::prelude::*;
use plain::{doubles, error, product, random, report};

/// A layer, and the sum of squares of each row of it.
#[gemm]
fn layer(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h))
}

/// The next layer of the RMSNorm of `h`: 1 / rms of a row commutes with the product.
#[gemm]
fn normalised(
    h: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    squares: Vector<f32, M>,
    over_k: f32,
) -> Mat<f32, M, N> {
    matmul(h, w) / (squares * over_k + 1e-6).sqrt()
}

/// The largest score of each row of attention; the scores are not stored.
#[gemm]
fn largest_score(q: Mat<f16, S, D>, k: Mat<f16, T, D>, scale: f32) -> Vector<f32, S> {
    max(matmul(q, k) * scale)
}

/// The exponentials of the same scores below their largest one, and their sum: the product is computed again
/// rather than read.
#[gemm]
fn weights(
    q: Mat<f16, S, D>,
    k: Mat<f16, T, D>,
    largest: Vector<f32, S>,
    scale: f32,
) -> (Mat<f16, S, T>, Vector<f32, S>) {
    let weight = (matmul(q, k) * scale - largest).exp();
    (weight, sum(weight))
}

/// The weighted mean of the values.
#[gemm]
fn attend(weights: Mat<f16, S, T>, v: Mat<f16, T, D>, total: Vector<f32, S>) -> Mat<f32, S, D> {
    matmul(weights, v) / total
}

fn rms_norm(device: &Device, rng: &mut fastrand::Rng) -> Result<f64, Error> {
    let [tokens, inner, features] = [100, 200, 72];
    let (x, w) = (random(rng, tokens * features), random(rng, inner * features));
    let w_next = random(rng, features * inner);
    let (of_x, of_w) = (device.matrix(tokens, features, &x)?, device.matrix(inner, features, &w)?);
    let (h, squares) = layer(device, &of_x, &of_w)?;
    let of_next = device.matrix(features, inner, &w_next)?;
    let out = normalised(device, &h, &of_next, &squares, 1.0 / inner as f32)?.to_vec()?;

    let mut h = product(&doubles(&x), &doubles(&w), features);
    for row in h.chunks_mut(inner) {
        let mean = row.iter().map(|x| x * x).sum::<f64>() / inner as f64;
        row.iter_mut().for_each(|x| *x /= (mean + 1e-6).sqrt());
    }
    let out: Vec<f64> = out.into_iter().map(f64::from).collect();
    Ok(error(&out, &product(&h, &doubles(&w_next), inner)))
}

fn attention(device: &Device, rng: &mut fastrand::Rng) -> Result<f64, Error> {
    let [s, t, d] = [100, 130, 64];
    let (q, k, v) = (random(rng, s * d), random(rng, t * d), random(rng, t * d));
    let (of_q, of_k) = (device.matrix(s, d, &q)?, device.matrix(t, d, &k)?);
    let of_v = device.matrix(t, d, &v)?;
    let scale = 1.0 / (d as f32).sqrt();
    let largest = largest_score(device, &of_q, &of_k, scale)?;
    let (of_weights, total) = weights(device, &of_q, &of_k, &largest, scale)?;
    let out = attend(device, &of_weights, &of_v, &total)?.to_vec()?;

    let mut scores = product(&doubles(&q), &doubles(&k), d);
    for row in scores.chunks_mut(t) {
        row.iter_mut().for_each(|x| *x = (*x * f64::from(scale)).exp());
        let total: f64 = row.iter().sum();
        row.iter_mut().for_each(|x| *x /= total);
    }
    let v = doubles(&v);
    let transposed: Vec<f64> = (0..d).flat_map(|i| v.iter().skip(i).step_by(d).copied()).collect();
    let out: Vec<f64> = out.into_iter().map(f64::from).collect();
    Ok(error(&out, &product(&scores, &transposed, t)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto()?;
    println!("{device}");
    let mut rng = fastrand::Rng::with_seed(1);
    report("RMSNorm", rms_norm(&device, &mut rng)?)?;
    report("softmax", attention(&device, &mut rng)?)
}
