//! The boxes of tensor copies that a schedule has along K.

use super::resolved::ResolvedSchedule;
use crate::axis::Side;
use crate::form::Form;
use crate::level::global_to_shared::tensor;
use crate::level::mma;

impl ResolvedSchedule {
    /// The boxes whose rows a tile in shared memory has along K, if these are whole and a legal number.
    pub(super) fn boxes_along_k(&self, side: Side) -> Option<u32> {
        let k = self.staged()[2];
        let of_warpgroups = self.form == Form::Groups && self.copies_tensors();
        // Warpgroups count K by what they multiply.
        let [multiplied, _] = self.multiplied();
        let element = if of_warpgroups { multiplied } else { *self.elements.get(side) };
        let bytes = k.saturating_mul(element.bytes());
        let stored = [self.elements.a, self.elements.b];
        let is_legal = tensor::row_bytes(of_warpgroups, self.planes, stored).contains(&bytes);
        is_legal.then(|| (self.row_bytes(side) / tensor::ROW_BYTES).max(1))
    }

    /// Bytes of the row of a tile in shared memory whose rows run along K.
    fn row_bytes(&self, side: Side) -> u32 {
        self.staged()[2].saturating_mul(self.elements.get(side).bits()) / 8
    }

    /// Bytes of the row of a box: of a side that warpgroups convert it may be shorter than others.
    pub(super) fn box_bytes(&self, side: Side) -> u32 {
        match self.is_converted_by_groups(side) {
            true => self.row_bytes(side),
            false => tensor::ROW_BYTES,
        }
    }

    /// Whether warpgroups take a side from registers, since they convert it.
    pub(super) fn is_converted_by_groups(&self, side: Side) -> bool {
        let conversion = mma::Conversion::of([self.elements.a, self.elements.b]);
        self.form == Form::Groups && conversion.is_some_and(|of| of.side == side)
    }
}
