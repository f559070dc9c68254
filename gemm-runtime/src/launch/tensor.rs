//! [`Tensor`]: an operand as tensor copies read it.

use gemm_codegen::hardware::{self, MAX_TENSOR_RANK};
use gemm_codegen::{Axis, Element, Parameter, ParameterKind, TensorBox};

use crate::argument::{Argument, Region};
use crate::launch::steps;
use crate::memory::Steps;

/// The alignment that a tensor copy requires of an address and of a row distance (CUDA Driver API,
/// "cuTensorMapEncodeTiled": `globalAddress`, `globalStrides`).
const ALIGN: u64 = 16;

/// Rows, and the matrices of a batch, are less than this far apart (the same place).
const PITCH_LIMIT: u64 = 1 << 40;

/// The batch indices of a map: its dimensions but for rows and columns.
const BATCH_INDICES: usize = MAX_TENSOR_RANK - 2;

/// A matrix, or a batch of them, as tensor copies read it if it [is readable](Tensor::is_readable).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    pub(crate) address: u64,
    pub(crate) element: Element,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// From one row to the next.
    pub(crate) pitch_bytes: u64,
    /// The dimensions of the map of a batch after rows and columns, one for each batch index, the
    /// innermost first.
    pub(crate) matrices: [Option<Matrices>; BATCH_INDICES],
    /// The box that one copy moves.
    pub(crate) part: TensorBox,
}

/// The matrices along a batch index. A distance of 0, of one matrix that stands for all, is legal. A
/// grid has a block for each of their tiles, so there are fewer than the 2³² that a map can have.
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
    pub(crate) extents: [u64; MAX_TENSOR_RANK],
    /// Bytes, of all but the first.
    pub(crate) strides: [u64; MAX_TENSOR_RANK - 1],
    /// Those of the box: it lies within one matrix.
    pub(crate) part: [u32; MAX_TENSOR_RANK],
}

impl Tensor {
    /// Those of its map.
    pub(crate) fn dimensions(&self) -> Dimensions {
        let Tensor { element, rows, columns, pitch_bytes, matrices, part, .. } = *self;
        let of_element = TensorBox::columns_of(element.bytes());
        let one = Matrices { count: 1, stride_bytes: 0 };
        let [of_0, of_1, of_2] = matrices.map(|matrices| matrices.unwrap_or(one));
        Dimensions {
            rank: 2 + matrices.iter().flatten().count(),
            extents: [columns * u64::from(of_element), rows, of_0.count, of_1.count, of_2.count],
            strides: [pitch_bytes, of_0.stride_bytes, of_1.stride_bytes, of_2.stride_bytes],
            part: [part.columns * of_element, part.rows, 1, 1, 1],
        }
    }

    /// Bytes of a column of its map.
    pub(crate) fn column_bytes(&self) -> u32 {
        self.element.bytes() / TensorBox::columns_of(self.element.bytes())
    }

    /// Bytes of a row of its box, through which the copy unit swizzles it, if it does.
    pub(crate) fn swizzled_bytes(&self) -> Option<u32> {
        let is_plain = TensorBox::columns_of(self.element.bytes()) == 1;
        is_plain.then_some(self.part.columns * self.element.bytes())
    }

    /// The argument, if the kernel reads the parameter by tensor copies.
    pub(crate) fn of(parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        Tensor::new(parameter.tensor?, parameter, argument)
    }

    /// The argument, if the copy unit moves it between memory and epilogue tiles: without elements where that
    /// cannot, which the kernel sees by its alignment.
    pub(crate) fn of_epilogue(parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        let tensor = Tensor::new(parameter.epilogue_box?, parameter, argument)?;
        Some(if tensor.is_readable() { tensor } else { Tensor { rows: 0, ..tensor } })
    }

    fn new(part: TensorBox, parameter: &Parameter, argument: &Argument<'_>) -> Option<Tensor> {
        let Region { address, element, layout, batch, .. } = argument.region()?;
        let bytes = |elements: usize| elements as u64 * u64::from(element.bytes());
        let pitch = bytes(layout.leading_dimension);
        let along = |steps: Option<Steps>| match steps {
            Some(Steps { count, stride }) => Matrices {
                count: count as u64,
                // A single matrix has no distance to another.
                stride_bytes: if count > 1 { bytes(stride) } else { ALIGN },
            },
            // The same matrix for each value of the index, of any number of them.
            None => Matrices { count: hardware::MAX_GRID_X, stride_bytes: 0 },
        };
        let steps = steps::along(parameter, &layout, batch);
        let mut matrices = [None; BATCH_INDICES];
        let places = matrices.iter_mut().zip(steps.into_iter().rev());
        places.for_each(|(place, steps)| *place = Some(along(steps)));
        Some(Tensor {
            address,
            element,
            rows: layout.rows as u64,
            columns: layout.columns as u64,
            // A single row has no row distance.
            pitch_bytes: if layout.rows > 1 { pitch } else { pitch.next_multiple_of(ALIGN) },
            matrices,
            part,
        })
    }

    /// The same with as many matrices along each index as a launch has values of it, outer ones first.
    pub(crate) fn within(mut self, batches: &[usize]) -> Tensor {
        for (along, most) in self.matrices.iter_mut().flatten().zip(batches.iter().rev()) {
            along.count = along.count.min(*most as u64);
        }
        self
    }

