//! One load of a tile: which lanes read which cells, and how its words lie in the banks.

use gemm_codegen::hardware::{BANK_BYTES, BANKS};
use gemm_codegen::level::shared_tile::CHUNK_BYTES;
use gemm_codegen::{Feed, LoadPath, Plan, Request, Side, bank_passes};

use super::{Cells, fits_right};
use crate::canvas::{
    CELL, Canvas, LINE, MARGIN, TOP, list, ranges, rectangle, text, text_width, tooltip,
};
use crate::grid::Grid;
use crate::palette::fill;

/// Rows that the hardware reads of a chunk together, a core matrix (PTX ISA, "Shared memory layout for
/// wgmma").
const CORE_ROWS: u32 = 8;

/// Width of a bank, and height of a pass.
const BANK: [f64; 2] = [7.0, CELL[1]];

/// What the lanes of one load read.
pub(super) struct Load {
    /// What it is, in words.
    name: String,
    /// Each cell that is read, with the lanes that read it.
    cells: Vec<([u32; 2], Vec<u32>)>,
    /// The words of the lanes that are served together and need the most passes: first byte, bytes and
    /// lanes.
    words: Vec<(u32, u32, Vec<u32>)>,
    passes: u32,
}

impl Load {
    /// The load that needs the most passes, the first of several.
    pub(super) fn of(plan: &Plan, side: Side, grid: &Grid<'_>) -> Load {
        match plan.feed(side) {
            Feed::Registers(loads) => {
                let requests = loads.requests(grid.tile);
                let worst = requests.reduce(|worst, one| {
                    if one.bank_passes() > worst.bank_passes() { one } else { worst }
                });
                match worst {
                    Some(request) => Load::of_request(&request, name(loads.path), grid),
                    None => Load::of_core(grid),
                }
            }
            Feed::Descriptor(_) => Load::of_core(grid),
        }
    }

    fn of_request(request: &Request, name: &str, grid: &Grid<'_>) -> Load {
        let bytes = request.bytes();
        let mut first = 0;
        let groups = request.groups().map(|(group, passes)| {
            let lanes = first..first + group.len() as u32;
            first = lanes.end;
            (lanes.zip(group.iter().copied()).collect::<Vec<_>>(), passes)
        });
        let worst = groups.reduce(|worst, one| if one.1 > worst.1 { one } else { worst });
        let (lanes, passes) = worst.unwrap_or_default();
        let all = (0..).zip(request.addresses().iter().copied());
        Load {
            name: format!("{name}: {} lanes × {bytes} B", request.addresses().len()),
            cells: cells(all, grid),
            words: words(&lanes, bytes),
            passes,
        }
    }

    /// Eight rows of the first chunk.
    fn of_core(grid: &Grid<'_>) -> Load {
        let rows = CORE_ROWS.min(grid.lines);
        let addresses: Vec<u32> = (0..rows).map(|row| grid.address(row, 0)).collect();
        let lanes: Vec<(u32, u32)> = (0..).zip(addresses.iter().copied()).collect();
        Load {
            name: format!("a core matrix of wgmma: {rows} rows × {} B", grid.bytes),
            cells: cells(lanes.iter().copied(), grid),
            words: words(&lanes, grid.bytes),
            passes: bank_passes(&addresses, grid.bytes),
        }
    }

    pub(super) fn passes(&self) -> u32 {
        self.passes
    }

    /// Line and unit of each cell that is read.
    pub(super) fn places(&self) -> Vec<[u32; 2]> {
        self.cells.iter().map(|(place, _)| *place).collect()
    }

    /// Rings around the cells.
    pub(super) fn rings(&self, canvas: &mut Canvas, drawn: &Cells<'_>) {
        for (place, lanes) in &self.cells {
            let [x, y] = drawn.at(*place);
            let ring = rectangle(x + 0.5, y + 0.5, CELL[0] - 2.0, CELL[1] - 2.0)
                .set("class", "i")
                .set("rx", 3)
                .set("data-lanes", list(lanes));
            canvas.add(ring.add(tooltip(format!("lanes {}", ranges(lanes)))));
        }
    }

