//! [`Tensor`]: an operand as tensor copies read it.

use gemm_codegen::{Element, Parameter, TensorBox};

use crate::argument::{Argument, Named, Value};
use crate::error::{Dimension, Error};
use crate::memory::Batch;

/// The alignment that a tensor copy requires of an address and of a row distance (CUDA Driver API,
/// "cuTensorMapEncodeTiled": `globalAddress`, `globalStrides`).
const ALIGN: u64 = 16;

/// Rows, and the matrices of a batch, are less than this far apart (the same place).
const PITCH_LIMIT: u64 = 1 << 40;

/// A matrix, or a batch of them, as tensor copies read it. Its alignment is not checked yet: see
/// [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    pub(crate) address: u64,
    pub(crate) element: Element,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// From one row to the next.
    pub(crate) pitch_bytes: u64,
    /// The third dimension of the map of a batch.
    pub(crate) matrices: Option<Matrices>,
    /// The box that one copy moves.
    pub(crate) part: TensorBox,
}

/// The matrices of a batch. A distance of 0, of one matrix that stands for all, is legal. A grid has a
/// block for each of their tiles, so there are fewer than the 2³² that a map can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrices {
    pub(crate) count: u64,
    /// From one to the next.
    pub(crate) stride_bytes: u64,
}

/// What a map says of each dimension, the contiguous one first: the first `rank` numbers of each array,
/// of the strides one less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimensions {
    pub(crate) rank: usize,
    pub(crate) extents: [u64; 3],
    /// Bytes, of all but the first.
    pub(crate) strides: [u64; 2],
    /// Those of the box: it lies within one matrix.
    pub(crate) part: [u32; 3],
}

impl Tensor {
    /// Those of its map.
    pub(crate) fn dimensions(&self) -> Dimensions {
        let Tensor { rows, columns, pitch_bytes, matrices, part, .. } = *self;
        let one = Matrices { count: 1, stride_bytes: 0 };
        let Matrices { count, stride_bytes } = matrices.unwrap_or(one);
        Dimensions {
            rank: if matrices.is_some() { 3 } else { 2 },
            extents: [columns, rows, count],
            strides: [pitch_bytes, stride_bytes],
            part: [part.columns, part.rows, 1],
        }
    }

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
        let (address, element, layout, batch) = match &argument.0 {
            Value::Matrix { storage, element, layout, batch } => {
                (storage.address(), element, layout, batch)
            }
            Value::MutableMatrix { storage, element, layout, batch } => {
                (storage.address(), element, layout, batch)
            }
            _ => return None,
        };
        let bytes = |elements: usize| elements as u64 * u64::from(element.bytes());
        let pitch = bytes(layout.leading_dimension);
        let matrices = |Batch { count, stride }: Batch| Matrices {
            count: count as u64,
            // A single matrix has no distance to another.
            stride_bytes: if count > 1 { bytes(stride) } else { ALIGN },
        };
        Some(Tensor {
            address,
            element: *element,
            rows: layout.rows as u64,
            columns: layout.columns as u64,
            // A single row has no row distance.
            pitch_bytes: if layout.rows > 1 { pitch } else { pitch.next_multiple_of(ALIGN) },
            matrices: batch.map(matrices),
            part,
        })
    }

    /// Whether there are no elements to describe or copy.
    pub(crate) fn is_empty(&self) -> bool {
        self.dimensions().extents.contains(&0)
    }

    /// From one matrix of a batch to the next.
    fn stride_bytes(&self) -> Option<u64> {
        self.matrices.map(|matrices| matrices.stride_bytes)
    }

    fn is_aligned(&self) -> bool {
        let distances = self.pitch_bytes | self.stride_bytes().unwrap_or(0);
        (self.address | distances).is_multiple_of(ALIGN)
    }

    /// What is too far apart, if anything is.
    fn too_far(&self) -> Option<(Dimension, u64)> {
        let rows = (Dimension::Rows, self.pitch_bytes);
        let matrices = self.stride_bytes().map(|stride| (Dimension::Matrices, stride));
        [Some(rows), matrices].into_iter().flatten().find(|(_, bytes)| *bytes >= PITCH_LIMIT)
    }

    fn is_readable(&self) -> bool {
        self.is_empty() || self.refusal("").is_none()
    }

    /// Why tensor copies cannot read the elements that it has, if they cannot.
    fn refusal(&self, operand: &str) -> Option<Error> {
        let (operand, Tensor { address, pitch_bytes, .. }) = (operand.to_owned(), *self);
        if !self.is_aligned() {
            let stride_bytes = self.stride_bytes();
            return Some(Error::TensorAlignment { operand, address, pitch_bytes, stride_bytes });
        }
        let too_far = self.too_far();
        too_far.map(|(of, pitch_bytes)| Error::TensorPitch {
            operand,
            of,
            pitch_bytes,
            limit: PITCH_LIMIT,
        })
    }
}

