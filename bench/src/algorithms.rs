//! [`Algorithms`]: the peer's work by each algorithm that it names.

use anyhow::Result;

use crate::arena::Arena;
use crate::timing::Batch;

/// Work by each algorithm that runs, captured; the one that cuBLASLt's heuristic puts first at 0.
#[derive(Default)]
pub(crate) struct Algorithms {
    all: Vec<Algorithm>,
    /// The fastest of them.
    best: usize,
}

/// Work by one of the algorithms.
struct Algorithm {
    /// Its place in the order of the heuristic.
    number: usize,
    batch: Batch,
    /// Milliseconds of one run, from a short measurement.
    ms: f32,
}

impl Algorithms {
    /// Captures `runs` runs by each of `count` algorithms, and finds out the fastest. `enqueue` is told
    /// the algorithm and the run.
    pub(crate) fn capture(
        arena: &Arena,
        count: usize,
        runs: usize,
        mut enqueue: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<Algorithms> {
        let mut algorithms = Algorithms::default();
        let mut least = f32::INFINITY;
        for number in 0..count {
            // Once outside of the capture: there a kernel can be loaded, and a failure breaks no capture.
            let batch = enqueue(number, 0)
                .and_then(|()| Batch::capture(&arena.stream, runs, |turn| enqueue(number, turn)));
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) if number == 0 => return Err(error),
                // Not everything that is named can run.
                Err(_) => continue,
            };
            let ms = batch.glance(&arena.stream)?;
            if ms < least {
                (least, algorithms.best) = (ms, algorithms.all.len());
            }
            algorithms.all.push(Algorithm { number, batch, ms });
        }
        Ok(algorithms)
    }

    /// Adds the first algorithm and the fastest one to `batches`, once if they are the same, and returns
    /// their places there; `None` if nothing was captured.
    pub(crate) fn enter<'a>(&'a self, batches: &mut Vec<&'a Batch>) -> Option<[usize; 2]> {
        let mut enter = |of: &'a Algorithm| {
            batches.push(&of.batch);
            batches.len() - 1
        };
        let first = enter(self.all.first()?);
        let best = if self.best == 0 { first } else { enter(self.all.get(self.best)?) };
        Some([first, best])
    }

    /// The numbers of the first algorithm and of the fastest one, by the heuristic.
    pub(crate) fn numbers(&self) -> Option<[usize; 2]> {
        Some([self.all.first()?.number, self.all.get(self.best)?.number])
    }

    /// In the order of the heuristic: of each the milliseconds of one run and the kernels that it launches
    /// for one run.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = Result<(f32, Vec<String>)>> {
        self.all.iter().map(|Algorithm { batch, ms, .. }| Ok((*ms, batch.kernels_of_a_run()?)))
    }
}