    /// The words that are read together over the banks that deliver them; those of one bank are delivered
    /// one after the other.
    pub(super) fn stack(&self, canvas: &mut Canvas, right: f64) {
        let width = BANK[0] * f64::from(BANKS);
        let (x, top) = match fits_right(right, width.max(text_width(&self.name, 12.0))) {
            true => (right, TOP + 6.0),
            false => (MARGIN, canvas.bottom() + 2.0 * LINE),
        };
        canvas.add(text(x, top, &*self.name).set("class", "q"));
        let said = format!("{} over {BANKS} banks", super::passes(self.passes));
        canvas.add(text(x, top + LINE, said).set("class", "q"));
        let base = top + LINE + 10.0;
        let mut levels = [0; BANKS as usize];
        let mut group = crate::canvas::group().set("data-passes", self.passes);
        for (address, bytes, lanes) in &self.words {
            let banks = bytes.div_ceil(BANK_BYTES).max(1);
            let bank = address / BANK_BYTES % BANKS;
            let taken = &mut levels[bank as usize..(bank + banks).min(BANKS) as usize];
            let level = taken.iter().copied().max().unwrap_or(0);
            taken.iter_mut().for_each(|one| *one = level + 1);
            let at = [x + f64::from(bank) * BANK[0], base + f64::from(level) * BANK[1]];
            let wide = f64::from(banks) * BANK[0];
            let shape = rectangle(at[0], at[1], wide - 1.0, BANK[1] - 1.0)
                .set("class", fill(bank * BANK_BYTES / CHUNK_BYTES))
                .set("data-bank", bank)
                .set("data-pass", level)
                .set("data-lanes", list(lanes));
            group = group.add(shape.add(tooltip(format!("lanes {}", ranges(lanes)))));
            let label = label(lanes);
            if text_width(&label, 9.0) < wide {
                group = group
                    .add(text(at[0] + wide / 2.0 - 0.5, at[1] + 11.0, label).set("class", "s m"));
            }
        }
        let bottom = base + f64::from(levels.into_iter().max().unwrap_or(0)) * BANK[1];
        canvas.add(group);
        for bank in (0..BANKS).step_by(4) {
            let at = x + f64::from(bank) * BANK[0];
            canvas.add(text(at, bottom + 10.0, bank.to_string()).set("class", "s q"));
        }
        canvas.reach(bottom + 12.0);
    }
}

/// What a path calls its loads.
fn name(path: LoadPath) -> &'static str {
    match path {
        LoadPath::Ldmatrix { .. } | LoadPath::LdmatrixBytes => "a matrix of ldmatrix",
        LoadPath::Vectors(_) | LoadPath::Runs(_) | LoadPath::Packed(_) => "a vector of each lane",
        LoadPath::Chunks => "a chunk of each line",
        LoadPath::Elements => "an element of each lane",
    }
}

/// The lanes of a word in a few characters.
fn label(lanes: &[u32]) -> String {
    match lanes {
        [one] => one.to_string(),
        [first, ..] => format!("{first}+{}", lanes.len() - 1),
        [] => String::new(),
    }
}

/// The cells in which these lanes read, with the lanes of each.
fn cells(lanes: impl Iterator<Item = (u32, u32)>, grid: &Grid<'_>) -> Vec<([u32; 2], Vec<u32>)> {
    let places = grid.places();
    let mut cells: Vec<([u32; 2], Vec<u32>)> = Vec::new();
    for (lane, address) in lanes {
        let Some(place) = places.get(&(address / grid.bytes * grid.bytes)) else { continue };
        match cells.iter_mut().find(|(of, _)| of == place) {
            Some((_, lanes)) => lanes.push(lane),
            None => cells.push((*place, vec![lane])),
        }
    }
    cells
}

/// What the banks deliver to these lanes: each aligned word, or vector of words, once.
fn words(lanes: &[(u32, u32)], bytes: u32) -> Vec<(u32, u32, Vec<u32>)> {
    let is_aligned = lanes.iter().all(|(_, address)| address % bytes.max(1) == 0);
    let unit = if bytes > BANK_BYTES && is_aligned { bytes } else { BANK_BYTES };
    let mut words: Vec<(u32, u32, Vec<u32>)> = Vec::new();
    for (lane, address) in lanes {
        for word in address / unit..=(address + bytes - 1) / unit {
            match words.iter_mut().find(|(at, ..)| *at == word * unit) {
                Some((.., lanes)) => lanes.push(*lane),
                None => words.push((word * unit, unit, vec![*lane])),
            }
        }
    }
    words
}
