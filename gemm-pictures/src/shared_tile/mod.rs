//! A tile of a stage in shared memory: its units of 16 bytes, coloured by bank, and one load of it.

mod request;

use gemm_codegen::hardware::{BANK_BYTES, BANKS};
use gemm_codegen::level::shared_tile::{CHUNK_BYTES, SharedTile};
use gemm_codegen::{Axis, Feed, Plan, Side, Swizzle, TileOrder};

use crate::canvas::{CELL, Canvas, LINE, MARGIN, TOP, WIDTH, rectangle, text, text_width};
use crate::grid::Grid;
use crate::palette::fill;
use crate::picture::Picture;
use request::Load;

/// Width of the numbers of the rows.
const NUMBERS: f64 = 44.0;

/// Left of the banks of a load, at the least.
const STACK_LEFT: f64 = 300.0;

/// Most cells that are drawn, unless the load needs more.
const MOST_CELLS: u32 = 256;

/// Between two panels.
const GAP: f64 = 8.0;

/// Banks that a unit of 16 bytes takes.
const GROUP: u32 = CHUNK_BYTES / BANK_BYTES;

/// Draws the tile of a side. Where its banks repeat, one period is drawn.
///
/// A cell has `data-row` and `data-column`, its first element, `data-bank`, the first bank of its bytes, and
/// `data-address`. The picture has a group with `data-lines` and `data-units`, the extents of the tile and, as
/// `data-period`, what is drawn of it. A ring around a cell has `data-lanes`, those of the load that read it.
pub fn picture(plan: &Plan, side: Side) -> Picture {
    let letter = side.letter().to_uppercase();
    let title = format!("{letter} in shared memory: {}", order(plan, plan.shared_tile(side)));
    let mut canvas = Canvas::new(format!("shared_tile_{}", side.letter()), title);
    let caption = draw(&mut canvas, plan, side, false);
    let banks = (0..BANKS / GROUP).map(|group| {
        let first = group * GROUP;
        (group, format!("{first}–{}", first + GROUP - 1))
    });
    canvas.legend(&banks.collect::<Vec<_>>());
    canvas.finish(caption)
}

/// Draws the cells and the load, to their right or, where there is little room, below. Returns the caption.
pub(crate) fn draw(canvas: &mut Canvas, plan: &Plan, side: Side, is_narrow: bool) -> String {
    let grid = Grid::new(plan.shared_tile(side));
    let load = Load::of(plan, side, &grid);
    let cells = Cells { grid: &grid, drawn: drawn(&grid, &load), top: TOP + 2.0 * LINE };
    cells.draw(canvas, side);
    load.rings(canvas, &cells);
    let right = (cells.right() + 2.0 * MARGIN).max(STACK_LEFT);
    load.stack(canvas, if is_narrow { WIDTH } else { right });
    caption(plan, side, &cells, &load)
}

/// Width of the cells of a tile, with the numbers of its rows and what is said below.
pub(crate) fn width(plan: &Plan, side: Side) -> f64 {
    let grid = Grid::new(plan.shared_tile(side));
    let load = Load::of(plan, side, &grid);
    let cells = Cells { grid: &grid, drawn: drawn(&grid, &load), top: TOP };
    let note = cells.note().map_or(0.0, |note| NUMBERS + text_width(&note, 12.0));
    note.max(cells.right() - MARGIN)
}

/// Lines and units of a side's tile that are drawn.
pub(crate) fn drawn_of(plan: &Plan, side: Side) -> [u32; 2] {
    let grid = Grid::new(plan.shared_tile(side));
    drawn(&grid, &Load::of(plan, side, &grid))
}

/// Lines and units to draw: whole periods that contain all of the load, where these are not too many.
fn drawn(grid: &Grid<'_>, load: &Load) -> [u32; 2] {
    let period = grid.period();
    let places = load.places();
    let reach = |axis: usize| places.iter().map(|place| place[axis] + 1).max().unwrap_or(1);
    let whole = |axis: usize, most: u32| {
        let least = reach(axis).next_multiple_of(period[axis]);
        least.min(most)
    };
    let [lines, units] = [whole(0, grid.lines), whole(1, grid.units)];
    let units = units.min(MOST_CELLS / 8).max(reach(1));
    [lines.min(MOST_CELLS / units).max(reach(0)), units]
}

/// `128 × 64 f16, Swizzle<3, 3, 3>`
pub(crate) fn order(plan: &Plan, tile: &SharedTile) -> String {
    let (rows, cols) = (tile.layout.rows, tile.layout.cols);
    let element = *plan.mma().elements.get(tile.side);
    let Swizzle { b, m, s } = tile.layout.swizzle();
    let swizzle = match b {
        0 => "not swizzled".to_owned(),
        _ => format!("Swizzle<{b}, {m}, {s}>"),
    };
    let extents = format!("{rows} × {cols} {element}");
    match tile.layout.order {
        TileOrder::Rows(_) => format!("{extents}, {swizzle}"),
        TileOrder::Panels { cols, .. } => format!("{extents}, panels of {cols} columns, {swizzle}"),
        TileOrder::Columns { padding } => {
            format!("{extents}, transposed, columns padded by {padding}")
        }
    }
}

