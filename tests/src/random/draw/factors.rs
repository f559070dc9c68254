//! [`Factors`]: what a schedule is drawn for.

use fastrand::Rng;
use gemm_codegen::Element;

use super::{converted, scaled};

/// What a schedule is drawn for.
#[derive(Clone, Copy)]
pub(super) struct Factors {
    /// What they are stored as.
    pub(super) stored: [Element; 2],
    /// Whether one of them has scales.
    pub(super) scaled: bool,
}

impl Factors {
    /// What instructions multiply.
    pub(super) fn multiplied(self) -> Element {
        converted::multiplied(self.stored)
    }

    /// Whether one of them is converted.
    pub(super) fn are_converted(self) -> bool {
        converted::is_one(self.stored)
    }

    /// Whether one of them is stored as pairs of numbers.
    pub(super) fn have_pairs(self) -> bool {
        self.stored.into_iter().any(|element| element.numbers() > 1)
    }

    /// Whether one of them is packed.
    pub(super) fn are_packed(self) -> bool {
        self.stored.into_iter().any(converted::is_packed)
    }

    /// The same tile with whole k-steps, tiles of scales and packed elements for these warps, mostly.
    pub(super) fn whole_tile(self, rng: &mut Rng, tile: [u16; 3], warps: [u16; 3]) -> [u16; 3] {
        let tile = match self.scaled {
            true => scaled::tile(rng, tile, warps),
            false if self.are_converted() => converted::tile(rng, tile, warps),
            false => tile,
        };
        converted::whole(rng, self.stored, tile, warps)
    }

    /// Whether only warps can multiply them that threads copy for.
    pub(super) fn are_of_warps(self) -> bool {
        self.are_converted() || self.scaled
    }
}
