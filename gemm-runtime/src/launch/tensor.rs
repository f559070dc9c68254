//! [`Tensor`]: an operand as tensor copies read it.

use gemm_codegen::{Element, Kernel, Parameter, TensorBox};

use crate::argument::{Argument, Value};
use crate::error::Error;

/// What a tensor copy needs the address and the rows of a matrix to be multiples of (CUDA Driver
/// API, "cuTensorMapEncodeTiled": `globalAddress`, `globalStrides`).
const ALIGN: u64 = 16;

/// Rows are less than this far apart (the same place).
const PITCH_LIMIT: u64 = 1 << 40;

/// A matrix that a unit of an SM copies boxes of. Nothing in it is aligned yet: see [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    pub(crate) address: u64,
    pub(crate) element: Element,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// From one row to the next.
    pub(crate) pitch_bytes: u64,
    /// What one copy moves.
    pub(crate) part: TensorBox,
}

impl Tensor {
    /// The argument of a parameter that the kernel reads so.
    pub(crate) fn of(parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        Tensor::new(parameter.tensor?, argument)
    }

    fn new(part: TensorBox, argument: &Argument<'_>) -> Option<Tensor> {
        let Value::Matrix { storage, element, layout, .. } = &argument.0 else { return None };
        let pitch = layout.leading_dimension as u64 * u64::from(element.bytes());
        Some(Tensor {
            address: storage.address(),
            element: *element,
            rows: layout.rows as u64,
            columns: layout.columns as u64,
            // One row has no next one.
            pitch_bytes: if layout.rows > 1 { pitch } else { pitch.next_multiple_of(ALIGN) },
            part,
        })
    }

    /// Without elements there is nothing to describe, and nothing is copied.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    fn is_readable(&self) -> bool {
        let aligned = (self.address | self.pitch_bytes).is_multiple_of(ALIGN);
        self.is_empty() || aligned && self.pitch_bytes < PITCH_LIMIT
    }
}

/// Refuses operands of which the kernel's tensor copies cannot read.
pub(super) fn check(kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<(), Error> {
    for (parameter, tensor) in tensors(kernel, arguments) {
        if !tensor.is_readable() {
            let Tensor { address, pitch_bytes, .. } = tensor;
            let operand = parameter.name.to_string();
            return Err(Error::TensorAlignment { operand, address, pitch_bytes });
        }
    }
    Ok(())
}

/// Whether tensor copies can read the factors of a product.
pub(super) fn can_read(parameters: &[Parameter], arguments: &[Argument<'_>]) -> bool {
    // It does not matter here what a box has.
    let part = TensorBox { rows: 1, columns: 1, rounds_to_tf32: false };
    let factors = parameters.iter().zip(arguments).filter(|(one, _)| one.kind.is_multiplied());
    factors.filter_map(|(_, argument)| Tensor::new(part, argument)).all(|one| one.is_readable())
}

fn tensors<'a>(
    kernel: &'a Kernel,
    arguments: &'a [Argument<'_>],
) -> impl Iterator<Item = (&'a Parameter, Tensor)> {
    let pairs = kernel.parameters.iter().zip(arguments);
    pairs.filter_map(|(parameter, argument)| Some((parameter, Tensor::of(parameter, argument)?)))
}
