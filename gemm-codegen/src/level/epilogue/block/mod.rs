//! The epilogue of a block whose warps stage together, each pass some rows of all of them.

use super::exchanged;
use super::stored::{STORE_BYTES, staged_load_passes};
use crate::axis::{PerSide, Side};
use crate::hardware::WARP;
use crate::layout::bank_passes;
use crate::level::mma::{AtomMatrix, BAND, Fragment, LANES, Multiply, Owner, Unit};
use crate::level::shared_tile::Parts;
use crate::level::shared_to_register::{CUDA_LINE, LoadPath};
use crate::level::warps::Warps;
use crate::part::Part;
use crate::spec::Accumulator;
use crate::text::Sections;

/// How a block stores its part of the output: in passes, each staged in shared memory as rows of
/// the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEpilogue {
    /// Bytes of a staged sum.
    pub staged_bytes: u32,
    /// Whether the output's rows run along N; else along M.
    pub n_contiguous: bool,
    /// Rows of atoms of each warp, or runs of rows of each lane's register tile, that are staged
    /// together.
    pub pass_units: u32,
    /// Output rows of one warp in a pass.
    pub pass_rows: u32,
    /// Passes until the block's part is stored.
    pub passes: u32,
    /// Rows staged at a time, over all warps.
    pub staged_rows: u32,
    /// Elements of a staged row.
    pub staged_cols: u32,
    /// Distance of two staged rows in elements.
    pub staged_pitch: u32,
    /// Warps along K: each stages its sums of the same rows, and the body takes what they add
    /// up to.
    pub planes: u32,
    /// Passes of the banks that one staging store needs at most; 1 is conflict-free.
    pub bank_passes: u32,
    /// Whether each two neighbours of a staged run change places.
    exchanged: bool,
    /// How the fragments of both sides were loaded: which lines the accumulators are of.
    paths: PerSide<LoadPath>,
    /// The products whose sums a row has.
    parts: Parts,
}

impl BlockEpilogue {
    /// Shared memory of one pass.
    pub fn shared_bytes(&self) -> u32 {
        let rows = self.planes.saturating_mul(self.staged_rows);
        rows.saturating_mul(self.staged_pitch).saturating_mul(self.staged_bytes)
    }

    /// Passes of the banks for a load of the staged sums of `vector` elements of a row, whose chunks lie
    /// on consecutive threads.
    pub(super) fn load_passes(&self, vector: u32) -> u32 {
        let of_row = (self.staged_cols / self.parts.count / vector).max(1);
        let in_row = |chunk| self.parts.place(0, chunk % of_row * vector);
        let place = |chunk| chunk / of_row * self.staged_pitch + in_row(chunk);
        let chunks: Vec<_> =
            (0..self.staged_rows * of_row).map(|chunk| Some(place(chunk))).collect();
        staged_load_passes(&chunks, self.staged_bytes, vector)
    }

    /// Bytes of the widest store of elements of this size in bytes that a staged row is a whole number
    /// of.
    pub fn store_bytes(&self, element_bytes: u32) -> u32 {
        let columns = if self.parts.count > 1 { self.parts.extent } else { self.staged_cols };
        STORE_BYTES.min(1 << (columns * element_bytes).trailing_zeros())
    }
}

