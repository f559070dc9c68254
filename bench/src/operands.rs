//! Operands in device memory.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::cublaslt::sys::cudaDataType_t as DataType;
use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use gemm_runtime::{Device, Element, MatrixRef, Planes, SplitMatrix, e4m3};
use half::{bf16, f16};

use crate::task::{Compute, Order, Task};

/// Operands in turn fill more than this, so that no run finds the last one's in L2.
const ROTATED_BYTES: usize = 256 << 20;

/// The most sets of operands, which is the most launches of one graph too.
const MOST_SETS: usize = 64;

/// Random numbers of an operand, which larger ones repeat: drawing them costs the host's time. Odd,
/// so that rows of an even length differ.
const PERIOD: usize = (1 << 24) - 3;

/// An element that is measured.
pub(crate) trait Sample: Element + DeviceRepr {
    /// cuBLASLt's name of it.
    const TYPE: DataType;
    /// Random ones are uniform between this and its opposite.
    const LARGEST: f64;
    /// The relative distance of the outputs of two right kernels that round to it.
    const ROUNDING: f64;

    /// The planes of a second factor that is stored so, if its elements have any.
    fn split(
        _device: &Device,
        _matrix: MatrixRef<'_, Self>,
        _order: Order,
    ) -> Result<Option<SplitMatrix>, gemm_runtime::Error> {
        Ok(None)
    }
}

macro_rules! samples {
    ($($element:ty: $name:ident, $largest:literal, $rounding:literal $(, $split:item)?;)+) => {
        $(impl Sample for $element {
            $($split)?

            const TYPE: DataType = DataType::$name;
            const LARGEST: f64 = $largest;
            const ROUNDING: f64 = $rounding;
        })+
    };
}

samples! {
    f16: CUDA_R_16F, 1.0, 1e-3;
    bf16: CUDA_R_16BF, 1.0, 8e-3;
    f32: CUDA_R_32F, 1.0, 0.0,
        fn split(
            device: &Device,
            matrix: MatrixRef<'_, f32>,
            order: Order,
        ) -> Result<Option<SplitMatrix>, gemm_runtime::Error> {
            let split = match order {
                Order::Rc => device.split_rows(matrix, Planes::F16x3),
                Order::Rr => device.split_columns(matrix, Planes::F16x3),
            };
            split.map(Some)
        };
    f64: CUDA_R_64F, 1.0, 0.0;
    e4m3: CUDA_R_8F_E4M3, 1.0, 4e-2;
    i8: CUDA_R_8I, 127.0, 2e-2;
    i32: CUDA_R_32I, 127.0, 0.0;
}

/// One set of the operands of a task, and two outputs.
pub(crate) struct Set<T, U> {
    pub(crate) a: CudaSlice<T>,
    pub(crate) b: CudaSlice<T>,
    pub(crate) bias: CudaSlice<U>,
    /// Of one element where the task has none.
    pub(crate) residual: CudaSlice<U>,
    pub(crate) ours: CudaSlice<U>,
    pub(crate) peers: CudaSlice<U>,
}

/// The operands of a task.
pub(crate) struct Operands<'a, T, U> {
    pub(crate) a: &'a CudaSlice<T>,
    pub(crate) b: &'a CudaSlice<T>,
    pub(crate) bias: &'a CudaSlice<U>,
    pub(crate) residual: &'a CudaSlice<U>,
    pub(crate) out: &'a mut CudaSlice<U>,
}

impl<T, U> Operands<'_, T, U> {
    pub(crate) fn reborrow(&mut self) -> Operands<'_, T, U> {
        let Operands { a, b, bias, residual, .. } = *self;
        Operands { a, b, bias, residual, out: self.out }
    }

    /// The same with another output.
    pub(crate) fn to<'o>(&self, out: &'o mut CudaSlice<U>) -> Operands<'o, T, U>
    where
        Self: 'o,
    {
        let Operands { a, b, bias, residual, .. } = *self;
        Operands { a, b, bias, residual, out }
    }
}

