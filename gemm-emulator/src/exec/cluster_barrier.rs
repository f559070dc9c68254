//! The barrier of a cluster. (PTX ISA, "barrier.cluster")

use crate::fault::ClusterProblem;
use crate::lanes::lanes_of;

/// Of all threads of a cluster that have not exited. Warps are numbered within the cluster.
#[derive(Default)]
pub(crate) struct ClusterBarrier {
    /// Number of the phase that is not complete, from 0.
    phase: u64,
    /// Lanes of each warp that have not exited.
    live: Vec<u32>,
    /// Those that have arrived in this phase.
    arrived: Vec<u32>,
    /// Those that have arrived in a complete phase, and not waited for it.
    passed: Vec<u32>,
}

impl ClusterBarrier {
    pub(super) fn new(warps: u32) -> ClusterBarrier {
        let masks = || vec![0; warps as usize];
        ClusterBarrier { phase: 0, live: masks(), arrived: masks(), passed: masks() }
    }

    pub(super) fn reset(&mut self) {
        self.phase = 0;
        self.live.fill(0);
        self.arrived.fill(0);
        self.passed.fill(0);
    }

    /// A warp begins.
    pub(super) fn enter(&mut self, warp: u32, lanes: u32) {
        self.live[warp as usize] = lanes;
    }

    pub(super) fn phase(&self) -> u64 {
        self.phase
    }

    /// Lanes arrive; whether that completes the phase.
    pub(super) fn arrive(&mut self, warp: u32, lanes: u32) -> Result<bool, ClusterProblem> {
        let warp = warp as usize;
        if (self.arrived[warp] | self.passed[warp]) & lanes != 0 {
            return Err(ClusterProblem::ArrivesTwice);
        }
        self.arrived[warp] |= lanes;
        Ok(self.turn())
    }

    /// Lanes exit, which then are not waited for; whether that completes the phase.
    pub(super) fn exit(&mut self, warp: u32, lanes: u32) -> bool {
        self.live[warp as usize] &= !lanes;
        self.turn()
    }

    fn turn(&mut self) -> bool {
        let mut warps = self.live.iter().zip(&self.arrived);
        let complete = warps.all(|(live, arrived)| live & !arrived == 0);
        if !complete || self.arrived.iter().all(|arrived| *arrived == 0) {
            return false;
        }
        self.phase += 1;
        for (passed, arrived) in self.passed.iter_mut().zip(&mut self.arrived) {
            *passed |= std::mem::take(arrived);
        }
        true
    }

    /// Lanes wait; whether the phase in which they have arrived is complete.
    pub(super) fn wait(&mut self, warp: u32, lanes: u32) -> Result<bool, ClusterProblem> {
        let warp = warp as usize;
        if lanes & !(self.arrived[warp] | self.passed[warp]) != 0 {
            return Err(ClusterProblem::WaitsUnarrived);
        }
        if lanes & !self.passed[warp] != 0 {
            return Ok(false);
        }
        self.passed[warp] &= !lanes;
        Ok(true)
    }

    /// Whether a lane has waited for any phase.
    pub(super) fn has_waited(&self, warp: u32, lane: usize) -> bool {
        self.phase - u64::from(self.passed[warp as usize] >> lane & 1) > 0
    }

    /// How many threads have arrived, how many have not exited, and the number of the first that is missing.
    pub(super) fn missing(&self) -> (u32, u32, Option<u32>) {
        let count = |masks: &[u32]| masks.iter().map(|mask| mask.count_ones()).sum();
        let mut warps = (0..).zip(self.live.iter().zip(&self.arrived));
        let first = warps.find_map(|(warp, (live, arrived))| {
            lanes_of(live & !arrived).next().map(|lane| warp * 32 + lane as u32)
        });
        (count(&self.arrived), count(&self.live), first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn barrier() -> ClusterBarrier {
        let mut barrier = ClusterBarrier::new(2);
        barrier.enter(0, 0b11);
        barrier.enter(1, 0b1);
        barrier
    }

    #[test]
    fn a_phase_completes_with_the_last_thread() {
        let mut barrier = barrier();
        assert_eq!(barrier.arrive(0, 0b11), Ok(false));
        assert_eq!(barrier.wait(0, 0b11), Ok(false));
        assert_eq!(barrier.missing(), (2, 3, Some(32)));
        assert_eq!(barrier.arrive(1, 0b1), Ok(true));
        assert!(!barrier.has_waited(0, 0));
        assert_eq!(barrier.wait(0, 0b01), Ok(true));
        assert!(barrier.has_waited(0, 0) && !barrier.has_waited(0, 1));
    }

    #[test]
    fn threads_that_exit_are_not_waited_for() {
        let mut barrier = barrier();
        assert!(!barrier.exit(0, 0b10));
        assert_eq!(barrier.arrive(0, 0b01), Ok(false));
        assert!(barrier.exit(1, 0b1));
        assert_eq!(barrier.phase(), 1);
    }

    #[test]
    fn arrivals_and_waits_alternate() {
        let mut barrier = barrier();
        assert_eq!(barrier.wait(1, 0b1), Err(ClusterProblem::WaitsUnarrived));
        assert_eq!(barrier.arrive(1, 0b1), Ok(false));
        assert_eq!(barrier.arrive(1, 0b1), Err(ClusterProblem::ArrivesTwice));
        assert_eq!(barrier.arrive(0, 0b11), Ok(true));
        assert_eq!(barrier.arrive(1, 0b1), Err(ClusterProblem::ArrivesTwice));
        assert_eq!(barrier.wait(1, 0b1), Ok(true));
        assert_eq!(barrier.arrive(1, 0b1), Ok(false));
    }
}
