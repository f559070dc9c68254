//! [`Factors`]: what a schedule is drawn for.

use gemm_codegen::Element;

use super::converted;

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

    /// Whether only warps can multiply them that threads copy for.
    pub(super) fn are_of_warps(self) -> bool {
        self.are_converted() || self.scaled
    }
}
