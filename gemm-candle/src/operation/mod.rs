//! [`Operation`]: a `#[gemm]` function of any number of tensors.

mod choose;
mod given;
#[cfg(feature = "cuda")]
mod gpu;
mod gradient;
mod host;

use candle_core::{CpuStorage, Layout, Result, Shape, Storage, Tensor};
use gemm_runtime::erased::Function;

use crate::error::Error;
use choose::choose;
use given::Given;

/// A `#[gemm]` function as an operation of any number of operands and outputs, by its constant `FUNCTION` alone.
///
/// The dtypes of the tensors choose among the listed element types of the function when the operation runs: U8 is an
/// `i8` where no `u8` is listed before it. Operands are in the order of the signature: tensors for `Mat`, `Vector` and
/// `Scalar`, which has one element, and values for scalars by value. The tensor of a `Batched` has a
/// dimension for each of its indices. A function in place and a `Tiled` are refused.
///
/// # Dimensions of outputs
/// | output | with `x: Mat<_, M, K>` of | dimensions |
/// | --- | --- | --- |
/// | `Mat<_, M, N>` | `[2, 5, k]` | `[2, 5, n]` |
/// | `Vector<_, M>` | `[2, 5, k]`, `[5, 1, k]`, `[k]` | `[2, 5]`, `[5, 1]`, `[]` |
/// | `Vector<_, N>` | `[2, 5, k]` | `[n]` |
///
/// An output has the leading dimensions of the operand whose rows are its own. A vector along rows is also an operand
/// with these dimensions, or with one dimension that has all rows: an output of a launch is an operand of the next.
///
/// **An operation has no gradient**: `backward` through it is an error, `backward is not supported for layer`.
/// [`custom_op!`](crate::custom_op) declares one of at most three tensors that may have one. To leave an operation out of
/// a backward pass, [`detach`](Tensor::detach) its operands.
///
/// # Example
/// ```
/// use candle_core::{Device, Tensor};
/// use gemm_candle::Operation;
/// use gemm_runtime::prelude::*;
///
/// /// y = alpha * (x · wᵀ) + bias + residual
/// #[gemm(T = [f16, bf16, f32])]
/// fn layer<T>(
///     x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>, residual: Mat<T, M, N>, alpha: f32,
/// ) -> Mat<T, M, N> {
///     alpha * matmul(x, w) + bias + residual
/// }
///
/// const LAYER: Operation = Operation::new(&layer::FUNCTION);
///
/// let x = Tensor::new(&[[1f32, 2.0]], &Device::Cpu)?;
/// let w = Tensor::new(&[[3f32, 4.0]], &Device::Cpu)?;
/// let (bias, residual) = (Tensor::new(&[0.5f32], &Device::Cpu)?, Tensor::new(&[[100f32]], &Device::Cpu)?);
/// let y = LAYER.apply(&[(&x).into(), (&w).into(), (&bias).into(), (&residual).into(), 2f32.into()])?;
/// assert_eq!(y.to_vec2::<f32>()?, [[122.5]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Operation(&'static Function);

/// An operand of an [`Operation`].
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A matrix, a vector, or a scalar in device memory.
    Tensor(&'a Tensor),
    /// A scalar `f32` by value.
    F32(f32),
    /// A scalar `f64` by value.
    F64(f64),
    /// A scalar `i32` by value.
    I32(i32),
}

macro_rules! operands {
    ($($ty:ty => $variant:ident),+) => { $(
        impl<'a> From<$ty> for Operand<'a> {
            fn from(operand: $ty) -> Operand<'a> {
                Operand::$variant(operand)
            }
        }
    )+ };
}

