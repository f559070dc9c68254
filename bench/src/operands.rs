//! Operands in device memory.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use gemm_runtime::Element;
use half::{bf16, f16};

/// Operands in turn fill more than this, so that no run finds the last one's in L2.
const ROTATED_BYTES: usize = 256 << 20;

/// The most sets of operands, which is the most launches of one graph too.
const MOST_SETS: usize = 64;

/// An element that is measured.
pub(crate) trait Sample: Element + DeviceRepr {
    /// What norms of outputs of two sound kernels may differ by.
    const TOLERANCE: f64;
}

impl Sample for f16 {
    const TOLERANCE: f64 = 1e-3;
}

impl Sample for bf16 {
    const TOLERANCE: f64 = 8e-3;
}

impl Sample for f32 {
    /// Of tf32: the peer truncates, or rounds in another way.
    const TOLERANCE: f64 = 2e-3;
}

/// One set of the operands of a product, a(m×k) · b(n×k)ᵀ, and two outputs.
pub(crate) struct Set<T> {
    pub(crate) a: CudaSlice<T>,
    pub(crate) b: CudaSlice<T>,
    pub(crate) bias: CudaSlice<T>,
    pub(crate) ours: CudaSlice<T>,
    pub(crate) peers: CudaSlice<T>,
}

/// Sets of random operands, enough of them to fill `ROTATED_BYTES` where that needs no more than
/// `MOST_SETS`.
pub(crate) fn sets<T: Sample>(
    stream: &Arc<CudaStream>,
    [m, n, k]: [usize; 3],
) -> Result<Vec<Set<T>>> {
    let bytes = (m * k + n * k + m * n) * size_of::<T>();
    let count = (ROTATED_BYTES / bytes + 2).min(MOST_SETS);
    // Uniform in -1..1. Zeros would draw less power and run faster than a user's data.
    let mut rng = fastrand::Rng::new();
    let mut random = |elements: usize| -> Vec<T> {
        (0..elements).map(|_| T::from_f64(f64::from(rng.f32()) * 2.0 - 1.0)).collect()
    };
    let (mut a, mut b, bias) = (random(m * k), random(n * k), random(n));
    let poison = vec![T::from_f64(f64::NAN); m * n];
    let set = |turn: usize| -> Result<Set<T>> {
        // Other sets are the same numbers in another order: the data costs host time.
        let (steps_a, steps_b) = (turn * 7919 % a.len(), turn * 104_729 % b.len());
        a.rotate_left(steps_a);
        b.rotate_left(steps_b);
        Ok(Set {
            a: stream.clone_htod(&a)?,
            b: stream.clone_htod(&b)?,
            bias: stream.clone_htod(&bias)?,
            ours: stream.clone_htod(&poison)?,
            peers: stream.clone_htod(&poison)?,
        })
    };
    (0..count).map(set).collect()
}

/// Both outputs of a set have to agree to the rounding of their elements and of their sums.
pub(crate) fn agree<T: Sample>(stream: &Arc<CudaStream>, set: &Set<T>) -> Result<()> {
    let (ours, peers) = (stream.clone_dtoh(&set.ours)?, stream.clone_dtoh(&set.peers)?);
    let pairs = ours.iter().zip(&peers).map(|(y, r)| (y.to_f64(), r.to_f64()));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    let relative = (error / norm).sqrt();
    ensure!(relative < T::TOLERANCE, "ours and cuBLASLt's differ by {relative:.1e}");
    Ok(())
}
