//! [`Shared`]: memory that several prepared launches read and write.
//!
//! A [`Prepared`](crate::Prepared) launch borrows its output mutably, so the launch of the next layer,
//! which reads it, does not borrow-check. A shared handle is an owner instead of a borrow: launches
//! clone it and so keep the memory allocated. (It is device memory, not the shared memory of a block.)
//! Borrowing no longer says who reads and who writes, so the rules are:
//!
//! - **Aliasing.** No Rust reference leads into device memory. On a GPU it is known by its address; on
//!   the emulator it consists of relaxed atomics. A read returns elements, and every bit pattern is
//!   one. So an access through another handle is never undefined behaviour; what it can change is a
//!   value, as with a [`Cell`](std::cell::Cell).
//! - **Order.** The memory belongs to the stream that it was allocated on. Every launch that uses it is
//!   enqueued there, and so are host copies and the release of the memory: they run in the order of the
//!   calls, with no events. Another stream is [`Error::StreamMismatch`] of `prepare`. A handle gives out
//!   views that are checked alike, but no `&Matrix` and no `Matrix`: these are ordered by events, which
//!   launches on shared handles do not record. [`Matrix::share`] waits for such events once. The handle
//!   of CUDA's per-thread default stream is a different stream on each thread, so memory allocated on it
//!   is [`Error::PerThreadStream`] of `share`.
//! - **Threads.** Handles are `Send` and `Sync`; a launch needs `&mut Prepared`. On a GPU, calls of two
//!   threads are ordered by the stream. On the emulator, a launch ends before its call returns, and
//!   another thread that reads or writes meanwhile sees any mixture of old and new elements.
//! - **Misuse.** An output that shares bytes with an operand or another output, another device and
//!   another stream are errors of `prepare`, found from addresses. Memory cannot be freed too early:
//!   each launch, and a [`Graph`](crate::Graph) of launches, owns a handle.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::element::Element;
use crate::error::Error;
use crate::memory::batched::{BatchedMatrix, BatchedMut, BatchedRef};
use crate::memory::layout::check_host_length;
use crate::memory::matrix::Matrix;
use crate::memory::scalar::{DeviceScalar, ScalarRef};
use crate::memory::shared_bytes::SharedBytes;
use crate::memory::storage::{Buffer, Storage, StorageMut};
use crate::memory::vector::{DeviceVector, VectorRef};
use crate::memory::vector_mut::VectorMut;
use crate::memory::view::{MatrixMut, MatrixRef};

mod sealed {
    pub trait Sealed {}
}

/// Memory that can be [`Shared`]: a [`Matrix`], a [`BatchedMatrix`], a [`DeviceVector`] or a
/// [`DeviceScalar`].
pub trait Shareable: sealed::Sealed {
    /// A view that keeps the memory allocated.
    type View: Clone + fmt::Debug;
}

/// A handle of device memory that several prepared launches read and write, and keep allocated.
///
/// Made by [`Matrix::share`] and its kin. Clones are handles of the same memory. `&Shared` is an operand
/// of a launch and, of a matrix or a batch, an output: one prepared launch can write what the next one
/// reads. It dereferences to a view, which reads.
///
/// All launches on it are of devices with the stream that it was allocated on, which orders them and
/// the copies to and from the host. [`Prepared`](crate::Prepared) finds an output that is also an
/// operand by its address.
///
/// On the emulator, a thread that reads while another one launches sees any mixture of old and new
/// elements; on a GPU the stream orders both.
///
/// # Example
/// ```
/// use gemm_runtime::Graph;
/// use gemm_runtime::prelude::*;
///
/// #[gemm]
/// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
///     matmul(x, w)
/// }
///
/// # let device = Device::emulator();
/// let w = device.matrix(4, 4, &[f16::ONE; 16])?;
/// let x = device.matrix(2, 4, &[f16::ONE; 8])?.share()?;
/// let h = device.zeros::<f16>(2, 4)?.share()?;
/// let y = device.zeros::<f16>(2, 4)?.share()?;
/// let first = linear::prepare(&device, &x, &w, &h)?;
/// let second = linear::prepare(&device, &h, &w, &y)?;
/// let mut graph = Graph::capture(&device, [first, second])?;
/// graph.launch()?;
/// assert_eq!(y.to_vec()?, [f16::from_f32(16.0); 8]);
/// x.write(&[f16::ZERO; 8])?;
/// graph.launch()?;
/// assert_eq!(y.to_vec()?, [f16::ZERO; 8]);
/// # Ok::<(), Error>(())
/// ```
///
/// With `Matrix` in its place, the launches do not borrow-check:
///
/// ```compile_fail,E0502
/// # use gemm_runtime::prelude::*;
/// # #[gemm]
/// # fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
/// # fn launches(device: &Device, x: &Matrix<f16>, w: &Matrix<f16>) -> Result<(), Error> {
/// let (mut h, mut y) = (device.zeros::<f16>(2, 4)?, device.zeros::<f16>(2, 4)?);
/// let mut first = linear::prepare(device, x, w, &mut h)?;
/// let mut second = linear::prepare(device, &h, w, &mut y)?;
/// first.launch()?;
/// second.launch()
/// # }
/// ```
pub struct Shared<C: Shareable> {
    view: C::View,
    /// Those of the view.
    bytes: SharedBytes,
}

