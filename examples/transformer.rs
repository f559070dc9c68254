//! Statistics of rows from the launch that computes them: RMSNorm between two layers, and softmax between the two
//! products of attention, each result compared with a plain loop in f64.
//!
//! `cargo run --release --example transformer`

use gemm_runtime::prelude::*;

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

/// Uniform in -1..1.
fn random(rng: &mut fastrand::Rng, count: usize) -> Vec<f16> {
    (0..count).map(|_| f16::from_f32(rng.f32() * 2.0 - 1.0)).collect()
}

/// rows(a) · rows(b)ᵀ in f64, each with K contiguous.
fn product(a: &[f64], b: &[f64], k: usize) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    a.chunks(k).flat_map(|row| b.chunks(k).map(move |column| dot(row, column))).collect()
}

fn doubles(elements: &[f16]) -> Vec<f64> {
    elements.iter().map(|x| x.to_f64()).collect()
}

/// ‖got − expected‖ / ‖expected‖.
fn error(got: &[f32], expected: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let pairs = got.iter().zip(expected);
    norm(&mut pairs.map(|(x, y)| f64::from(*x) - y)) / norm(&mut expected.iter().copied())
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
    Ok(error(&out, &product(&scores, &transposed, t)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto()?;
    println!("{device}");
    let mut rng = fastrand::Rng::with_seed(1);
    for (name, error) in
        [("RMSNorm", rms_norm(&device, &mut rng)?), ("softmax", attention(&device, &mut rng)?)]
    {
        println!("{name}: off by {error:.1e} of a loop in f64");
        if error.is_nan() || error > 2e-3 {
            return Err(format!("{name} is wrong").into());
        }
    }
    Ok(())
}
