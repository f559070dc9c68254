//! [`Others`]: the kernels with which ours is compared on one task.

use anyhow::Result;

use crate::algorithms::Algorithms;
use crate::arena::Arena;
use crate::cublas::Add;
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
    /// cuBLASLt's.
    algorithms: Algorithms,
    /// Keeps the kernel of their graphs loaded.
    _own: Option<Add>,
    /// Reading the larger factor.
    floor: Option<Floor<'a>>,
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
        let count = multiplication.algorithms();
        self.algorithms = Algorithms::capture(arena, count, operands.len(), |algorithm, turn| {
            multiplication.enqueue(algorithm, &mut operands[turn])
        })?;
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

    /// cuBLASLt's algorithms.
    pub(crate) fn algorithms(&self) -> &Algorithms {
        &self.algorithms
    }

    /// Measures all in turns with ours, at least one.
    pub(crate) fn compare(&self, arena: &Arena, ours: &[&Batch]) -> Result<Compared> {
        let mut batches = ours.to_vec();
        let [first, best] =
            self.algorithms.enter(&mut batches).map_or([None; 2], |of| of.map(Some));
        let floor = self.floor.as_ref().map(|floor| {
            batches.push(&floor.batch);
            batches.len() - 1
        });
        let rounds = arena.in_turns(&batches)?;
        let versus = |place: Option<usize>| place.map(|place| Versus::of(&rounds, place, 0));
        let [first, best, floor] = [first, best, floor].map(versus);
        Ok(Compared { rounds, first, best, floor })
    }
}
