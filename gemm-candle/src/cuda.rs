//! Tensors on a GPU, as operands and outputs of a launch on candle's stream. Nothing is copied.

use candle_core::cuda_backend::cudarc::driver::{CudaView, CudaViewMut};
use candle_core::{CudaDevice, CudaStorage, Layout, Result};
use gemm_runtime::{Argument, AsBatchedMut, AsMatrixMut, AsVectorMut, BatchedMut, BatchedRef};
use gemm_runtime::{Device, MatrixMut, MatrixRef, Planes, SplitMatrix, VectorMut, VectorRef};

use crate::element::TensorElement;
use crate::error::Error;
use crate::rows::Rows;

/// The GPU of candle's device, on its stream.
///
/// Cheap enough for each call, because the kernels that a GPU has loaded are kept. For autotuning,
/// add [`Device::with_tuning`] with the same tuning in each call.
///
/// # Errors
/// [`Error::Gemm`] if the properties of the GPU cannot be read.
pub fn device(device: &CudaDevice) -> Result<Device> {
    Ok(Device::from_stream(device.cuda_stream()).map_err(Error::from)?)
}

/// The tensor as a matrix: its last dimension along a row, all others as rows.
///
/// # Errors
/// [`Error::NotRows`]; candle's own if the dtype is not that of `T`.
pub fn matrix<'a, T: TensorElement>(
    storage: &'a CudaStorage,
    layout: &Layout,
) -> Result<MatrixRef<'a, T>> {
    let place = Rows::of(layout)?;
    let view = MatrixRef::new(elements(storage, place)?, place.rows, place.columns)
        .and_then(|matrix| matrix.with_leading_dimension(place.leading_dimension));
    Ok(view.map_err(Error::from)?)
}

/// The tensor as a vector: all its elements in their order. [`extents`](crate::extents()) compares its dimensions.
///
/// # Errors
/// [`Error::NotContiguous`]; candle's own if the dtype is not that of `T`.
pub fn vector<'a, T: TensorElement>(
    storage: &'a CudaStorage,
    layout: &Layout,
) -> Result<VectorRef<'a, T>> {
    let place = Rows::flat(layout)?;
    Ok(VectorRef::new(elements(storage, place)?, place.columns).map_err(Error::from)?)
}

/// The planes of a tensor in F32, as [`split_rows`](crate::split_rows()) makes them; `None` on a GPU before compute
/// capability 8.0.
///
/// # Errors
/// Those of [`matrix`], [`Error::Gemm`] with the error of [`Device::split_rows`], candle's own if the properties
/// of the GPU cannot be read.
pub(crate) fn split_rows(storage: &CudaStorage, layout: &Layout) -> Result<Option<SplitMatrix>> {
    let gpu = &storage.device;
    let capability = gpu.cuda_stream().context().compute_capability();
    if capability.map_err(candle_core::Error::wrap)? < (8, 0) {
        return Ok(None);
    }
    let split = device(gpu)?.split_rows(&matrix::<f32>(storage, layout)?, Planes::F16x3);
    Ok(Some(split.map_err(Error::from)?))
}

/// A storage for a launch that writes each of `rows` × `columns` elements.
///
/// # Errors
/// candle's own if the memory is full.
pub(crate) fn uninitialized<T: TensorElement>(
    gpu: &CudaDevice,
    [rows, columns]: [usize; 2],
) -> Result<CudaStorage> {
    // The driver refuses to allocate nothing.
    let length = (rows * columns).max(1);
    // SAFETY: every bit pattern is an element, and the launch writes each of them.
    let slice = unsafe { gpu.alloc::<T::Stored>(length) }?;
    Ok(CudaStorage::wrap_cuda_slice(slice, gpu.clone()))
}

