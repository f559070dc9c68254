//! Who copies which part of a tile from global to shared memory, in which order.

use std::collections::BTreeMap;

use gemm_codegen::hardware::WARP;
use gemm_codegen::level::shared_tile::SharedTile;
use gemm_codegen::{Axis, Copier, Piece, Plan, Side};

use crate::canvas::{CELL, Canvas, LINE, MARGIN, TOP, WIDTH, group, rectangle, text, text_width};
use crate::palette::fill;
use crate::picture::Picture;

/// The whole tile is drawn this wide and high.
const TILE: [f64; 2] = [200.0, 160.0];

/// Most rows and columns of cells in detail.
const MOST: [u32; 2] = [8, 16];

/// Draws the copies of a side's tile: the tile as a whole by the order of the copies, and the first copy of
/// each thread by its number.
///
/// An area of the tile has `data-row`, `data-column`, `data-rows` and `data-columns` in elements,
/// `data-order`, how many copies each thread has started before, `data-part`, the part of the tile where
/// several factors share it, and `data-thread`, the first one; of boxes `data-block` and `data-order`, and
/// in the list of boxes `data-byte` and `data-bytes`, where they lie in the tile. A cell has `data-thread`,
/// `data-row` and `data-column`.
pub fn picture(plan: &Plan, side: Side) -> Picture {
    let (tile, pieces) = (plan.shared_tile(side), plan.pieces(side));
    let letter = side.letter().to_uppercase();
    let name = format!("copies_{}", side.letter());
    let is_boxes = pieces.iter().any(|piece| matches!(piece.by, Copier::Block(_)));
    let atom = plan.global_to_shared(side).atom;
    let title = match is_boxes {
        true => format!("Tensor copies of a stage of {letter}"),
        false => format!("Copies of a stage of {letter}: {} bytes each", atom.bytes()),
    };
    let mut canvas = Canvas::new(name, title);
    let areas = areas(tile, &pieces);
    overview(&mut canvas, tile, &areas);
    if is_boxes {
        boxes(&mut canvas, tile, &areas);
    } else {
        detail(&mut canvas, &pieces);
    }
    canvas.reach(TOP + LINE + TILE[1]);
    canvas.finish(caption(plan, side, &pieces, &areas))
}

/// What is copied by copies of the same order, of threads all together, of a block each; of several factors in
/// each part of the tile.
struct Area {
    by: Copier,
    order: u32,
    /// The part of a tile of several factors.
    part: Option<u32>,
    at: [u32; 2],
    extents: [u32; 2],
}

/// The areas in the order in which they are copied.
fn areas(tile: &SharedTile, pieces: &[Piece]) -> Vec<Area> {
    let mut areas: BTreeMap<(u32, u32, Option<u32>), Area> = BTreeMap::new();
    let line = usize::from(!tile.k_contiguous);
    let is_cut = tile.parts.count > 1;
    for piece in pieces {
        let block = match piece.by {
            Copier::Thread(_) => 0,
            Copier::Block(block) => block,
        };
        let part = is_cut.then(|| tile.parts.of_line(piece.at[line]));
        let Piece { by, order, at, extents } = *piece;
        let new = Area { by, order, part, at, extents };
        let area = areas.entry((block, order, part)).or_insert(new);
        for axis in [0, 1] {
            let end = area.at[axis] + area.extents[axis];
            area.at[axis] = area.at[axis].min(piece.at[axis]);
            area.extents[axis] = end.max(piece.at[axis] + piece.extents[axis]) - area.at[axis];
        }
    }
    areas.into_values().collect()
}

/// The names of the axes along which rows, and the elements of a row, follow each other.
fn axes(tile: &SharedTile) -> [&'static str; 2] {
    let mn = if tile.side == Side::A { Axis::M } else { Axis::N };
    let axes = if tile.k_contiguous { [mn, Axis::K] } else { [Axis::K, mn] };
    axes.map(Axis::letter)
}

/// `copy 0`, or `block 1, box 0`.
fn label(area: &Area, parts: bool) -> String {
    match area.by {
        Copier::Thread(_) => format!("copy {}", area.order),
        Copier::Block(block) if parts => format!("block {block}, box {}", area.order),
        Copier::Block(_) => format!("box {}", area.order),
    }
}

/// The whole tile, not to scale.
fn overview(canvas: &mut Canvas, tile: &SharedTile, areas: &[Area]) {
    let [rows, cols] = [tile.layout.rows, tile.layout.cols].map(f64::from);
    let [across, along] = axes(tile);
    let head = format!("{rows} along {across} × {cols} along {along}");
    canvas.add(text(MARGIN, TOP + 6.0, head).set("class", "q"));
    let parts = has_parts(areas);
    let mut all = group();
    for (number, area) in (0..).zip(areas) {
        let at = area.at.map(f64::from);
        let extents = area.extents.map(f64::from);
        let [x, y] = [MARGIN + at[1] / cols * TILE[0], TOP + LINE + at[0] / rows * TILE[1]];
        let [width, height] = [extents[1] / cols * TILE[0], extents[0] / rows * TILE[1]];
        let shape = rectangle(x, y, (width - 1.0).max(0.5), (height - 1.0).max(0.5))
            .set("class", fill(number))
            .set("data-order", area.order)
            .set("data-row", area.at[0])
            .set("data-column", area.at[1])
            .set("data-rows", area.extents[0])
            .set("data-columns", area.extents[1]);
        let shape = match area.by {
            Copier::Thread(first) => shape.set("data-thread", first),
            Copier::Block(block) => shape.set("data-block", block),
        };
        let shape = match area.part {
            Some(part) => shape.set("data-part", part),
            None => shape,
        };
        let label = label(area, parts);
        all = all.add(shape);
        if height >= 12.0 && text_width(&label, 9.0) < width {
            let at = [x + width / 2.0, y + height / 2.0 + 3.0];
            all = all.add(text(at[0], at[1], label).set("class", "s m"));
        }
    }
    canvas.add(all);
}

