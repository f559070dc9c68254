//! The entry point, which reads as the algorithm: the roles of a block's threads, and the steps of each.

mod arguments;
mod copied;
mod groups;
mod scales;
mod terms;

use crate::axis::Side;
use crate::form::Form;
use crate::level::epilogue::Reductions;
use crate::level::mma::{ScalesIn, Scaling};
use crate::level::pdl::Pdl;
use crate::level::shared_tile::SharedTile;
use crate::parameters::{Parameters, list_of_extents};
use crate::plan::Plan;
use crate::side::SidePlan;
use crate::text::steps::Steps;
use crate::text::wrap::wrap_lines;
use terms::Term;

/// Bytes to which shared memory is aligned: the banks once.
const SHARED_ALIGN: u32 = 128;

/// What the text calls the factors of B where there are several.
const FACTORS_OF_B: &str = "factors_of_b";

/// The entry point of this name.
pub(super) fn kernel(plan: &Plan, parameters: &Parameters, name: &str) -> String {
    let entry = Entry { plan, parameters, reductions: parameters.reductions(plan) };
    let mut steps = Steps::of_function();
    steps.add(format!(
        "extern __shared__ __align__({}) unsigned char shared_bytes[];\n\
         Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);",
        entry.align()
    ));
    match plan.roles() {
        Some(roles) => entry.groups(&mut steps, &roles),
        None => entry.threads(&mut steps),
    }
    wrap_lines(&format!(
        "// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.\n\
         extern \"C\" __global__ void {cluster}__launch_bounds__(THREADS, 1) {name}(\n    {signature}) {{\n\
         {steps}\
         }}\n",
        cluster = entry.cluster_dims(),
        signature = parameters.signature(),
        steps = steps.into_text(),
    ))
}

/// What the steps of an entry point are made from.
struct Entry<'a> {
    plan: &'a Plan,
    parameters: &'a Parameters,
    /// What is reduced, if anything is.
    reductions: Option<Reductions>,
}

