//! Measures each task of a suite by each kernel of ours, compared with the others.

use anyhow::{Context as _, Error, Result};
use indicatif::ProgressBar;

use crate::arena::{Arena, Selection};
use crate::operands::{Operands, Sample, Set, agree, sets};
use crate::others::{Compared, Others};
use crate::report::{Row, Work};
use crate::roofs::{self, Unit};
use crate::task::Task;

/// A kernel of ours, by a name.
pub(super) type Named = (&'static str, Selection<'static>);

/// The kernels of a suite.
pub(super) struct Lineup<'a> {
    pub(super) kernels: &'a [Named],
    /// The unit that multiplies, if its roof is measured before each task.
    pub(super) roof: Option<Unit>,
    /// Whether a kernel that only reads the larger factor is measured too.
    pub(super) floor: bool,
}

/// The lines of all tasks. A failure is reported, and the rest goes on.
pub(super) fn all<T: Sample, U: Sample>(
    arena: &Arena,
    tasks: impl IntoIterator<Item = Task>,
    lineup: &Lineup<'_>,
) -> Vec<Row> {
    let tasks: Vec<Task> = tasks.into_iter().collect();
    let progress = ProgressBar::new((tasks.len() * lineup.kernels.len()) as u64);
    let mut rows = Vec::new();
    for task in tasks {
        let report = |error: Error| {
            arena.fail();
            progress.suspend(|| eprintln!("{}: {error:#}", task.name()));
        };
        let run = Run { arena, lineup, task, report: &report, progress: &progress };
        match sets::<T, U>(&arena.stream, &task) {
            Ok(mut sets) => rows.extend(shown(&progress, run.rows(&mut sets))),
            Err(error) => report(error.context("operands")),
        }
    }
    progress.finish_and_clear();
    rows
}

/// The lines of all of `works`. A failure is reported by the name of its work, and the rest goes on; `rows`
/// is told how to report that of a part.
pub(super) fn each<W>(
    arena: &Arena,
    works: Vec<W>,
    name: impl Fn(&W) -> String,
    rows: impl Fn(W, &dyn Fn(Error)) -> Result<Vec<Row>>,
) -> Vec<Row> {
    let progress = ProgressBar::new(works.len() as u64);
    let mut all = Vec::new();
    for work in works {
        let name = name(&work);
        let report = |error: Error| {
            arena.fail();
            progress.suspend(|| eprintln!("{name}: {error:#}"));
        };
        match rows(work, &report) {
            Ok(rows) => all.extend(shown(&progress, rows)),
            Err(error) => report(error),
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    all
}

/// Says what was measured as soon as it is, for a run that is stopped before its table.
fn shown(progress: &ProgressBar, rows: Vec<Row>) -> Vec<Row> {
    progress.suspend(|| rows.iter().for_each(|row| eprintln!("{}", row.line())));
    rows
}

/// One task.
struct Run<'a> {
    arena: &'a Arena,
    lineup: &'a Lineup<'a>,
    task: Task,
    report: &'a dyn Fn(Error),
    progress: &'a ProgressBar,
}

impl Run<'_> {
    fn rows<T: Sample, U: Sample>(&self, sets: &mut [Set<T, U>]) -> Vec<Row> {
        let (arena, task) = (self.arena, &self.task);
        let (mut ours, mut peers): (Vec<_>, Vec<_>) =
            sets.iter_mut().map(|set| set.split().into()).unzip();
        let mut others = Others::default();
        let multiplied = others.multiply(arena, task, &mut peers).context("cuBLASLt");
        let judged = multiplied.map_err(self.report).is_ok();
        if self.lineup.floor {
            let read = others.read(arena, task, &ours).context("the read alone");
            read.unwrap_or_else(self.report);
        }
        let roof = self.lineup.roof.and_then(|unit| roofs::of(arena, unit));
        let mut rows = Vec::new();
        for (name, kernel) in self.lineup.kernels.iter().filter(|(name, _)| arena.takes(name)) {
            let judge = judged.then_some(&peers[..]);
            match self.one(*kernel, &mut ours, judge, &others).context(*name) {
                Ok(compared) => {
                    let row = Row {
                        work: Some(Work::of_task(task)),
                        peer: compared.first,
                        best: compared.best,
                        floor: compared.floor,
                        ..Row::new(task.name(), *name, compared.rounds.us(0))
                    };
                    rows.push(row.under(roof));
                }
                Err(error) => (self.report)(error),
            }
            self.progress.inc(1);
        }
        rows
    }

    /// Measures a kernel, whose output must agree with that of `judge`.
    fn one<T: Sample, U: Sample>(
        &self,
        kernel: Selection<'_>,
        ours: &mut [Operands<'_, T, U>],
        judge: Option<&[Operands<'_, T, U>]>,
        others: &Others<'_>,
    ) -> Result<Compared> {
        let mut launches = Vec::new();
        for operands in ours.iter_mut() {
            launches.push(self.arena.prepare(kernel, &self.task, operands.reborrow())?);
        }
        let compared = others.compare(self.arena, &[&self.arena.capture(&mut launches)?])?;
        drop(launches);
        if let (Some(peers), Some(ours)) = (judge.and_then(<[_]>::first), ours.first()) {
            agree(&self.arena.stream, &self.task, [&*ours.out, &*peers.out])?;
        }
        Ok(compared)
    }
}
