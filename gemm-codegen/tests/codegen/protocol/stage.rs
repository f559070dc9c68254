//! What a state of a walk has of each stage.

/// A barrier: the phases that have completed, and what the next one lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Phase {
    pub(super) completed: u32,
    pub(super) pending: u32,
    /// Below 0 where another block's copy has landed before the bytes are expected.
    pub(super) bytes: i64,
}

/// A stage with its barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stage {
    /// Whether there are barriers.
    pub(super) is_initialised: bool,
    pub(super) full: Phase,
    pub(super) empty: Phase,
    /// The k-tile that was copied to it last, in the phase of this number of `full`.
    pub(super) tile: Option<usize>,
    pub(super) phase: u32,
    /// Whether some process has waited for that phase: before, its bytes may not have landed.
    pub(super) has_landed: bool,
    /// Processes that are still to multiply it, or whose products are in flight.
    pub(super) readers: usize,
}

impl Stage {
    /// One without barriers, whose phases will complete with these arrivals.
    pub(super) fn new(arrivals: [u32; 2]) -> Stage {
        let [full, empty] = arrivals.map(|pending| Phase { completed: 0, pending, bytes: 0 });
        Stage {
            is_initialised: false,
            full,
            empty,
            tile: None,
            phase: 0,
            has_landed: true,
            readers: 0,
        }
    }
}

impl Phase {
    /// Begins the next phase if this one lacks nothing.
    pub(super) fn settle(&mut self, arrivals: u32) {
        if self.pending == 0 && self.bytes == 0 {
            *self = Phase { completed: self.completed + 1, pending: arrivals, bytes: 0 };
        }
    }
}
