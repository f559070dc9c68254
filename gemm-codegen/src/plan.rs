//! [`Plan`]: a spec together with its proof.

use crate::axis::{PerSide, Side};
use crate::batch;
use crate::body::{self, Resolved};
use crate::contraction::{self, Contraction};
use crate::element::{Element, ScalarType};
use crate::hardware::{Availability, Target};
use crate::level::epilogue::{self, Epilogue};
use crate::level::global_to_shared::{self, GlobalToShared, TensorBox, tensor};
use crate::level::mma::{self, Factors, Multiply};
use crate::level::pdl::{self, Pdl};
use crate::level::pipeline::{Pipeline, PipelineKind};
use crate::level::scheduler::{self, Raster, Scheduler, SplitK};
use crate::level::shared_tile::SharedTile;
use crate::level::shared_to_register::SharedToRegister;
use crate::level::warps::{self, Warps};
use crate::names;
use crate::outputs;
use crate::registers::Registers;
use crate::resources::{self, SharedMemory};
use crate::rule::{Diagnostics, Findings};
use crate::schedule::{self, ResolvedSchedule};
use crate::side::{self, SidePlan};
use crate::spec::Spec;
use crate::targets;

/// A spec with its proof: every [`Rule`] holds and every default is filled in. Only [`Plan::new`]
/// makes one, and every plan can be emitted.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) spec: Spec,
    pub(crate) body: Resolved,
    pub(crate) contraction: Contraction,
    pub(crate) batch: Option<String>,
    pub(crate) targets: Vec<Target>,
    pub(crate) raster: Raster,
    pub(crate) scheduler: Scheduler,
    pub(crate) pdl: Option<Pdl>,
    pub(crate) warps: Warps,
    pub(crate) mma: Multiply,
    pub(crate) pipeline: Pipeline,
    pub(crate) sides: PerSide<SidePlan>,
    pub(crate) epilogue: Epilogue,
    pub(crate) shared_memory: SharedMemory,
    pub(crate) registers: Registers,
}

impl Plan {
    /// Checks a spec against every rule.
    ///
    /// # Errors
    /// Every broken rule at once: a rule is left out only if what it judges does not exist
    /// because another is broken.
    pub fn new(spec: &Spec) -> Result<Plan, Diagnostics> {
        let mut findings = Findings::default();
        let plan = prove(spec, &mut findings);
        findings.finish(plan)
    }

    /// The block → warps level: extents, warp grid, threads.
    pub fn warps(&self) -> &Warps {
        &self.warps
    }

    /// The MMA atom and what it multiplies.
    pub fn mma(&self) -> &Multiply {
        &self.mma
    }

    /// How both factors are rounded before they are multiplied.
    pub fn factors(&self) -> Factors {
        self.mma.factors(self.pipeline.kind() == PipelineKind::Tma)
    }

    /// How k-tiles reach the multiply, and who waits for whom.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// The order in which blocks walk the tiles of the output.
    pub fn raster(&self) -> Raster {
        self.raster
    }

    /// Which tile a block computes, and which part of its K.
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// How blocks share the K of a tile, if they do.
    pub fn split_k(&self) -> Option<SplitK> {
        self.scheduler.split_k()
    }

    /// What does not wait for the predecessor kernel, if it starts before that has completed.
    pub fn pdl(&self) -> Option<Pdl> {
        self.pdl
    }

    /// The copies of one side.
    pub fn global_to_shared(&self, side: Side) -> &GlobalToShared {
        &self.sides.get(side).global_to_shared
    }

    /// The box by which tensor copies read an operand; none where it is not multiplied, or copied
    /// in another way.
    pub(crate) fn tensor_box(&self, operand: usize) -> Option<TensorBox> {
        let side =
            Side::BOTH.into_iter().find(|side| self.contraction.operand(*side) == operand)?;
        let tile = &self.sides.get(side).tile;
        let is_tensor = self.pipeline.kind() == PipelineKind::Tma;
        is_tensor.then(|| TensorBox::new(tile, self.factors()))
    }

    /// The fragments of one side.
    pub fn shared_to_register(&self, side: Side) -> &SharedToRegister {
        &self.sides.get(side).shared_to_register
    }

    /// The tile of one side in shared memory.
    pub fn shared_tile(&self, side: Side) -> &SharedTile {
        &self.sides.get(side).tile
    }

    /// The way of the result to global memory.
    pub fn epilogue(&self) -> &Epilogue {
        &self.epilogue
    }

    /// Which operand plays which role.
    pub fn contraction(&self) -> &Contraction {
        &self.contraction
    }

    /// The index of the batch, if it multiplies one.
    pub fn batch(&self) -> Option<&str> {
        self.batch.as_deref()
    }

    /// The types of the body's values, of which the elements of each output are made.
    pub fn results(&self) -> impl Iterator<Item = ScalarType> {
        self.body.results.iter().map(|value| value.ty)
    }

    /// Shared memory of a block.
    pub fn shared_memory(&self) -> &SharedMemory {
        &self.shared_memory
    }

    /// Registers of a thread.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The architectures it is legal on.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }
}

