//! [`DeviceVector`] and [`VectorRef`]: contiguous elements.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Element;
use crate::error::{Dimension, Error};
use crate::memory::buffer::sealed::Sealed;
use crate::memory::buffer::{BufferStorage, BufferStorageMut, DeviceBuffer, DeviceBufferMut};
use crate::memory::layout::MatrixLayout;
use crate::memory::storage::{Buffer, Storage};
use crate::memory::vector_mut::VectorMut;
use crate::memory::view::check_range;

/// A vector of `T` in device memory.
///
/// Made by [`Device::vector`](crate::Device::vector). Parts of it are operands and outputs. Where one launch has both, the
/// memory is [shared](DeviceVector::share), as a mutable borrow of one part borrows the whole; a launch then compares
/// addresses, and refuses an output that overlaps an operand.
///
/// # Example
/// ```
/// # use gemm_runtime::prelude::*;
/// #[gemm]
/// fn product(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
///     matmul(x, w)
/// }
///
/// # let device = Device::emulator();
/// let arena = device.vector(&[1.0; 80])?.share()?;
/// let x = MatrixRef::new(arena.slice(0..32)?, 4, 8)?;
/// let w = MatrixRef::new(arena.slice(32..64)?, 4, 8)?;
/// let y = MatrixMut::new(arena.view_mut().slice(64..80)?, 4, 4)?;
/// product::into(&device, x, w, y)?;
/// assert_eq!(arena.slice(64..80)?.to_vec()?, [8.0; 16]);
/// # Ok::<(), Error>(())
/// ```
pub struct DeviceVector<T> {
    buffer: Buffer,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element> DeviceVector<T> {
    /// How many elements it has.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.vector(&[1.0f32, 2.0])?.len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no elements.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert!(device.vector::<f32>(&[])?.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The whole vector for reading.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let bias = device.vector(&[1.0f32, 2.0])?;
    /// assert_eq!(bias.view().to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> VectorRef<'_, T> {
        VectorRef { storage: self.buffer.view(), length: self.length, element: PhantomData }
    }

    /// The elements in `range`, for reading.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the vector.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let bias = device.vector(&[1.0f32, 2.0, 3.0])?;
    /// assert_eq!(bias.slice(1..3)?.to_vec()?, [2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn slice(&self, range: Range<usize>) -> Result<VectorRef<'_, T>, Error> {
        self.view().slice(range)
    }

    /// Copies the vector to the host and waits for it.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.vector(&[1.0f32, 2.0])?.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.view().to_vec()
    }

    /// The whole vector for writing.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut bias = device.vector(&[1.0f32, 2.0])?;
    /// bias.view_mut().write(&[3.0, 4.0])?;
    /// assert_eq!(bias.to_vec()?, [3.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view_mut(&mut self) -> VectorMut<'_, T> {
        VectorMut::from_parts(self.buffer.view_mut(), self.length)
    }

    pub(crate) fn from_parts(buffer: Buffer, length: usize) -> DeviceVector<T> {
        DeviceVector { buffer, length, element: PhantomData }
    }

    pub(super) fn into_parts(self) -> (Buffer, usize) {
        (self.buffer, self.length)
    }
}

/// A vector of `T` in device memory, borrowed for reading.
#[derive(Clone)]
pub struct VectorRef<'a, T> {
    storage: Storage<'a>,
    length: usize,
    element: PhantomData<&'a [T]>,
}

impl<'a, T: Element> VectorRef<'a, T> {
    /// The first `length` elements of `buffer`, which may be a slice or view of cudarc's.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let buffer = device.vector(&[1.0f32, 2.0, 3.0])?;
    /// assert_eq!(VectorRef::new(&buffer, 2)?.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(buffer: impl DeviceBuffer<'a, T>, length: usize) -> Result<Self, Error> {
        let storage = buffer.storage()?.0;
        MatrixLayout::new(1, length, length)?.fits(storage.bytes() / size_of::<T>())?;
        let storage = storage.slice(0..length * size_of::<T>());
        Ok(VectorRef { storage, length, element: PhantomData })
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
    pub fn slice(&self, range: Range<usize>) -> Result<VectorRef<'a, T>, Error> {
        check_range(Dimension::Elements, &range, self.length)?;
        let length = range.len();
        let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
        Ok(VectorRef { storage: self.storage.clone().slice(bytes), length, element: PhantomData })
    }

    /// Copies the vector to the host and waits for it.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut host = vec![T::default(); self.length];
        self.storage.download(bytemuck::cast_slice_mut(&mut host))?;
        Ok(host)
    }

    pub(crate) fn into_storage(self) -> Storage<'a> {
        self.storage
    }

    pub(super) fn from_parts(storage: Storage<'a>, length: usize) -> VectorRef<'a, T> {
        VectorRef { storage, length, element: PhantomData }
    }
}

impl<T> Sealed for &DeviceVector<T> {}
impl<T> Sealed for &mut DeviceVector<T> {}
impl<T> Sealed for VectorRef<'_, T> {}

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
        Ok(BufferStorageMut(self.buffer.view_mut()))
    }
}

impl<T: Element> fmt::Debug for DeviceVector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.buffer.view().place();
        write!(f, "DeviceVector<{}> of {} on {place}", T::ELEMENT, self.length)
    }
}

impl<T: Element> fmt::Debug for VectorRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VectorRef<{}> of {} on {}", T::ELEMENT, self.length, self.storage.place())
    }
}