/// The axes along which a line and the lines run.
pub(crate) fn axes(tile: &SharedTile) -> [Axis; 2] {
    let mn = match tile.side {
        Side::A => Axis::M,
        Side::B => Axis::N,
    };
    match tile.k_contiguous != tile.is_transposed() {
        true => [Axis::K, mn],
        false => [mn, Axis::K],
    }
}

/// The part of a tile that is drawn.
struct Cells<'a> {
    grid: &'a Grid<'a>,
    drawn: [u32; 2],
    top: f64,
}

impl Cells<'_> {
    /// Where a cell is drawn.
    fn at(&self, [line, unit]: [u32; 2]) -> [f64; 2] {
        let gaps = self.grid.panel_units().map_or(0, |units| unit / units);
        let x = MARGIN + NUMBERS + f64::from(unit) * CELL[0] + f64::from(gaps) * GAP;
        [x, self.top + f64::from(line) * CELL[1]]
    }

    /// Where the last column of cells ends.
    fn right(&self) -> f64 {
        self.at([0, self.drawn[1] - 1])[0] + CELL[0]
    }

    fn draw(&self, canvas: &mut Canvas, side: Side) {
        let (grid, [lines, units]) = (self.grid, self.drawn);
        let [along, across] = axes(grid.tile).map(Axis::letter);
        let head = format!("{} of {} B along {along}", self.noun(units), grid.bytes);
        canvas.add(text(MARGIN + NUMBERS, TOP + 6.0, head).set("class", "q"));
        canvas.add(text(MARGIN, TOP + 6.0 + LINE, across).set("class", "q"));
        for unit in 0..units {
            let [x, y] = self.at([0, unit]);
            let number = text(x + CELL[0] / 2.0, y - 6.0, unit.to_string());
            canvas.add(number.set("class", "s m q"));
        }
        let mut group = crate::canvas::group()
            .set("data-side", side.letter())
            .set("data-lines", grid.lines)
            .set("data-units", grid.units)
            .set("data-period", format!("{lines} {units}"));
        for line in 0..lines {
            let y = self.at([line, 0])[1];
            let number = text(MARGIN + NUMBERS - 8.0, y + 12.0, line.to_string());
            group = group.add(number.set("class", "s e q"));
            for unit in 0..units {
                let [shape, bank] = self.cell([line, unit]);
                group = group.add(shape).add(bank);
            }
        }
        canvas.add(group);
        canvas.reach(self.at([lines, 0])[1]);
        if let Some(note) = self.note() {
            let y = canvas.bottom() + LINE;
            canvas.add(text(MARGIN + NUMBERS, y, note).set("class", "q"));
            canvas.reach(y);
        }
    }

    /// A cell and the number of its bank.
    fn cell(&self, [line, unit]: [u32; 2]) -> [Box<dyn svg::Node>; 2] {
        let ([x, y], grid) = (self.at([line, unit]), self.grid);
        let [row, column] = grid.position(line, unit);
        let (bank, address) = (grid.bank(line, unit), grid.address(line, unit));
        let shape = rectangle(x, y, CELL[0] - 1.0, CELL[1] - 1.0)
            .set("class", fill(bank / GROUP))
            .set("data-row", row)
            .set("data-column", column)
            .set("data-bank", bank)
            .set("data-address", address);
        let number = text(x + CELL[0] / 2.0 - 0.5, y + 11.0, bank.to_string());
        [shape.into(), number.set("class", "s m").into()]
    }

    fn noun(&self, count: u32) -> &'static str {
        match (self.grid.bytes == CHUNK_BYTES, count) {
            (true, 1) => "chunk",
            (true, _) => "chunks",
            (false, 1) => "unit",
            (false, _) => "units",
        }
    }

    /// What of the tile is drawn, if that is not all.
    fn note(&self) -> Option<String> {
        let ([lines, units], grid) = (self.drawn, self.grid);
        let mut said = Vec::new();
        if lines < grid.lines {
            said.push(format!("{lines} of {} rows", grid.lines));
        }
        if units < grid.units {
            said.push(format!("{units} of {} {}", grid.units, self.noun(grid.units)));
        }
        let period = grid.period();
        let is_whole = lines.is_multiple_of(period[0]) && units.is_multiple_of(period[1]);
        let repeat = if is_whole { "; the banks repeat" } else { "" };
        (!said.is_empty()).then(|| format!("{}{repeat}", said.join(", ")))
    }
}

fn caption(plan: &Plan, side: Side, cells: &Cells<'_>, load: &Load) -> String {
    let (grid, letter) = (cells.grid, side.letter().to_uppercase());
    let stores = plan.global_to_shared(side).bank_passes;
    let loads = match plan.feed(side) {
        Feed::Registers(loads) => format!("A load takes {}", passes(loads.bank_passes)),
        Feed::Descriptor(_) => {
            format!("wgmma reads eight rows of a chunk in {}", passes(load.passes()))
        }
    };
    format!(
        "Each cell is {} bytes of a stage's tile of {letter}, with its first bank of {BANKS}. {loads}, a \
         store by the copies takes {}; 1 is conflict-free.",
        grid.bytes,
        passes(stores)
    )
}

/// `1 bank pass`
fn passes(count: u32) -> String {
    format!("{count} bank pass{}", if count == 1 { "" } else { "es" })
}

/// Whether what is drawn to the right of the cells fits there.
fn fits_right(x: f64, width: f64) -> bool {
    x + width <= WIDTH - MARGIN
}
