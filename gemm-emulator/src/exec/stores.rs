//! The tensor stores of a warp's lanes that are not complete.

use std::collections::{BTreeMap, VecDeque};

use crate::memory::ReadingId;

/// Consecutive bytes of global memory that a store is to write.
pub(super) struct Piece {
    pub(super) address: u64,
    pub(super) bytes: Vec<u8>,
}

/// A tensor store.
pub(super) struct TensorWrite {
    /// What it reads.
    pub(super) reading: ReadingId,
    /// What it is still to write.
    pub(super) pieces: Vec<Piece>,
}

#[derive(Default)]
struct Lane {
    /// With the number of the group, oldest first.
    in_flight: VecDeque<(u64, TensorWrite)>,
    /// Groups committed.
    committed: u64,
    /// Stores that are started, and those that are known to have read.
    started: u64,
    read: u64,
}

/// Of the lanes that have started any.
#[derive(Default)]
pub(crate) struct Stores {
    lanes: BTreeMap<usize, Lane>,
}

impl Lane {
    /// How many stores belong to other groups than the newest `groups`.
    fn older_than(&self, groups: u32) -> usize {
        let landed = self.committed.saturating_sub(groups.into());
        self.in_flight.partition_point(|(group, _)| *group < landed)
    }
}

impl Stores {
    pub(super) fn reset(&mut self) {
        self.lanes.clear();
    }

    /// A store of a lane's open group.
    pub(super) fn start(&mut self, lane: usize, store: TensorWrite) {
        let lane = self.lanes.entry(lane).or_default();
        lane.started = store.reading.number;
        lane.in_flight.push_back((lane.committed, store));
    }

    pub(super) fn commit(&mut self, lane: usize) {
        if let Some(lane) = self.lanes.get_mut(&lane) {
            lane.committed += 1;
        }
    }

    /// A lane has waited until all but the newest `groups` have read; gives the last store of them.
    pub(super) fn read(&mut self, lane: usize, groups: u32) -> Option<ReadingId> {
        let lane = self.lanes.get_mut(&lane)?;
        let count = lane.older_than(groups);
        let (_, last) = lane.in_flight.get(count.checked_sub(1)?)?;
        lane.read = last.reading.number;
        Some(last.reading)
    }

    /// Whether a store of a lane may still read.
    pub(super) fn reads(&self, lane: usize) -> bool {
        self.lanes.get(&lane).is_some_and(|lane| lane.started > lane.read)
    }

    /// Takes out all but the newest `groups` of a lane; gives what they are still to write.
    pub(super) fn finish(&mut self, lane: usize, groups: u32) -> Vec<Piece> {
        let Some(lane) = self.lanes.get_mut(&lane) else { return Vec::new() };
        let count = lane.older_than(groups);
        lane.in_flight.drain(..count).flat_map(|(_, store)| store.pieces).collect()
    }
}
