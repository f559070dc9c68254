//! The laws of tiles that are copied as boxes.

mod fragments;

use super::{
    MAX_ROWS, PANEL_COLS, ROW_BYTES, are_panels, panel_cols, row_bytes, swizzle, transposes,
};
use crate::axis::{Axis, PerSide, Side};
use crate::field::Field;
use crate::hardware::MAX_TENSOR_RANK;
use crate::help::{Edit, Values, one_of};
use crate::layout::Swizzle;
use crate::level::mma::{Conversion, Multiply, Unit};
use crate::level::scheduler::Cluster;
use crate::level::warps::Warps;
use crate::problem::{Axes, Factor};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Planes, Precision, Spec};

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
        order.into_iter().chain(self.shared_rows(side)).chain(self.swizzle(side)).collect()
    }

    /// Blocks of a cluster that share a tile copy as many of its rows each: of packed elements it has few.
    fn shared_rows(&self, side: Side) -> Option<Diagnostic> {
        let (axis, number) = own(side);
        let (across, _) = own(side.other());
        let Factor { operand, element, .. } = self.axes.factor(side);
        let blocks = Cluster::parts(Cluster::legal(self.spec.schedule.cluster), side);
        let (lines, of_row) = (self.block[number], element.lines());
        let rows = lines / of_row;
        // A tile of other elements has bands of 8 rows, which every cluster divides.
        if of_row == 1 || rows.is_multiple_of(blocks) {
            return None;
        }
        let name = &self.spec.operands[*operand].name;
        let (own, across_name) = (axis.letter(), across.letter());
        let message = format!(
            "BLK_{own} = {lines} is {rows} rows of `{name}`, which packs {of_row} lines in a row, but {blocks} blocks \
             along {across_name} share them"
        );
        let most = 1 << rows.trailing_zeros();
        let help = format!(
            "use at most {most} blocks along {across_name}, or BLK_{own} = {}",
            blocks * of_row
        );
        Some(Diagnostic::new(Rule::TensorCopy, Field::Cluster(across), message, help))
    }

    /// A tile whose rows run along K is one box, or panels side by side.
    fn rows(&self, side: Side) -> Option<Diagnostic> {
        let (axis, number) = own(side);
        // A row of packed elements has several lines.
        let most = MAX_ROWS * self.axes.factor(side).element.lines();
        let lines = self.block[number];
        (lines > most).then(|| {
            let fewer = (1..=most).rev().step_by(16).map(|lines| Edit::Tile(axis, lines));
            Diagnostic::new(
                Rule::TensorCopy,
                Field::Tile(axis),
                format!(
                    "BLK_{} = {lines}, but a tensor copy has at most {MAX_ROWS} rows",
                    axis.letter()
                ),
                format!("BLK_{} must be {most} or less", axis.letter()),
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
        let element = self.axes.factor(side).element;
        let row = match self.is_converted(side) {
            true => self.block[2].saturating_mul(element.bits()) / 8,
            false => ROW_BYTES,
        };
        let only = swizzle(element.bytes(), row);
        // What changes nothing is written in several ways.
        let is_other = |written: &Swizzle| *written != only && written.b.max(only.b) > 0;
        let written = self.spec.schedule.swizzle.get(side).filter(is_other)?;
        let text = |Swizzle { b, m, s }| format!("[{b}, {m}, {s}]");
        let broken = Diagnostic::new(
            Rule::TensorCopy,
            Field::Swizzle(side),
            format!(
                "tensor copies write rows of {row} B with the swizzle {}, not {}",
                text(only),
                text(written)
            ),
            format!("leave `swizzle` out, or write {}", text(only)),
        );
        Some(broken.naming(Values::one([Edit::Swizzle(side)], ", the default")))
    }

    /// Whether a side is converted, by warpgroups if tensor copies bring it.
    fn is_converted(&self, side: Side) -> bool {
        let stored = Side::BOTH.map(|side| self.axes.factor(side).element);
        Conversion::of(stored).is_some_and(|conversion| conversion.side == side)
    }

    /// A row along K is one of a box for each of the warps along K, or of as many boxes as warpgroups
    /// take; where rows run along M or N, as many of them are a panel.
    fn along_k(&self, multiply: &Multiply) -> Option<Diagnostic> {
        let PerSide { a, b } = multiply.stored;
        let (k, bytes) = (self.block[2], multiply.elements.a.bytes());
        let of_warpgroups = matches!(multiply.unit, Unit::Warpgroup(_));
        let planes = self.spec.schedule.precision.and_then(Precision::planes);
        let rows = row_bytes(of_warpgroups, planes, [a, b]).into_iter();
        let legal: Vec<u32> = rows.map(|row| (row / bytes).saturating_mul(self.warps_k)).collect();
        if legal.contains(&k) {
            return None;
        }
        let columns = planes.map_or(1, Planes::count);
        let message = match of_warpgroups {
            true => format!(
                "BLK_K = {} elements are {} B, but warpgroups multiply k-tiles of {} B",
                k / columns,
                k.saturating_mul(bytes),
                listed(legal.iter().map(|k| k * bytes))
            ),
            false => self.not_a_row(k, bytes),
        };
        let legal: Vec<u32> = legal.iter().map(|k| k / columns).collect();
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

    /// Whether the tile of a side consists of panels.
    fn has_panels(&self, side: Side) -> bool {
        let (_, number) = own(side);
        let bytes = self.axes.factor(side).element.bytes();
        !self.axes.factor(side).k_contiguous()
            && transposes(bytes)
            && are_panels(self.block[number])
    }
}
