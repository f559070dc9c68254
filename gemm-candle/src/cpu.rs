//! Tensors on the CPU, as operands and results of a function's `reference`.

use std::borrow::Cow;
use std::ops::Deref;

use candle_core::{CpuStorage, Layout, Result, WithDType};

use crate::element::TensorElement;
use crate::error::Error;
use crate::rows::Rows;

/// A matrix on the host: dereferences to its elements, row by row without gaps.
#[derive(Clone, Debug)]
pub struct HostMatrix<'a, T: Clone> {
    elements: Cow<'a, [T]>,
    rows: usize,
    columns: usize,
}

impl<T: Clone> HostMatrix<'_, T> {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.columns
    }
}

impl<T: Clone> Deref for HostMatrix<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elements
    }
}

/// The tensor as a matrix: its last dimension along a row, all others as rows. Copied only if its
/// rows have gaps.
///
/// # Errors
/// [`Error::NotRows`]; candle's own if the dtype is not that of `T`.
pub fn matrix<'a, T: TensorElement>(
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<HostMatrix<'a, T>> {
    let place = Rows::of(layout)?;
    let elements = place.dense(elements(storage)?);
    Ok(HostMatrix { elements, rows: place.rows, columns: place.columns })
}

/// The tensor as a vector: all its elements in their order. [`extents`](crate::extents()) compares its dimensions.
///
/// # Errors
/// [`Error::NotContiguous`]; candle's own if the dtype is not that of `T`.
pub fn vector<'a, T: TensorElement>(
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<Cow<'a, [T]>> {
    Ok(Rows::flat(layout)?.dense(elements(storage)?))
}

/// The storage of a result of `reference`, rounded to elements of `T`.
///
/// # Errors
/// [`Error::Gemm`] with the error of `reference`.
pub fn output<T: TensorElement, V: Into<f64>>(
    result: std::result::Result<Vec<V>, gemm_runtime::Error>,
) -> Result<CpuStorage> {
    let elements = rounded::<T, V>(result)?;
    Ok(T::Stored::to_cpu_storage(bytemuck::cast_slice(&elements)))
}

/// Replaces the elements of a tensor, for an operation in place: `reference` computes those that it
/// has from then on, from those that it has now.
///
/// # Errors
/// Those of [`matrix`] and [`output`]; the tensor is then as it was.
pub fn update<T: TensorElement, V: Into<f64>>(
    storage: &mut CpuStorage,
    layout: &Layout,
    reference: impl FnOnce(&HostMatrix<'_, T>) -> std::result::Result<Vec<V>, gemm_runtime::Error>,
) -> Result<()> {
    let place = Rows::of(layout)?;
    let elements = rounded::<T, V>(reference(&matrix(storage, layout)?))?;
    // candle lends the elements of a storage for reading, and gives them away for writing.
    let empty = T::Stored::to_cpu_storage(&[]);
    let mut stored = T::Stored::cpu_storage_data(std::mem::replace(storage, empty))?;
    place.write(bytemuck::cast_slice(&elements), &mut stored);
    *storage = T::Stored::to_cpu_storage_owned(stored);
    Ok(())
}

pub(crate) fn elements<T: TensorElement>(storage: &CpuStorage) -> Result<&[T]> {
    Ok(bytemuck::cast_slice(T::Stored::cpu_storage_as_slice(storage)?))
}

fn rounded<T: TensorElement, V: Into<f64>>(
    result: std::result::Result<Vec<V>, gemm_runtime::Error>,
) -> Result<Vec<T>> {
    let values = result.map_err(Error::from)?;
    Ok(values.into_iter().map(|value| T::from_f64(value.into())).collect())
}
