//! What a plan says of the scales of factors.

use super::Plan;
use crate::element::Element;
use crate::level::mma::{ScaledBy, Scaling};

impl Plan {
    /// Bytes of scales and offsets in a stage, after its tiles.
    pub fn scale_bytes(&self) -> u32 {
        // The ring fits a block.
        self.scaling.map_or(0, |scaling| scaling.bytes as u32)
    }

    /// Whether copies bring the scales of this operand to the stages, as tiles.
    pub(crate) fn has_staged(&self, operand: usize) -> bool {
        let mut tiles = self.scaling.iter().flat_map(Scaling::staged_tiles);
        tiles.any(|tile| tile.operand == operand)
    }

    /// What a factor is rounded to whose elements are scaled while they are converted; `None` where sums are scaled, or
    /// nothing is.
    pub fn scaled_factors(&self) -> Option<Element> {
        self.scaling.filter(|scaling| scaling.by == ScaledBy::Factors)?;
        self.mma.conversion().map(|conversion| conversion.to)
    }
}
