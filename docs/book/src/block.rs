//! The MLP block of a transformer in three launches.

use anyhow::{Result, ensure};
use gemm_runtime::prelude::*;

use crate::values;

// ANCHOR: projection
/// x = residual + a · wᵀ, and the sum of squares of each token
#[gemm]
pub fn projection(
    a: Mat<f16, T, E>,
    w: Mat<f16, D, E>,
    residual: Mat<f16, T, D>,
) -> (Mat<f16, T, D>, Vector<f32, T>) {
    let x = matmul(a, w) + residual;
    (x, sum(x * x))
}
// ANCHOR_END: projection

// ANCHOR: gated
/// h = silu(n · gateᵀ) * (n · upᵀ), n = RMSNorm(x)
#[gemm]
pub fn gated(
    x: Mat<f16, T, D>,
    gate: Mat<f16, H, D>,
    up: Mat<f16, H, D>,
    squares: Vector<f32, T>,
    over_d: f32,
) -> Mat<f16, T, H> {
    let rms = (squares * over_d + 1e-6).sqrt();
    silu(matmul(x, gate) / rms) * (matmul(x, up) / rms)
}
// ANCHOR_END: gated

/// Tokens, model width and hidden width.
const EXTENTS: [usize; 3] = [10, 32, 128];

/// The block on a device, against the same in f64.
pub fn run() -> Result<String> {
    let [tokens, width, hidden] = EXTENTS;
    let [a, residual] = [3, 5].map(|seed| seeded(tokens * width, seed));
    let [o, gate, up, down] =
        [(width * width, 7), (hidden * width, 11), (hidden * width, 13), (width * hidden, 17)]
            .map(|(count, seed)| seeded(count, seed));

    let device = Device::auto()?;
    let of_a = device.matrix(tokens, width, &a)?;
    let of_residual = device.matrix(tokens, width, &residual)?;
    let of_o = device.matrix(width, width, &o)?;
    let of_gate = device.matrix(hidden, width, &gate)?;
    let of_up = device.matrix(hidden, width, &up)?;
    let of_down = device.matrix(width, hidden, &down)?;
    // ANCHOR: launch
    let over_d = 1.0 / width as f32;
    let (x, squares) = projection(&device, &of_a, &of_o, &of_residual)?;
    let h = gated(&device, &x, &of_gate, &of_up, &squares, over_d)?;
    let (y, next) = projection(&device, &h, &of_down, &x)?;
    // ANCHOR_END: launch

    let operands = [&a, &residual, &o, &gate, &up, &down].map(|of| doubles(of));
    let (y_expected, next_expected) = plain(&operands);
    let y: Vec<f32> = y.to_vec()?.into_iter().map(f16::to_f32).collect();
    let [of_y, of_next] = [error(&y, &y_expected)?, error(&next.to_vec()?, &next_expected)?];
    Ok(format!("relative error of y: {of_y}\nof its sums of squares: {of_next}\n"))
}

/// The same operation by operation, as a model does it without fusion.
fn plain([a, residual, o, gate, up, down]: &[Vec<f64>; 6]) -> (Vec<f64>, Vec<f64>) {
    let [_, width, hidden] = EXTENTS;
    let add = |mut sum: Vec<f64>, other: &[f64]| {
        sum.iter_mut().zip(other).for_each(|(x, y)| *x += y);
        sum
    };
    let x = add(product(a, o, width), residual);
    let mut n = x.clone();
    for token in n.chunks_mut(width) {
        let rms = (token.iter().map(|x| x * x).sum::<f64>() / width as f64 + 1e-6).sqrt();
        token.iter_mut().for_each(|x| *x /= rms);
    }
    let sums = product(&n, gate, width).into_iter().zip(product(&n, up, width));
    let h: Vec<f64> = sums.map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
    let y = add(product(&h, down, hidden), &x);
    let next = y.chunks(width).map(|token| token.iter().map(|y| y * y).sum()).collect();
    (y, next)
}

/// rows(a) · rows(b)ᵀ, each with K contiguous.
fn product(a: &[f64], b: &[f64], k: usize) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    a.chunks(k).flat_map(|row| b.chunks(k).map(move |column| dot(row, column))).collect()
}

/// Other elements for each seed.
fn seeded(count: usize, seed: usize) -> Vec<f16> {
    values(count + seed).split_off(seed)
}

fn doubles(elements: &[f16]) -> Vec<f64> {
    elements.iter().map(|x| x.to_f64()).collect()
}

/// Whether ‖got − expected‖ / ‖expected‖ is what rounding to f16 between the launches explains.
fn error(got: &[f32], expected: &[f64]) -> Result<&'static str> {
    ensure!(got.len() == expected.len(), "{} elements, not {}", got.len(), expected.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let differences = got.iter().zip(expected).map(|(x, y)| f64::from(*x) - y);
    let error = norm(&mut { differences }) / norm(&mut expected.iter().copied());
    Ok(if error <= 1.0 / 1024.0 { "at most 1/1024" } else { "more than 1/1024" })
}