operands!(&'a Tensor => Tensor, f32 => F32, f64 => F64, i32 => I32);

impl Operation {
    /// The operation of a function.
    pub const fn new(function: &'static Function) -> Operation {
        Operation(function)
    }

    /// Runs a function of one output.
    ///
    /// # Errors
    /// Those of [`apply_all`](Self::apply_all); [`Error::OutputCount`] for a function of several outputs.
    pub fn apply(&self, operands: &[Operand<'_>]) -> Result<Tensor> {
        if self.0.signature.outputs > 1 {
            return Err(outputs(self.0).into());
        }
        let mut all = self.apply_all(operands)?;
        all.pop().ok_or_else(|| outputs(self.0).into())
    }

    /// Runs the function, and returns its outputs in the order of the signature. All tensors are on the same device.
    ///
    /// # Errors
    /// [`Error::Gemm`] if the extents do not agree, and with the error of the launch; [`Error::OperandCount`];
    /// [`Error::LeadingDimensions`] and [`Error::VectorDimensions`]; [`Error::Dtype`] for dtypes of no listed element
    /// types; [`Error::Operand`] for a scalar in the place of a tensor and a tensor in that of a scalar;
    /// [`Error::Scales`] for a function of `Tiled` operands; [`Error::ScalarType`]; [`Error::NotRows`],
    /// [`Error::NotVector`] and [`Error::NotContiguous`]; candle's own if tensors are on several devices.
    pub fn apply_all(&self, operands: &[Operand<'_>]) -> Result<Vec<Tensor>> {
        let tensors: Vec<&Tensor> = operands.iter().filter_map(Operand::tensor).collect();
        if let Some((first, other)) = tensors
            .iter()
            .zip(tensors.iter().skip(1))
            .find(|(first, other)| !first.device().same_device(other.device()))
        {
            let (lhs, rhs) = (first.device().location(), other.device().location());
            let op = self.0.signature.function;
            return Err(candle_core::Error::DeviceMismatchBinaryOp { lhs, rhs, op }.bt());
        }
        let outputs = self.computed(operands)?;
        let tracked = tensors.into_iter().find(|tensor| tensor.track_op());
        let function = self.0.signature.function;
        outputs.into_iter().map(|output| gradient::tensor(function, tracked, output)).collect()
    }

    /// The outputs, after the storages of the operands are unlocked.
    fn computed(&self, operands: &[Operand<'_>]) -> Result<Vec<(Storage, Shape)>> {
        let stored: Vec<_> = operands
            .iter()
            .map(|operand| operand.tensor().map(|tensor| tensor.storage_and_layout()))
            .collect();
        let given: Vec<_> = operands
            .iter()
            .zip(&stored)
            .map(|(operand, stored)| {
                operand.given(stored.as_ref().map(|(s, layout)| (&**s, *layout)))
            })
            .collect();
        self.run(&given)
    }

    fn run(&self, given: &[Given<'_, Storage>]) -> Result<Vec<(Storage, Shape)>> {
        #[cfg(feature = "cuda")]
        if let Some(given) = given::all(given, |storage| match storage {
            Storage::Cuda(storage) => Some(storage),
            _ => None,
        }) {
            let outputs = gpu::run(self.0, &given)?.into_iter();
            return Ok(outputs.map(|(storage, shape)| (Storage::Cuda(storage), shape)).collect());
        }
        let on_host = given::all(given, |storage| match storage {
            Storage::Cpu(storage) => Some(storage),
            _ => None,
        });
        let Some(given) = on_host else {
            let message = format!(
                "{}: tensors are on the CPU, or on a GPU of CUDA",
                self.0.signature.function
            );
            return Err(candle_core::Error::Msg(message).bt());
        };
        let outputs = host::run(self.0, &given)?.into_iter();
        Ok(outputs.map(|(storage, shape)| (Storage::Cpu(storage), shape)).collect())
    }
}

impl<'a> Operand<'a> {
    fn tensor(&self) -> Option<&'a Tensor> {
        match *self {
            Operand::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The operand with the storage of its tensor.
    fn given<'s, S>(&self, stored: Option<(&'s S, &'s Layout)>) -> Given<'s, S> {
        match (*self, stored) {
            (Operand::F32(value), _) => Given::F32(value),
            (Operand::F64(value), _) => Given::F64(value),
            (Operand::I32(value), _) => Given::I32(value),
            (Operand::Tensor(_), Some((storage, layout))) => Given::Tensor(storage, layout),
            // Every tensor has a storage.
            (Operand::Tensor(_), None) => Given::F32(f32::NAN),
        }
    }
}

fn outputs(function: &Function) -> Error {
    let (function, got) = (function.signature.function.to_owned(), function.signature.outputs);
    Error::OutputCount { function, got }
}

/// The one output of a function of tensors on the CPU.
///
/// # Errors
/// Those of [`Operation::apply`].
pub fn on_cpu(
    function: &'static Function,
    operands: &[(&CpuStorage, &Layout)],
) -> Result<(CpuStorage, Shape)> {
    let given: Vec<_> = operands.iter().map(|(s, layout)| Given::Tensor(*s, layout)).collect();
    let mut all = host::run(function, &given)?;
    all.pop().ok_or_else(|| outputs(function).into())
}

/// The one output of a function of tensors on a GPU.
///
/// # Errors
/// Those of [`Operation::apply`].
#[cfg(feature = "cuda")]
pub fn on_cuda(
    function: &'static Function,
    operands: &[(&candle_core::CudaStorage, &Layout)],
) -> Result<(candle_core::CudaStorage, Shape)> {
    let given: Vec<_> = operands.iter().map(|(s, layout)| Given::Tensor(*s, layout)).collect();
    let mut all = gpu::run(function, &given)?;
    all.pop().ok_or_else(|| outputs(function).into())
}
