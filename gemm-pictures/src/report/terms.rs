//! The terms of the first screen, with their meanings.

use crate::page::Word;

/// A term as docs/glossary.md defines it.
pub(super) struct Term {
    written: &'static str,
    meaning: &'static str,
}

impl Term {
    pub(super) fn word(&self) -> Word {
        Word::Term { written: self.written, meaning: self.meaning }
    }
}

pub(super) const BANK_CONFLICT: Term = Term {
    written: "bank conflict",
    meaning: "lanes of one request that need different words of one bank, which costs another pass",
};

pub(super) const COST_MODEL: Term = Term {
    written: "cost model",
    meaning: "the estimate of a candidate's time for a shape and a GPU",
};

pub(super) const OCCUPANCY: Term =
    Term { written: "occupancy", meaning: "blocks or warps resident on an SM at a time" };

pub(super) const SPILL: Term =
    Term { written: "spill", meaning: "a register that the compiler keeps in local memory" };

pub(super) const WAVE: Term =
    Term { written: "wave", meaning: "as many blocks as the GPU runs at a time" };
