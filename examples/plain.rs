//! The loops in f64 that results are compared with.

use gemm_runtime::prelude::f16;

/// Uniform in -1..1.
pub(crate) fn random(rng: &mut fastrand::Rng, count: usize) -> Vec<f16> {
    (0..count).map(|_| f16::from_f32(rng.f32() * 2.0 - 1.0)).collect()
}

/// rows(a) · rows(b)ᵀ, each with K contiguous.
pub(crate) fn product(a: &[f64], b: &[f64], k: usize) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    a.chunks(k).flat_map(|row| b.chunks(k).map(move |column| dot(row, column))).collect()
}

pub(crate) fn doubles(elements: &[f16]) -> Vec<f64> {
    elements.iter().map(|x| x.to_f64()).collect()
}

/// ‖got − expected‖ / ‖expected‖.
pub(crate) fn error(got: &[f64], expected: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    assert_eq!(got.len(), expected.len(), "both are outputs of one shape");
    let pairs = got.iter().zip(expected);
    norm(&mut pairs.map(|(x, y)| x - y)) / norm(&mut expected.iter().copied())
}

/// The largest relative error that is accepted. Rounding to f16 causes about 2e-4.
const TOLERANCE: f64 = 2e-3;

/// Prints the relative error of a result.
///
/// # Errors
/// If it exceeds the tolerance or is NaN.
pub(crate) fn report(name: &str, error: f64) -> Result<(), Box<dyn std::error::Error>> {
    println!("{name}: off by {error:.1e} of a loop in f64");
    if error.is_nan() || error > TOLERANCE {
        return Err(format!("{name} is wrong").into());
    }
    Ok(())
}