/// Refuses operands that the kernel's tensor copies cannot read.
pub(super) fn check(operands: &[Named<'_, '_>]) -> Result<(), Error> {
    let refused = operands.iter().find_map(|(parameter, argument)| {
        let tensor = Tensor::of(parameter, argument).filter(|tensor| !tensor.is_empty())?;
        tensor.refusal(&parameter.name)
    });
    refused.map_or(Ok(()), Err)
}

/// Whether rows or matrices of an output are so far apart that the copy unit cannot store it.
pub(super) fn is_out_of_reach(parameter: &Parameter, argument: &Argument<'_>) -> bool {
    let tensor = parameter.stored.and_then(|part| Tensor::new(part, argument));
    tensor.is_some_and(|tensor| tensor.too_far().is_some())
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

    /// Two rows, of a matrix or of each of two, as far apart as rows can be.
    fn tensor(matrices: Option<u64>) -> Tensor {
        Tensor {
            address: 1 << 20,
            element: Element::F16,
            rows: 2,
            columns: 64,
            pitch_bytes: (1 << 40) - 16,
            matrices: matrices.map(|stride_bytes| Matrices { count: 2, stride_bytes }),
            part: TensorBox { rows: 8, columns: 64, rounds_to_tf32: false },
        }
    }

    fn refusal(tensor: &Tensor) -> String {
        tensor.refusal("x").map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn rows_that_are_too_far_apart_are_refused_for_their_distance() {
        let tensor = tensor(None);
        assert!(tensor.is_readable());
        let far = Tensor { pitch_bytes: 1 << 40, ..tensor };
        assert!(!far.is_readable());
        assert_eq!(
            refusal(&far),
            "x: copy = tma reads rows less than 1099511627776 bytes apart, got 1099511627776; \
             copy = cp_async(16, cg) reads any"
        );
        let unaligned = Tensor { pitch_bytes: (1 << 40) + 8, ..tensor };
        assert!(matches!(unaligned.refusal("x"), Some(Error::TensorAlignment { .. })));
    }

    #[test]
    fn the_matrices_of_a_batch_have_the_limits_of_rows() {
        for stride in [0, 16, (1 << 40) - 16] {
            assert!(tensor(Some(stride)).is_readable(), "{stride}");
        }
        assert_eq!(
            refusal(&tensor(Some(1 << 40))),
            "x: copy = tma reads matrices less than 1099511627776 bytes apart, got 1099511627776; \
             copy = cp_async(16, cg) reads any"
        );
        assert_eq!(
            refusal(&Tensor { pitch_bytes: 128, ..tensor(Some(264)) }),
            "x: copy = tma requires an address and distances of rows and matrices that are multiples \
             of 16 bytes, got address 0x100000, rows 128 bytes apart and matrices 264 bytes apart; \
             copy = cp_async(16, cg) reads any"
        );
    }

    #[test]
    fn a_batch_has_a_third_dimension() {
        let Dimensions { rank, extents, strides, part } = tensor(Some(48)).dimensions();
        assert_eq!((rank, extents, strides), (3, [64, 2, 2], [(1 << 40) - 16, 48]));
        assert_eq!(part, [64, 8, 1]);
        assert_eq!(tensor(None).dimensions().rank, 2);
    }
}