/// Chooses the passes: as many units at a time as fit into the `ring_bytes` that the main loop
/// leaves free anyway, and at least one.
pub(super) fn plan(
    warps: &Warps,
    multiply: &Multiply,
    paths: PerSide<LoadPath>,
    (n_contiguous, products): (bool, u32),
    ring_bytes: u32,
) -> BlockEpilogue {
    // The output's rows run across the warps of `across`, its columns along the block.
    let across = usize::from(!n_contiguous);
    let unit_rows = match multiply.unit {
        Unit::Fma(tile) => LANES[across] * tile.runs()[across],
        _ => multiply.shape()[across],
    };
    let units = warps.tile[across] / unit_rows;
    let held = Held::new(multiply, paths, n_contiguous);
    let staged_cols = warps.block[1 - across];
    let staged_pitch = staged_cols + padding(&held, staged_cols, n_contiguous);
    let bank_passes = stage_passes(&held, staged_pitch, n_contiguous);
    let with = |pass_units: u32| BlockEpilogue {
        staged_bytes: held.staged_bytes,
        n_contiguous,
        pass_units,
        pass_rows: pass_units * unit_rows,
        passes: units / pass_units,
        staged_rows: warps.grid[across] * pass_units * unit_rows,
        staged_cols,
        staged_pitch,
        planes: warps.grid[2],
        bank_passes,
        exchanged: exchanged::applies(multiply, n_contiguous),
        paths,
        parts: Parts::of(products, warps.tile[1]),
    };
    // A pass has all bands whose lines take turns.
    let turns = paths.get(Side::BOTH[across]).interleaved();
    let least = if turns > 1 { (turns * BAND).div_ceil(unit_rows) } else { 1 };
    (1..=units)
        .rev()
        .filter(|pass_units| units.is_multiple_of(*pass_units) && pass_units.is_multiple_of(least))
        .map(with)
        .find(|epilogue| epilogue.shared_bytes() <= ring_bytes)
        .unwrap_or_else(|| with(least))
}

/// The least padding of a staged row, in elements, that keeps its rows 16-byte aligned and the
/// staging stores free of conflicts.
fn padding(held: &Held, cols: u32, n_contiguous: bool) -> u32 {
    let paddings = (0..32).step_by((STORE_BYTES / held.staged_bytes) as usize);
    paddings.min_by_key(|padding| stage_passes(held, cols + padding, n_contiguous)).unwrap_or(0)
}

/// The accumulators of an atom, the bytes of one when it is staged, and the lines they are of.
struct Held {
    fragment: Fragment,
    staged_bytes: u32,
    /// How many of them a lane stores at a time.
    neighbours: u32,
    paths: PerSide<LoadPath>,
}

impl Held {
    fn new(multiply: &Multiply, paths: PerSide<LoadPath>, n_contiguous: bool) -> Held {
        Held {
            fragment: multiply.fragment(AtomMatrix::C),
            staged_bytes: multiply.accumulator.staged().bytes(),
            neighbours: match (multiply.unit, n_contiguous) {
                (Unit::Fma(tile), _) => tile.runs()[usize::from(n_contiguous)],
                (_, true) => 2 * paths.b.interleaved(),
                (_, false) => paths.a.interleaved(),
            },
            paths,
        }
    }
}

/// Passes of the banks for a store of the first registers of one atom by a warp: on tensor cores two
/// neighbours along n at a time, or one where the staged rows run along m, and more where lines take
/// turns; else a run.
fn stage_passes(held: &Held, pitch: u32, n_contiguous: bool) -> u32 {
    let (bytes, PerSide { a, b }) = (held.staged_bytes, held.paths);
    let first = |lane| held.fragment.position(Owner { lane, register: 0, element: 0 });
    let stands = |[m, n]: [u32; 2]| [a.line(m), b.line(n)];
    let to = |[m, n]: [u32; 2]| if n_contiguous { m * pitch + n } else { n * pitch + m };
    let addresses = (0..WARP).filter_map(first).map(|at| to(stands(at)) * bytes);
    bank_passes(&addresses.collect::<Vec<u32>>(), held.neighbours * bytes)
}

impl BlockEpilogue {
    /// Whether lines of the accumulators stand elsewhere than they do in the fragments.
    fn is_interleaved(&self) -> bool {
        self.paths.a.interleaved() > 1 || self.paths.b.interleaved() > 1
    }

    /// The member of a side's tile that `line` reads, where anything calls it.
    pub(super) fn cuda_interleaved(&self, side: Side) -> String {
        match self.is_interleaved() {
            true => format!(
                "    static constexpr int INTERLEAVED = {};  // bands whose lines are interleaved\n",
                self.paths.get(side).interleaved()
            ),
            false => String::new(),
        }
    }

