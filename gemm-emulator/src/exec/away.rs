//! Access to the shared memory of any block of the cluster.

use super::request::Request;
use super::step::{Executed, Step, Stop};
use crate::fault::{ClusterProblem, Violation};
use crate::memory::{Shared, SharedProblem, cluster_place};
use crate::ptx::Space;

impl Step<'_> {
    /// Does something to the shared memory that the address of a lane lies in, with the offset there and whether it is
    /// that of another block.
    pub(super) fn in_cluster<R>(
        &mut self,
        request: Request,
        f: impl FnOnce(&mut Shared, u64, bool) -> Result<R, SharedProblem>,
    ) -> Executed<R> {
        let (rank, offset) = cluster_place(request.address);
        match rank.filter(|rank| *rank != self.common.rank) {
            Some(rank) => self.in_block(rank, request, |shared| f(shared, offset, true)),
            None => {
                let request = Request { space: Space::Shared, address: offset, ..request };
                let done = f(&mut self.common.shared, offset, false);
                done.map_err(|problem| request.shared_problem(problem))
            }
        }
    }

    /// Does something to the shared memory of the block of a rank, which must have started and not ended.
    pub(super) fn in_block<R>(
        &mut self,
        rank: u32,
        request: Request,
        f: impl FnOnce(&mut Shared) -> Result<R, SharedProblem>,
    ) -> Executed<R> {
        if rank == self.common.rank {
            return f(&mut self.common.shared).map_err(|problem| request.shared_problem(problem));
        }
        let Some(exited) = self.common.peers.exited.get(rank as usize).copied() else {
            return Err(request.out_of_bounds(None));
        };
        let fails = |problem| Err(Stop::new(Violation::Cluster(problem), request.lane));
        if exited {
            return fails(ClusterProblem::Exited { rank });
        }
        let (warp, thread) = (self.warp.in_cluster, self.warp.member(request.lane));
        let (common, lane) = (&mut *self.common, request.lane);
        if !common.peers.barrier.has_waited(warp, lane) && !common.shared.knows_of(thread, rank) {
            return fails(ClusterProblem::NotStarted { rank });
        }
        let done = common.shared.lend(&mut common.peers.memories[rank as usize], f);
        done.map_err(|problem| request.shared_problem(problem.of_block(rank)))
    }
}
