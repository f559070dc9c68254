//! The shared memory of one block, with the state of each byte.
//!
//! A byte moves through these states:
//! ```text
//! never written --store--> valid <---------------- barrier ----------------.
//!       \----- cp.async --> in flight --wait--> landed (its thread sees it) -/
//! ```
//! `bar.warp.sync` makes landed bytes visible to the warp of the thread that copied them. The tensor copy lands when
//! a thread waits at its mbarrier; mbarriers themselves are bytes that nothing else may access.

mod cluster;
mod copies;
mod landing;
mod mbarriers;
mod problem;
mod readings;

use std::collections::BTreeMap;

use super::clocks::Team;
use super::landing::Landings;
use super::mbarrier::MbarrierState;
use super::race::{Race, Races, Touch};
use super::thread::{to_bytes, words};
use crate::trace::Change;
pub(crate) use cluster::Left;
pub(crate) use landing::Start;
use mbarriers::problem;
pub(crate) use problem::SharedProblem;
use readings::Reading;

/// Written, and visible to all threads of the block. One value, so that a whole access is checked by one comparison.
const VALID: u8 = 1;
const NEVER: u8 = 0;
const IN_FLIGHT: u8 = 2;
/// Landed after its thread's wait; no barrier since.
const LANDED: u8 = 4;
/// As landed, with a warp barrier since.
const LANDED_IN_WARP: u8 = 8;
/// Belongs to no variable.
const OUTSIDE: u8 = 16;
/// The tensor copy is in flight.
const TENSOR_IN_FLIGHT: u8 = 32;
/// Of an mbarrier.
const MBARRIER: u8 = 64;

/// The result of an access to shared memory.
pub(crate) type Access<T = ()> = Result<T, SharedProblem>;

pub(crate) struct Shared {
    bytes: Vec<u8>,
    state: Vec<u8>,
    /// The thread that copied each 4 bytes asynchronously last.
    copier: Vec<u16>,
    /// Copies that landed since the last barrier.
    landed: Landings,
    /// The most landings that are kept: more than can lie in the bytes of the variables.
    most_landed: usize,
    /// By address.
    mbarriers: BTreeMap<u32, MbarrierState>,
    /// Tensor copies in flight that may land before a wait for them.
    drifting: usize,
    /// What asynchronous operations in flight read.
    readings: Vec<Reading>,
    /// The threads that have started tensor stores, and how many each.
    storers: Vec<(u32, u64)>,
    races: Option<Races>,
    /// What has changed at mbarriers, if that is traced.
    changes: Option<Vec<Change>>,
}

impl Shared {
    /// Memory of `bytes` bytes; those in `variables` (start, length) may be accessed; `races` asks for
    /// finding races, in a kernel with mbarriers by their threads: for the block of a rank in that team.
    pub(crate) fn new(
        bytes: u32,
        variables: &[(u32, u32)],
        races: bool,
        of: Option<(Team, u32)>,
    ) -> Shared {
        let size = bytes as usize;
        let mut shared = Shared {
            bytes: vec![0; size],
            state: vec![OUTSIDE; size],
            copier: vec![0; size.div_ceil(4)],
            landed: Landings::default(),
            most_landed: variables.iter().map(|(_, length)| *length as usize).sum(),
            mbarriers: BTreeMap::new(),
            drifting: 0,
            readings: Vec::new(),
            storers: Vec::new(),
            races: races.then(|| Races::new(size, of)),
            changes: None,
        };
        for (start, length) in variables {
            shared.state[*start as usize..(start + length) as usize].fill(NEVER);
        }
        shared
    }

    /// Host memory for `bytes` bytes of shared memory: the bytes, their states and copiers, the stamps of accesses.
    pub(crate) fn memory(bytes: u64, races: bool, team: Option<Team>) -> u64 {
        3 * bytes + if races { Races::memory(bytes, team) } else { 0 }
    }

    /// Forgets everything, for the next block.
    pub(crate) fn reset(&mut self) {
        for state in &mut self.state {
            if *state != OUTSIDE {
                *state = NEVER;
            }
        }
        self.landed.clear();
        self.mbarriers.clear();
        self.drifting = 0;
        self.readings.clear();
        self.storers.clear();
        if let Some(races) = &mut self.races {
            races.reset();
        }
    }

    /// Keeps what changes at mbarriers from now on, or does not.
    pub(crate) fn keep_changes(&mut self, keep: bool) {
        self.changes = keep.then(Vec::new);
    }

    /// What has changed since the last call.
    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        self.changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn changed(&mut self, change: Change) {
        if let Some(changes) = &mut self.changes {
            changes.push(change);
        }
    }

    #[inline]
    fn touch(&mut self, start: usize, width: u32, thread: u32, touch: Touch) -> Access {
        match &mut self.races {
            Some(races) => {
                let touched = races.touch(start, width as usize, thread, touch);
                touched.map_err(|race| self.race(race))
            }
            None => Ok(()),
        }
    }

    /// The problem that a race is.
    #[cold]
    fn race(&self, race: Race) -> SharedProblem {
        match race {
            Race { at, copy: Some(barrier), .. } => {
                let thread = u32::from(self.copier[at as usize / 4]);
                SharedProblem::TensorInFlight { at, thread, barrier }
            }
            Race { at, reading: Some(reader), .. } => self.overwritten(at, reader),
            race => SharedProblem::Race(race),
        }
    }