/// Runs every rule whose subject exists; `None` if any is broken.
fn prove(spec: &Spec, findings: &mut Findings) -> Option<Plan> {
    findings.keep(outputs::any(spec))?;
    let multiplied = body::multiplied(spec);
    let body = findings.keep(body::resolve(spec));
    let contraction =
        multiplied.and_then(|side| findings.keep(contraction::solve(spec, side.a, side.b)));
    let elements = multiplied.and_then(|sides| elements(spec, sides));
    let schedule = schedule::resolve(spec, elements, contraction.as_ref());
    let ResolvedSchedule { targets, copy, raster, .. } = &schedule;

    // What stands alone.
    let batch = multiplied.and_then(|side| findings.keep(batch::solve(spec, side.a, side.b)));
    findings.keep(outputs::check(spec));
    findings.keep(names::check(spec));
    findings.keep(targets::check(targets));
    for side in Side::BOTH {
        findings.keep(global_to_shared::check_size(side, *copy.get(side)));
    }
    findings.keep(global_to_shared::check_both(copy, targets));
    findings.keep(pdl::check_targets(spec, targets));
    let pdl = findings.keep(pdl::plan(spec, multiplied, copy));
    let atom = findings.keep(mma::check(schedule.mma, schedule.elements.a));
    findings.keep(epilogue::check(converted(spec, multiplied), targets));
    let warps =
        findings.keep(warps::plan(schedule.tile, schedule.warps, schedule.mma, schedule.shape()));
    let splits = findings.keep(scheduler::check(schedule.splits));

    // What needs to know the operands.
    let multiply = contraction.as_ref().zip(atom).and_then(|(contraction, atom)| {
        let elements = Side::BOTH.map(|side| contraction.element(side));
        let operands = [contraction.a, contraction.b];
        let sums = spec.schedule.acc;
        let tile = schedule.register_tile;
        findings.keep(mma::plan(atom, tile, sums, elements, operands, targets))
    });
    // An atom that does not multiply these elements has no fragments to count.
    let countable = atom.is_some() && (contraction.is_none() || multiply.is_some());
    let contraction = contraction.filter(|_| multiply.is_some());
    let stages = schedule.stages;
    let pipeline = findings.keep(schedule.pipeline.plan(stages, schedule.rings()));
    let ring = resources::ring_fits(stages, schedule.stage_bytes(), targets);
    let ring_bytes = findings.keep(ring);
    // It fits, so that neither passes 32 bits.
    let barrier_bytes = ring_bytes.map_or(0, |_| stages * schedule.barrier_bytes());
    let ring_bytes = ring_bytes.map(|bytes| bytes - barrier_bytes);

    // What enumerates a tile: only one that fits.
    let known = contraction.as_ref().zip(multiply.as_ref()).filter(|_| ring_bytes.is_some());
    let sides = known.and_then(|(contraction, multiply)| {
        let check =
            side::Check { spec, schedule: &schedule, contraction, multiply, warps: warps.as_ref() };
        let (a, b) = (findings.keep(check.plan(Side::A)), findings.keep(check.plan(Side::B)));
        Some(PerSide { a: a?, b: b? })
    });

    // What a unit of the SM copies.
    if let Some((contraction, multiply)) = known.filter(|_| schedule.pipeline == PipelineKind::Tma)
    {
        let check = tensor::Check {
            spec,
            block: schedule.tile,
            warps_k: schedule.warps[2],
            contraction,
            multiply,
            warps: warps.as_ref(),
        };
        findings.keep(check.prove());
    }

    // What needs the warps.
    let registers = warps.as_ref().filter(|_| countable).and_then(|warps| {
        let of = |side, axis: usize| schedule.registers(side) * warps.atoms[axis];
        let fragments = [of(Side::A, 0), of(Side::B, 1)];
        let copies = (schedule.budget(), schedule.copies(warps.threads));
        let (mma, sums) = (schedule.mma, schedule.accumulator);
        findings.keep(resources::registers_fit(warps, mma, sums, fragments, copies))
    });
    let epilogue = match (&contraction, &multiply, &warps, ring_bytes) {
        (Some(contraction), Some(multiply), Some(warps), Some(ring_bytes)) => {
            let paths = schedule.paths(contraction, multiply);
            let along_n = contraction.n_contiguous();
            Some(epilogue::plan(warps, multiply, paths, along_n, ring_bytes))
        }
        _ => None,
    };
    let shared_memory = epilogue.zip(ring_bytes).and_then(|(epilogue, ring_bytes)| {
        let staging_bytes = epilogue.shared_bytes();
        let shared = SharedMemory { ring_bytes, staging_bytes, barrier_bytes };
        findings.keep(resources::staging_fits(shared, targets))
    });

    let (warps, registers) = (warps?, registers?);
    Some(Plan {
        spec: spec.clone(),
        body: body?,
        contraction: contraction?,
        batch: batch?,
        raster: *raster,
        scheduler: scheduler::plan(splits?, &warps, &registers),
        pdl: pdl?,
        warps,
        mma: multiply?,
        pipeline: pipeline?,
        sides: sides?,
        epilogue: epilogue?,
        shared_memory: shared_memory?,
        registers,
        targets: schedule.targets,
    })
}

/// The element types of the two operands that are multiplied.
fn elements(spec: &Spec, multiplied: PerSide<usize>) -> Option<[Element; 2]> {
    let element = |operand: usize| spec.operands[operand].kind.element();
    Some([element(multiplied.a)?, element(multiplied.b)?])
}

/// The elements that the body reads or writes, those of what is not multiplied, and the targets that
/// convert them.
fn converted(
    spec: &Spec,
    multiplied: Option<PerSide<usize>>,
) -> impl Iterator<Item = (Element, Availability)> {
    let factor = move |operand| multiplied.is_some_and(|of| operand == of.a || operand == of.b);
    let read = spec.operands.iter().enumerate().filter(move |(number, _)| !factor(*number));
    let read = read.filter_map(|(_, operand)| operand.kind.element());
    let stored = spec.outputs.iter().map(|output| output.element);
    read.map(|element| (element, element.read_on()))
        .chain(stored.map(|element| (element, element.stored_on())))
}
