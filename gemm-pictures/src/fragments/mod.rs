//! Lane and registers of each element of the matrices of an MMA atom.

mod held;
mod wgmma;
mod wrong;

use std::collections::HashMap;

use gemm_codegen::level::mma::Unit;
use gemm_codegen::{AtomMatrix, Fragment, Plan};

use crate::canvas::{
    CELL, Canvas, LINE, MARGIN, TOP, WIDTH, group, list, ranges, rectangle, text, text_width, used,
};
use crate::palette::fill;
use crate::picture::Picture;
use held::{Held, held};

pub use wrong::true_and_wrong;

/// Most fills whose registers are named.
const MOST_NAMED: usize = 16;

/// Between two matrices.
const GAP: f64 = 44.0;

/// Draws A to the left of C, and B above it, as they are multiplied; of `wgmma` the sums of a warpgroup.
///
/// A group has `data-matrix`. Within it each `use` has `data-registers`, `data-row` and `data-column` and
/// refers to a group of cells. Those have `data-lanes`, and `data-row` and `data-column` relative to that; the
/// group has `data-rows` and `data-columns`, the elements of each. A lane holds them row by row, from the low
/// bits of the first register on.
pub fn picture(plan: &Plan) -> Picture {
    if let Unit::Warpgroup(unit) = plan.mma().unit {
        return wgmma::picture(plan, unit);
    }
    let maps = AtomMatrix::ALL.map(|matrix| plan.mma().fragment(matrix));
    let [m, n, k] = plan.mma().shape();
    let title = format!("Fragments of {} of one warp: m {m}, n {n}, k {k}", plan.mma().name());
    let mut canvas = Canvas::new("fragments", title);
    let cell = cell_of(k + n);
    let [left, top] = [MARGIN + GAP, TOP + LINE + 10.0];
    let right = left + f64::from(k) * cell[0] + GAP;
    let below = top + f64::from(k) * cell[1] + GAP;
    let mut drawing = Drawing { canvas: &mut canvas, cell, defined: HashMap::new() };
    let [a, b, c] = &maps;
    drawing.matrix(a, [left, below], "m × k");
    drawing.matrix(b, [right, top], "k × n");
    drawing.matrix(c, [right, below], "m × n");
    legend(&mut canvas, &maps, ([MARGIN, top], right - left));
    canvas.finish(caption(plan, &maps))
}

/// A cell so small that this number of columns fit side by side.
fn cell_of(columns: u32) -> [f64; 2] {
    let room = WIDTH - 2.0 * (MARGIN + GAP);
    let width = (room / f64::from(columns)).floor().clamp(1.0, CELL[0]);
    [width, width / CELL[0] * CELL[1]]
}

/// The matrices on a canvas.
struct Drawing<'a> {
    canvas: &'a mut Canvas,
    cell: [f64; 2],
    /// The ids of groups of cells, by what they look like.
    defined: HashMap<Vec<Cell>, String>,
}

/// Lanes and where they hold something, relative to the first element.
type Cell = (Vec<u32>, [u32; 2], [u32; 2]);

