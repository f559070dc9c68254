//! The warpgroups of a schedule that names none.

use super::resolved::{LEAST_STAGES, ResolvedSchedule};
use crate::axis::Side;
use crate::level::mma::wgmma::{self, Wgmma};
use crate::level::scheduler::{self, ClusterSplitK};
use crate::level::{global_to_shared::tensor, warps};
use crate::spec::{Schedule, Walk};

/// Those that a block can have, in the order in which they are tried: two along M share a tile of B.
const GRIDS: [[u32; 3]; 5] = [[2, 1, 1], [3, 1, 1], [1, 1, 1], [1, 2, 1], [1, 3, 1]];

impl ResolvedSchedule {
    /// The warpgroups of the tile: as written, or the first that the fewest laws speak against. Of those
    /// that suit it, an instruction that is named outright says the columns.
    pub(super) fn warpgroups(&self, schedule: &Schedule) -> [u32; 3] {
        if let Some([m, n]) = schedule.warpgroups {
            return [m.get().into(), n.get().into(), 1];
        }
        if self.walk == Some(Walk::Pingpong) {
            return [1; 3];
        }
        let stages = schedule.stages.map_or(LEAST_STAGES, |stages| stages.get().into());
        let named = self.mma.written_shape().map(|shape| u32::from(shape.n.get()));
        let faults = |grid: &[u32; 3]| {
            let [m, n, _] = *grid;
            let (suits, has_parts) = self.suits(*grid);
            let suits = suits && self.has_room(stages, *grid);
            let others = named.is_some_and(|columns| columns * n != self.tile[1]);
            let is_whole = self.tile[0].is_multiple_of(m * wgmma::ROWS);
            // Rows that no number of them divides are fewest for one.
            (!(suits && has_parts), !suits, suits && others, if is_whole { 0 } else { m })
        };
        GRIDS.into_iter().min_by_key(faults).unwrap_or([1; 3])
    }

    /// Whether warpgroups have whole instructions whose descriptors and sums are legal, and a part of each
    /// product. Rows and a BLK_K that no instruction divides speak against every grid alike: it is judged
    /// for those of one.
    fn suits(&self, grid: [u32; 3]) -> (bool, bool) {
        let ([m, n, _], shape) = (self.tile, self.shape());
        let rows = if m.is_multiple_of(wgmma::ROWS) { m } else { wgmma::ROWS };
        let Ok(warps) = warps::plan([rows, n, shape[2]], grid, self.mma, shape) else {
            return (false, false);
        };
        let has_panels = self.has_panels(Side::B, self.along_k(Side::B));
        let wgmma = Wgmma {
            columns: warps.tile[1],
            element: self.multiplied()[0],
            transposed: Side::BOTH.map(|side| !self.along_k(side)),
        };
        let split_k = ClusterSplitK::of(self.splits);
        let suits = wgmma::check(wgmma).is_ok()
            && split_k.is_none_or(|split_k| scheduler::check_columns(split_k, &warps).is_ok())
            && (!has_panels || tensor::are_panels(wgmma.columns))
            && self.registers_fit(&warps).is_ok();
        (suits, self.check_parts(&warps).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::element::Element;
    use crate::problem::Known;
    use crate::rule::Findings;
    use crate::spec::{Body, Mma, Operand, OperandKind, Output, OutputIndices, Spec};

    /// The warpgroups of a tile of such factors; the second factor is stored as these indices say.
    fn groups(tile: [u16; 3], element: Element, b: [&str; 2]) -> [u32; 2] {
        let matrix = |name: &str, indices: [&str; 2]| Operand {
            name: name.to_owned(),
            batch: Vec::new(),
            kind: OperandKind::Matrix { element, indices: indices.map(str::to_owned) },
        };
        let spec = Spec {
            name: "f".to_owned(),
            operands: vec![matrix("a", ["M", "K"]), matrix("b", b)],
            outputs: vec![Output {
                in_place: None,
                batch: Vec::new(),
                element,
                indices: OutputIndices::Matrix(["M", "N"].map(str::to_owned)),
            }],
            body: Body::matmul("a", "b"),
            schedule: Schedule {
                mma: Some(Mma::Wgmma(None)),
                tile: Some(tile.map(|extent| NonZeroU16::new(extent).unwrap())),
                ..Schedule::default()
            },
        };
        let known = Known::new(&spec, &mut Findings::default()).unwrap();
        let [m, n, _] =
            super::super::resolve(&spec, known.elements(), known.axes.as_ref(), None).warps;
        [m, n]
    }

    #[test]
    fn warpgroups_lie_along_m_unless_one_would_have_too_much() {
        use Element::{F16, I8};
        let along_k = |tile| groups(tile, F16, ["N", "K"]);
        assert_eq!(along_k([128, 256, 64]), [2, 1]);
        assert_eq!(along_k([192, 128, 64]), [3, 1]);
        assert_eq!(along_k([384, 128, 64]), [2, 1], "192 sums of 240 registers");
        assert_eq!(along_k([64, 256, 64]), [1, 1]);
        let across = |tile| groups(tile, F16, ["K", "N"]);
        assert_eq!(across([64, 512, 64]), [1, 2], "256 columns each");
        assert_eq!(across([64, 192, 64]), [1, 1]);
        assert_eq!(across([128, 320, 64]), [2, 1], "five panels are no two equal parts: an error");
        assert_eq!(across([64, 384, 64]), [1, 2]);
        assert_eq!(across([64, 576, 64]), [1, 3], "two would share a panel");
        assert_eq!(groups([64, 72, 128], I8, ["N", "K"]), [1, 3], "24 columns each");
        assert_eq!(groups([48, 72, 100], I8, ["N", "K"]), [1, 3], "what is wrong for every grid");
    }
}
