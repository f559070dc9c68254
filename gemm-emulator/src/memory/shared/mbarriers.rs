//! The mbarriers in shared memory, and the tensor copies that complete bytes on them.

use super::{Access, MBARRIER, NEVER, Shared, SharedProblem};
use crate::fault::MbarrierProblem;
use crate::memory::mbarrier::{MbarrierArrival, MbarrierState, Phase, TensorLanding, Waiter};
use crate::memory::race::Touch;
use crate::trace::Change;

/// Size of an mbarrier.
const BYTES: u32 = 8;

pub(super) fn problem(barrier: u32, problem: MbarrierProblem) -> SharedProblem {
    SharedProblem::Mbarrier { barrier, problem }
}

impl Shared {
    /// Makes the 8 bytes at an aligned address an mbarrier.
    pub(crate) fn initialize_mbarrier(&mut self, address: u64, count: u32, thread: u32) -> Access {
        let key = address as u32;
        if self.mbarriers.contains_key(&key) {
            return Err(problem(key, MbarrierProblem::InitializedTwice));
        }
        let start = self.writable(address, BYTES)?;
        let state = MbarrierState::new(count, thread).map_err(|wrong| problem(key, wrong))?;
        self.touch(start, BYTES, thread, Touch::Write)?;
        self.state[start..start + BYTES as usize].fill(MBARRIER);
        self.mbarriers.insert(key, state);
        Ok(())
    }

    /// Makes an mbarrier bytes again, which hold nothing.
    pub(crate) fn invalidate_mbarrier(&mut self, address: u64, thread: u32) -> Access {
        let (key, barrier) = self.mbarrier(address, thread)?;
        if !barrier.copies.is_empty() {
            return Err(problem(key, MbarrierProblem::InUse));
        }
        let start = key as usize;
        self.touch(start, BYTES, thread, Touch::Write)?;
        self.state[start..start + BYTES as usize].fill(NEVER);
        self.mbarriers.remove(&key);
        Ok(())
    }

    /// The mbarrier at an address, for a thread that knows it was initialised.
    pub(super) fn mbarrier(
        &mut self,
        address: u64,
        thread: u32,
    ) -> Access<(u32, &mut MbarrierState)> {
        let key = address as u32;
        if address.checked_add(BYTES.into()).is_none_or(|end| end > self.state.len() as u64) {
            return Err(SharedProblem::Outside);
        }
        let missing = problem(key, MbarrierProblem::NotInitialized);
        let owner = self.mbarriers.get(&key).map(|barrier| barrier.owner);
        if let Some(races) = &self.races {
            let (start, end) = (key as usize, key as usize + BYTES as usize);
            let owner = owner.unwrap_or(thread);
            let ordered = races.after_initialization(start..end, thread, owner);
            ordered.map_err(|race| self.race(race))?;
        }
        self.mbarriers.get_mut(&key).map(|barrier| (key, barrier)).ok_or(missing)
    }

    /// Lanes of a warp have passed a fence between what threads do and what tensor copies do.
    pub(crate) fn fence_proxies(&mut self, warp: u32, lanes: u32) {
        if let Some(races) = &mut self.races {
            races.fence_proxies(warp, lanes);
        }
    }

    /// A thread has passed a fence that shows what it has initialised to copies, and perhaps releases it.
    pub(crate) fn show_mbarriers(&mut self, thread: u32, releases: bool) {
        let own = self.mbarriers.values_mut().filter(|barrier| barrier.owner == thread);
        own.for_each(|barrier| barrier.shown = true);
        if let Some(races) = self.races.as_mut().filter(|_| releases) {
            races.fence_initialized(thread);
        }
    }

    /// Counts an arrival; gives the number of the phase it belongs to.
    pub(crate) fn arrive(
        &mut self,
        address: u64,
        arrival: MbarrierArrival,
        thread: u32,
    ) -> Access<u64> {
        let (key, barrier) = self.mbarrier(address, thread)?;
        let phase = barrier.phase;
        barrier.arrive(arrival).map_err(|wrong| problem(key, wrong))?;
        let complete = barrier.turn();
        if let Some(races) = &mut self.races {
            races.release(key, thread, arrival.ordering);
        }
        self.changed(Change::Arrived { barrier: key });
        self.completed(key, complete);
        Ok(phase)
    }

    /// Lets a phase wait for bytes without arriving.
    pub(crate) fn expect(&mut self, address: u64, bytes: u32, thread: u32) -> Access {
        let (key, barrier) = self.mbarrier(address, thread)?;
        barrier.transact(bytes.into()).map_err(|wrong| problem(key, wrong))?;
        let complete = barrier.turn();
        self.completed(key, complete);
        Ok(())
    }

    pub(super) fn completed(&mut self, key: u32, complete: bool) {
        if !complete {
            return;
        }
        if let Some(races) = &mut self.races {
            races.complete(key);
        }
        if self.changes.is_some() {
            let phase = self.mbarriers.get(&key).map_or(0, |barrier| barrier.phase - 1);
            self.changed(Change::Completed { barrier: key, phase });
        }
    }

    /// Whether a thread that waits for a phase may continue.
    pub(crate) fn wait(
        &mut self,
        address: u64,
        phase: Phase,
        Waiter { thread, ordering, patient }: Waiter,
    ) -> Access<bool> {
        let (key, barrier) = self.mbarrier(address, thread)?;
        let passed = barrier.has_passed(phase).map_err(|wrong| problem(key, wrong))?;
        let passed = passed || patient && self.settle(key, phase)?;
        if passed {
            if let Some(barrier) = self.mbarriers.get_mut(&key) {
                barrier.observe();
            }
            if let Some(races) = &mut self.races {
                races.acquire(key, thread, ordering);
            }
        }
        Ok(passed)
    }

    /// The problem of an access to a byte of an mbarrier or of a copy in flight.
    #[cold]
    pub(super) fn occupied(&self, at: usize) -> SharedProblem {
        let at = at as u32;
        if self.state[at as usize] == MBARRIER {
            return problem(at - at % BYTES, MbarrierProblem::Touched);
        }
        let mut copies = self.copies();
        let copy = copies.find(|(_, copy)| (copy.address..copy.address + copy.bytes).contains(&at));
        let (barrier, thread) = copy.map_or((0, 0), |(barrier, copy)| (barrier, copy.thread));
        SharedProblem::TensorInFlight { at, thread, barrier }
    }

    /// The copies in flight, each with its mbarrier.
    fn copies(&self) -> impl Iterator<Item = (u32, TensorLanding)> {
        let of = |(key, barrier): (&u32, &MbarrierState)| (*key, barrier.copies.clone());
        self.mbarriers
            .iter()
            .map(of)
            .flat_map(|(key, copies)| copies.into_iter().map(move |copy| (key, copy)))
    }

    /// A copy that nothing has waited for.
    pub(crate) fn copy_left(&self) -> Option<(u32, TensorLanding)> {
        let landed = |(key, barrier): (&u32, &MbarrierState)| {
            barrier.landed.first().map(|(_, landing)| (*key, *landing))
        };
        self.copies().next().or_else(|| self.mbarriers.iter().find_map(landed))
    }

    /// The mbarrier at an address.
    pub(crate) fn mbarrier_state(&self, address: u32) -> Option<&MbarrierState> {
        self.mbarriers.get(&address)
    }
}
