//! The shared memory of one block, with the state of each byte.
//!
//! A byte moves through these states:
//! ```text
//! never written --store--> valid <---------------- barrier ----------------.
//!       \----- cp.async --> in flight --wait--> landed (its thread sees it) -/
//! ```
//! `bar.warp.sync` makes landed bytes visible to the warp of the thread that copied them.

use super::landing::{Landing, Landings};
use super::race::{Race, Races, Touch};
use super::thread::{to_bytes, words};

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

/// What is wrong with an access to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedProblem {
    Outside,
    NeverWritten {
        at: u32,
    },
    /// Asynchronously copied by `thread` and not waited for.
    InFlight {
        at: u32,
        thread: u32,
    },
    /// Waited for by `thread`, but no barrier since.
    NotPublished {
        at: u32,
        thread: u32,
    },
    Race(Race),
}

pub(crate) struct Shared {
    bytes: Vec<u8>,
    state: Vec<u8>,
    /// The thread that copied each 4 bytes asynchronously last.
    copier: Vec<u16>,
    /// What landed since the last barrier.
    landed: Landings,
    /// The most landings that are kept: more than can lie in the bytes of the variables.
    most_landed: usize,
    races: Option<Races>,
}

impl Shared {
    /// Memory of `bytes` bytes, of which those in `variables` (start, length) may be touched; `races` asks for
    /// finding races.
    pub(crate) fn new(bytes: u32, variables: &[(u32, u32)], races: bool) -> Shared {
        let size = bytes as usize;
        let mut shared = Shared {
            bytes: vec![0; size],
            state: vec![OUTSIDE; size],
            copier: vec![0; size.div_ceil(4)],
            landed: Landings::default(),
            most_landed: variables.iter().map(|(_, length)| *length as usize).sum(),
            races: races.then(|| Races::new(size)),
        };
        for (start, length) in variables {
            shared.state[*start as usize..(start + length) as usize].fill(NEVER);
        }
        shared
    }

    /// Host memory for `bytes` bytes of shared memory: the bytes, their states and copiers, the stamps of accesses.
    pub(crate) fn memory(bytes: u64, races: bool) -> u64 {
        bytes * if races { 11 } else { 3 }
    }

    /// Forgets everything, for the next block.
    pub(crate) fn reset(&mut self) {
        for state in &mut self.state {
            if *state != OUTSIDE {
                *state = NEVER;
            }
        }
        self.landed.clear();
        if let Some(races) = &mut self.races {
            races.reset();
        }
    }

    #[inline]
    fn touch(
        &mut self,
        start: usize,
        width: u32,
        thread: u32,
        touch: Touch,
    ) -> Result<(), SharedProblem> {
        match &mut self.races {
            Some(races) => {
                races.touch(start, width as usize, thread, touch).map_err(SharedProblem::Race)
            }
            None => Ok(()),
        }
    }

    fn states<const N: usize>(&self, start: usize) -> Option<[u8; N]> {
        self.state.get(start..start.checked_add(N)?)?.try_into().ok()
    }

    /// Reads `width` bytes (1, 2, 4, 8 or 16) for `thread`; narrow values come in the first word.
    #[inline]
    pub(crate) fn load(
        &mut self,
        address: u64,
        width: u32,
        thread: u32,
    ) -> Result<[u32; 4], SharedProblem> {
        self.load_as(address, width, thread, Touch::Read)
    }

