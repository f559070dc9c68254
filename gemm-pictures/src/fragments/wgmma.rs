//! The sums of a warpgroup.

use gemm_codegen::hardware::WARP;
use gemm_codegen::{AtomMatrix, Plan, Wgmma};

use super::Drawing;
use crate::canvas::{
    CELL, Canvas, LINE, MARGIN, TOP, WIDTH, group, list, rectangle, text, text_width, used,
};
use crate::palette::style_of as style;
use crate::picture::Picture;

/// Left of the sums of the warpgroup.
const LEFT: f64 = 300.0;

/// Draws the sums of one warp in 16 rows and 8 columns, and where those lie among the sums of the
/// warpgroup: a group with `data-rows` and `data-columns` has a rectangle for each warp, with `data-warp` and
/// `data-row`, and is used for each band, with `data-column` and `data-registers`.
pub(super) fn picture(plan: &Plan, unit: Wgmma) -> Picture {
    let [m, n, k] = unit.shape();
    let map = plan.mma().fragment(AtomMatrix::C);
    let title = format!("Sums of a warpgroup: wgmma m{m}n{n}k{k}");
    let mut canvas = Canvas::new("fragments", title);
    let top = TOP + LINE + 10.0;
    let mut drawing = Drawing { canvas: &mut canvas, cell: CELL, defined: Default::default() };
    drawing.matrix(&map, [MARGIN + 24.0, top], "of warp 0");
    bands(&mut canvas, unit, [LEFT, top], [map.rows(), map.columns()]);
    let warps = (0..4).map(|warp| (warp, format!("warp {warp}")));
    canvas.legend(&warps.collect::<Vec<_>>());
    let sums = unit.sums();
    canvas.finish(format!(
        "A thread has {sums} sums of m{m}n{n}: {} of each band of {} columns, as of an m16n8 atom. A cell of \
         C has its lane; registers d0 and d1 are in its upper half, d2 and d3 in its lower. A and B are read from \
         shared memory.",
        map.registers(),
        map.columns()
    ))
}

/// The parts of each warp in each band of columns.
fn bands(canvas: &mut Canvas, unit: Wgmma, [x, y]: [f64; 2], [rows, columns]: [u32; 2]) {
    let [m, n, _] = unit.shape();
    let count = n / columns;
    let per_band = unit.sums() / count;
    let width = (WIDTH - MARGIN - x) / f64::from(count);
    let height = 16.0 * CELL[1] / f64::from(m / rows);
    let head = format!("{m} × {n}: {count} bands of {columns} columns, 4 warps of {rows} rows");
    canvas.add(text(x, y - 16.0, head).set("class", "q"));
    // The first sum of each warp in a band; in the others they lie in as many columns further on.
    let id = canvas.id("band");
    let places = (0..m / rows).filter_map(|warp| Some((warp, unit.position(warp * WARP, 0)?)));
    let defined = group().set("id", &*id).set("data-rows", rows).set("data-columns", columns);
    canvas.define(places.fold(defined, |all, (warp, [row, _])| {
        let at = f64::from(row / rows) * height;
        let shape = rectangle(0.0, at, width - if width > 8.0 { 1.0 } else { 0.5 }, height - 1.0);
        let shape = shape.set("style", style(warp)).set("data-warp", warp).set("data-row", row);
        all.add(shape)
    }));
    let mut all = group().set("data-matrix", "D");
    for band in 0..count {
        let registers: Vec<u32> = (band * per_band..(band + 1) * per_band).collect();
        let Some([_, column]) = unit.position(0, registers[0]) else { continue };
        let shape = used(&id, x + f64::from(column / columns) * width, y);
        all = all.add(shape.set("data-column", column).set("data-registers", list(&registers)));
    }
    canvas.add(all);
    let bottom = y + 16.0 * CELL[1];
    let each = (text_width("d000 ", 9.0) / width).ceil().max(1.0) as u32;
    for band in (0..count).step_by(each as usize) {
        let label = format!("d{}", band * per_band);
        canvas.add(text(x + f64::from(band) * width, bottom + 11.0, label).set("class", "s q"));
    }
    canvas.reach(bottom + 14.0);
}