    fn states<const N: usize>(&self, start: usize) -> Option<[u8; N]> {
        self.state.get(start..start.checked_add(N)?)?.try_into().ok()
    }

    /// Reads `width` bytes (1, 2, 4, 8 or 16) for `thread`; narrow values come in the first word.
    #[inline]
    pub(crate) fn load(&mut self, address: u64, width: u32, thread: u32) -> Access<[u32; 4]> {
        self.load_as(address, width, thread, Touch::Read)
    }

    /// Reads a row of 16 bytes that a warp-wide instruction has for a lane.
    #[inline]
    pub(crate) fn load_row(&mut self, address: u64, thread: u32) -> Access<[u32; 4]> {
        self.load_as(address, 16, thread, Touch::ReadTogether)
    }

    #[inline]
    fn load_as(&mut self, address: u64, width: u32, thread: u32, touch: Touch) -> Access<[u32; 4]> {
        let start = usize::try_from(address).map_err(|_| SharedProblem::Outside)?;
        let clean = match width {
            16 => self.states::<16>(start) == Some([VALID; 16]),
            8 => self.states::<8>(start) == Some([VALID; 8]),
            4 => self.states::<4>(start) == Some([VALID; 4]),
            2 => self.states::<2>(start) == Some([VALID; 2]),
            _ => self.states::<1>(start) == Some([VALID; 1]),
        };
        if !clean {
            self.readable(address, width, thread)?;
        }
        self.touch(start, width, thread, touch)?;
        let mut out = [0u8; 16];
        let width = width as usize;
        match self.bytes.get(start..start + 16) {
            Some(bytes) if width == 16 => out.copy_from_slice(bytes),
            _ => out[..width].copy_from_slice(&self.bytes[start..start + width]),
        }
        Ok(words(out))
    }

    /// Whether `thread` may read bytes that are not all plainly valid.
    #[cold]
    fn readable(&self, address: u64, width: u32, thread: u32) -> Access {
        let end = address.checked_add(u64::from(width));
        if end.is_none_or(|end| end > self.state.len() as u64) {
            return Err(SharedProblem::Outside);
        }
        for at in address as usize..address as usize + width as usize {
            let copier = u32::from(self.copier[at / 4]);
            let problem = match self.state[at] {
                VALID => continue,
                LANDED if copier == thread => continue,
                LANDED_IN_WARP if copier / 32 == thread / 32 => continue,
                NEVER => SharedProblem::NeverWritten { at: at as u32 },
                IN_FLIGHT => SharedProblem::InFlight { at: at as u32, thread: copier },
                TENSOR_IN_FLIGHT | MBARRIER => self.occupied(at),
                OUTSIDE => SharedProblem::Outside,
                _ => SharedProblem::NotPublished { at: at as u32, thread: copier },
            };
            return Err(problem);
        }
        Ok(())
    }

    /// Whether bytes may be overwritten: they are there, and no copy to them is in flight.
    fn writable(&self, address: u64, width: u32) -> Access<usize> {
        let end = address.checked_add(u64::from(width));
        if end.is_none_or(|end| end > self.state.len() as u64) {
            return Err(SharedProblem::Outside);
        }
        let start = address as usize;
        let states = &self.state[start..start + width as usize];
        let all = states.iter().fold(0, |all, state| all | state);
        if all & OUTSIDE != 0 {
            return Err(SharedProblem::Outside);
        }
        if all & (TENSOR_IN_FLIGHT | MBARRIER) != 0 {
            let occupied = |state: &u8| state & (TENSOR_IN_FLIGHT | MBARRIER) != 0;
            return Err(self.occupied(start + states.iter().position(occupied).unwrap_or(0)));
        }
        if all & IN_FLIGHT != 0 {
            let ahead = states.iter().position(|state| *state == IN_FLIGHT).unwrap_or(0);
            let at = start + ahead;
            let thread = u32::from(self.copier[at / 4]);
            return Err(SharedProblem::InFlight { at: at as u32, thread });
        }
        if !self.readings.is_empty() {
            self.check_readings(start, width as usize)?;
        }
        Ok(start)
    }

    /// Writes what [`Shared::load`] reads.
    pub(crate) fn store(
        &mut self,
        address: u64,
        width: u32,
        values: [u32; 4],
        thread: u32,
    ) -> Access {
        let start = self.writable(address, width)?;
        self.touch(start, width, thread, Touch::Write)?;
        self.put(start, width, values);
        Ok(())
    }

    fn put(&mut self, start: usize, width: u32, values: [u32; 4]) {
        let end = start + width as usize;
        self.bytes[start..end].copy_from_slice(&to_bytes(values)[..width as usize]);
        self.state[start..end].fill(VALID);
    }

    /// Replaces 4 or 8 bytes by `f` of them; gives the old ones.
    pub(crate) fn modify(
        &mut self,
        address: u64,
        width: u32,
        thread: u32,
        f: impl Fn(u64) -> u64,
    ) -> Access<u64> {
        let old = self.load_as(address, width, thread, Touch::Atomic)?;
        let start = self.writable(address, width)?;
        let old = u64::from(old[0]) | u64::from(old[1]) << 32;
        let new = f(old);
        self.put(start, width, [new as u32, (new >> 32) as u32, 0, 0]);
        Ok(old)
    }
}

#[cfg(test)]
mod tests;
