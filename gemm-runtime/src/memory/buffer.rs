//! [`DeviceBuffer`]: the buffers that views are made of. Here those of cudarc.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use crate::element::Element;
use crate::error::Error;
use crate::memory::gpu::{GpuView, GpuViewMut};
use crate::memory::storage::{Storage, StorageMut};

pub(super) mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// Elements in device memory from which a [`MatrixRef`](crate::MatrixRef) or a
/// [`VectorRef`](crate::VectorRef) can be made: `&DeviceVector<T>`, `VectorRef<T>`, and cudarc's
/// `&CudaSlice<T>` and `CudaView<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer of `{T}` in device memory",
    label = "expected `&DeviceVector<{T}>`, `VectorRef<{T}>`, `&CudaSlice<{T}>` or `CudaView<{T}>`"
)]
pub trait DeviceBuffer<'a, T: Element>: Sealed {
    #[doc(hidden)]
    fn storage(self) -> Result<BufferStorage<'a>, Error>;
}

/// Elements in device memory from which a [`MatrixMut`](crate::MatrixMut) or a
/// [`VectorMut`](crate::VectorMut) can be made: `&mut DeviceVector<T>`, `VectorMut<T>`, and cudarc's
/// `&mut CudaSlice<T>` and `&mut CudaViewMut<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mutable buffer of `{T}` in device memory",
    label = "expected `&mut DeviceVector<{T}>`, `VectorMut<{T}>`, `&mut CudaSlice<{T}>` or `&mut CudaViewMut<{T}>`"
)]
pub trait DeviceBufferMut<'a, T: Element>: Sealed {
    #[doc(hidden)]
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error>;
}

/// Opaque: the bytes of a [`DeviceBuffer`].
#[derive(Debug)]
pub struct BufferStorage<'a>(pub(super) Storage<'a>);

/// Opaque: the bytes of a [`DeviceBufferMut`].
#[derive(Debug)]
pub struct BufferStorageMut<'a>(pub(super) StorageMut<'a>);

impl<T> Sealed for &CudaSlice<T> {}
impl<T> Sealed for &mut CudaSlice<T> {}
impl<T> Sealed for CudaView<'_, T> {}
impl<T> Sealed for &CudaView<'_, T> {}
impl<T> Sealed for &mut CudaViewMut<'_, T> {}

impl<'a, T: Element> DeviceBuffer<'a, T> for &CudaView<'a, T> {
    fn storage(self) -> Result<BufferStorage<'a>, Error> {
        GpuView::of(self).map(|view| BufferStorage(Storage::Gpu(view)))
    }
}

impl<'a, T: Element> DeviceBuffer<'a, T> for CudaView<'a, T> {
    fn storage(self) -> Result<BufferStorage<'a>, Error> {
        (&self).storage()
    }
}

impl<'a, T: Element> DeviceBuffer<'a, T> for &'a CudaSlice<T> {
    fn storage(self) -> Result<BufferStorage<'a>, Error> {
        self.as_view().storage()
    }
}

impl<'a, T: Element> DeviceBufferMut<'a, T> for &'a mut CudaSlice<T> {
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error> {
        GpuViewMut::of_slice(self).map(|view| BufferStorageMut(StorageMut::Gpu(view)))
    }
}

impl<'a, T: Element> DeviceBufferMut<'a, T> for &'a mut CudaViewMut<'_, T> {
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error> {
        GpuViewMut::of_view(self).map(|view| BufferStorageMut(StorageMut::Gpu(view)))
    }
}