    /// Whether there are no elements to describe or copy.
    pub(crate) fn is_empty(&self) -> bool {
        self.dimensions().extents.contains(&0)
    }

    /// Bytes of its elements.
    fn bytes(&self) -> u64 {
        // Where all matrices are the same one, it counts once.
        let matrices = self.matrices.iter().flatten().filter(|along| along.stride_bytes > 0);
        let count = matrices.fold(1, |all: u64, along| all.saturating_mul(along.count));
        // Those of one matrix fit; matrices that share elements may have more than there is memory.
        (self.columns * u64::from(self.element.bytes()) * self.rows).saturating_mul(count)
    }

    /// From one matrix of a batch to the next, along each index.
    fn strides(&self) -> impl Iterator<Item = u64> {
        self.matrices.into_iter().flatten().map(|along| along.stride_bytes)
    }

    fn is_aligned(&self) -> bool {
        let distances = self.strides().fold(self.pitch_bytes, |bits, stride| bits | stride);
        (self.address | distances).is_multiple_of(ALIGN)
    }

    /// Whether its rows or matrices are too far apart.
    fn is_too_far(&self) -> bool {
        self.strides().fold(self.pitch_bytes, u64::max) >= PITCH_LIMIT
    }

    /// Whether tensor copies can read the elements that it has.
    pub(crate) fn is_readable(&self) -> bool {
        self.is_empty() || (self.is_aligned() && !self.is_too_far())
    }
}

/// Whether rows or matrices are so far apart that the copy unit cannot move them between memory and
/// epilogue tiles.
pub(super) fn is_out_of_reach(parameter: &Parameter, argument: &Argument<'_>) -> bool {
    let tensor = parameter.epilogue_box.and_then(|part| Tensor::new(part, parameter, argument));
    tensor.is_some_and(|tensor| tensor.is_too_far())
}

/// Bytes of A and of B that a launch by tensor copies has to copy to other rows first; 0 of a factor
/// that they can read.
pub(super) fn unreadable_bytes(parameters: &[Parameter], arguments: &[Argument<'_>]) -> [u64; 2] {
    // The size of the box does not matter here.
    let part = TensorBox { rows: 1, columns: 1, rounds_to_tf32: false };
    let mut bytes = [0; 2];
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let ParameterKind::Matrix { rows, columns, .. } = parameter.kind else { continue };
        let side = usize::from(![rows, columns].contains(&Axis::M));
        if let Some(tensor) = Tensor::new(part, parameter, argument)
            && parameter.kind.is_multiplied()
            && parameter.planes.is_none()
            && !tensor.is_readable()
        {
            bytes[side] = tensor.bytes();
        }
    }
    bytes
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
            matrices: [
                matrices.map(|stride_bytes| Matrices { count: 2, stride_bytes }),
                None,
                None,
            ],
            part: TensorBox { rows: 8, columns: 64, rounds_to_tf32: false },
        }
    }

    #[test]
    fn rows_begin_at_multiples_of_16_bytes_less_than_the_limit_apart() {
        let tensor = tensor(None);
        assert!(tensor.is_readable());
        for pitch_bytes in [1 << 40, (1 << 40) - 8, 136] {
            assert!(!Tensor { pitch_bytes, ..tensor }.is_readable(), "{pitch_bytes}");
        }
        assert!(!Tensor { address: tensor.address + 8, ..tensor }.is_readable());
        assert!(Tensor { rows: 0, address: 2, ..tensor }.is_readable(), "nothing is read");
    }

    #[test]
    fn the_matrices_of_a_batch_have_the_limits_of_rows() {
        for (stride, readable) in
            [(0, true), (16, true), ((1 << 40) - 16, true), (264, false), (1 << 40, false)]
        {
            assert_eq!(tensor(Some(stride)).is_readable(), readable, "{stride}");
        }
    }

    #[test]
    fn a_matrix_that_stands_for_all_has_its_bytes_once() {
        let two = tensor(Some(48));
        assert_eq!((tensor(None).bytes(), two.bytes()), (256, 512));
        assert_eq!(tensor(Some(0)).bytes(), 256);
        let many = Matrices { count: u64::MAX, stride_bytes: 16 };
        assert_eq!(Tensor { matrices: [Some(many), None, None], ..two }.bytes(), u64::MAX);
    }

    #[test]
    fn a_batch_has_a_third_dimension() {
        let Dimensions { rank, extents, strides, part } = tensor(Some(48)).dimensions();
        assert_eq!((rank, extents, strides), (3, [64, 2, 2, 1, 1], [(1 << 40) - 16, 48, 0, 0]));
        assert_eq!(part, [64, 8, 1, 1, 1]);
        let [inner, ..] = tensor(Some(48)).matrices;
        let outer = Some(Matrices { count: 3, stride_bytes: 160 });
        let two = Tensor { matrices: [inner, outer, None], ..tensor(None) }.dimensions();
        assert_eq!((two.rank, two.extents), (4, [64, 2, 2, 3, 1]));
        assert_eq!(two.strides[1..], [48, 160, 0]);
        let same = Some(Matrices { count: u64::MAX, stride_bytes: 0 });
        let limited = Tensor { matrices: [same, outer, None], ..tensor(None) }.within(&[5, 7]);
        assert_eq!(limited.dimensions().extents, [64, 2, 7, 3, 1]);
        assert_eq!(tensor(None).dimensions().rank, 2);
    }
}
