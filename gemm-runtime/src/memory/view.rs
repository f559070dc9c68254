//! [`MatrixRef`] and [`MatrixMut`]: borrowed matrices.

use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Element;
use crate::error::{Dimension, Error};
use crate::memory::buffer::{DeviceBuffer, DeviceBufferMut};
use crate::memory::extents::extents;
use crate::memory::layout::{MatrixLayout, check_host_length};
use crate::memory::storage::{Storage, StorageMut};

/// A matrix of `T` in device memory, borrowed for reading; stored row by row.
#[derive(Clone)]
pub struct MatrixRef<'a, T> {
    /// From the first element to the end of the borrowed bytes.
    storage: Storage<'a>,
    layout: MatrixLayout,
    element: PhantomData<&'a [T]>,
}

impl<T: Element> MatrixRef<'_, T> {
    /// The part at these rows and columns.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.matrix(2, 2, &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x.view().submatrix(0..2, 1..2)?.to_vec()?, [2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrix(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Self, Error> {
        let (range, layout) = part::<T>(&self.layout, self.storage.bytes(), rows, columns)?;
        Ok(MatrixRef::from_parts(self.storage.clone().slice(range), layout))
    }

    /// Copies the matrix to the host, row by row without gaps, and waits for it.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.matrix(1, 2, &[1.0f32, 2.0])?;
    /// assert_eq!(x.view().to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.layout;
        let mut host = vec![T::default(); self.layout.elements()];
        self.storage.download(bytemuck::cast_slice_mut(&mut host))?;
        if leading_dimension != columns && columns > 0 {
            for row in 1..rows {
                let start = row * leading_dimension;
                host.copy_within(start..start + columns, row * columns);
            }
            host.truncate(rows * columns);
        }
        Ok(host)
    }
}

/// A matrix of `T` in device memory, borrowed for writing; stored row by row.
pub struct MatrixMut<'a, T> {
    /// From the first element to the end of the borrowed bytes.
    storage: StorageMut<'a>,
    layout: MatrixLayout,
    element: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> MatrixMut<'a, T> {
    /// The part at these rows and columns.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(2, 2)?;
    /// y.view_mut().submatrix(0..1, 0..2)?.write(&[1.0, 2.0])?;
    /// assert_eq!(y.to_vec()?, [1.0, 2.0, 0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrix(self, rows: Range<usize>, columns: Range<usize>) -> Result<Self, Error> {
        let (range, layout) = part::<T>(&self.layout, self.storage.bytes(), rows, columns)?;
        Ok(MatrixMut::from_parts(self.storage.slice(range), layout))
    }

    /// Copies elements from the host to the matrix, row by row without gaps, and waits for it.
    ///
    /// # Errors
    /// [`Error::HostLength`] if they are not as many as the matrix has; [`Error::Driver`] or
    /// [`Error::Memory`] if the device cannot be written.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(1, 2)?;
    /// y.view_mut().write(&[1.0, 2.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write(&mut self, elements: &[T]) -> Result<(), Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.layout;
        check_host_length("matrix", rows * columns, &[rows, columns], elements.len())?;
        // Without gaps between rows one copy is enough.
        let at_once = if leading_dimension == columns { elements.len() } else { columns };
        for (row, elements) in elements.chunks(at_once.max(1)).enumerate() {
            let start = row * leading_dimension * size_of::<T>();
            let storage = self.storage.reborrow();
            let end = storage.bytes();
            storage.slice(start..end).upload(bytemuck::cast_slice(elements))?;
        }
        Ok(())
    }

    /// The same matrix, borrowed for a shorter time.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(1, 2)?;
    /// let mut view = y.view_mut();
    /// view.reborrow().submatrix(0..1, 0..1)?.write(&[1.0])?;
    /// view.submatrix(0..1, 1..2)?.write(&[2.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reborrow(&mut self) -> MatrixMut<'_, T> {
        MatrixMut::from_parts(self.storage.reborrow(), self.layout)
    }

    /// The same matrix for reading.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(1, 2)?;
    /// assert_eq!(y.view_mut().view().to_vec()?, [0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> MatrixRef<'_, T> {
        MatrixRef::from_parts(self.storage.as_ref(), self.layout)
    }
}

