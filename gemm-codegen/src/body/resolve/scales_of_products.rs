//! The scales of several second factors, whose tiles lie next to each other.

use super::Resolver;
use super::scales::{Applied, Offset, scaled};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::tiled;
use crate::spec::{NodeId, OperandKind};

impl Resolver<'_> {
    /// Whether two second factors have the same kind of scales and offsets: what a warp sums before it scales, and the
    /// function that scales, are those of all products. The last factor is this argument of `matmul`.
    pub(super) fn are_scaled_alike(&mut self, at: NodeId, first: usize, other: usize) -> bool {
        let [of_first, of_other] =
            [first, other].map(|factor| self.scales.get(&factor).copied().flatten());
        let step = |of: Option<Applied>| of.map(|of| of.offset.map(|(offset, _)| offset));
        if step(of_first) != step(of_other) {
            self.report_other_steps(at, [(first, of_first), (other, of_other)]);
            return false;
        }
        let (Some(of_first), Some(of_other)) = (of_first, of_other) else { return true };
        let scales = self.are_tiles_alike(of_first.scale, of_other.scale);
        let offsets = match (of_first.offset, of_other.offset) {
            (Some((_, first)), Some((_, other))) => self.are_tiles_alike(first, other),
            _ => true,
        };
        scales && offsets
    }

    /// That factors are written with other operators.
    fn report_other_steps(&mut self, at: NodeId, of: [(usize, Option<Applied>); 2]) {
        let name = |operand: usize| self.spec.operands[operand].name.as_str();
        let [(first, of_first), (other, of_other)] = of;
        let written = |factor: usize, applied: Option<Applied>| match applied {
            None => format!("`{}`", name(factor)),
            Some(Applied { scale, offset }) => {
                let offset = offset.map(|(applied, offset)| (applied, name(offset)));
                format!("`{}`", scaled(name(factor), name(scale), offset))
            }
        };
        let message = format!(
            "{} and {} are scaled differently, but a kernel scales the sums of all its products alike",
            written(other, of_other),
            written(first, of_first)
        );
        let like = match of_first {
            None => name(other).to_owned(),
            Some(Applied { offset, .. }) => {
                scaled(name(other), "s", offset.map(|(applied, _)| (applied, of_tiles(applied))))
            }
        };
        let help = format!("write `{like}`, or compute its product in a second function");
        self.report(Rule::ScaledFactor, at, message, help);
    }

    /// Whether the tiles of two factors have the same element, order and extents. Those of other indices than their
    /// factors' are reported as that.
    fn are_tiles_alike(&mut self, first: usize, other: usize) -> bool {
        let of = |operand: usize| match &self.spec.operands[operand].kind {
            OperandKind::Tiled { element, indices, extents } => Some((*element, indices, *extents)),
            _ => None,
        };
        let (Some(of_first), Some(of_other)) = (of(first), of(other)) else { return true };
        let are_others = of_first.1.iter().any(|index| !of_other.1.contains(index));
        let differs = |at: usize| match at {
            0 | 1 => of_first.1[at] != of_other.1[at],
            _ => of_first.2[at - 2] != of_other.2[at - 2],
        };
        let at = match (0..4).find(|at| differs(*at)) {
            _ if are_others => return true,
            _ if of_first.0 != of_other.0 => Field::OperandElement(other),
            Some(at) => Field::OperandIndex(other, at),
            None => return true,
        };
        let [first, other] = [first, other].map(|operand| &self.spec.operands[operand].name);
        let [of_first, of_other] = [of_first, of_other]
            .map(|(element, indices, extents)| tiled(element, indices, extents));
        let message = format!(
            "`{other}` is `{of_other}` and `{first}` is `{of_first}`, but a kernel loads the tiles of all its \
             products alike"
        );
        let help =
            format!("declare `{other}: {of_first}`, or compute its product in a second function");
        self.diagnostics.push(Diagnostic::new(Rule::ScaledFactor, at, message, help));
        false
    }
}

/// What a help calls offsets.
fn of_tiles(applied: Offset) -> &'static str {
    match applied {
        Offset::Zero => "z",
        Offset::Added => "c",
    }
}
