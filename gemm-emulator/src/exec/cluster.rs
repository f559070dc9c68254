//! The blocks of a cluster, which run together: each in turn for a while, in an order that the seed decides.
//!
//! A block that runs has its own shared memory, the time and clocks of the cluster, and all that its blocks share, its
//! [`Peers`]; the cluster keeps them between turns.

use fastrand::Rng;

use super::block::{Block, Round};
use super::context::Context;
use super::peers::Peers;
use crate::fault::Fault;
use crate::memory::{Shared, Timeline};
use crate::profile::Recorder;
use crate::statistics::Statistics;
use crate::trace::{Trace, Tracer};

/// The blocks of a cluster, one after the other of all that are run.
pub(crate) struct Cluster<'c> {
    context: &'c Context<'c>,
    blocks: Vec<Block<'c>>,
    random: Rng,
    peers: Peers,
    /// The time that no block has while none runs.
    line: Timeline,
    /// Of the cluster that is traced, if that was run.
    pub(super) trace: Option<Trace>,
}

impl<'c> Cluster<'c> {
    pub(crate) fn new(context: &'c Context<'c>) -> Cluster<'c> {
        let blocks = (0..context.team.blocks).map(|rank| Block::new(context, rank));
        let mut blocks: Vec<_> = blocks.collect();
        let (mut peers, mut line) = (Peers::new(context), Timeline::default());
        if blocks.len() > 1 {
            let memory = |block: &mut Block<'_>| {
                std::mem::replace(&mut block.common.shared, Shared::new(0, &[], false, None))
            };
            peers.memories = blocks.iter_mut().map(memory).collect();
            // One time and one set of clocks are enough.
            for memory in &mut peers.memories {
                line = Timeline::default();
                memory.swap_timeline(&mut line);
            }
        }
        Cluster { context, blocks, random: Rng::with_seed(0), peers, line, trace: None }
    }

    /// The counts of the clusters that were run.
    pub(crate) fn finish(self) -> (Statistics, Option<Recorder>) {
        let mut counts = self.blocks.into_iter().map(Block::finish);
        let first = counts.next().unwrap_or_default();
        counts.fold(first, |(mut statistics, mut profile), (other, of_other)| {
            statistics += other;
            if let (Some(profile), Some(other)) = (&mut profile, &of_other) {
                profile.add(other);
            }
            (statistics, profile)
        })
    }

    /// Runs the cluster of this number to its end.
    pub(crate) fn run(&mut self, number: u64) -> Result<(), Fault> {
        let numbers = |rank| self.context.block_of_cluster(number, rank);
        let numbers: Vec<u64> = (0..self.context.team.blocks).map(numbers).collect();
        let tracer = self.tracer(&numbers);
        if let [block] = self.blocks.as_mut_slice() {
            block.common.peers.trace = tracer;
            let result = block.run(numbers[0]);
            let tracer = block.common.peers.trace.take();
            self.trace =
                tracer.map(|tracer| tracer.finish(self.context.program)).or(self.trace.take());
            return result;
        }
        self.peers.trace = tracer;
        self.random = Rng::with_seed(self.context.launch.seed ^ number);
        self.peers.barrier.reset();
        self.peers.exited.fill(false);
        for (rank, number) in numbers.into_iter().enumerate() {
            self.on_turn(rank, |block| block.begin(number));
        }
        let result = self.take_turns();
        let tracer = self.peers.trace.take();
        self.trace = tracer.map(|tracer| tracer.finish(self.context.program)).or(self.trace.take());
        result
    }

    /// A tracer, if one of these blocks is to be traced.
    fn tracer(&self, numbers: &[u64]) -> Option<Box<Tracer>> {
        let options = self.context.launch.trace?;
        let rank = numbers.iter().position(|number| *number == options.block)?;
        Some(Box::new(Tracer::new(options, rank as u32)))
    }

    /// Lets the blocks run in turns until all have ended.
    fn take_turns(&mut self) -> Result<(), Fault> {
        let mut left: Vec<usize> = (0..self.blocks.len()).collect();
        while !left.is_empty() {
            self.random.shuffle(&mut left);
            let (mut progress, mut ended) = (false, Vec::new());
            for rank in &left {
                match self.on_turn(*rank, Block::round)? {
                    Round::Stuck => {}
                    Round::Running => progress = true,
                    Round::Finished => {
                        self.on_turn(*rank, |block| block.end())?;
                        ended.push(*rank);
                    }
                }
            }
            if !progress && ended.is_empty() {
                return Err(self.deadlock(left));
            }
            left.retain(|rank| !ended.contains(rank));
        }
        Ok(())
    }

    /// Gives a block what its cluster has while it does something.
    fn on_turn<R>(&mut self, rank: usize, f: impl FnOnce(&mut Block<'c>) -> R) -> R {
        let block = &mut self.blocks[rank];
        std::mem::swap(&mut block.common.shared, &mut self.peers.memories[rank]);
        std::mem::swap(&mut block.common.peers, &mut self.peers);
        block.common.shared.swap_timeline(&mut self.line);
        let result = f(block);
        block.common.shared.swap_timeline(&mut self.line);
        std::mem::swap(&mut block.common.peers, &mut self.peers);
        std::mem::swap(&mut block.common.shared, &mut self.peers.memories[rank]);
        result
    }

    /// The fault of a cluster in which no thread can run: that of the first block in which something else is waited for
    /// than the cluster's barrier.
    #[cold]
    fn deadlock(&mut self, mut left: Vec<usize>) -> Fault {
        left.sort_unstable();
        let stalled = left.iter().find_map(|rank| self.on_turn(*rank, |block| block.stalled()));
        stalled.unwrap_or_else(|| self.on_turn(left[0], |block| block.deadlock()))
    }
}