    #[inline]
    fn load_as(
        &mut self,
        address: u64,
        width: u32,
        thread: u32,
        touch: Touch,
    ) -> Result<[u32; 4], SharedProblem> {
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

    /// Whether `thread` may read bytes of which not all are plainly valid.
    #[cold]
    fn readable(&self, address: u64, width: u32, thread: u32) -> Result<(), SharedProblem> {
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
                OUTSIDE => SharedProblem::Outside,
                _ => SharedProblem::NotPublished { at: at as u32, thread: copier },
            };
            return Err(problem);
        }
        Ok(())
    }

    /// Whether bytes may be overwritten: they are there, and no copy to them is in flight.
    fn writable(&self, address: u64, width: u32) -> Result<usize, SharedProblem> {
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
        if all & IN_FLIGHT != 0 {
            let ahead = states.iter().position(|state| *state == IN_FLIGHT).unwrap_or(0);
            let at = start + ahead;
            let thread = u32::from(self.copier[at / 4]);
            return Err(SharedProblem::InFlight { at: at as u32, thread });
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
    ) -> Result<(), SharedProblem> {
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

    /// Starts an asynchronous copy of `thread`: the bytes are there, but nobody may touch them.
    pub(crate) fn copy(
        &mut self,
        address: u64,
        width: u32,
        values: [u32; 4],
        thread: u32,
    ) -> Result<Landing, SharedProblem> {
        let start = self.writable(address, width)?;
        self.touch(start, width, thread, Touch::Write)?;
        self.put(start, width, values);
        let end = start + width as usize;
        self.state[start..end].fill(IN_FLIGHT);
        self.copier[start / 4..end / 4].fill(thread as u16);
        Ok(Landing { address: start as u32, bytes: width, thread })
    }

    /// The thread that copied these bytes has waited for them.
    pub(crate) fn land(&mut self, landing: Landing) {
        let start = landing.address as usize;
        self.state[start..start + landing.bytes as usize].fill(LANDED);
        if self.landed.len() > self.most_landed {
            self.forget_overwritten();
        }
        self.landed.push(landing);
    }

    /// Keeps one entry for each stretch that still holds what landed there, so that a kernel without barriers cannot
    /// make the list grow without end.
    fn forget_overwritten(&mut self) {
        let Shared { state, copier, landed, .. } = self;
        landed.retain(|landing| {
            let at = landing.address as usize;
            state[at] & (LANDED | LANDED_IN_WARP) != 0
                && u32::from(copier[at / 4]) == landing.thread
        });
    }

    /// A barrier of the whole block: all that landed becomes visible to all.
    pub(crate) fn publish(&mut self) {
        self.publish_of(|_| true);
    }

    /// A barrier of some threads of the block.
    pub(crate) fn publish_of(&mut self, takes_part: impl Fn(u32) -> bool) {
        if let Some(races) = &mut self.races {
            races.block_barrier();
        }
        let Shared { state, landed, .. } = self;
        landed.take(takes_part, |landing| promote(state, landing, VALID));
    }

    /// A barrier of lanes of one warp.
    pub(crate) fn publish_in_warp(&mut self, warp: u32, lanes: u32) {
        if let Some(races) = &mut self.races {
            races.warp_barrier(warp);
        }
        let Shared { state, landed, .. } = self;
        landed.show(warp, lanes, |landing| promote(state, landing, LANDED_IN_WARP));
    }

    /// Replaces 4 or 8 bytes by `f` of them; gives the old ones.
    pub(crate) fn modify(
        &mut self,
        address: u64,
        width: u32,
        thread: u32,
        f: impl Fn(u64) -> u64,
    ) -> Result<u64, SharedProblem> {
        let old = self.load_as(address, width, thread, Touch::Atomic)?;
        let start = self.writable(address, width)?;
        let old = u64::from(old[0]) | u64::from(old[1]) << 32;
        let new = f(old);
        self.put(start, width, [new as u32, (new >> 32) as u32, 0, 0]);
        Ok(old)
    }
}

/// Only bytes still landed move on: a newer copy to them may be in flight.
fn promote(state: &mut [u8], landing: Landing, to: u8) {
    let start = landing.address as usize;
    for state in &mut state[start..start + landing.bytes as usize] {
        if *state & (LANDED | LANDED_IN_WARP) != 0 {
            *state = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Shared {
        Shared::new(96, &[(0, 32), (64, 32)], true)
    }

    #[test]
    fn reads_need_a_write_before() {
        let mut shared = shared();
        assert_eq!(shared.load(4, 4, 0), Err(SharedProblem::NeverWritten { at: 4 }));
        shared.store(4, 2, [7, 0, 0, 0], 0).expect("stores");
        assert_eq!(shared.load(4, 4, 0), Err(SharedProblem::NeverWritten { at: 6 }));
        assert_eq!(shared.load(4, 2, 0), Ok([7, 0, 0, 0]));
    }

    #[test]
    fn space_between_variables_is_outside() {
        let mut shared = shared();
        assert_eq!(shared.store(32, 4, [0; 4], 0), Err(SharedProblem::Outside));
        assert_eq!(shared.load(48, 16, 0), Err(SharedProblem::Outside));
        assert_eq!(shared.load(96, 1, 0), Err(SharedProblem::Outside));
        assert_eq!(shared.load(u64::MAX - 3, 4, 0), Err(SharedProblem::Outside));
    }

    #[test]
    fn a_copy_is_seen_first_by_its_thread_then_its_warp_then_all() {
        let mut shared = shared();
        let landing = shared.copy(16, 16, [1, 2, 3, 4], 5).expect("copies");
        let in_flight = Err(SharedProblem::InFlight { at: 16, thread: 5 });
        assert_eq!(shared.load(16, 16, 5), in_flight);
        assert_eq!(shared.store(16, 4, [0; 4], 5), in_flight.map(|_: [u32; 4]| ()));
        shared.land(landing);
        assert_eq!(shared.load(16, 16, 5), Ok([1, 2, 3, 4]));
        let hidden = Err(SharedProblem::NotPublished { at: 16, thread: 5 });
        assert_eq!(shared.load(16, 16, 6), hidden);
        shared.publish_in_warp(0, u32::MAX);
        assert_eq!(shared.load(16, 16, 6), Ok([1, 2, 3, 4]));
        assert_eq!(shared.load(16, 16, 32), hidden);
        shared.publish();
        assert_eq!(shared.load(16, 16, 32), Ok([1, 2, 3, 4]));
    }
}