impl Entry<'_> {
    /// The steps of all threads where each warp does the same for its part of the block's only tile.
    fn threads(&self, steps: &mut Steps) {
        self.maps_of_b(steps);
        self.block(steps);
        steps.add("const Warp warp = warps();\nAccumulators acc = {};");
        self.parts(steps);
        if self.plan.pdl.waits_before_mainloop() {
            steps.add(self.plan.pdl.cuda_wait());
        }
        self.sums(steps);
        self.operands(steps);
        self.epilogue(steps);
    }

    /// The tile of the block, or the tiles over which it walks, and its matrix of each batch.
    fn block(&self, steps: &mut Steps) {
        let (rank, products) = (self.plan.batch().len(), self.plan.problem.products());
        let columns = list_of_extents(self.plan.problem().columns_in_turn());
        steps.add(self.plan.scheduler.cuda_block(rank, products, &columns));
        steps.add(self.parameters.steps_to_matrices(self.plan));
    }

    /// From zeroed accumulators to the sums of the only tile.
    fn sums(&self, steps: &mut Steps) {
        let Plan { scheduler, pdl, .. } = self.plan;
        self.all_terms(steps);
        // Of warpgroups the producer waits before it requests the late factor.
        let waits = match self.plan.form {
            Form::Groups => Pdl::is_early,
            _ => Pdl::waits_after_mainloop,
        };
        if waits(*pdl) {
            steps.add(pdl.cuda_wait());
        }
        steps.add(scheduler.cuda_reduction());
    }

    /// The sums of a tile: of a term that is added, scaled, and then of the product.
    fn all_terms(&self, steps: &mut Steps) {
        for term in self.terms() {
            match term {
                Term::Added if self.copies_by_threads() => {
                    steps.block("{  // the added term", |steps| self.term(steps, *term));
                }
                _ => self.term(steps, *term),
            }
            if *term == Term::Added {
                self.scale_added(steps);
            }
        }
    }

    /// Adds a term to the sums.
    fn term(&self, steps: &mut Steps, term: Term) {
        if self.copies_by_threads() {
            self.sources(steps, term);
        }
        self.scales(steps);
        steps.add(self.mainloop(term));
    }

    /// Whether threads copy, each from its place.
    fn copies_by_threads(&self) -> bool {
        matches!(self.plan.form, Form::Warps(_) | Form::Lanes(_))
    }

    /// The call of the main loop.
    fn mainloop(&self, term: Term) -> String {
        let Plan { form, scheduler, scaling, mma, .. } = self.plan;
        let converts = *form == Form::Groups && mma.conversion().is_some();
        let of_factors = "source_a, source_b";
        let sources_and_scales = match scaling {
            _ if converts => [of_factors, "scales_a, "],
            Some(Scaling { place: ScalesIn::Tile, .. }) => {
                ["source_a, source_b, source_scales", ""]
            }
            Some(_) => [of_factors, "scales_a, scales_b, "],
            None => [of_factors, ""],
        };
        let [from, k] = self.along_k(term);
        let is_last = term == Term::Product;
        let along_k = [&*from, &*k];
        let walk = scheduler.walk();
        form.cuda_mainloop(walk, self.factors(term), along_k, is_last, sources_and_scales)
    }

    /// Where threads begin to copy, on each side.
    fn sources(&self, steps: &mut Steps, term: Term) {
        let (factors, [_, k]) = (self.factors(term), self.along_k(term));
        for (side, name) in Side::BOTH.into_iter().zip(factors) {
            let [letter, axis] = match side {
                Side::A => ["A", "m"],
                Side::B => ["B", "n"],
            };
            let of_factors: Vec<[String; 2]> = self.rows(term, side).collect();
            let (from, at) = match &of_factors[..] {
                [[first, ld]] => (format!("{first}, {ld}"), format!("block.{axis}")),
                all => {
                    let list = |of: usize| all.iter().map(|one| &*one[of]).collect::<Vec<_>>();
                    let (first, ld) = (list(0).join(", "), list(1).join(", "));
                    steps.add(format!(
                        "const FactorsOf{letter} {name} = {{{{{first}}}, {{{ld}}}}};"
                    ));
                    (name.to_owned(), format!("block.{axis} / PRODUCTS"))
                }
            };
            let source = format!("source_{}", side.letter());
            let SharedTile { numbers, lines, in_turn, .. } = *self.plan.shared_tile(side);
            let at = if lines > 1 { format!("{at} / {lines}") } else { at };
            let extent = match side {
                Side::A => elements(axis, lines, 1),
                Side::B => elements(&self.parameters.columns(self.plan), lines, 1),
            };
            let k = elements(&k, numbers * in_turn, in_turn);
            steps.add(format!("Source{letter} {source}({from}, {at}, {extent}, {k});"));
        }
    }

    /// Where the rows of each factor of a side begin, and how far apart they are.
    fn rows(&self, term: Term, side: Side) -> impl Iterator<Item = [String; 2]> + '_ {
        self.factors_of(term, side).iter().map(move |factor| {
            let name = self
                .parameters
                .of_segment(factor.operand, |number| self.parameters.name(number).to_owned());
            let ld = self.parameters.leading(factor.operand);
            let numbers = self.plan.shared_tile(side).numbers;
            let first = match (self.part(term), numbers) {
                (Some(part), 1) => format!("skip<{}>({name}, {ld}, {part})", side.tile()),
                // Their rows run along K.
                (Some(part), numbers) => format!("{name} + {part}.from / {numbers}"),
                (None, _) => name,
            };
            [first, ld]
        })
    }

    /// The struct of the maps of several factors of B.
    fn maps_of_b(&self, steps: &mut Steps) {
        let names = self.names_of_b();
        if names.len() > 1 && self.plan.form.copies_tensors() {
            let maps = names.iter().map(|name| format!("&{name}")).collect::<Vec<_>>().join(", ");
            steps.add(format!("const MapsOfB {FACTORS_OF_B} = {{{{{maps}}}}};"));
        }
    }

    /// The names of the factors of B of all products, next to each other or in turn.
    fn names_of_b(&self) -> Vec<&str> {
        let factors = self.plan.problem.factors(Side::B);
        let in_turn = self.parameters.in_turn(factors[0].operand);
        match in_turn.is_empty() {
            true => factors.iter().map(|of| self.parameters.name(of.operand)).collect(),
            false => in_turn,
        }
    }

    /// The attribute of blocks that form clusters.
    fn cluster_dims(&self) -> &'static str {
        match (self.plan.cluster(), self.plan.scheduler.cluster_split_k()) {
            (Some(_), _) => "\n__cluster_dims__(CLUSTER, 1, 1) ",
            (None, Some(_)) => "\n__cluster_dims__(SPLITS, 1, 1) ",
            (None, None) => "",
        }
    }

    /// Bytes to which shared memory is aligned: what the copies and the loads of both sides need.
    fn align(&self) -> u32 {
        let loads = Side::BOTH.map(|side| {
            let SidePlan { tile, feed, .. } = self.plan.sides.get(side);
            feed.loads().map_or(0, |loads| loads.align(tile))
        });
        let copies = self.plan.sides.a.global_to_shared.align();
        loads.into_iter().fold(SHARED_ALIGN.max(copies), u32::max)
    }
}

/// The elements that hold an extent, where each `of_each` numbers lie in as many elements as are `in_turn`.
fn elements(extent: &str, of_each: u32, in_turn: u32) -> String {
    let whole = match of_each {
        1 => extent.to_owned(),
        _ => format!("({extent} + {}) / {of_each}", of_each - 1),
    };
    if in_turn > 1 { format!("{whole} * {in_turn}") } else { whole }
}
