//! [`DeviceScalar`] and [`ScalarRef`]: one element.

use std::fmt;
use std::marker::PhantomData;

use crate::element::Element;
use crate::error::Error;
use crate::memory::buffer::DeviceBuffer;
use crate::memory::layout::MatrixLayout;
use crate::memory::storage::{Buffer, Storage};

/// A `T` in device memory, which a launch reads when it runs: a prepared launch, or a graph that one
/// was captured in, computes with its current value.
///
/// Made by [`Device::scalar`](crate::Device::scalar).
pub struct DeviceScalar<T> {
    buffer: Buffer,
    element: PhantomData<T>,
}

impl<T: Element> DeviceScalar<T> {
    /// Sets the value and waits for it. Launches that were enqueued before, on the stream of its
    /// device, read the old value, all later ones the new one; a kernel that runs on another stream
    /// meanwhile may read either.
    ///
    /// A [`Prepared`](crate::Prepared) launch may borrow it meanwhile: to the host, a value in device
    /// memory is like one in a [`Cell`](std::cell::Cell).
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be written, which it cannot while
    /// its stream is captured.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let alpha = device.scalar(1.0f32)?;
    /// alpha.write(0.5)?;
    /// assert_eq!(alpha.read()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write(&self, value: T) -> Result<(), Error> {
        self.buffer.write(0, bytemuck::bytes_of(&value))
    }

    /// The value, once all that was enqueued before has run.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.scalar(3i32)?.read()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read(&self) -> Result<T, Error> {
        self.view().read()
    }

    /// A view of it, for an operand.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let alpha = device.scalar(1.0f32)?;
    /// assert_eq!(alpha.view().read()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> ScalarRef<'_, T> {
        ScalarRef { storage: self.buffer.view(), element: PhantomData }
    }

    pub(crate) fn from_buffer(buffer: Buffer) -> DeviceScalar<T> {
        DeviceScalar { buffer, element: PhantomData }
    }

    /// The second part is for what other kinds of memory have besides.
    pub(super) fn into_parts(self) -> (Buffer, ()) {
        (self.buffer, ())
    }
}

/// A `T` in device memory, borrowed for reading.
#[derive(Clone)]
pub struct ScalarRef<'a, T> {
    storage: Storage<'a>,
    element: PhantomData<&'a T>,
}

impl<'a, T: Element> ScalarRef<'a, T> {
    /// The first element of `buffer`, which may be a slice or view of cudarc's.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`] if it has none.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let buffer = device.vector(&[1.0f32, 2.0])?;
    /// assert_eq!(ScalarRef::new(&buffer)?.read()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(buffer: impl DeviceBuffer<'a, T>) -> Result<Self, Error> {
        let storage = buffer.storage()?.0;
        MatrixLayout::new(1, 1, 1)?.fits(storage.bytes() / size_of::<T>())?;
        Ok(ScalarRef { storage: storage.slice(0..size_of::<T>()), element: PhantomData })
    }

    /// The value, once all that was enqueued before has run.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    pub fn read(&self) -> Result<T, Error> {
        let mut value = T::default();
        self.storage.download(bytemuck::bytes_of_mut(&mut value))?;
        Ok(value)
    }

    pub(crate) fn into_storage(self) -> Storage<'a> {
        self.storage
    }

    pub(super) fn from_parts(storage: Storage<'a>, (): ()) -> ScalarRef<'a, T> {
        ScalarRef { storage, element: PhantomData }
    }
}

impl<T: Element> fmt::Debug for DeviceScalar<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceScalar<{}> on {}", T::ELEMENT, self.buffer.view().place())
    }
}

impl<T: Element> fmt::Debug for ScalarRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScalarRef<{}> on {}", T::ELEMENT, self.storage.place())
    }
}
