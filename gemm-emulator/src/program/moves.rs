//! Moves, selections and bitwise shuffling of whole registers.

use super::parts::*;
use crate::ptx::Space;

/// Moves, selections and bitwise shuffling of whole registers; `at` as in [`IntegerOp`](super::IntegerOp).
///
/// The parts of a word have 16 bits, those of a long 32, those of a quad 16. `SelectBySign` is `slct`, `ConvertAddress`
/// adds or subtracts the base of the window of a space.
#[derive(Debug)]
pub(crate) enum MoveOp {
    MoveWord { at: [u32; 2] },
    MoveLong { at: [u32; 2] },
    MovePredicate { d: u32, a: PredicateUse },
    PackWord { d: u32, parts: [u32; 2] },
    PackLong { d: u32, parts: [u32; 2] },
    PackQuad { d: u32, parts: [u32; 4] },
    SplitWord { parts: [u32; 2], a: u32 },
    SplitLong { parts: [u32; 2], a: u32 },
    SplitQuad { parts: [u32; 4], a: u32 },
    PredicateLogic { f: Logic, d: u32, a: PredicateUse, b: PredicateUse },
    Logic3 { table: u8, at: [u32; 4] },
    Permute { at: [u32; 4] },
    SelectWord { at: [u32; 3], p: PredicateUse },
    SelectLong { at: [u32; 3], p: PredicateUse },
    SelectBySign { long: bool, float: bool, at: [u32; 4] },
    ConvertAddress { space: Space, to_generic: bool, at: [u32; 2] },
    IsSpace { space: Space, at: [u32; 2] },
    Clock { long: bool, d: u32 },
}