impl<C: Shareable> Shared<C> {
    fn written(&self) -> StorageMut<'static> {
        StorageMut::Shared(self.bytes.clone())
    }
}

impl<C: Shareable> Clone for Shared<C> {
    fn clone(&self) -> Self {
        Shared { view: self.view.clone(), bytes: self.bytes.clone() }
    }
}

impl<C: Shareable> Deref for Shared<C> {
    type Target = C::View;

    fn deref(&self) -> &C::View {
        &self.view
    }
}

impl<C: Shareable> fmt::Debug for Shared<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shared {:?}", self.view)
    }
}

/// The bytes of a buffer, from now on in the order of its stream alone.
fn share(mut buffer: Buffer) -> Result<SharedBytes, Error> {
    buffer.settle()?;
    Ok(SharedBytes::new(Arc::new(buffer)))
}

/// `share` of each kind of memory, from its buffer and the rest that a view of it has.
macro_rules! shareable {
    ($($owner:ident as $view:ident: $parts:ident;)+) => { $(
        impl<T> sealed::Sealed for $owner<T> {}

        impl<T: Element> Shareable for $owner<T> {
            type View = $view<'static, T>;
        }

        impl<T: Element> $owner<T> {
            /// Makes it memory that several prepared launches read and write, as [`Shared`] says.
            ///
            /// # Errors
            /// [`Error::PerThreadStream`] if it was allocated on the per-thread default stream;
            /// [`Error::Driver`] if the work of other streams on it cannot be waited for, or failed.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let h = device.zeros::<f32>(1, 2)?.share()?;
            /// let same = h.clone();
            /// h.write(&[1.0, 2.0])?;
            /// assert_eq!(same.to_vec()?, [1.0, 2.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn share(self) -> Result<Shared<$owner<T>>, Error> {
                let (buffer, rest) = self.$parts();
                let bytes = share(buffer)?;
                let view = $view::from_parts(Storage::Shared(bytes.clone()), rest);
                Ok(Shared { view, bytes })
            }
        }
    )+ };
}

shareable! {
    Matrix as MatrixRef: into_parts;
    BatchedMatrix as BatchedRef: into_parts;
    DeviceVector as VectorRef: into_parts;
    DeviceScalar as ScalarRef: into_parts;
}

impl<T: Element> Shared<Matrix<T>> {
    /// The matrix as an output, whose [part](MatrixMut::submatrix) a launch can write. It is not
    /// exclusive: other handles read and write the same elements.
    pub fn view_mut(&self) -> MatrixMut<'static, T> {
        MatrixMut::from_parts(self.written(), self.view.layout())
    }

    /// Copies elements from the host, row by row without gaps, and waits for it. Launches that were
    /// enqueued before read the old elements, all later ones the new ones.
    ///
    /// # Errors
    /// As [`MatrixMut::write`]; [`Error::Driver`] also while the stream is captured.
    pub fn write(&self, elements: &[T]) -> Result<(), Error> {
        self.view_mut().write(elements)
    }
}

impl<T: Element> Shared<BatchedMatrix<T>> {
    /// The batch as an output. It is not exclusive: other handles read and write the same elements.
    pub fn view_mut(&self) -> BatchedMut<'static, T> {
        BatchedMut::from_parts(self.written(), self.view.layout())
    }

    /// Copies elements from the host, matrix by matrix and row by row without gaps, and waits for it.
    ///
    /// # Errors
    /// As that of a shared matrix.
    pub fn write(&self, elements: &[T]) -> Result<(), Error> {
        let extents @ [count, rows, columns] =
            [self.view.batch(), self.view.rows(), self.view.columns()];
        let each = rows * columns;
        check_host_length("batch", count * each, &extents, elements.len())?;
        let mut matrices = elements.chunks(each.max(1)).enumerate();
        matrices.try_for_each(|(number, elements)| self.view_mut().matrix(number)?.write(elements))
    }
}

impl<T: Element> Shared<DeviceVector<T>> {
    /// The vector as an output. It is not exclusive: other handles read and write the same elements.
    pub fn view_mut(&self) -> VectorMut<'static, T> {
        VectorMut::from_parts(self.written(), self.view.len())
    }

    /// Copies elements from the host and waits for it.
    ///
    /// # Errors
    /// As that of a shared matrix.
    pub fn write(&self, elements: &[T]) -> Result<(), Error> {
        let length = self.view.len();
        check_host_length("vector", length, &[length], elements.len())?;
        self.written().upload(bytemuck::cast_slice(elements))
    }
}

impl<T: Element> Shared<DeviceScalar<T>> {
    /// Sets the value and waits for it.
    ///
    /// # Errors
    /// As [`DeviceScalar::write`].
    pub fn write(&self, value: T) -> Result<(), Error> {
        self.written().upload(bytemuck::bytes_of(&value))
    }
}
