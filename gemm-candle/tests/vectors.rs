//! Vectors along the rows of tensors of several leading dimensions: outputs of a launch as operands of the next.

use std::sync::OnceLock;

use candle_core::{Device, Result, Tensor};
use gemm_candle::{Error, Operation};
use gemm_runtime::prelude::*;

/// h = x · wᵀ, and the sum of squares of each row
#[gemm]
fn project(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> (Mat<f32, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h))
}

/// y = (h · wᵀ) / √(squares · over_k + 1)
#[gemm]
fn next(
    h: Mat<f32, M, K>,
    w: Mat<f32, N, K>,
    squares: Vector<f32, M>,
    over_k: f32,
) -> Mat<f32, M, N> {
    matmul(h, w) / (squares * over_k + 1.0).sqrt()
}

/// y = (x · wᵀ) * scale, a scale for each row
#[gemm]
fn scaled(x: Mat<f32, M, K>, w: Mat<f32, N, K>, scale: Vector<f32, M>) -> Mat<f32, M, N> {
    matmul(x, w) * scale
}

gemm_candle::custom_op! {
    struct Scaled;

    fn scaled(x: Mat<f32, M, K>, w: Mat<f32, N, K>, scale: Vector<f32, M>) -> Mat<f32, M, N>;
}

gemm_candle::custom_op! {
    struct ByName: CustomOp3 = scaled;
}

/// y = (x · wᵀ) * scale, a scale for each column
#[gemm]
fn by_column(x: Mat<f32, M, K>, w: Mat<f32, N, K>, scale: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) * scale
}

const PROJECT: Operation = Operation::new(&project::FUNCTION);
const NEXT: Operation = Operation::new(&next::FUNCTION);
const SCALED: Operation = Operation::new(&scaled::FUNCTION);

/// A GPU with the feature `cuda`, if there is one. Tensors of two devices do not meet, even of one GPU.
fn device() -> Result<Device> {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let device = Device::cuda_if_available(0)?;
    Ok(DEVICE.get_or_init(|| device).clone())
}

/// Elements that differ from row to row.
fn tensor(dims: &[usize]) -> Result<Tensor> {
    let length = dims.iter().product::<usize>() as u32;
    let elements: Vec<f32> = (0..length).map(|i| (i * 7 % 11) as f32 - 4.0).collect();
    Tensor::from_vec(elements, dims, &device()?)
}

fn values(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1()
}

#[test]
fn an_output_along_the_rows_is_an_operand_of_the_next_launch() -> Result<()> {
    let (w, w_next) = (tensor(&[6, 8])?, tensor(&[4, 6])?);
    for leading in [&[][..], &[5], &[1, 5], &[5, 1], &[2, 5], &[2, 1, 5]] {
        let x = tensor(&[leading, &[8]].concat())?;
        let all = PROJECT.apply_all(&[(&x).into(), (&w).into()])?;
        let [h, squares] = &all[..] else { panic!("two outputs") };
        assert_eq!(squares.dims(), leading);
        let y = NEXT.apply(&[h.into(), (&w_next).into(), squares.into(), (1f32 / 6.0).into()])?;
        assert_eq!(y.dims(), [leading, &[4]].concat());

        let rows = h.reshape(((), 6))?;
        let divisor = ((rows.sqr()?.sum_keepdim(1)? / 6.0)? + 1.0)?.sqrt()?;
        let expected = rows.matmul(&w_next.t()?)?.broadcast_div(&divisor)?.flatten_all()?;
        let difference = (y.flatten_all()? - expected)?.abs()?.max_all()?.to_scalar::<f32>()?;
        assert!(difference < 1e-4, "{leading:?}: {difference}");
    }
    Ok(())
}

#[test]
fn each_kind_of_operation_reads_the_dimensions_of_the_rows() -> Result<()> {
    let (x, w) = (tensor(&[2, 5, 8])?, tensor(&[4, 8])?);
    let flat = tensor(&[10])?;
    let expected = x.reshape((10, 8))?.matmul(&w.t()?)?.broadcast_mul(&flat.unsqueeze(1)?)?;
    for dims in [&[10][..], &[2, 5], &[2, 1, 5], &[1, 10], &[10, 1]] {
        let scale = flat.reshape(dims)?;
        for y in [
            SCALED.apply(&[(&x).into(), (&w).into(), (&scale).into()])?,
            x.apply_op3_no_bwd(&w, &scale, &Scaled)?,
            x.apply_op3_no_bwd(&w, &scale, &ByName)?,
        ] {
            assert_eq!(y.dims(), [2, 5, 4], "{dims:?}");
            assert_eq!(values(&y)?, values(&expected)?, "{dims:?}");
        }
    }
    let none = [&x.narrow(1, 0, 0)?, &w, &flat.reshape((2, 5))?.narrow(1, 0, 0)?];
    assert_eq!(SCALED.apply(&none.map(Into::into))?.dims(), [2, 0, 4]);
    Ok(())
}

#[test]
fn other_dimensions_are_refused_with_those_of_both() -> Result<()> {
    let (x, w) = (tensor(&[2, 5, 8])?, tensor(&[4, 8])?);
    let gaps = tensor(&[2, 5, 3])?.narrow(2, 1, 1)?.squeeze(2)?;
    for (scale, expected) in [
        (
            tensor(&[5, 2])?,
            "scaled: scale: expected the dimensions [2, 5] (M of x) or [10], got [5, 2]\n\
             help: give it those dimensions, such as by `reshape`",
        ),
        (tensor(&[2, 4])?, "scaled: scale: expected 10 elements (M of x), got 8"),
        (
            tensor(&[5, 2])?.t()?,
            "scaled: scale: a vector of dimensions [2, 5] and strides [1, 2] is not contiguous\n\
             help: call `contiguous()` on it",
        ),
        (
            gaps,
            "scaled: scale: a vector of dimensions [2, 5] and strides [15, 3] is not contiguous",
        ),
    ] {
        let operands = [&x, &w, &scale].map(Into::into);
        let error = SCALED.apply(&operands).expect_err(expected);
        let message = Error::of(&error).expect(expected).to_string();
        assert!(message.starts_with(expected), "{message}");
        let error = x.apply_op3_no_bwd(&w, &scale, &Scaled).expect_err(expected);
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    // N has one dimension in the output.
    let scale = tensor(&[2, 2])?;
    let operands = [&x, &w, &scale].map(Into::into);
    let error = Operation::new(&by_column::FUNCTION).apply(&operands).expect_err("several rows");
    let expected = "by_column: scale: expected a vector, got a tensor of dimensions [2, 2]";
    assert!(error.to_string().starts_with(expected), "{error}");
    Ok(())
}
