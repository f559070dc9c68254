//! The scales of factors, which the entry point begins to load.

use super::{Entry, Term, elements};
use crate::axis::Side;
use crate::form::Form;
use crate::level::mma::{ScalesIn, Scaling, StagedTile};
use crate::problem::Scale;
use crate::text::steps::Steps;

impl Entry<'_> {
    /// The scales of each side, and their offsets, for the first part of K that the warp sums, or of what warpgroups
    /// convert.
    pub(super) fn scales(&self, steps: &mut Steps) {
        if self.plan.form == Form::Groups {
            if self.plan.mma.conversion().is_some() {
                steps.add(self.scales_of_factors());
            }
            return;
        }
        let Some(scaling) = self.plan.scaling else { return };
        if scaling.place == ScalesIn::Tile {
            return steps.add(self.source_of_scales(&scaling));
        }
        for side in Side::BOTH {
            let scales: Vec<Scale> =
                self.plan.problem.factors(side).iter().filter_map(|factor| factor.scale).collect();
            let first = match &scales[..] {
                [] => String::new(),
                [Scale { operand, offset: None, .. }] => {
                    format!("({})", self.first_scale(side, *operand))
                }
                [scale] => format!(" = {}", self.first_of_factor(side, scale, "")),
                all => {
                    let all = all.iter().map(|scale| self.first_of_factor(side, scale, "    "));
                    format!(" = {{{{\n    {}}}}}", all.collect::<Vec<_>>().join(",\n    "))
                }
            };
            steps.add(format!(
                "Scales{} scales_{}{first};",
                side.letter().to_uppercase(),
                side.letter()
            ));
        }
    }

    /// Where the scales are copied from.
    fn source_of_scales(&self, scaling: &Scaling) -> String {
        let [from, k] = self.along_k(Term::Product);
        let sources =
            scaling.staged_tiles().map(|StagedTile { operand, side, k: of_k, .. }| {
                let name = self.parameters.pointer(operand, self.plan);
                let (ld, n) =
                    (self.parameters.leading(operand), self.parameters.columns(self.plan));
                let axis = if side == Side::A { "m" } else { &n };
                let first = if from == "0" { name } else { format!("{name} + {from} / {of_k}") };
                format!(
                    "    {{{first}, {ld}, block.{}, {axis}, {}}}",
                    if side == Side::A { "m" } else { "n" },
                    elements(&k, of_k, 1)
                )
            });
        let sources: Vec<String> = sources.collect();
        format!("SourceScales source_scales = {{\n{}}};", sources.join(",\n"))
    }

    /// The members of the scales of a factor, with those of its offsets, within lines of this indentation.
    fn first_of_factor(&self, side: Side, scale: &Scale, indent: &str) -> String {
        let scales = self.first_scale(side, scale.operand);
        match scale.offset {
            None => format!("{{{scales}}}"),
            Some(offset) => {
                let offsets = self.first_scale(side, offset.operand);
                format!("{{\n{indent}    {{{scales}}},\n{indent}    {{{offsets}}}}}")
            }
        }
    }

    /// Where the scales of this operand begin, and those of the warp.
    fn first_scale(&self, side: Side, operand: usize) -> String {
        let (name, ld) =
            (self.parameters.pointer(operand, self.plan), self.parameters.leading(operand));
        let ([from, _], n) = (self.along_k(Term::Product), self.parameters.columns(self.plan));
        let [axis, first] = match (side, self.plan.problem.factors(side).len()) {
            (Side::A, _) => ["m", "block.m + warp.m"],
            (Side::B, 1) => [&*n, "block.n + warp.n"],
            (Side::B, _) => [&*n, "(block.n + warp.n) / PRODUCTS"],
        };
        format!("{name}, {ld}, {first}, {axis}, {from} + warp.k, k")
    }

    /// The scales of the factor that a warpgroup converts, for its first k-tile.
    fn scales_of_factors(&self) -> String {
        let scale = self.plan.scaling.as_ref().and_then(|scaling| scaling.of(Side::A));
        let Some(scale) = scale else { return "ScalesA scales_a;".to_owned() };
        let [from, k] = self.along_k(Term::Product);
        let are_copied = self.plan.scaling.is_some_and(|of| of.place == ScalesIn::Lines);
        let along_k = format!("{from}, {from} + {k}");
        let of = |operand: usize| {
            let name = self.parameters.name(operand);
            let lines = format!("{name}, ld_{name}, block.m + warpgroup.m, m");
            if are_copied { lines } else { format!("{lines}, {along_k}") }
        };
        let first = match scale.offset {
            None => of(scale.operand),
            Some(offset) => format!("{{{}}}, {{{}}}", of(scale.operand), of(offset.operand)),
        };
        match (are_copied, scale.offset) {
            (true, _) => {
                format!("ScalesA scales_a({{{first}}}, ring, state.stage, {along_k});")
            }
            (false, None) => format!("ScalesA scales_a({first});"),
            (false, Some(_)) => format!("ScalesA scales_a{{{first}}};"),
        }
    }
}