/// Whether several blocks copy parts.
fn has_parts(areas: &[Area]) -> bool {
    areas.iter().any(|area| matches!(area.by, Copier::Block(block) if block > 0))
}

/// The boxes as lines of text.
fn boxes(canvas: &mut Canvas, tile: &SharedTile, areas: &[Area]) {
    let x = MARGIN + TILE[0] + 2.0 * MARGIN;
    let [across, along] = axes(tile);
    let parts = has_parts(areas);
    for (number, area) in (0..).zip(areas) {
        let y = TOP + LINE + f64::from(number) * LINE;
        let [row, column] = area.at;
        let [rows, columns] = area.extents;
        let bytes = rows * columns * tile.element_bytes;
        // A swizzle may move the first element, but not out of its row.
        let offsets = (column..column + columns).map(|column| tile.layout.offset(row, column));
        let to = offsets.min().unwrap_or(0) * tile.element_bytes;
        let swatch = rectangle(x, y, 12.0, 12.0).set("class", fill(number));
        canvas.add(swatch.set("data-byte", to).set("data-bytes", bytes));
        let said = format!(
            "{}: {across} {row}–{}, {along} {column}–{}: {bytes} B from byte {to} on",
            label(area, parts),
            row + rows - 1,
            column + columns - 1
        );
        canvas.add(text(x + 20.0, y + 10.5, said));
        canvas.reach(y + LINE);
    }
}

/// The cells of each thread's first copy, by warps.
fn detail(canvas: &mut Canvas, pieces: &[Piece]) {
    let x0 = MARGIN + TILE[0] + 4.0 * MARGIN;
    let mut all = group().set("data-order", 0);
    let mut warps = Vec::new();
    let mut is_cut = false;
    for piece in pieces.iter().filter(|piece| piece.order == 0) {
        let Copier::Thread(thread) = piece.by else { continue };
        let [row, column] = [piece.at[0], piece.at[1] / piece.extents[1]];
        if row >= MOST[0] || column >= MOST[1] {
            is_cut = true;
            continue;
        }
        let warp = thread / WARP;
        if !warps.contains(&warp) {
            warps.push(warp);
        }
        let [x, y] =
            [x0 + f64::from(column) * 1.2 * CELL[0], TOP + LINE + f64::from(row) * CELL[1]];
        let cell = rectangle(x, y, 1.2 * CELL[0] - 1.0, CELL[1] - 1.0)
            .set("class", fill(warp))
            .set("data-thread", thread)
            .set("data-row", piece.at[0])
            .set("data-column", piece.at[1]);
        all = all.add(cell);
        let number = text(x + 0.6 * CELL[0] - 0.5, y + 11.0, thread.to_string());
        all = all.add(number.set("class", "s m"));
        if column == 0 {
            all = all.add(text(x0 - 8.0, y + 12.0, row.to_string()).set("class", "s e q"));
        }
        canvas.reach(y + CELL[1]);
    }
    let cut = if is_cut { ": its first rows and copies of a row" } else { "" };
    let head = format!("threads of copy 0{cut}");
    canvas.add(text(x0 - 20.0, TOP + 6.0, head).set("class", "q"));
    canvas.add(all);
    canvas.reach(TOP + LINE + TILE[1]);
    let named: Vec<(u32, String)> =
        warps.into_iter().map(|warp| (warp, format!("warp {warp}"))).collect();
    canvas.legend(&named);
    debug_assert!(x0 + f64::from(MOST[1]) * 1.2 * CELL[0] <= WIDTH - MARGIN);
}

fn caption(plan: &Plan, side: Side, pieces: &[Piece], areas: &[Area]) -> String {
    let tile = plan.shared_tile(side);
    let bytes = tile.layout.size() * tile.element_bytes;
    let letter = side.letter().to_uppercase();
    let count = pieces.len();
    let copies = if count == 1 { "tensor copy" } else { "tensor copies" };
    match pieces.first().map(|piece| piece.by) {
        Some(Copier::Block(_)) if has_parts(areas) => format!(
            "{count} {copies} bring the {bytes} bytes of a tile of {letter}: each block of the cluster \
             copies its boxes to all blocks that multiply the tile."
        ),
        Some(Copier::Block(_)) => {
            format!(
                "One thread starts {count} {copies} of the {bytes} bytes of a tile of {letter}."
            )
        }
        _ => format!(
            "{count} copies of {} bytes bring the {bytes} bytes of a tile of {letter}; {} threads start \
             {} each, or fewer.",
            plan.global_to_shared(side).atom.bytes(),
            plan.threads(),
            areas.len()
        ),
    }
}
