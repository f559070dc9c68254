//! The laws of tiles that are copied as boxes, and of the warps that load from them.

use super::{LOAD, MAX_ROWS, PANEL_COLS, ROW_BYTES, are_panels, are_whole_loads, boxes_along_k};
use super::{can_feed, panel_cols, share_panels, swizzle, transposes};
use crate::axis::{Axis, Side};
use crate::element::Element;
use crate::field::Field;
use crate::hardware::MAX_TENSOR_RANK;
use crate::help::{Edit, Values, one_of};
use crate::layout::Swizzle;
use crate::level::mma::{AtomMatrix, Multiply, Unit};
use crate::level::warps::Warps;
use crate::problem::{Axes, Factor};
use crate::rule::{Diagnostic, Rule};
use crate::spec::Spec;

/// What the laws of tensor copies look at.
pub(crate) struct Check<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) block: [u32; 3],
    pub(crate) warps_k: u32,
    pub(crate) axes: &'a Axes,
    /// Missing if nothing multiplies these elements; what needs no fragments is judged all the same.
    pub(crate) multiply: Option<&'a Multiply>,
    pub(crate) warps: Option<&'a Warps>,
}

/// Numbers in words.
fn listed(numbers: impl Iterator<Item = u32>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    one_of(numbers.iter().map(String::as_str))
}

/// The axis that a side has beside K, and its number.
fn own(side: Side) -> (Axis, usize) {
    match side {
        Side::A => (Axis::M, 0),
        Side::B => (Axis::N, 1),
    }
}

