//! Vectors and scalars with a guard around them.

use gemm_runtime::{Device, DeviceVector, Error, ScalarRef, VectorRef};

use crate::data::Placement;
use crate::judge::TestElement;

/// A vector between guards, with its elements on the host.
#[derive(Debug)]
pub struct GuardedVector<T: TestElement> {
    host: Vec<T>,
    device: DeviceVector<T>,
    /// Elements of guard before the first.
    left: usize,
}

impl<T: TestElement> GuardedVector<T> {
    /// A vector of these elements.
    pub fn input(
        device: &Device,
        placement: Placement,
        host: Vec<T>,
    ) -> Result<GuardedVector<T>, Error> {
        let mut guarded = vec![T::poison(); placement.pitch(host.len())];
        guarded[placement.left..][..host.len()].copy_from_slice(&host);
        let device = device.vector(&guarded)?;
        Ok(GuardedVector { host, device, left: placement.left })
    }

    /// What `reference` takes.
    pub fn host(&self) -> &[T] {
        &self.host
    }

    /// What a launch reads.
    pub fn device(&self) -> Result<VectorRef<'_, T>, Error> {
        self.device.slice(self.left..self.left + self.host.len())
    }
}

/// A scalar in device memory between guards, with its value on the host.
#[derive(Debug)]
pub struct GuardedScalar<T: TestElement>(GuardedVector<T>);

impl<T: TestElement> GuardedScalar<T> {
    /// A scalar of this value.
    pub fn input(
        device: &Device,
        placement: Placement,
        host: T,
    ) -> Result<GuardedScalar<T>, Error> {
        GuardedVector::input(device, placement, vec![host]).map(GuardedScalar)
    }

    /// What `reference` takes.
    pub fn host(&self) -> T {
        self.0.host[0]
    }

    /// What a launch reads.
    pub fn device(&self) -> Result<ScalarRef<'_, T>, Error> {
        ScalarRef::new(self.0.device()?)
    }
}

/// A scalar operand, with the methods of the others.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<T>(pub T);

impl<T: Copy> Scalar<T> {
    /// What `reference` takes.
    pub fn host(&self) -> T {
        self.0
    }

    /// What a launch takes.
    pub fn device(&self) -> Result<T, Error> {
        Ok(self.0)
    }
}
