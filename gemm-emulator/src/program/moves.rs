//! Moves, selections and bitwise shuffling of whole registers.

use super::op::Op;
use super::parts::*;
use crate::ptx::Space;

impl From<MoveOp> for Op {
    fn from(op: MoveOp) -> Op {
        Op::Move(op)
    }
}

/// Moves, selections and bitwise shuffling of whole registers.
#[derive(Debug)]
pub(crate) enum MoveOp {
    MoveWord {
        d: u32,
        a: u32,
    },
    MoveLong {
        d: u32,
        a: u32,
    },
    MovePredicate {
        d: u32,
        a: PredicateUse,
    },
    /// Two 16-bit values into one of 32.
    PackWord {
        d: u32,
        parts: [u32; 2],
    },
    /// Two 32-bit values into one of 64.
    PackLong {
        d: u32,
        parts: [u32; 2],
    },
    /// Four 16-bit values into one of 64.
    PackQuad {
        d: u32,
        parts: [u32; 4],
    },
    SplitWord {
        parts: [u32; 2],
        a: u32,
    },
    SplitLong {
        parts: [u32; 2],
        a: u32,
    },
    SplitQuad {
        parts: [u32; 4],
        a: u32,
    },
    PredicateLogic {
        f: Logic,
        d: u32,
        a: PredicateUse,
        b: PredicateUse,
    },
    Logic3 {
        table: u8,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    Permute {
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    SelectWord {
        d: u32,
        a: u32,
        b: u32,
        p: PredicateUse,
    },
    SelectLong {
        d: u32,
        a: u32,
        b: u32,
        p: PredicateUse,
    },
    /// `slct`: a if c >= 0, else b.
    SelectBySign {
        long: bool,
        float: bool,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    /// Generic to space or back: adds or takes off the window's base.
    ConvertAddress {
        space: Space,
        to_generic: bool,
        d: u32,
        a: u32,
    },
    IsSpace {
        space: Space,
        d: u32,
        a: u32,
    },
    Clock {
        long: bool,
        d: u32,
    },
}
