//! [`VectorMut`]: contiguous elements to be written.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Element;
use crate::error::{Dimension, Error};
use crate::memory::buffer::sealed::Sealed;
use crate::memory::buffer::{BufferStorageMut, DeviceBufferMut};
use crate::memory::layout::{MatrixLayout, check_host_length};
use crate::memory::storage::StorageMut;
use crate::memory::view::{MatrixMut, check_range};

/// A vector of `T` in device memory, borrowed for writing: an output that is reduced, or the memory of
/// a [`MatrixMut`].
///
/// # Example
/// ```
/// # use gemm_runtime::prelude::*;
/// # let device = Device::emulator();
/// let mut arena = device.vector(&[0.0f32; 6])?;
/// MatrixMut::new(arena.view_mut().slice(2..6)?, 2, 2)?.write(&[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(arena.to_vec()?, [0.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub struct VectorMut<'a, T> {
    storage: StorageMut<'a>,
    length: usize,
    element: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> VectorMut<'a, T> {
    /// The first `length` elements of `buffer`, which may be a slice or view of cudarc's.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut buffer = device.vector(&[1.0f32, 2.0, 3.0])?;
    /// VectorMut::new(&mut buffer, 2)?.write(&[5.0, 6.0])?;
    /// assert_eq!(buffer.to_vec()?, [5.0, 6.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(buffer: impl DeviceBufferMut<'a, T>, length: usize) -> Result<Self, Error> {
        let storage = buffer.storage_mut()?.0;
        MatrixLayout::new(1, length, length)?.fits(storage.bytes() / size_of::<T>())?;
        Ok(VectorMut::from_parts(storage.slice(0..length * size_of::<T>()), length))
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The elements in `range`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the vector.
    pub fn slice(self, range: Range<usize>) -> Result<VectorMut<'a, T>, Error> {
        check_range(Dimension::Elements, &range, self.length)?;
        let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
        Ok(VectorMut::from_parts(self.storage.slice(bytes), range.len()))
    }

    /// The same vector, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> VectorMut<'_, T> {
        VectorMut::from_parts(self.storage.reborrow(), self.length)
    }

    /// Copies elements from the host to the vector and waits for it.
    ///
    /// # Errors
    /// [`Error::HostLength`] if they are not as many as the vector has; [`Error::Driver`] or
    /// [`Error::Memory`] if the device cannot be written.
    pub fn write(&mut self, elements: &[T]) -> Result<(), Error> {
        check_host_length("vector", self.length, &[self.length], elements.len())?;
        self.storage.reborrow().upload(bytemuck::cast_slice(elements))
    }

    pub(crate) fn into_storage(self) -> StorageMut<'a> {
        self.storage
    }

    pub(crate) fn from_parts(storage: StorageMut<'a>, length: usize) -> VectorMut<'a, T> {
        VectorMut { storage, length, element: PhantomData }
    }
}

impl<T> Sealed for VectorMut<'_, T> {}

impl<'a, T: Element> DeviceBufferMut<'a, T> for VectorMut<'a, T> {
    fn storage_mut(self) -> Result<BufferStorageMut<'a>, Error> {
        Ok(BufferStorageMut(self.into_storage()))
    }
}

impl<'a, T: Element> MatrixMut<'a, T> {
    /// A row, to be written.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the matrix has no such row.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(2, 2)?;
    /// y.view_mut().row(1)?.write(&[1.0, 2.0])?;
    /// assert_eq!(y.to_vec()?, [0.0, 0.0, 1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn row(self, row: usize) -> Result<VectorMut<'a, T>, Error> {
        let columns = self.layout().columns;
        let row = self.submatrix(row..row.saturating_add(1), 0..columns)?.into_storage();
        Ok(VectorMut::from_parts(row.slice(0..columns * size_of::<T>()), columns))
    }
}

impl<T: Element> fmt::Debug for VectorMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VectorMut<{}> of {} on {}", T::ELEMENT, self.length, self.storage.place())
    }
}
