//! The proof of a plan: the rules in their order, each where what it judges is known.

mod keys;
mod subject;

use keys::{GroupKeys, Keys};
use subject::Subject;

use crate::advice::{self, Broken};
use crate::axis::{PerSide, Side};
use crate::body::{Resolved, resolve};
use crate::level::epilogue::{self, Epilogue, ReadMatrix, Stored};
use crate::level::global_to_shared::{self, tensor};
use crate::level::mma::{self, Multiply, Scaling, Unit};
use crate::level::pdl;
use crate::level::pipeline::Ring;
use crate::level::scheduler::{self, ClusterSplitK};
use crate::level::shared_tile;
use crate::level::shared_to_register::LoadPath;
use crate::level::warps::Warps;
use crate::plan::Plan;
use crate::problem::{Axes, Known};
use crate::resources::{self, SharedMemory};
use crate::rule::{Diagnostic, Diagnostics, Findings};
use crate::schedule::{self, ResolvedSchedule};
use crate::side::{self, SidePlan};
use crate::spec::{Mma, Schedule, Spec};
use crate::targets;

impl Plan {
    /// Checks a spec against every rule.
    ///
    /// # Errors
    /// Every broken rule at once: a rule is left out only if what it judges does not exist because
    /// another is broken, or if the help of another names a value at its place. A value that a help
    /// names is legal: with it the spec breaks no further rule, and none at that place.
    pub fn new(spec: &Spec) -> Result<Plan, Diagnostics> {
        check(spec).map_err(|broken| Diagnostics(advice::name_values(spec, broken, check)))
    }

    /// Checks the body of a spec, whatever its schedule.
    ///
    /// # Errors
    /// Every mistake in the body, in the words of [`Plan::new`] of the spec without a schedule.
    pub fn check_body(spec: &Spec) -> Result<(), Diagnostics> {
        let Err(wrong) = resolve(spec).body else { return Ok(()) };
        let bare = Spec { schedule: Schedule::default(), ..spec.clone() };
        let Err(Diagnostics(mut all)) = Plan::new(&bare) else { return Ok(()) };
        all.retain(|broken| wrong.iter().any(|one| (one.rule, one.at) == (broken.rule, broken.at)));
        if all.is_empty() { Ok(()) } else { Err(Diagnostics(all)) }
    }
}

/// Checks a spec against every rule; no help names a value yet.
pub(crate) fn check(spec: &Spec) -> Result<Plan, Broken> {
    let mut findings = Findings::default();
    let subject =
        Known::new(spec, &mut findings).map(|known| Subject::new(spec, known, &mut findings));
    let plan = subject.as_ref().and_then(|subject| subject.judge(&mut findings));
    let schedule = || subject.map(|subject| Box::new(subject.schedule));
    findings.finish(plan).map_err(|diagnostics| Broken { diagnostics, schedule: schedule() })
}

impl Subject<'_> {
    /// Runs every rule, and reports what is broken at its place in what was asked.
    fn judge(&self, findings: &mut Findings) -> Option<Plan> {
        let Some(first) = self.segments.first() else { return self.prove(findings) };
        let mut own = Findings::default();
        let mut plan = self.prove(&mut own);
        let consumer = plan.as_ref().and_then(Plan::roles).and_then(|roles| roles.registers);
        if let (Some(plan), Some([_, consumer])) = (&mut plan, consumer) {
            plan.registers.limit = consumer;
        }
        let broken = own.take().into_iter().flatten();
        findings.report(broken.map(|one| one.renumbered(0, &first.operands)));
        plan
    }

    /// Runs every rule of a schedule whose subject exists; `None` if any is broken.
    fn prove(&self, findings: &mut Findings) -> Option<Plan> {
        let Subject { spec, known, segments, schedule, .. } = self;
        let mut proof = Proof { spec, schedule, in_turn: !segments.is_empty(), findings };
        let Keys { pdl, atom, warps, splits } = proof.keys(known);
        let (factors, axes) = (known.operands().map(|of| of.first), known.axes.as_ref());
        let multiply = factors.zip(atom).and_then(|of| proof.multiply(of, warps.as_ref()));
        // An instruction that does not exist has no fragments to count.
        let issued = multiply.as_ref().filter(|multiply| proof.is_issued(multiply));
        let counts = atom.is_some() && (factors.is_none() || issued.is_some());
        let groups = proof.groups(known, warps.as_ref());
        let (stages, ring) = proof.ring();
        let sums = proof.sums();
        let has_parts = warps.as_ref().is_some_and(|warps| proof.parts(warps, groups.split_k));
        let sides = axes.and_then(|of| proof.sides((of, multiply.as_ref()), warps.as_ref()));
        let registers = warps.as_ref().filter(|_| counts);
        let registers = registers.and_then(|warps| proof.keep(schedule.registers_fit(warps)));
        let stored = axes.zip(issued).zip(warps.as_ref().zip(groups.split_k));
        // Beside a ring that does not fit, only what does not fit alone is another mistake.
        let (beside, body) = (ring.unwrap_or_default(), known.body.as_ref());
        let epilogue = stored.and_then(|(of, by)| proof.epilogue(of, by, beside, body));
        let (epilogue, shared_memory) = ring.and(epilogue).filter(|_| has_parts)?;
        let (warps, registers, (promotion, scaling)) = (warps?, registers?, sums?);
        Some(Plan {
            asked: self.asked()?,
            spec: Spec::clone(spec),
            problem: known.whole()?,
            planes: schedule.planes,
            segments: segments.clone(),
            raster: schedule.raster,
            scheduler: groups.scheduler(splits?, &warps, &registers)?,
            pdl: pdl?,
            warps,
            mma: multiply?,
            promotion,
            scaling,
            form: schedule.form,
            ring: stages?,
            sides: sides?,
            epilogue,
            shared_memory,
            registers,
            targets: schedule.targets.clone(),
        })
    }
}

