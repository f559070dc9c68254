//! Scalars in a device's memory.

use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::memory::DeviceScalar;

impl Device {
    /// A value in device memory, for a parameter `Scalar<T>`: another can be written between
    /// launches that were prepared or captured.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let alpha = device.scalar(0.5f32)?;
    /// assert_eq!(alpha.read()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn scalar<T: Element>(&self, value: T) -> Result<DeviceScalar<T>, Error> {
        let scalar = DeviceScalar::from_buffer(self.allocate(size_of::<T>())?);
        scalar.write(value)?;
        Ok(scalar)
    }
}
