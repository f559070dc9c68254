//! [`Subject`]: a kernel on a product, which is measured in turns with what is left of it.

use std::borrow::Cow;

use anyhow::{Context as _, Result};
use gemm_runtime::{Kernel, Prepared, SplitK, launch};

use super::cut::Cut;
use super::stages::cuts;
use crate::arena::{Arena, Selection, arguments};
use crate::gpu::Gpu;
use crate::operands::{Operands, Sample, Set, agree, sets};
use crate::others::{Compared, Others};
use crate::report::{Row, Work};
use crate::roofs::{self, Unit};
use crate::task::Task;
use crate::timing::{Batch, Ratio};

/// A kernel on a product.
pub(super) struct Subject<'a> {
    pub(super) arena: &'a Arena,
    /// The name of such products.
    pub(super) case: String,
    pub(super) task: Task,
    pub(super) kernel: Selection<'static>,
    /// The unit that multiplies, if its roof is a line.
    pub(super) unit: Option<Unit>,
    /// Whether reading the larger factor alone is a line.
    pub(super) reads: bool,
}

/// A kernel without a stage.
struct Rung {
    name: Cow<'static, str>,
    source: Kernel,
}

impl Subject<'_> {
    /// The lines of the roof, of the whole kernel and of each cut.
    ///
    /// # Errors
    /// If anything cannot be measured, or the whole kernel's output is not cuBLASLt's. The outputs of
    /// cut kernels are wrong, and not compared.
    pub(super) fn rows<T: Sample, U: Sample>(&self) -> Result<Vec<Row>> {
        let mut sets = sets::<T, U>(&self.arena.stream, &self.task).context("operands")?;
        let whole = self.whole(&mut sets)?;
        let rungs = self.rungs(whole)?;
        let roof = self.unit.and_then(|unit| Some((unit, roofs::of(self.arena, unit)?)));
        let compared = self.measure(whole, &rungs, &mut sets)?;
        let case = format!("{} {} by {}", self.case, self.task.name(), schedule(whole));
        Ok(self.lines(&case, roof, &rungs, &compared))
    }

    /// The kernel, or the one that is chosen among several.
    fn whole<T: Sample, U: Sample>(&self, sets: &mut [Set<T, U>]) -> Result<&'static Kernel> {
        let set = sets.first_mut().context("no operands")?;
        let [operands, _] = set.split();
        Ok(self.arena.choose(self.kernel, &arguments(&self.task, operands)?))
    }

    /// The kernel after each cut that takes part.
    fn rungs(&self, whole: &Kernel) -> Result<Vec<Rung>> {
        let gpu = Gpu::of(self.arena.stream.context())?;
        let blocks = launch::report(&self.arena.device, whole)?.blocks_per_sm;
        let cuts = cuts(whole).into_iter().filter(|cut| self.arena.takes(cut.name));
        cuts.map(|cut| self.rung(&gpu, whole, blocks, &cut)).collect()
    }

    /// Without a stage a kernel needs fewer registers, and an SM might hold more blocks than the
    /// `blocks` of the whole one: unused shared memory prevents that.
    fn rung(&self, gpu: &Gpu, whole: &Kernel, blocks: u32, cut: &Cut) -> Result<Rung> {
        let mut source = cut.of(whole)?;
        let held =
            |source: &Kernel| anyhow::Ok(launch::report(&self.arena.device, source)?.blocks_per_sm);
        if held(&source)? > blocks {
            source.launch.shared_bytes =
                source.launch.shared_bytes.max(gpu.shared_bytes_that_keep(blocks));
        }
        let name = match held(&source)? {
            held if held == blocks => cut.name.into(),
            held => format!("{}, {held} blocks an SM instead of {blocks}", cut.name).into(),
        };
        Ok(Rung { name, source })
    }

    /// All in turns, the whole kernel first.
    fn measure<T: Sample, U: Sample>(
        &self,
        whole: &Kernel,
        rungs: &[Rung],
        sets: &mut [Set<T, U>],
    ) -> Result<Compared> {
        let Subject { arena, ref task, .. } = *self;
        // All of them are loaded at a time, each with outputs of its own.
        let outs =
            |_: &Rung| sets.iter().map(|set| Ok(arena.stream.clone_dtod(&set.ours)?)).collect();
        let mut outs: Vec<Vec<_>> = rungs.iter().map(outs).collect::<Result<_>>()?;
        let (mut ours, mut peers): (Vec<_>, Vec<_>) =
            sets.iter_mut().map(|set| set.split().into()).unzip();
        let mut others = Others::default();
        others.multiply(arena, task, &mut peers).context("cuBLASLt")?;
        if self.reads {
            others.read(arena, task, &ours).context("the read alone")?;
        }
        let mut launches = Vec::new();
        for (Rung { name, source }, outs) in rungs.iter().zip(&mut outs) {
            let operands: Vec<_> = ours.iter().zip(outs).map(|(of, out)| of.to(out)).collect();
            launches.push(self.prepare(source, operands).context(name.clone())?);
        }
        let operands = ours.iter_mut().map(Operands::reborrow);
        launches.insert(0, self.prepare(whole, operands)?);
        let batches = launches.iter_mut().map(|launches| arena.capture(launches));
        let batches = batches.collect::<Result<Vec<Batch>>>()?;
        let compared = others.compare(arena, &batches.iter().collect::<Vec<_>>())?;
        drop(launches);
        if let (Some(ours), Some(peers)) = (ours.first(), peers.first()) {
            agree(&arena.stream, task, [&*ours.out, &*peers.out])?;
        }
        Ok(compared)
    }

    /// A launch on each set of operands.
    fn prepare<'o, T: Sample, U: Sample>(
        &self,
        source: &Kernel,
        operands: impl IntoIterator<Item = Operands<'o, T, U>>,
    ) -> Result<Vec<Prepared<'o>>> {
        let operands = operands.into_iter();
        let prepare = |of| Ok(self.arena.prepare(Selection::One(source), &self.task, of)?);
        operands.map(prepare).collect()
    }

    /// Bounds first.
    fn lines(
        &self,
        case: &str,
        roof: Option<(Unit, f64)>,
        rungs: &[Rung],
        compared: &Compared,
    ) -> Vec<Row> {
        let Compared { rounds, first, best, floor } = compared;
        let work = Work::of_product(self.task.shape);
        let part = |name: Cow<'static, str>, us: f64, of_whole: Ratio| Row {
            of_whole: Some(of_whole),
            ..Row::new(case, name, us)
        };
        let of_rounds = |name, place| part(name, rounds.us(place), rounds.ratio(place, 0));
        let mut rows = Vec::new();
        if let Some((unit, roof)) = roof {
            let us = work.microseconds_at(roof);
            let of_whole = Ratio::of(vec![us / rounds.us(0)]);
            rows.push(part(format!("roof of {}", unit.name()).into(), us, of_whole));
        }
        if let Some(floor) = floor {
            rows.push(part("reading alone".into(), floor.peers_us, floor.ratio));
        }
        let whole =
            Row { work: Some(work), peer: *first, best: *best, ..of_rounds("whole".into(), 0) };
        rows.push(whole.under(roof.map(|(_, roof)| roof)));
        let rungs = rungs.iter().enumerate();
        rows.extend(rungs.map(|(number, rung)| of_rounds(rung.name.clone(), number + 1)));
        rows
    }
}

/// The schedule of a kernel, for its name.
fn schedule(kernel: &Kernel) -> String {
    let tile = kernel.launch.block_tile.map(|extent| extent.to_string()).join("×");
    match kernel.launch.split_k {
        None => tile,
        Some(SplitK { splits, tail: true, .. }) => format!("{tile}, K of the tail in {splits}"),
        Some(SplitK { splits, .. }) => format!("{tile}, K in {splits}"),
    }
}