impl Check<'_> {
    /// Proves that both tiles are boxes, and that their fragments are whole loads.
    pub(crate) fn prove(&self) -> Result<(), Vec<Diagnostic>> {
        let mut broken: Vec<Diagnostic> =
            Side::BOTH.into_iter().flat_map(|s| self.a_box(s)).collect();
        broken.extend(self.indices());
        if let Some(multiply) = self.multiply {
            broken.extend(self.along_k(multiply));
            broken.extend(self.loads(multiply));
        }
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }

    /// The copy unit has a coordinate for each index of a batch, besides those of a row and a column.
    fn indices(&self) -> Option<Diagnostic> {
        let (count, limit) = (self.spec.output().batch.len(), MAX_TENSOR_RANK - 2);
        let of_warpgroups =
            self.multiply.is_some_and(|multiply| matches!(multiply.unit, Unit::Warpgroup(_)));
        let other = match of_warpgroups {
            true => "remove `mma = wgmma`",
            false => "use `copy = cp_async(16, cg)`",
        };
        (count > limit).then(|| {
            Diagnostic::new(
                Rule::TensorCopy,
                Field::OutputBatch(0),
                format!(
                    "the output is batched over {count} indices, but a tensor copy has coordinates for \
                     {limit}"
                ),
                format!("{other}, or pass two indices as one if a single stride steps through both"),
            )
        })
    }

    /// The order, the extent and the swizzle of one side.
    fn a_box(&self, side: Side) -> Vec<Diagnostic> {
        let order = match self.axes.factor(side).k_contiguous() {
            true => self.rows(side),
            false => self.multiply.and_then(|multiply| self.panels(side, multiply)),
        };
        order.into_iter().chain(self.swizzle(side)).collect()
    }

    /// A tile whose rows run along K is one box, or panels side by side.
    fn rows(&self, side: Side) -> Option<Diagnostic> {
        let (axis, number) = own(side);
        let rows = self.block[number];
        (rows > MAX_ROWS).then(|| {
            let fewer = (1..=MAX_ROWS).rev().step_by(16).map(|rows| Edit::Tile(axis, rows));
            Diagnostic::new(
                Rule::TensorCopy,
                Field::Tile(axis),
                format!(
                    "BLK_{} = {rows}, but a tensor copy has at most {MAX_ROWS} rows",
                    axis.letter()
                ),
                format!("BLK_{} must be {MAX_ROWS} or less", axis.letter()),
            )
            .naming(Values::one(fewer, ""))
        })
    }

    /// One whose rows run along M or N consists of panels, which are transposed when they are loaded.
    fn panels(&self, side: Side, multiply: &Multiply) -> Option<Diagnostic> {
        let (axis, number) = own(side);
        let (letter, along) = (side.letter().to_uppercase(), axis.letter());
        let (element, columns) = (self.axes.factor(side).element, self.block[number]);
        let new = |at, message, help| Diagnostic::new(Rule::TensorCopy, at, message, help);
        if !transposes(element.bytes()) {
            let (reader, other) = match multiply.unit {
                Unit::Warpgroup(_) if element.bytes() == 1 => ("wgmma", "use `mma = m16n8k32`"),
                Unit::Warpgroup(_) => ("wgmma", "use `mma = m16n8k8`"),
                _ => ("ldmatrix", "copy it with `cp_async(16, cg)`"),
            };
            return Some(self.along_k_alone(side, reader, other));
        }
        if are_panels(columns) {
            return None;
        }
        let broken = new(
            Field::Tile(axis),
            format!(
                "BLK_{along} = {columns} is not a multiple of {PANEL_COLS}, the columns of a \
                 tensor copy's box of {letter}, which is stored along {along}"
            ),
            format!("BLK_{along} has to be a multiple of {PANEL_COLS}"),
        );
        Some(broken.naming(Values::extents(axis, columns, PANEL_COLS, "")))
    }

    /// One that nothing can transpose is contiguous along K.
    fn along_k_alone(&self, side: Side, reader: &str, other: &str) -> Diagnostic {
        let Factor { operand, element, .. } = self.axes.factor(side);
        let name = &self.spec.operands[*operand].name;
        let [m, n, k] = &self.axes.indices;
        let own = match side {
            Side::A => m,
            Side::B => n,
        };
        Diagnostic::new(
            Rule::TensorCopy,
            Field::OperandIndex(*operand, 1),
            format!(
                "`{name}` is contiguous along `{own}`, but {reader} transposes only 2-byte elements, \
                 not {element}: its last index must be `{k}`"
            ),
            format!("store `{name}` with the indices `{own}, {k}`, or {other}"),
        )
    }

    /// The copy unit swizzles in one way.
    fn swizzle(&self, side: Side) -> Option<Diagnostic> {
        let only = swizzle(self.axes.factor(side).element.bytes());
        let written = self.spec.schedule.swizzle.get(side).filter(|written| *written != only)?;
        let text = |Swizzle { b, m, s }| format!("[{b}, {m}, {s}]");
        let broken = Diagnostic::new(
            Rule::TensorCopy,
            Field::Swizzle(side),
            format!(
                "tensor copies write rows of {ROW_BYTES} B with the swizzle {}, not {}",
                text(only),
                text(written)
            ),
            format!("leave `swizzle` out, or write {}", text(only)),
        );
        Some(broken.naming(Values::one([Edit::Swizzle(side)], ", the default")))
    }

    /// A row along K is one of a box for each of the warps along K, or of as many boxes as warpgroups
    /// take; where rows run along M or N, as many of them are a panel.
    fn along_k(&self, multiply: &Multiply) -> Option<Diagnostic> {
        let bytes = self.axes.factor(Side::A).element.bytes();
        let (k, of_box) = (self.block[2], panel_cols(bytes));
        let of_warpgroups = matches!(multiply.unit, Unit::Warpgroup(_));
        let boxes = boxes_along_k(of_warpgroups).map(|boxes| boxes * of_box);
        let legal: Vec<u32> = boxes.map(|k| k.saturating_mul(self.warps_k)).collect();
        if legal.contains(&k) {
            return None;
        }
        let message = match of_warpgroups {
            true => format!(
                "BLK_K = {k} elements are {} B, but warpgroups multiply k-tiles of {} B",
                k.saturating_mul(bytes),
                listed(legal.iter().map(|k| k * bytes))
            ),
            false => self.not_a_row(k, bytes),
        };
        let help = format!("BLK_K has to be {}", listed(legal.iter().copied()));
        let broken = Diagnostic::new(Rule::TensorCopy, Field::Tile(Axis::K), message, help);
        let edits = legal.iter().map(|k| Edit::Tile(Axis::K, *k));
        Some(broken.naming(Values { most: legal.len(), ..Values::one(edits, "") }))
    }

    /// What is wrong with a BLK_K that is not the bytes of one box for each of the warps along K.
    fn not_a_row(&self, k: u32, bytes: u32) -> String {
        let each = match self.warps_k {
            1 => String::new(),
            warps => format!(" for each of {warps} warps along K"),
        };
        match Side::BOTH.into_iter().any(|side| self.axes.factor(side).k_contiguous()) {
            true => format!(
                "BLK_K = {k} elements are {} B, but a row of a tensor copy's box has {ROW_BYTES} \
                 B{each}",
                k.saturating_mul(bytes)
            ),
            false => format!(
                "BLK_K = {k} rows, but a tensor copy's box along M or N has {}{each}",
                panel_cols(bytes)
            ),
        }
    }

    /// The main loop loads four matrices at a time, and two such of A or more in each k-step.
    fn loads(&self, multiply: &Multiply) -> Vec<Diagnostic> {
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

    /// Whether the tile of a side consists of panels.
    fn has_panels(&self, side: Side) -> bool {
        let (_, number) = own(side);
        let bytes = self.axes.factor(side).element.bytes();
        !self.axes.factor(side).k_contiguous()
            && transposes(bytes)
            && are_panels(self.block[number])
    }
}