/// The functions of both views.
macro_rules! views {
    ($($view:ident: $storage:ident from $buffer:ident::$storage_of:ident;)+) => { $(
        impl<'a, T: Element> $view<'a, T> {
            /// The matrix of `rows` × `columns` elements at the start of `buffer`, without gaps
            /// between its rows.
            ///
            /// A buffer is a [`DeviceVector`](crate::DeviceVector), a part of one, or a slice or
            /// view of cudarc's. To start elsewhere, pass a part: `slice.slice(offset..)`.
            ///
            /// # Errors
            /// [`Error::BufferTooSmall`], [`Error::SizeOverflow`].
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let buffer = device.vector(&[1.0f32, 2.0, 3.0, 4.0])?;
            /// let x = MatrixRef::new(&buffer, 2, 2)?;
            /// assert_eq!(x.submatrix(1..2, 0..2)?.to_vec()?, [3.0, 4.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn new(
                buffer: impl $buffer<'a, T>,
                rows: usize,
                columns: usize,
            ) -> Result<Self, Error> {
                Self::of(buffer.$storage_of()?.0, MatrixLayout::new(rows, columns, columns)?)
            }

            /// The `rows` × `columns` matrix at the start of `buffer` with these strides, in
            /// elements: from a row to the next, and from a column to the next. For views of other
            /// libraries, which have strides for both; the stride of an extent of 1 is ignored.
            ///
            /// # Errors
            /// [`Error::Strides`] if it is not stored row by row; [`Error::BufferTooSmall`],
            /// [`Error::SizeOverflow`].
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let buffer = device.vector(&[1.0f32, 2.0, 0.0, 3.0, 4.0])?;
            /// let x = MatrixRef::strided(&buffer, 2, 2, [3, 1])?;
            /// assert_eq!(x.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn strided(
                buffer: impl $buffer<'a, T>,
                rows: usize,
                columns: usize,
                strides: [isize; 2],
            ) -> Result<Self, Error> {
                Self::of(buffer.$storage_of()?.0, MatrixLayout::strided(rows, columns, strides)?)
            }

            /// The same matrix with `leading_dimension` elements from the start of a row to the
            /// start of the next. The elements between two rows are not part of it.
            ///
            /// # Errors
            /// [`Error::LeadingDimension`] if a row is longer, [`Error::BufferTooSmall`] if the last
            /// row then ends outside the buffer.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let buffer = device.vector(&[1.0f32, 2.0, 0.0, 3.0, 4.0])?;
            /// let x = MatrixRef::new(&buffer, 2, 2)?.with_leading_dimension(3)?;
            /// assert_eq!(x.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn with_leading_dimension(self, leading_dimension: usize) -> Result<Self, Error> {
                let MatrixLayout { rows, columns, .. } = self.layout;
                Self::of(self.storage, MatrixLayout::new(rows, columns, leading_dimension)?)
            }

            fn of(storage: $storage<'a>, layout: MatrixLayout) -> Result<Self, Error> {
                layout.fits(storage.bytes() / size_of::<T>())?;
                Ok(Self::from_parts(storage, layout))
            }

            pub(crate) fn from_parts(storage: $storage<'a>, layout: MatrixLayout) -> Self {
                $view { storage, layout, element: PhantomData }
            }

            pub(crate) fn layout(&self) -> MatrixLayout {
                self.layout
            }

            pub(crate) fn into_storage(self) -> $storage<'a> {
                self.storage
            }
        }

        extents!($view<'_>, |view: &Self| view.storage.place());
    )+ };
}

views! {
    MatrixRef: Storage from DeviceBuffer::storage;
    MatrixMut: StorageMut from DeviceBufferMut::storage_mut;
}

/// The bytes of a part of a matrix, from its first element to the end of the storage, and its
/// layout.
pub(super) fn part<T: Element>(
    layout: &MatrixLayout,
    bytes: usize,
    rows: Range<usize>,
    columns: Range<usize>,
) -> Result<(Range<usize>, MatrixLayout), Error> {
    check_range(Dimension::Rows, &rows, layout.rows)?;
    check_range(Dimension::Columns, &columns, layout.columns)?;
    let offset = (rows.start * layout.leading_dimension + columns.start) * size_of::<T>();
    let layout = MatrixLayout {
        rows: rows.len(),
        columns: columns.len(),
        leading_dimension: layout.leading_dimension,
    };
    // An empty part may start past the end of the buffer.
    Ok((offset.min(bytes)..bytes, layout))
}

/// Fails if a range is not within `0..extent`.
pub(crate) fn check_range(
    dimension: Dimension,
    range: &Range<usize>,
    extent: usize,
) -> Result<(), Error> {
    if range.start <= range.end && range.end <= extent {
        return Ok(());
    }
    Err(Error::OutOfRange { dimension, start: range.start, end: range.end, extent })
}