/// What the rules look at, and what they found.
struct Proof<'a> {
    spec: &'a Spec,
    schedule: &'a ResolvedSchedule,
    /// Whether it is the first one of several products in turn.
    in_turn: bool,
    findings: &'a mut Findings,
}

impl Proof<'_> {
    fn keep<T>(&mut self, checked: Result<T, Vec<Diagnostic>>) -> Option<T> {
        self.findings.keep(checked)
    }

    /// The rules of single keys and names.
    fn keys(&mut self, known: &Known<'_>) -> Keys {
        let (spec, schedule, read) = (self.spec, self.schedule, known.read());
        let (targets, copy) = (&schedule.targets, &schedule.copy);
        self.keep(targets::check(targets));
        for side in Side::BOTH {
            self.keep(global_to_shared::check_size(side, *copy.get(side)));
        }
        self.keep(global_to_shared::check_both(copy, targets, schedule.mma.on()));
        let pdl = self.keep(pdl::plan(spec, read.as_ref(), (copy, schedule.form)));
        let atom = self.keep(mma::check(schedule.mma, schedule.elements.a));
        self.keep(epilogue::check(known.converted(spec).into_iter(), targets));
        let warps = self.keep(schedule.plan_warps());
        self.keep(scheduler::check_invariant(&spec.schedule));
        let splits = self.keep(scheduler::check(schedule.splits, schedule.form));
        Keys { pdl, atom, warps, splits }
    }

    /// The rules of who multiplies, and of the blocks of warpgroups.
    fn groups(&mut self, known: &Known<'_>, warps: Option<&Warps>) -> GroupKeys {
        let schedule = self.schedule;
        let Schedule { walk, k_order, cluster, .. } = self.spec.schedule;
        let (splits, form) = (schedule.splits, schedule.form);
        self.keep(schedule::check_workers(self.spec, schedule));
        self.added(known);
        let walks = self.keep(scheduler::check_walk(walk, form, schedule.warps));
        let of_blocks = self.keep(scheduler::check_cluster(cluster, form));
        let k_order = self.keep(scheduler::check_k_order(k_order, walk));
        let split_k = self.keep(scheduler::check_cluster_splits(splits, form));
        self.keep(scheduler::check_alone(splits, form, walk, cluster));
        if let Some((split_k, warps)) = split_k.flatten().zip(warps) {
            self.keep(scheduler::check_columns(split_k, warps));
        }
        GroupKeys { cluster: of_blocks, k_order, split_k, walk: walks }
    }

    /// The rules of a term that is added.
    fn added(&mut self, known: &Known<'_>) {
        let Some(added) = known.axes.as_ref().and_then(|axes| axes.added.as_ref()) else { return };
        let is_scaled = known.body.as_ref().is_some_and(Resolved::scales_added);
        self.keep(schedule::check_added(self.spec, self.schedule, added, is_scaled));
    }

    /// Whether each warp has a part of every product.
    fn parts(&mut self, warps: &Warps, split_k: Option<Option<ClusterSplitK>>) -> bool {
        let splits = split_k.flatten().map_or(1, |split_k| split_k.splits);
        let is_whole =
            self.keep(shared_tile::check_splits(self.schedule.products, splits)).is_some();
        self.keep(self.schedule.check_parts(warps)).is_some() && is_whole
    }

    fn multiply(
        &mut self,
        (PerSide { a, b }, atom): (PerSide<usize>, Mma),
        warps: Option<&Warps>,
    ) -> Option<Multiply> {
        let (schedule, sums) = (self.schedule, self.spec.schedule.acc);
        let multiply = self.keep(schedule.multiply([a, b]))?;
        self.keep(mma::check_atom(atom, &multiply, sums, &schedule.targets));
        // Warpgroups that do not tile the block have no columns to compare.
        if let (Mma::Wgmma(Some(written)), Unit::Warpgroup(wgmma), Some(_)) =
            (atom, multiply.unit, warps)
        {
            self.keep(match self.spec.schedule.tile {
                None if !written.has_columns() => mma::wgmma::check_named(written, wgmma),
                _ => mma::wgmma::check_shape(written, wgmma),
            });
        }
        Some(multiply)
    }

    /// Whether one instruction has the columns of a warpgroup.
    fn is_issued(&mut self, multiply: &Multiply) -> bool {
        match multiply.unit {
            Unit::Warpgroup(wgmma) => {
                let block_n = self.schedule.tile[1];
                self.keep(mma::wgmma::check_block(wgmma, block_n)).is_some()
            }
            Unit::TensorCore(_) | Unit::Fma(_) => true,
        }
    }

    /// When sums are promoted, and how they are scaled.
    fn sums(&mut self) -> Option<(Option<u32>, Option<Scaling>)> {
        let schedule = self.schedule;
        let promotion = self.keep(schedule.promoted().check(schedule.promote));
        promotion.zip(self.keep(schedule.scaled().check()))
    }

    /// The ring, and what it and its barriers take.
    fn ring(&mut self) -> (Option<Ring>, Option<SharedMemory>) {
        let schedule = self.schedule;
        let stages = schedule.stages;
        let ring = self.keep(schedule.form.ring(stages, schedule.rings(), &schedule.targets));
        let shared = self.keep(schedule.ring_fits()).map(|bytes| {
            let barrier_bytes = stages * schedule.barrier_bytes();
            let (ring_bytes, apart) = (bytes - barrier_bytes, schedule.walk.is_some());
            SharedMemory { ring_bytes, apart, barrier_bytes, ..SharedMemory::default() }
        });
        (ring, shared)
    }

    /// The rules of the tiles and their copies.
    fn sides(
        &mut self,
        (axes, multiply): (&Axes, Option<&Multiply>),
        warps: Option<&Warps>,
    ) -> Option<PerSide<SidePlan>> {
        let (spec, schedule) = (self.spec, self.schedule);
        let check = side::Check { spec, schedule, axes, multiply, warps };
        let (a, b) = (self.keep(check.plan(Side::A)), self.keep(check.plan(Side::B)));
        if schedule.copies_tensors() {
            let (block, warps_k) = (schedule.tile, schedule.warps[2]);
            let check = tensor::Check { spec, block, warps_k, axes, multiply, warps };
            self.keep(check.prove());
        }
        Some(PerSide { a: a?, b: b? })
    }

    /// The epilogue stages in what the ring leaves free.
    fn epilogue(
        &mut self,
        (axes, multiply): (&Axes, &Multiply),
        (warps, split_k): (&Warps, Option<ClusterSplitK>),
        ring: SharedMemory,
        body: Option<&Resolved>,
    ) -> Option<(Epilogue, SharedMemory)> {
        if !self.schedule.is_enumerable() {
            return None;
        }
        let orders = axes.orders();
        let path = |side| LoadPath::of_warps(side, *orders.get(side), multiply, warps);
        let read = |body: &Resolved| ReadMatrix::all(axes, &body.values, body.old.is_some());
        let stored = Stored {
            n_contiguous: axes.n_contiguous(),
            outputs: &axes.stored_matrices(),
            matrices: &body.map_or(Vec::new(), read),
            room: resources::room(ring, &self.schedule.targets),
            walk: self.schedule.walk,
            splits: split_k.map_or(1, |split_k| split_k.splits),
            reduces: axes.reduces(),
            products: self.schedule.products,
            in_turn: self.in_turn,
        };
        let epilogue = epilogue::plan(warps, multiply, PerSide::of(path), stored, ring.ring_bytes);
        self.keep(epilogue.check_reduced(axes, (warps, multiply), body))?;
        let shared = SharedMemory {
            staging_bytes: epilogue.shared_bytes(),
            received_bytes: split_k.map_or(0, |split_k| split_k.received_bytes(warps.block)),
            apart: epilogue.is_apart(),
            barrier_bytes: ring.barrier_bytes + epilogue.barrier_bytes(),
            ..ring
        };
        let fits = resources::staging_fits(shared, &self.schedule.targets);
        Some((epilogue, self.keep(fits)?))
    }
}
