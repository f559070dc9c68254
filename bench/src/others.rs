//! [`Others`]: the kernels with which ours is compared on one task.

use anyhow::Result;

use crate::arena::Arena;
use crate::cublas::{Add, Multiplication};
use crate::operands::{Operands, Sample};
use crate::report::Versus;
use crate::roofs::Floor;
use crate::task::Task;
use crate::timing::{Batch, Rounds};

/// The times of ours and of the others, compared with the first of ours.
pub(crate) struct Compared {
    /// Ours, then the others.
    pub(crate) rounds: Rounds,
    pub(crate) first: Option<Versus>,
    pub(crate) best: Option<Versus>,
    pub(crate) floor: Option<Versus>,
}

/// Graphs of the others' work on the same operands as ours.
#[derive(Default)]
pub(crate) struct Others<'a> {
    /// cuBLASLt by each algorithm that runs, the one that its heuristic puts first at 0.
    algorithms: Vec<Algorithm>,
    /// The fastest of them.
    best: usize,
    /// Keeps the kernel of their graphs loaded.
    _own: Option<Add>,
    /// Reading the larger factor.
    floor: Option<Floor<'a>>,
}

/// cuBLASLt by one of its algorithms.
struct Algorithm {
    batch: Batch,
    /// Milliseconds of one run, from a short measurement.
    ms: f32,
}

impl<'a> Others<'a> {
    /// Captures cuBLASLt's work by each algorithm that it names, and finds out the fastest.
    pub(crate) fn multiply<T: Sample, U: Sample>(
        &mut self,
        arena: &Arena,
        task: &Task,
        operands: &mut [Operands<'_, T, U>],
    ) -> Result<()> {
        let multiplication = arena.cublas.plan::<T, U>(task)?;
        self._own = multiplication.own_kernel();
        let mut least = f32::INFINITY;
        for algorithm in 0..multiplication.algorithms() {
            let batch = match capture(arena, &multiplication, algorithm, operands) {
                Ok(batch) => batch,
                Err(error) if algorithm == 0 => return Err(error),
                // Not everything that is named can run.
                Err(_) => continue,
            };
            let ms = batch.glance(&arena.stream)?;
            if ms < least {
                (least, self.best) = (ms, self.algorithms.len());
            }
            self.algorithms.push(Algorithm { batch, ms });
        }
        Ok(())
    }

    /// Captures a read of the larger factor.
    pub(crate) fn read<T, U>(
        &mut self,
        arena: &'a Arena,
        task: &Task,
        operands: &[Operands<'a, T, U>],
    ) -> Result<()> {
        let [m, n, _] = task.shape;
        let larger = |of: &Operands<'a, T, U>| if m > n { of.a } else { of.b };
        let buffers: Vec<_> = operands.iter().map(larger).collect();
        self.floor = Some(Floor::new(arena, &buffers)?);
        Ok(())
    }

    /// The algorithms in the order of the heuristic: of each the milliseconds of one run and the kernels
    /// that it launches for one product.
    pub(crate) fn algorithms(&self) -> impl Iterator<Item = Result<(f32, Vec<String>)>> {
        self.algorithms.iter().map(|Algorithm { batch, ms }| Ok((*ms, batch.kernels_of_a_run()?)))
    }

    /// Measures all in turns with ours, at least one.
    pub(crate) fn compare(&self, arena: &Arena, ours: &[&Batch]) -> Result<Compared> {
        let mut batches = ours.to_vec();
        let mut enter = |batch| {
            batches.push(batch);
            batches.len() - 1
        };
        let mut by = |at: usize| self.algorithms.get(at).map(|algorithm| enter(&algorithm.batch));
        let first = by(0);
        let best = if self.best == 0 { first } else { by(self.best) };
        let floor = self.floor.as_ref().map(|floor| enter(&floor.batch));
        let rounds = arena.in_turns(&batches)?;
        let versus = |place| Versus { peers_us: rounds.us(place), ratio: rounds.ratio(place, 0) };
        let [first, best, floor] = [first, best, floor].map(|place| place.map(versus));
        Ok(Compared { rounds, first, best, floor })
    }
}

/// A product of each set of operands.
fn capture<T: Sample, U: Sample>(
    arena: &Arena,
    multiplication: &Multiplication<'_, T, U>,
    algorithm: usize,
    operands: &mut [Operands<'_, T, U>],
) -> Result<Batch> {
    // Once outside of the capture: there a kernel can be loaded, and a failure breaks no capture.
    if let Some(first) = operands.first_mut() {
        multiplication.enqueue(algorithm, first)?;
    }
    Batch::capture(&arena.stream, operands.len(), |turn| {
        multiplication.enqueue(algorithm, &mut operands[turn])
    })
}
