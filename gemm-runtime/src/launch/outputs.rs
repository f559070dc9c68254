//! [`NewOutputs`]: the outputs that a launch allocates and returns.

use gemm_codegen::Element as ElementType;

use crate::argument::{Argument, AsBatchedMut as _, AsMatrixMut as _};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::memory::{BatchedMatrix, Matrix};

/// The element and the kind of an output that is not allocated yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputKind {
    /// The type of its elements.
    pub element: ElementType,
    /// Whether it is a batch of matrices.
    pub batched: bool,
}

/// An output that a launch can allocate: a [`Matrix`] or a [`BatchedMatrix`].
pub trait NewOutput: Sized {
    /// Its element and kind.
    const KIND: OutputKind;

    /// Allocates it, of these values of each batch index, rows and columns. Its elements are
    /// uninitialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`], [`Error::SizeOverflow`].
    fn uninitialized(
        device: &Device,
        batches: &[usize],
        extents: [usize; 2],
    ) -> Result<Self, Error>;

    /// An argument that is written.
    fn argument(&mut self) -> Argument<'_>;
}

impl<T: Element> NewOutput for Matrix<T> {
    const KIND: OutputKind = OutputKind { element: T::ELEMENT, batched: false };

    fn uninitialized(
        device: &Device,
        _: &[usize],
        [rows, columns]: [usize; 2],
    ) -> Result<Matrix<T>, Error> {
        device.uninitialized(rows, columns)
    }

    fn argument(&mut self) -> Argument<'_> {
        self.view_mut().argument()
    }
}

impl<T: Element> NewOutput for BatchedMatrix<T> {
    const KIND: OutputKind = OutputKind { element: T::ELEMENT, batched: true };

    fn uninitialized(
        device: &Device,
        batches: &[usize],
        [rows, columns]: [usize; 2],
    ) -> Result<BatchedMatrix<T>, Error> {
        device.batched_uninitialized(batches, rows, columns)
    }

    fn argument(&mut self) -> Argument<'_> {
        self.view_mut().argument()
    }
}

/// The outputs of a launch: a tuple of a [`NewOutput`] for each.
pub trait NewOutputs: Sized {
    /// The element and kind of each.
    fn kinds() -> Vec<OutputKind>;

    /// Allocates them, of these values of each batch index, and rows and columns of each.
    ///
    /// # Errors
    /// Those of [`NewOutput::uninitialized`].
    ///
    /// # Panics
    /// If there are fewer extents than outputs.
    fn uninitialized(
        device: &Device,
        batches: &[usize],
        extents: &[[usize; 2]],
    ) -> Result<Self, Error>;

    /// Arguments that are written, in order.
    fn arguments(&mut self) -> Vec<Argument<'_>>;
}

macro_rules! tuples {
    ($(($($output:ident $number:tt),+))+) => {
        $(impl<$($output: NewOutput),+> NewOutputs for ($($output,)+) {
            fn kinds() -> Vec<OutputKind> {
                vec![$($output::KIND),+]
            }

            fn uninitialized(
                device: &Device,
                batches: &[usize],
                extents: &[[usize; 2]],
            ) -> Result<Self, Error> {
                Ok(($($output::uninitialized(device, batches, extents[$number])?,)+))
            }

            fn arguments(&mut self) -> Vec<Argument<'_>> {
                vec![$(self.$number.argument()),+]
            }
        })+
    };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}

#[cfg(test)]
mod tests;