/// What `write` returns of the elements of a storage as an output: a batch of matrices, a vector or a matrix.
///
/// # Errors
/// Those of `write`, candle's own if the dtype is not that of `T`.
pub(crate) fn lend<T: TensorElement>(
    storage: &mut CudaStorage,
    (batch, is_vector, [rows, columns]): (&[usize], bool, [usize; 2]),
    write: impl FnOnce(Argument<'_>) -> Result<()>,
) -> Result<()> {
    let mut elements = elements_mut::<T>(storage)?;
    let output = match (batch, is_vector) {
        ([], true) => VectorMut::new(&mut elements, columns).map(AsVectorMut::argument),
        ([], false) => MatrixMut::new(&mut elements, rows, columns).map(AsMatrixMut::argument),
        _ => BatchedMut::new(&mut elements, batch, rows, columns).map(AsBatchedMut::argument),
    };
    write(output.map_err(Error::from)?)
}

/// The tensor as a batch of matrices: its last two dimensions are those of each.
///
/// # Errors
/// [`Error::NotRows`] for a tensor of more than five dimensions, [`Error::Gemm`] if a matrix is not stored row by row;
/// candle's own if the dtype is not that of `T`.
pub(crate) fn batch<'a, T: TensorElement>(
    storage: &'a CudaStorage,
    layout: &Layout,
) -> Result<BatchedRef<'a, T>> {
    let (dims, strides) = (layout.dims(), layout.stride());
    // A tensor without elements may start anywhere.
    let start = if layout.shape().elem_count() == 0 { 0 } else { layout.start_offset() };
    let elements = elements_from::<T>(storage, start)?;
    // Strides are below 2⁶³: those of memory.
    let signed: Vec<isize> = strides.iter().map(|stride| stride.cast_signed()).collect();
    let view = match (dims, &signed[..]) {
        (&[b, m, n], &[s0, s1, s2]) => BatchedRef::strided(elements, [b, m, n], [s0, s1, s2]),
        (&[b, h, m, n], &[s0, s1, s2, s3]) => {
            BatchedRef::strided(elements, [b, h, m, n], [s0, s1, s2, s3])
        }
        (&[b, h, i, m, n], &[s0, s1, s2, s3, s4]) => {
            BatchedRef::strided(elements, [b, h, i, m, n], [s0, s1, s2, s3, s4])
        }
        _ => {
            let (dims, strides) = (dims.to_vec(), strides.to_vec());
            return Err(Error::NotRows { operand: None, dims, strides }.into());
        }
    };
    Ok(view.map_err(Error::from)?)
}

/// A new storage of `rows` × `columns` elements on `gpu`, which `launch` writes by the `into` of a
/// function.
///
/// # Errors
/// candle's own if the memory is full, [`Error::Gemm`] with the error of the launch.
pub fn output<T: TensorElement>(
    gpu: &CudaDevice,
    rows: usize,
    columns: usize,
    launch: impl FnOnce(&Device, MatrixMut<'_, T>) -> std::result::Result<(), gemm_runtime::Error>,
) -> Result<CudaStorage> {
    let mut storage = uninitialized::<T>(gpu, [rows, columns])?;
    update(&mut storage, &Layout::contiguous((rows, columns)), launch)?;
    Ok(storage)
}

/// Lets `launch` write the elements of a tensor, for an operation in place.
///
/// # Errors
/// Those of [`matrix`], [`Error::Gemm`] with the error of the launch.
pub fn update<T: TensorElement>(
    storage: &mut CudaStorage,
    layout: &Layout,
    launch: impl FnOnce(&Device, MatrixMut<'_, T>) -> std::result::Result<(), gemm_runtime::Error>,
) -> Result<()> {
    let place = Rows::of(layout)?;
    let device = device(&storage.device)?;
    let mut elements = elements_mut::<T>(storage)?;
    let launched =
        MatrixMut::new(&mut elements.slice_mut(place.start..), place.rows, place.columns)
            .and_then(|matrix| matrix.with_leading_dimension(place.leading_dimension))
            .and_then(|matrix| launch(&device, matrix));
    Ok(launched.map_err(Error::from)?)
}

/// The elements from the start of a tensor to the end of its storage.
pub(crate) fn elements<T: TensorElement>(
    storage: &CudaStorage,
    place: Rows,
) -> Result<CudaView<'_, T>> {
    elements_from(storage, place.start)
}

/// The elements from a start to the end of a storage.
fn elements_from<T: TensorElement>(storage: &CudaStorage, start: usize) -> Result<CudaView<'_, T>> {
    let stored = storage.as_cuda_slice::<T::Stored>()?.slice(start..);
    // SAFETY: an element has the size of what candle stores, and every bit pattern is one.
    let elements = unsafe { stored.transmute(stored.len()) };
    Ok(elements.expect("an element has the size of what candle stores"))
}

/// All elements of a storage.
fn elements_mut<T: TensorElement>(storage: &mut CudaStorage) -> Result<CudaViewMut<'_, T>> {
    let stored = storage.as_cuda_slice_mut::<T::Stored>()?;
    let length = stored.len();
    // SAFETY: an element has the size of what candle stores, and every bit pattern is one of both.
    let elements = unsafe { stored.transmute_mut::<T>(length) };
    Ok(elements.expect("an element has the size of what candle stores"))
}
