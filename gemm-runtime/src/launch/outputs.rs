//! [`NewOutputs`]: the outputs that a launch allocates and returns.

use gemm_codegen::{Axis, Element as ElementType, Parameter, ParameterKind};

use crate::argument::{Argument, AsBatchedMut as _, AsMatrixMut as _, AsVectorMut};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::launch::axis_extents::AxisExtents;
use crate::memory::{BatchedMatrix, DeviceVector, Matrix};
use crate::output_form::OutputForm;

/// The element and the kind of an output that is not allocated yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputKind {
    /// The type of its elements.
    pub element: ElementType,
    /// What is allocated.
    pub form: OutputForm,
}

/// How an output is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputExtents<'a> {
    /// What it is.
    pub form: OutputForm,
    /// The values of each batch index of a batch.
    pub batches: &'a [usize],
    /// Rows and columns; a vector is one row.
    pub extents: [usize; 2],
}

impl<'a> OutputExtents<'a> {
    /// Those of a parameter in a launch of these extents and values of each batch index; `None` for a
    /// scalar.
    pub(crate) fn of(
        parameter: &Parameter,
        extents: &AxisExtents,
        batches: &'a [usize],
    ) -> Option<OutputExtents<'a>> {
        let extent = |axis: Axis| extents.along(axis);
        let batched = parameter.batch.is_batched();
        Some(match (parameter.kind, batches) {
            (ParameterKind::Matrix { rows, columns, .. }, _) => {
                let form = if batched { OutputForm::Batch } else { OutputForm::Matrix };
                OutputExtents { form, batches, extents: [rows, columns].map(extent) }
            }
            (ParameterKind::Vector { length, .. }, [outer @ .., inner]) if batched => {
                let form = if outer.is_empty() { OutputForm::Matrix } else { OutputForm::Batch };
                OutputExtents { form, batches: outer, extents: [*inner, extent(length)] }
            }
            (ParameterKind::Vector { length, .. }, _) => {
                let extents = [1, extent(length)];
                OutputExtents { form: OutputForm::Vector, batches: &[], extents }
            }
            (
                ParameterKind::Tiled { .. }
                | ParameterKind::DeviceScalar(_)
                | ParameterKind::Scalar(_),
                _,
            ) => return None,
        })
    }
}

/// An output that a launch can allocate: a [`Matrix`], a [`BatchedMatrix`] or a [`DeviceVector`].
pub trait NewOutput: Sized {
    /// Its element and kind.
    const KIND: OutputKind;

    /// Allocates it. Its elements are uninitialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`], [`Error::SizeOverflow`].
    fn uninitialized(device: &Device, of: OutputExtents<'_>) -> Result<Self, Error>;

    /// An argument that is written.
    fn argument(&mut self) -> Argument<'_>;
}

impl<T: Element> NewOutput for Matrix<T> {
    const KIND: OutputKind = OutputKind { element: T::ELEMENT, form: OutputForm::Matrix };

    fn uninitialized(device: &Device, of: OutputExtents<'_>) -> Result<Matrix<T>, Error> {
        let [rows, columns] = of.extents;
        device.uninitialized(rows, columns)
    }

    fn argument(&mut self) -> Argument<'_> {
        self.view_mut().argument()
    }
}

impl<T: Element> NewOutput for BatchedMatrix<T> {
    const KIND: OutputKind = OutputKind { element: T::ELEMENT, form: OutputForm::Batch };

    fn uninitialized(device: &Device, of: OutputExtents<'_>) -> Result<BatchedMatrix<T>, Error> {
        let [rows, columns] = of.extents;
        device.batched_uninitialized(of.batches, rows, columns)
    }

    fn argument(&mut self) -> Argument<'_> {
        self.view_mut().argument()
    }
}

impl<T: Element> NewOutput for DeviceVector<T> {
    const KIND: OutputKind = OutputKind { element: T::ELEMENT, form: OutputForm::Vector };

    fn uninitialized(device: &Device, of: OutputExtents<'_>) -> Result<DeviceVector<T>, Error> {
        device.vector_uninitialized(of.extents[1])
    }

    fn argument(&mut self) -> Argument<'_> {
        AsVectorMut::argument(self)
    }
}

/// The outputs of a launch: a tuple of a [`NewOutput`] for each.
pub trait NewOutputs: Sized {
    /// The element and kind of each.
    fn kinds() -> Vec<OutputKind>;

    /// Allocates each.
    ///
    /// # Errors
    /// Those of [`NewOutput::uninitialized`].
    ///
    /// # Panics
    /// If there are fewer extents than outputs.
    fn uninitialized(device: &Device, all: &[OutputExtents<'_>]) -> Result<Self, Error>;

    /// Arguments that are written, in order.
    fn arguments(&mut self) -> Vec<Argument<'_>>;
}

macro_rules! tuples {
    ($(($($output:ident $number:tt),+))+) => {
        $(impl<$($output: NewOutput),+> NewOutputs for ($($output,)+) {
            fn kinds() -> Vec<OutputKind> {
                vec![$($output::KIND),+]
            }

            fn uninitialized(device: &Device, all: &[OutputExtents<'_>]) -> Result<Self, Error> {
                Ok(($($output::uninitialized(device, all[$number])?,)+))
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
