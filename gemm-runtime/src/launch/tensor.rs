//! [`Tensor`]: an operand as tensor copies read it.

use gemm_codegen::{Element, Parameter, TensorBox};

use crate::argument::{Argument, Named, Value};
use crate::error::Error;

/// The alignment that a tensor copy requires of an address and of a row distance (CUDA Driver API,
/// "cuTensorMapEncodeTiled": `globalAddress`, `globalStrides`).
const ALIGN: u64 = 16;

/// Rows are less than this far apart (the same place).
const PITCH_LIMIT: u64 = 1 << 40;

/// A matrix as tensor copies read it. Its alignment is not checked yet: see [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    pub(crate) address: u64,
    pub(crate) element: Element,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// From one row to the next.
    pub(crate) pitch_bytes: u64,
    /// The box that one copy moves.
    pub(crate) part: TensorBox,
}

impl Tensor {
    /// The argument, if the kernel reads the parameter by tensor copies.
    pub(crate) fn of(parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        Tensor::new(parameter.tensor?, argument)
    }

    /// The output that the argument is, if the kernel stores it by the copy unit: without elements where
    /// that cannot, which the kernel sees by its alignment.
    pub(crate) fn of_output(parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        let tensor = Tensor::new(parameter.stored?, argument)?;
        Some(if tensor.is_readable() { tensor } else { Tensor { rows: 0, ..tensor } })
    }

    fn new(part: TensorBox, argument: &Argument<'_>) -> Option<Tensor> {
        let (address, element, layout) = match &argument.0 {
            Value::Matrix { storage, element, layout, .. } => (storage.address(), element, layout),
            Value::MutableMatrix { storage, element, layout, .. } => {
                (storage.address(), element, layout)
            }
            _ => return None,
        };
        let pitch = layout.leading_dimension as u64 * u64::from(element.bytes());
        Some(Tensor {
            address,
            element: *element,
            rows: layout.rows as u64,
            columns: layout.columns as u64,
            // A single row has no row distance.
            pitch_bytes: if layout.rows > 1 { pitch } else { pitch.next_multiple_of(ALIGN) },
            part,
        })
    }

    /// Whether there are no elements to describe or copy.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    fn is_aligned(&self) -> bool {
        (self.address | self.pitch_bytes).is_multiple_of(ALIGN)
    }

    fn is_readable(&self) -> bool {
        self.is_empty() || self.is_aligned() && self.pitch_bytes < PITCH_LIMIT
    }

    /// Why tensor copies cannot read it.
    fn refusal(&self, operand: String) -> Error {
        let Tensor { address, pitch_bytes, .. } = *self;
        if self.is_aligned() {
            Error::TensorPitch { operand, pitch_bytes, limit: PITCH_LIMIT }
        } else {
            Error::TensorAlignment { operand, address, pitch_bytes }
        }
    }
}

/// Refuses operands that the kernel's tensor copies cannot read.
pub(super) fn check(operands: &[Named<'_, '_>]) -> Result<(), Error> {
    let mut tensors = operands
        .iter()
        .filter_map(|(parameter, argument)| Some((parameter, Tensor::of(parameter, argument)?)));
    let unreadable = tensors.find(|(_, tensor)| !tensor.is_readable());
    unreadable.map_or(Ok(()), |(parameter, tensor)| Err(tensor.refusal(parameter.name.to_string())))
}

/// Whether tensor copies can read the factors of a product.
pub(super) fn can_read(parameters: &[Parameter], arguments: &[Argument<'_>]) -> bool {
    // The size of the box does not matter here.
    let part = TensorBox { rows: 1, columns: 1, rounds_to_tf32: false };
    let factors = parameters.iter().zip(arguments).filter(|(one, _)| one.kind.is_multiplied());
    factors.filter_map(|(_, argument)| Tensor::new(part, argument)).all(|one| one.is_readable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_too_far_apart_are_refused_for_their_distance() {
        let part = TensorBox { rows: 8, columns: 64, rounds_to_tf32: false };
        let tensor = Tensor {
            address: 1 << 20,
            element: Element::F16,
            rows: 2,
            columns: 64,
            pitch_bytes: (1 << 40) - 16,
            part,
        };
        assert!(tensor.is_readable());
        let far = Tensor { pitch_bytes: 1 << 40, ..tensor };
        assert!(!far.is_readable());
        assert_eq!(
            far.refusal("x".to_owned()).to_string(),
            "x: copy = tma reads rows less than 1099511627776 bytes apart, got 1099511627776; \
             copy = cp_async(16, cg) reads any"
        );
        let unaligned = Tensor { pitch_bytes: (1 << 40) + 8, ..tensor };
        assert!(matches!(unaligned.refusal("x".to_owned()), Error::TensorAlignment { .. }));
    }
}
