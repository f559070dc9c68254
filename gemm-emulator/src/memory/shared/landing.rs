//! The landing of tensor copies.
//!
//! A copy may land at any time between its start and the wait for it, and the copies of one mbarrier in any order. The
//! seed decides when; without one they are all late. Whenever it is, an access without an order after the wait is found: before the landing by the
//! state of the bytes, then by their stamps. Without stamps each copy lands as late as possible.

use fastrand::Rng;

use super::{Access, Shared, TENSOR_IN_FLIGHT, VALID, problem};
use crate::fault::MbarrierProblem;
use crate::memory::mbarrier::{Haste, Phase, TensorLanding};
use crate::memory::race::Touch;
use crate::trace::Change;

/// One of this number of drifting copies lands at each wait of its block.
const DRIFT: u32 = 4;

impl Haste {
    fn draw(random: &mut Rng) -> Haste {
        match random.u32(0..4) {
            0 => Haste::Now,
            1 => Haste::Between,
            _ => Haste::Late,
        }
    }
}

/// A copy that is about to start.
pub(crate) struct Start<'b> {
    pub(crate) address: u64,
    pub(crate) bytes: &'b [u8],
    pub(crate) barrier: u64,
    /// The thread that starts it, and where in the code.
    pub(crate) thread: u32,
    pub(crate) pc: u32,
}

impl Shared {
    /// Starts the tensor copy: the bytes are there, but nobody may touch them.
    pub(crate) fn copy_tensor(&mut self, copy: &Start<'_>, random: Option<&mut Rng>) -> Access {
        let &Start { address, bytes, barrier, thread, pc } = copy;
        let width = bytes.len() as u32;
        let start = self.writable(address, width)?;
        let (key, state) = self.mbarrier(barrier, thread)?;
        if !state.shown {
            return Err(problem(key, MbarrierProblem::NotShown { owner: state.owner }));
        }
        self.touch(start, width, thread, Touch::Copy)?;
        let end = start + bytes.len();
        self.copier[start / 4..end / 4].fill(thread as u16);
        self.bytes[start..end].copy_from_slice(bytes);
        self.state[start..end].fill(TENSOR_IN_FLIGHT);
        let mut random = random.filter(|_| self.races.is_some());
        let haste = random.as_deref_mut().map_or(Haste::Late, Haste::draw);
        let drifts = haste == Haste::Between;
        let landing = TensorLanding { address: start as u32, bytes: width, thread, pc, drifts };
        if haste == Haste::Now {
            return self.land_copy(key, landing);
        }
        self.drifting += usize::from(drifts);
        if let Some(state) = self.mbarriers.get_mut(&key) {
            let last = state.copies.len();
            let at = random.map_or(last, |random| random.usize(0..=last));
            state.copies.insert(at, landing);
        }
        Ok(())
    }

    /// The bytes of a copy are there, and its mbarrier is told.
    fn land_copy(&mut self, key: u32, landing: TensorLanding) -> Access {
        let Shared { mbarriers, state, races, .. } = self;
        let Some(barrier) = mbarriers.get_mut(&key) else { return Ok(()) };
        let start = landing.address as usize;
        let range = start..start + landing.bytes as usize;
        state[range.clone()].fill(VALID);
        barrier.landed.push((barrier.phase, landing));
        barrier.transact(-i64::from(landing.bytes)).map_err(|wrong| problem(key, wrong))?;
        let complete = barrier.turn();
        if let Some(races) = races {
            races.land(range, key);
        }
        self.changed(Change::Landed { barrier: key, address: landing.address });
        self.completed(key, complete);
        Ok(())
    }

    /// Lands copies until a phase is complete; whether it is.
    pub(crate) fn settle(&mut self, key: u32, phase: Phase) -> Access<bool> {
        loop {
            let missing = problem(key, MbarrierProblem::NotInitialized);
            let barrier = self.mbarriers.get_mut(&key).ok_or(missing)?;
            if barrier.has_passed(phase).map_err(|wrong| problem(key, wrong))? {
                return Ok(true);
            }
            let Some(landing) = barrier.copies.pop_front() else { return Ok(false) };
            self.drifting -= usize::from(landing.drifts);
            self.land_copy(key, landing)?;
        }
    }

    /// Lands some of the copies that may land at any time.
    pub(crate) fn drift(&mut self, random: &mut Rng) -> Access {
        if self.drifting == 0 {
            return Ok(());
        }
        let mut landing = Vec::new();
        for (key, barrier) in &mut self.mbarriers {
            barrier.copies.retain(|copy| {
                let lands = copy.drifts && random.u32(0..DRIFT) == 0;
                landing.extend(lands.then_some((*key, *copy)));
                !lands
            });
        }
        self.drifting -= landing.len();
        landing.into_iter().try_for_each(|(key, copy)| self.land_copy(key, copy))
    }
}
