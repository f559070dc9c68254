//! The laws of the warps, or warpgroups, that load from boxes.

use super::{Check, own};
use crate::axis::{Axis, Side};
use crate::element::Element;
use crate::field::Field;
use crate::help::{Edit, Values};
use crate::level::global_to_shared::tensor::{LOAD, PANEL_COLS};
use crate::level::global_to_shared::tensor::{are_panels, are_whole_loads, can_feed, share_panels};
use crate::level::mma::{AtomMatrix, Multiply, Unit};
use crate::level::warps::Warps;
use crate::rule::{Diagnostic, Rule};

impl Check<'_> {
    /// The main loop loads four matrices at a time, and two such of A or more in each k-step.
    pub(super) fn loads(&self, multiply: &Multiply) -> Vec<Diagnostic> {
        let new = |at, message: String, help: String| {
            Diagnostic::new(Rule::TensorFragments, at, message, help)
        };
        if let Unit::Warpgroup(_) = multiply.unit {
            return self.panels_of_warpgroups().into_iter().collect();
        }
        if !can_feed(multiply) {
            let message = format!(
                "`copy = tma` requires an `mma` whose factors ldmatrix loads: those of {} are loaded \
                 element by element",
                multiply.name()
            );
            let help = match multiply.elements.a {
                Element::F32 => {
                    "use copy = cp_async(16, cg), or tensor cores by `precision = tf32`"
                }
                _ => "use copy = cp_async(16, cg), or a tensor-core atom",
            };
            return vec![new(Field::Mma, message, help.to_owned())];
        }
        let Some(warps) = self.warps else { return Vec::new() };
        let mut broken = Vec::new();
        for side in Side::BOTH {
            let found = self
                .whole_loads(warps, multiply, side)
                .or_else(|| self.parts_of_panels(warps, side));
            broken.extend(found.map(|(message, near)| {
                let lines = if side == Side::A { "rows" } else { "columns" };
                let (axis, number) = own(side);
                // Fewer warps, or a larger tile, give each warp that many.
                let grid = warps.grid[number];
                let fewer = warps.block[number] / near;
                let edits = [Edit::Warps(axis, fewer.max(1)), Edit::Tile(axis, near * grid)];
                let after = format!(" for {near} {lines} per warp");
                let help = format!("a warp needs {near} {lines}");
                new(Field::Warps(axis), message, help).naming(Values::one(edits, after))
            }));
        }
        broken
    }

    /// A descriptor begins where eight rows do, or of B along N where a panel does; the rows of a warpgroup
    /// are whole panels of A.
    fn panels_of_warpgroups(&self) -> Option<Diagnostic> {
        let warps = self.warps.filter(|_| self.has_panels(Side::B))?;
        let (columns, groups) = (warps.tile[1], warps.grid[1]);
        if groups == 1 || are_panels(columns) {
            return None;
        }
        let unit = PANEL_COLS * groups;
        let after = format!(" for {groups} warpgroups along N");
        let broken = Diagnostic::new(
            Rule::WarpgroupColumns,
            Field::Tile(Axis::N),
            format!(
                "a warpgroup has {columns} columns of B, which is stored along N: not a whole number of \
                 panels, {PANEL_COLS} columns each"
            ),
            format!("BLK_N has to be a multiple of {unit}{after}"),
        );
        Some(broken.naming(Values::extents(Axis::N, warps.block[1], unit, after)))
    }

    /// What is wrong with the fragments of a side, and an extent of a warp that is legal.
    fn whole_loads(&self, warps: &Warps, multiply: &Multiply, side: Side) -> Option<(String, u32)> {
        let (_, number) = own(side);
        let words = multiply.fragment(AtomMatrix::of(side)).words();
        let (extent, registers) = (warps.tile[number], words * warps.atoms[number]);
        let of_load = LOAD / words * multiply.shape()[number];
        let near = |least: u32| match self.has_panels(side) {
            true => PANEL_COLS,
            false => extent.next_multiple_of(of_load).max(least * of_load),
        };
        match side {
            Side::A if !are_whole_loads([registers, LOAD]) => Some((
                format!(
                    "{extent} rows per warp take {registers} registers of A per k-step, but with \
                     `copy = tma` a warp needs at least two ldmatrix loads of {LOAD}"
                ),
                near(2),
            )),
            Side::B if !are_whole_loads([2 * LOAD, registers]) => Some((
                format!(
                    "{extent} columns per warp take {registers} registers of B per k-step, not a \
                     multiple of the {LOAD} that ldmatrix loads"
                ),
                near(1),
            )),
            Side::A | Side::B => None,
        }
    }

    /// The same of where a warp's loads begin in the panels of a side.
    fn parts_of_panels(&self, warps: &Warps, side: Side) -> Option<(String, u32)> {
        let (axis, number) = own(side);
        let extent = warps.tile[number];
        if !self.has_panels(side) || share_panels(extent) {
            return None;
        }
        let lines = if side == Side::A { "rows" } else { "columns" };
        let message = format!(
            "{extent} {lines} per warp do not fit the tensor copies of {}, {PANEL_COLS} elements along {} \
             each: a warp takes whole ones, a half or a quarter",
            side.letter().to_uppercase(),
            axis.letter()
        );
        Some((message, PANEL_COLS))
    }
}
