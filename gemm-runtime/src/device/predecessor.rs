//! What a kernel that starts early must not read: what its predecessor in the stream writes.
//!
//! A function names in `pdl` what no predecessor writes, such as weights. The kernel that makes these, `Device::pack` say,
//! may be the predecessor once. So a stream remembers where its last kernel of ours writes, and a launch that reads there
//! early waits for the end of that kernel as any other launch does. What kernels of others write is for the caller to mind.
//! Kernels before the predecessor have completed: each block waits for its predecessor before it ends, or lets the next
//! kernel start.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::CudaStream;

/// Parts of a device's memory, each from its first byte to its last.
pub(crate) type Spans = Arc<[Range<i128>]>;

/// What a launch accesses that matters to when it may start.
pub(crate) struct Accesses {
    /// What it reads before its predecessor has ended; `None` if it does not start before that.
    pub(crate) early: Option<Spans>,
    pub(crate) writes: Spans,
    /// Whether its blocks may run beside those of the predecessor and of the successor.
    pub(crate) launches_dependents: bool,
}

impl Accesses {
    /// Whether its blocks may run beside those of its predecessor.
    pub(crate) fn runs_beside_others(&self) -> bool {
        self.launches_dependents && self.early.is_some()
    }
}

/// The kernel that was enqueued last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Last {
    writes: Spans,
    launches_dependents: bool,
}

impl Last {
    /// Whether another launch may start before this kernel has ended. One without `pdl` does not start beside blocks that run:
    /// its own would not be dealt evenly to the SMs.
    pub(crate) fn overlaps(&self, next: &Accesses) -> bool {
        let meet = |a: &Range<i128>, b: &Range<i128>| a.start < b.end && b.start < a.end;
        let is_apart = |read: &Range<i128>| !self.writes.iter().any(|written| meet(read, written));
        let is_after = next.launches_dependents || !self.launches_dependents;
        is_after && next.early.as_ref().is_some_and(|early| early.iter().all(is_apart))
    }

    /// Another was enqueued.
    pub(crate) fn set(&mut self, next: &Accesses) {
        self.writes = next.writes.clone();
        self.launches_dependents = next.launches_dependents;
    }
}

/// The last kernels of a stream.
#[derive(Debug, Default)]
pub(crate) struct Predecessor {
    run: Mutex<Last>,
    /// Of the capture that the stream was in last.
    captured: Mutex<Last>,
}

impl Predecessor {
    /// The kernel that another follows which is run now, or which a capture records. No other thread enqueues one while it
    /// is held.
    pub(crate) fn lock(&self, captured: bool) -> MutexGuard<'_, Last> {
        let last = if captured { &self.captured } else { &self.run };
        last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The last kernels of each stream by its handle, also between the devices that a program makes from a stream. The handle of
/// one that was destroyed is given to a later one.
#[derive(Default)]
pub(super) struct Predecessors(Mutex<HashMap<usize, Arc<Predecessor>>>);

impl Predecessors {
    pub(super) fn of(&self, stream: &CudaStream) -> Arc<Predecessor> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(stream.cu_stream() as usize).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some bytes, from the first to the one after the last.
    type Bytes = [i128; 2];

    const W: Bytes = [1000, 2000];
    const Y: Bytes = [5000, 6000];

    fn accesses(early: Option<&[Bytes]>, writes: &[Bytes]) -> Accesses {
        let spans = |of: &[Bytes]| of.iter().map(|[start, end]| *start..*end).collect();
        let launches_dependents = early.is_some();
        Accesses { early: early.map(spans), writes: spans(writes), launches_dependents }
    }

    /// Whether each of some launches, one after another, may start before the end of the one before it.
    fn overlap<const N: usize>(launches: [Accesses; N]) -> [bool; N] {
        let mut last = Last::default();
        launches.map(|launch| {
            let overlaps = last.overlaps(&launch);
            last.set(&launch);
            overlaps
        })
    }

    #[test]
    fn a_launch_waits_for_the_kernel_that_makes_what_it_reads_early() {
        let overlaps = |made: Bytes| overlap([accesses(None, &[made]), accesses(Some(&[W]), &[Y])]);
        for made in [[0, 1001], [1999, 3000], [1500, 1501], [0, 5000]] {
            assert_eq!(overlaps(made), [false; 2], "{made:?}");
        }
        for made in [[0, 1000], [2000, 3000]] {
            assert_eq!(overlaps(made), [false, true], "{made:?}");
        }
    }

    #[test]
    fn each_part_is_compared_with_each() {
        let made = [[0, 10], [1500, 1501]];
        assert_eq!(
            overlap([accesses(None, &made), accesses(Some(&[[20, 30], W]), &[])]),
            [false; 2]
        );
        assert_eq!(overlap([accesses(None, &made), accesses(Some(&[]), &[])]), [false, true]);
    }

    #[test]
    fn a_launch_waits_for_its_predecessor_alone() {
        let reader = || accesses(Some(&[W]), &[Y]);
        let launches = [accesses(None, &[W]), accesses(Some(&[]), &[[0, 10]]), reader(), reader()];
        assert_eq!(overlap(launches), [false, true, true, true]);
    }

    #[test]
    fn a_launch_without_pdl_starts_beside_no_blocks() {
        let with = || accesses(Some(&[]), &[Y]);
        let without = || Accesses { launches_dependents: false, ..with() };
        let launches = [without(), without(), with(), with(), without(), without()];
        assert_eq!(overlap(launches), [true, true, true, true, false, true]);
    }
}