impl<T, U> Set<T, U> {
    /// The operands with each of the outputs.
    pub(crate) fn split(&mut self) -> [Operands<'_, T, U>; 2] {
        let Set { a, b, bias, residual, ours, peers } = self;
        let (a, b, bias, residual) = (&*a, &*b, &*bias, &*residual);
        [ours, peers].map(|out| Operands { a, b, bias, residual, out })
    }
}

/// Sets of random operands, enough of them to fill `ROTATED_BYTES` where that needs no more than
/// `MOST_SETS`.
pub(crate) fn sets<T: Sample, U: Sample>(
    stream: &Arc<CudaStream>,
    task: &Task,
) -> Result<Vec<Set<T, U>>> {
    let n = task.shape[1];
    let [of_a, of_b, of_out] = task.elements();
    let of_residual = if task.has_residual() { of_out } else { 1 };
    let bytes = (of_a + of_b) * size_of::<T>() + (of_out + of_residual) * size_of::<U>();
    let (mut a, mut b) = (random::<T>(of_a, T::LARGEST), random::<T>(of_b, T::LARGEST));
    let (bias, residual) = (random::<U>(n, U::LARGEST), random::<U>(of_residual, U::LARGEST));
    let poison = poison::<U>(of_out);
    let set = |turn: usize| -> Result<Set<T, U>> {
        // Other sets are the same numbers in another order: the data costs host time.
        let (steps_a, steps_b) = (turn * 7919 % a.len(), turn * 104_729 % b.len());
        a.rotate_left(steps_a);
        b.rotate_left(steps_b);
        Ok(Set {
            a: stream.clone_htod(&a)?,
            b: stream.clone_htod(&b)?,
            bias: stream.clone_htod(&bias)?,
            residual: stream.clone_htod(&residual)?,
            ours: stream.clone_htod(&poison)?,
            peers: stream.clone_htod(&poison)?,
        })
    };
    (0..sets_to_rotate(bytes)).map(set).collect()
}

/// How many sets of this size to take in turn.
pub(crate) fn sets_to_rotate(bytes: usize) -> usize {
    (ROTATED_BYTES / bytes + 2).min(MOST_SETS)
}

/// An output whose elements are all still to be written.
pub(crate) fn poison<E: Sample>(elements: usize) -> Vec<E> {
    vec![E::from_f64(f64::NAN); elements]
}

/// Uniform between `largest` and its opposite. Zeros would draw less power and run faster than a user's
/// data.
pub(crate) fn random<E: Sample>(elements: usize, largest: f64) -> Vec<E> {
    let mut rng = fastrand::Rng::new();
    let mut number = || E::from_f64((f64::from(rng.f32()) * 2.0 - 1.0) * largest);
    let drawn: Vec<E> = (0..elements.min(PERIOD)).map(|_| number()).collect();
    drawn.iter().copied().cycle().take(elements).collect()
}

/// Two outputs of the same operands have to agree to the rounding of their elements and of their
/// sums.
pub(crate) fn agree<U: Sample>(
    stream: &Arc<CudaStream>,
    task: &Task,
    outs: [&CudaSlice<U>; 2],
) -> Result<()> {
    let [ours, others] = outs.map(|out| stream.clone_dtoh(out));
    let (ours, others) = (ours?, others?);
    let pairs = ours.iter().zip(&others).map(|(y, r)| (y.to_f64(), r.to_f64()));
    close::<U>(pairs, task.compute)
}

/// Values and those they should be, of outputs of `U`, have to agree to the same.
pub(crate) fn close<U: Sample>(
    pairs: impl Iterator<Item = (f64, f64)>,
    compute: Compute,
) -> Result<()> {
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    let relative = (error / norm).sqrt();
    let tolerance = U::ROUNDING.max(compute.tolerance());
    ensure!(relative <= tolerance, "ours and the other's outputs differ by {relative:.1e}");
    Ok(())
}
