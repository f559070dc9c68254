//! Scalars, and the elements of vectors that may be positions.

use gemm_codegen::Element as ElementType;
use gemm_runtime::{Error, Shape};

use super::Problem;
use crate::data::Fill;
use crate::judge::TestElement;
use crate::operand::{GuardedScalar, Scalar};

impl Problem<'_> {
    /// A random scalar in device memory, or one of this value.
    pub fn device_scalar<T: TestElement>(
        &mut self,
        value: Option<f64>,
    ) -> Result<GuardedScalar<T>, Error> {
        let placement = self.alignment.placement(size_of::<T>(), &mut self.rng);
        let value = match (value, T::ELEMENT) {
            (Some(value), _) => T::from_f64(value),
            (None, ElementType::I32) => T::from_f64(self.position().into()),
            _ => T::random(&mut self.rng),
        };
        GuardedScalar::input(self.device, placement, value)
    }

    /// A random scalar in -2..2.
    pub fn scalar(&mut self) -> Scalar<f32> {
        Scalar(self.rng.f32() * 4.0 - 2.0)
    }

    /// The same in double precision.
    pub fn scalar_f64(&mut self) -> Scalar<f64> {
        Scalar(self.rng.f64() * 4.0 - 2.0)
    }

    /// A random position along M or N.
    pub fn scalar_i32(&mut self) -> Scalar<i32> {
        Scalar(self.position())
    }

    /// A position along M or N: bodies compare `row()` and `column()` with an integer, and only one in this range
    /// tells some elements from others. Now and then it is before the first one or after the last one.
    fn position(&mut self) -> i32 {
        let Shape { m, n, .. } = self.shape;
        let extent = i32::try_from(m.max(n)).unwrap_or(i32::MAX / 2);
        let beyond = extent / 16 + 1;
        self.rng.i32(-beyond..=extent + beyond)
    }

    /// Elements of vectors; of random i32 every second one is a position, such as the length of a row.
    pub(super) fn elements_of_vectors<T: TestElement>(&mut self, length: usize) -> Vec<T> {
        let mut elements = self.elements::<T>(length);
        if T::ELEMENT == ElementType::I32 && self.fill == Fill::Random {
            for element in elements.iter_mut().step_by(2) {
                *element = T::from_f64(self.position().into());
            }
        }
        elements
    }
}