    /// The constants of what is staged at a time, after the `types` of the outputs.
    pub(super) fn cuda_constants(&self, types: &str, multiply: &Multiply, several: bool) -> String {
        let (rows, cols) = if self.n_contiguous { ("M", "N") } else { ("N", "M") };
        // What is staged at a time: its name, how many a warp has, and its rows.
        let (unit_name, unit_of, units, unit_rows) = match multiply.unit {
            Unit::Fma(_) => (
                "PASS_RUNS",
                "runs of each lane",
                format!("RUNS_{rows}"),
                format!("(LANES_{rows} * RUN_{rows})"),
            ),
            _ => {
                ("PASS_ATOMS", "atoms of each warp", format!("ATOMS_{rows}"), format!("MMA_{rows}"))
            }
        };
        let (what, each) = if several { ("outputs", " each") } else { ("output", "") };
        format!(
            "// The {what}: {rows} rows of {cols} elements{each}, staged {unit_name} {unit_of} at a time.\n\
             {types}\
             constexpr int {unit_name} = {pass_units}, PASSES = {units} / {unit_name};\n\
             constexpr int PASS_ROWS = {unit_name} * {unit_rows}, WARP_ROWS = WARP_{rows};\n\
             constexpr int STAGED_ROWS = WARPS_{rows} * PASS_ROWS, STAGED_COLS = BLK_{cols};\n\
             constexpr int STAGED_PITCH = STAGED_COLS + {padding};  // padded against bank conflicts\n\
             constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k\n\
             constexpr int ROW_CHUNKS = STAGED_COLS / {products}OUT_VECTOR;  // stores of a staged row\n\
             static_assert(PASSES * {unit_name} == {units}, \"passes tile the warp\");\n",
            products = if self.parts.count > 1 { "PRODUCTS / " } else { "" },
            pass_units = self.pass_units,
            padding = self.staged_pitch - self.staged_cols,
        )
    }

    /// The device function `epilogue`, which issues what several runs of elements read together, or run by
    /// run.
    pub(super) fn write(&self, text: &mut Sections, together: bool) {
        text.of(Part::Epilogue).add(match together {
            true => include_str!("epilogue_together.cuh"),
            false => include_str!("epilogue.cuh"),
        });
    }

    /// The struct of what a pass has staged, where outputs are reduced, and what it calls.
    pub(super) fn staged_tile(&self) -> Vec<String> {
        let column = match self.parts.count {
            1 => include_str!("../reduced/staged_column.cuh"),
            _ => include_str!("../reduced/staged_column_of_products.cuh"),
        };
        vec![column.to_owned(), include_str!("../reduced/staged_tile_of_block.cuh").to_owned()]
    }

    /// The columns of the block's part of the output.
    pub(super) fn columns(&self) -> u32 {
        self.staged_cols / self.parts.count
    }

    /// The device functions by which sums are staged, and loaded again.
    pub(super) fn write_staging(&self, text: &mut Sections, multiply: &Multiply) {
        self.write_stage(text, multiply);
        text.add(match self.exchanged {
            true => include_str!("load_staged_exchanged.cuh"),
            false => include_str!("load_staged.cuh"),
        });
        text.add(include_str!("load_sums.cuh"));
        if self.parts.count > 1 {
            text.add(include_str!("load_sums_of_products.cuh"));
        }
    }

    /// The device function `stage`, and what it calls.
    fn write_stage(&self, text: &mut Sections, multiply: &Multiply) {
        let on_tensor_cores = matches!(multiply.unit, Unit::TensorCore(_));
        match (on_tensor_cores, self.is_interleaved(), multiply.accumulator) {
            (false, _, _) => {}
            (true, true, _) => text.add(CUDA_LINE),
            (true, false, Accumulator::F16) => text.add(include_str!("pair_of_halves.cuh")),
            (true, false, _) => text.add(include_str!("pair.cuh")),
        }
        let file = match (on_tensor_cores, self.is_interleaved(), self.n_contiguous) {
            (false, _, true) => include_str!("stage_tile_n_contiguous.cuh"),
            (false, _, false) => include_str!("stage_tile_m_contiguous.cuh"),
            (true, false, true) => include_str!("stage_n_contiguous.cuh"),
            (true, false, false) => include_str!("stage_m_contiguous.cuh"),
            (true, true, true) => include_str!("stage_lines_n_contiguous.cuh"),
            (true, true, false) => include_str!("stage_lines_m_contiguous.cuh"),
        };
        text.of(Part::Staging).add_file(file, &[("EXCHANGED", self.exchanged)]);
    }
}

#[cfg(test)]
mod tests;
