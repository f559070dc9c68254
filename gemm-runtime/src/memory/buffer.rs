//! What a view can be made of: our vectors, and the slices and views of cudarc.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use crate::device::{GpuView, GpuViewMut};
use crate::element::Element;
use crate::error::Error;
use crate::memory::storage::{Storage, StorageMut};
use crate::memory::vector::{DeviceVector, VectorRef};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// Elements in device memory from which a [`MatrixRef`](crate::MatrixRef) or a
/// [`VectorRef`] can be made: `&DeviceVector<T>`, [`VectorRef<T>`], and cudarc's `&CudaSlice<T>`
/// and `CudaView<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer of `{T}` in device memory",
    label = "expected `&DeviceVector<{T}>`, `VectorRef<{T}>`, `&CudaSlice<{T}>` or `CudaView<{T}>`"
)]
pub trait DeviceBuffer<'a, T: Element>: Sealed {
    #[doc(hidden)]
    fn storage(self) -> Result<BufferStorage<'a>, Error>;
}

/// Elements in device memory from which a [`MatrixMut`](crate::MatrixMut) can be made:
/// `&mut DeviceVector<T>`, and cudarc's `&mut CudaSlice<T>` and `&mut CudaViewMut<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mutable buffer of `{T}` in device memory",
    label = "expected `&mut DeviceVector<{T}>`, `&mut CudaSlice<{T}>` or `&mut CudaViewMut<{T}>`"
)]
pub trait DeviceBufferMut<'a, T: Element>: Sealed {
    #[doc(hidden)]
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error>;
}

/// Opaque: the bytes of a [`DeviceBuffer`].
#[derive(Debug)]
pub struct BufferStorage<'a>(Storage<'a>);

/// Opaque: the bytes of a [`DeviceBufferMut`].
#[derive(Debug)]
pub struct BufferStorageMut<'a>(StorageMut<'a>);

impl<'a> BufferStorage<'a> {
    pub(crate) fn into_inner(self) -> Storage<'a> {
        self.0
    }
}

impl<'a> BufferStorageMut<'a> {
    pub(crate) fn into_inner(self) -> StorageMut<'a> {
        self.0
    }
}

impl<T> Sealed for &DeviceVector<T> {}
impl<T> Sealed for &mut DeviceVector<T> {}
impl<T> Sealed for VectorRef<'_, T> {}
impl<T> Sealed for &CudaSlice<T> {}
impl<T> Sealed for &mut CudaSlice<T> {}
impl<T> Sealed for CudaView<'_, T> {}
impl<T> Sealed for &CudaView<'_, T> {}
impl<T> Sealed for &mut CudaViewMut<'_, T> {}

impl<'a, T: Element> DeviceBuffer<'a, T> for VectorRef<'a, T> {
    fn storage(self) -> Result<BufferStorage<'a>, Error> {
        Ok(BufferStorage(self.into_storage()))
    }
}

impl<'a, T: Element> DeviceBuffer<'a, T> for &'a DeviceVector<T> {
    fn storage(self) -> Result<BufferStorage<'a>, Error> {
        self.view().storage()
    }
}

impl<'a, T: Element> DeviceBufferMut<'a, T> for &'a mut DeviceVector<T> {
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error> {
        Ok(BufferStorageMut(DeviceVector::storage_mut(self)))
    }
}

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
