//! Host data of other crates: inputs from an `ndarray`, weights from a `safetensors` file, the result
//! as both. Row-major views are passed without a copy on the host, whatever their leading dimension.
//!
//! `cargo run --release -p gemm-interop --example host_arrays`

use std::borrow::Cow;

use anyhow::{Context as _, Result, ensure};
use gemm_runtime::prelude::*;
use ndarray::{Array2, ArrayView2, s};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

/// y = relu(x · wᵀ)
#[gemm(tile = [64, 64, 32], warps = [2, 2])]
fn layer(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    relu(matmul(x, w))
}

/// The same for column-major inputs: M is contiguous.
#[gemm(tile = [64, 64, 32], warps = [2, 2])]
fn layer_of_columns(x: Mat<f16, K, M>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    relu(matmul(x, w))
}

const SHAPE: Shape = Shape { m: 20, n: 30, k: 40 };

fn main() -> Result<()> {
    let Shape { m, n, k } = SHAPE;
    let device = Device::auto()?;
    println!("device: {device}");
    let file = weights()?;
    let tensors = SafeTensors::deserialize(&file)?;
    let w = from_safetensors(&device, &tensors.tensor("layer.weight")?)?;
    ensure!((w.rows(), w.columns()) == (n, k), "{w:?} is not the weight");

    // A window of a wider array: its rows are not contiguous, and nothing is copied on the host.
    let wide = random(m, k + 24);
    let x = wide.slice(s![.., 8..8 + k]);
    let y = to_array(&layer(&device, &from_array(&device, &wide, &x)?, &w)?)?;
    check("a window", &y, &x, &tensors)?;

    // A transposed array is refused; its transpose is passed to the function for the other order.
    let transposed = random(k, m);
    let x = transposed.t();
    let refused = from_array(&device, &transposed, &x);
    let error = refused.err().context("a column-major array was accepted")?;
    ensure!(matches!(error, Error::Strides { .. }), "another error: {error}");
    println!("a transposed array: {error}");
    let columns = from_array(&device, &transposed, &x.t())?;
    let y = to_array(&layer_of_columns(&device, &columns, &w)?)?;
    check("its transpose, to a function of columns", &y, &x, &tensors)?;

    let out = to_safetensors("layer.output", &y)?;
    println!("layer.output as a file: {} bytes", out.len());
    let y_again = SafeTensors::deserialize(&out)?;
    let data = y_again.tensor("layer.output")?.data();
    ensure!(
        data == bytemuck::cast_slice::<f32, u8>(y.as_slice().context("contiguous")?),
        "the file differs from the output"
    );
    Ok(())
}

/// A matrix from a view of `parent`, described by its start and strides.
fn from_array(
    device: &Device,
    parent: &Array2<f16>,
    view: &ArrayView2<'_, f16>,
) -> Result<Matrix<f16>, Error> {
    let (rows, columns) = view.dim();
    let elements = parent.as_slice_memory_order().expect("an owned array is contiguous");
    let start = (view.as_ptr() as usize - elements.as_ptr() as usize) / size_of::<f16>();
    let strides = [view.strides()[0], view.strides()[1]];
    device.matrix_strided(rows, columns, strides, &elements[start..])
}

fn to_array(matrix: &Matrix<f32>) -> Result<Array2<f32>> {
    Ok(Array2::from_shape_vec((matrix.rows(), matrix.columns()), matrix.to_vec()?)?)
}

/// A matrix from a two-dimensional tensor; files are row-major.
fn from_safetensors(device: &Device, tensor: &TensorView<'_>) -> Result<Matrix<f16>> {
    let [rows, columns] = *tensor.shape() else {
        anyhow::bail!("a tensor of {} dimensions is not a matrix", tensor.shape().len());
    };
    ensure!(tensor.dtype() == Dtype::F16, "the weight is of {:?}", tensor.dtype());
    Ok(device.matrix(rows, columns, &elements(tensor.data()))?)
}

/// The elements in a file's bytes, copied only if the address is odd.
fn elements(bytes: &[u8]) -> Cow<'_, [f16]> {
    match bytemuck::try_cast_slice(bytes) {
        Ok(elements) => Cow::Borrowed(elements),
        Err(_) => Cow::Owned(bytes.as_chunks().0.iter().copied().map(f16::from_le_bytes).collect()),
    }
}

fn to_safetensors(name: &str, array: &Array2<f32>) -> Result<Vec<u8>> {
    let elements = array.as_slice().context("an owned array is contiguous")?;
    let shape = array.shape().to_vec();
    let view = TensorView::new(Dtype::F32, shape, bytemuck::cast_slice(elements))?;
    Ok(serialize([(name, view)], None)?)
}

/// The contents of a file of weights.
fn weights() -> Result<Vec<u8>> {
    let w = random(SHAPE.n, SHAPE.k);
    let elements = w.as_slice().context("an owned array is contiguous")?;
    let view = TensorView::new(Dtype::F16, w.shape().to_vec(), bytemuck::cast_slice(elements))?;
    Ok(serialize([("layer.weight", view)], None)?)
}

/// Random elements in -0.5..0.5.
fn random(rows: usize, columns: usize) -> Array2<f16> {
    Array2::from_shape_simple_fn((rows, columns), || f16::from_f32(fastrand::f32() - 0.5))
}

fn check(
    what: &str,
    y: &Array2<f32>,
    x: &ArrayView2<'_, f16>,
    tensors: &SafeTensors<'_>,
) -> Result<()> {
    let x: Vec<f16> = x.iter().copied().collect();
    let w = tensors.tensor("layer.weight")?;
    let expected = layer::reference(SHAPE, &x, &elements(w.data()))?;
    let worst = y.iter().zip(&expected).map(|(y, r)| (y - r).abs()).fold(0.0, f32::max);
    println!("{what}: largest error {worst:.1e}");
    ensure!(y.len() == expected.len() && worst < 1e-4, "the product is wrong");
    Ok(())
}
