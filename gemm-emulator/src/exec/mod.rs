//! Running a decoded kernel.

mod away;
mod barrier;
mod block;
mod budget;
mod cluster;
mod cluster_barrier;
mod context;
mod copies;
mod deadlock;
mod descriptor;
mod instruction;
mod layout;
mod meeting;
mod multiplies;
mod peers;
mod registers;
mod request;
mod step;
mod stores;
mod traced;
mod warp;
mod warpgroup;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::fault::Fault;
use crate::launch::{Launch, Progress};
use crate::memory::Memory;
use crate::profile::Recorder;
use crate::program::Program;
use crate::statistics::Statistics;
use crate::trace::Trace;
use cluster::Cluster;
use context::Context;

/// Runs all blocks of a grid.
pub(crate) fn run(
    program: &Program,
    memory: &Memory,
    launch: &Launch<'_>,
) -> Result<Statistics, Fault> {
    let context = Context::new(program, memory, launch)?;
    let total = context.clusters();
    let run = Run {
        context: &context,
        total,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        result: Mutex::new(Outcome::default()),
    };
    (0..context.workers()).into_par_iter().for_each(|_| run.work());
    let outcome = run.result.into_inner().unwrap_or_else(PoisonError::into_inner);
    match outcome.fault {
        Some((_, fault)) => Err(fault),
        None => Ok(Statistics {
            profile: outcome.profile.map(|recorder| recorder.finish(program)),
            trace: outcome.trace,
            ..outcome.statistics
        }),
    }
}

/// A grid being run.
struct Run<'l> {
    context: &'l Context<'l>,
    /// Clusters of the grid.
    total: u64,
    next: AtomicU64,
    done: AtomicU64,
    stopped: AtomicBool,
    result: Mutex<Outcome>,
}

/// The results of all workers.
#[derive(Default)]
struct Outcome {
    statistics: Statistics,
    profile: Option<Recorder>,
    trace: Option<Trace>,
    /// The fault of the lowest cluster that has one.
    fault: Option<(u64, Fault)>,
}

impl Run<'_> {
    fn work(&self) {
        let mut cluster = Cluster::new(self.context);
        let blocks = u64::from(self.context.team.blocks);
        while !self.stopped.load(Relaxed) {
            let started = self.next.fetch_add(1, Relaxed);
            if started >= self.total {
                break;
            }
            let descending = self.context.launch.descending_blocks;
            let number = if descending { self.total - 1 - started } else { started };
            if let Err(fault) = cluster.run(number) {
                self.stopped.store(true, Relaxed);
                let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
                if result.fault.as_ref().is_none_or(|(lowest, _)| number < *lowest) {
                    result.fault = Some((number, fault));
                }
                break;
            }
            let done = self.done.fetch_add(blocks, Relaxed) + blocks;
            if let Some(progress) = self.context.launch.progress {
                progress(Progress { done, total: self.total * blocks });
            }
        }
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        let trace = cluster.trace.take();
        result.trace = result.trace.take().or(trace);
        let (statistics, profile) = cluster.finish();
        result.statistics += statistics;
        match (&mut result.profile, profile) {
            (Some(sum), Some(profile)) => sum.add(&profile),
            (sum, profile) => *sum = sum.take().or(profile),
        }
    }
}