impl Drawing<'_> {
    fn matrix(&mut self, map: &Fragment, [x, y]: [f64; 2], extents: &str) {
        let (rows, columns) = (map.rows(), map.columns());
        let letter = map.matrix().letter();
        let head = format!("{letter} {rows} × {columns}, {extents}");
        let room = f64::from(columns) * self.cell[0] + GAP - 8.0;
        let head = if text_width(&head, 12.0) < room { &*head } else { letter };
        self.canvas.add(text(x, y - 16.0, head).set("class", "q"));
        self.edges([rows, columns], [x, y]);
        let mut matrix = group().set("data-matrix", letter);
        for (number, held) in (0..).zip(by_number(map)) {
            let first = [0, 1].map(|axis| held.iter().map(|one| one.at[axis]).min().unwrap_or(0));
            let id = self.define(&held, first);
            let [column, row] = [f64::from(first[1]), f64::from(first[0])];
            let shape = used(&id, x + column * self.cell[0], y + row * self.cell[1])
                .set("class", fill(number))
                .set("data-registers", list(&held[0].registers))
                .set("data-row", first[0])
                .set("data-column", first[1]);
            matrix = matrix.add(shape);
        }
        self.canvas.add(matrix);
        self.canvas.reach(y + f64::from(rows) * self.cell[1]);
    }

    /// The numbers of every second row and column, every eighth where cells are small.
    fn edges(&mut self, [rows, columns]: [u32; 2], [x, y]: [f64; 2]) {
        let step = if self.cell == CELL { 2 } else { 8 };
        for column in (0..columns).step_by(step) {
            let at = x + (f64::from(column) + 0.5) * self.cell[0];
            self.canvas.add(text(at, y - 4.0, column.to_string()).set("class", "s m q"));
        }
        for row in (0..rows).step_by(step) {
            let at = y + (f64::from(row) + 0.5) * self.cell[1] + 3.0;
            self.canvas.add(text(x - 6.0, at, row.to_string()).set("class", "s e q"));
        }
    }

    /// The id of the group of these cells, which is defined if none looks like it.
    fn define(&mut self, held: &[Held], first: [u32; 2]) -> String {
        let cells: Vec<Cell> = held
            .iter()
            .map(|one| {
                let at = [one.at[0] - first[0], one.at[1] - first[1]];
                (one.lanes.clone(), at, one.extents)
            })
            .collect();
        let next = self.canvas.id(&self.defined.len().to_string());
        if let Some(id) = self.defined.get(&cells) {
            return id.clone();
        }
        let [rows, columns] = cells[0].2;
        let all = group().set("id", &*next).set("data-rows", rows).set("data-columns", columns);
        let shapes = cells.iter().fold(all, |all, cell| {
            self.cell(cell).into_iter().fold(all, svg::node::element::Group::add)
        });
        self.canvas.define(shapes);
        self.defined.insert(cells, next.clone());
        next
    }

    /// A cell, with its first lane where that fits.
    fn cell(&self, (lanes, at, extents): &Cell) -> Vec<Box<dyn svg::Node>> {
        let [width, height] =
            [f64::from(extents[1]) * self.cell[0], f64::from(extents[0]) * self.cell[1]];
        let [x, y] = [f64::from(at[1]) * self.cell[0], f64::from(at[0]) * self.cell[1]];
        let gap = if self.cell == CELL { 1.0 } else { 0.5 };
        let shape = rectangle(x, y, width - gap, height - gap)
            .set("data-lanes", list(lanes))
            .set("data-row", at[0])
            .set("data-column", at[1]);
        let number = lanes.first().map(u32::to_string).unwrap_or_default();
        if text_width(&number, 9.0) + 1.0 > width || height < 8.0 {
            return vec![shape.into()];
        }
        let number = text(x + (width - gap) / 2.0, y + height / 2.0 + 3.0, number);
        vec![shape.into(), number.set("class", "gemm-u").into()]
    }
}

/// What all lanes hold, those things together that are of the same registers.
fn by_number(map: &Fragment) -> Vec<Vec<Held>> {
    let mut groups: Vec<Vec<Held>> = Vec::new();
    for one in held(map) {
        match groups.iter_mut().find(|group| group[0].is_like(&one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.sort_by_key(|group| group[0].registers.clone());
    groups
}

/// The registers of each fill, in the place that the matrices leave.
fn legend(canvas: &mut Canvas, maps: &[Fragment; 3], ([x, y], room): ([f64; 2], f64)) {
    let groups = maps.each_ref().map(by_number);
    let count = groups.iter().map(Vec::len).max().unwrap_or(0);
    let entries = (0..count.min(MOST_NAMED)).map(|number| {
        let of = maps.iter().zip(&groups).filter_map(|(map, groups)| {
            let registers = &groups.get(number)?.first()?.registers;
            Some(format!("{} {}", map.matrix().letter(), ranges(registers)))
        });
        (number as u32, of.collect::<Vec<_>>().join(" · "))
    });
    let entries: Vec<(u32, String)> = entries.collect();
    let widest = entries.iter().map(|(_, label)| text_width(label, 12.0)).fold(0.0, f64::max);
    if widest + 30.0 > room {
        canvas.legend(&entries);
        return;
    }
    canvas.add(text(x, y, "registers").set("class", "q"));
    for (line, (number, label)) in (1..).zip(&entries) {
        let y = y + f64::from(line) * LINE;
        canvas.add(rectangle(x, y - 10.5, 12.0, 12.0).set("class", fill(*number)));
        canvas.add(text(x + 18.0, y, label).set("class", "q"));
    }
}

fn caption(plan: &Plan, maps: &[Fragment; 3]) -> String {
    let [a, b, c] = maps.each_ref().map(Fragment::registers);
    let shared = match plan.mma().unit {
        Unit::Fma(_) => ", the first of those that hold it,",
        Unit::TensorCore(_) | Unit::Warpgroup(_) => "",
    };
    let turns = [0, 1].into_iter().any(|side| {
        let loads = plan.feed(gemm_codegen::Side::BOTH[side]).loads();
        loads.is_some_and(|loads| loads.path.interleaved() > 1)
    });
    let turns = match turns {
        true => " Lines of two bands alternate in shared memory.",
        false => "",
    };
    format!(
        "Each cell has the lane{shared} of its elements; its colour stands for the registers. A lane holds \
         {a} registers of A, {b} of B and {c} of C for one atom.{turns}"
    )
}
