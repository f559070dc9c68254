//! [`split_rows()`]: the planes of a tensor that does not change, made once.

use candle_core::{DType, Result, Tensor};
use gemm_runtime::SplitMatrix;

use crate::rows::Rows;

/// The planes of a weight `w: Mat<f32, N, K>` of a function with `precision = f16x3`: what its launches multiply.
///
/// A launch that gets the tensor makes the planes each time. An operation written by hand that passes these in the
/// place of the tensor's matrix, `function::into(device, &x, &planes, ..)`, makes them once. They are a copy, with 4
/// bytes an element and 4 a row: after a change of the tensor, as by training, they are made again.
///
/// `None` where no such kernel runs, and the operation uses another one: on the CPU, whose `reference` multiplies
/// factors as they are, and on a GPU before compute capability 8.0.
///
/// # Errors
/// [`Error::NotRows`](crate::Error::NotRows); candle's own if the dtype is not F32;
/// [`Error::Gemm`](crate::Error::Gemm) with the error of
/// [`Device::split_rows`](gemm_runtime::Device::split_rows).
///
/// # Example
/// ```
/// use candle_core::{DType, Device, Tensor};
///
/// let w = Tensor::ones((4, 8), DType::F32, &Device::Cpu)?;
/// assert!(gemm_candle::split_rows(&w)?.is_none());
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn split_rows(tensor: &Tensor) -> Result<Option<SplitMatrix>> {
    let (expected, got) = (DType::F32, tensor.dtype());
    if got != expected {
        let msg = "split_rows";
        return Err(candle_core::Error::UnexpectedDType { msg, expected, got }.bt());
    }
    let named = |error: crate::Error| error.of_operand("split_rows".to_owned());
    Rows::of(tensor.layout()).map_err(named)?;
    planes(tensor)
}

#[cfg(not(feature = "cuda"))]
fn planes(_: &Tensor) -> Result<Option<SplitMatrix>> {
    Ok(None)
}

#[cfg(feature = "cuda")]
fn planes(tensor: &Tensor) -> Result<Option<SplitMatrix>> {
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        candle_core::Storage::Cuda(storage) => crate::cuda::split_rows(storage, layout),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::Error;

    #[test]
    fn what_has_no_planes_on_a_gpu_has_none_on_the_cpu() -> Result<()> {
        let w = Tensor::ones((3, 5), DType::F32, &Device::Cpu)?;
        assert!(split_rows(&w)?.is_none() && split_rows(&w.narrow(1, 1, 3)?)?.is_none());
        let error = split_rows(&w.t()?).expect_err("it is transposed");
        assert!(matches!(Error::of(&error), Some(Error::NotRows { .. })), "{error}");
        let error = split_rows(&w.to_dtype(DType::F16)?).expect_err("it is F16");
        assert!(error.to_string().contains("expected: F32, got: F16"), "{error}");
        Ok(())
    }
}
