//! The owners of C beside a map of them that is often copied, and wrong.

use gemm_codegen::{AtomMatrix, Plan};

use crate::canvas::{CELL, Canvas, LINE, MARGIN, TOP, group, rectangle, text, tooltip};
use crate::palette::fill;
use crate::picture::Picture;

/// Width of an element.
const WIDTH: f64 = 1.6 * CELL[0];

/// Left of the wrong map.
const RIGHT: f64 = 400.0;

/// The lane of an element of an 8-column C by the wrong map: it begins with T00 T00 T04 T04, lanes counted down
/// four rows first, where the PTX ISA counts along a row.
fn wrong(row: u32, column: u32) -> u32 {
    row % 4 + 4 * (column / 2) + 16 * (row % 8 / 4)
}

/// Draws the owners of the C of an atom with 8 columns, and next to them those of a wrong map. `None` for other
/// atoms.
///
/// A group has `data-map`, `true` or `wrong`; its elements have `data-lane`, `data-row` and `data-column`, and those
/// of the wrong map whose owner is another one `data-differs`.
pub fn true_and_wrong(plan: &Plan) -> Option<Picture> {
    let map = plan.mma().fragment(AtomMatrix::C);
    let owner = |row, column| map.owner(row, column).map(|owner| owner.lane);
    if map.columns() != 8 {
        return None;
    }
    let title = format!("The lanes of C of {}, and a wrong map of them", plan.mma().name());
    let mut canvas = Canvas::new("fragments_wrong", title);
    let mut differ = 0;
    for (name, x) in [("true", MARGIN + 20.0), ("wrong", RIGHT)] {
        let is_true = name == "true";
        let head = if is_true { "as the PTX ISA says" } else { "WRONG: an often copied map" };
        canvas.add(text(x, TOP + 6.0, head).set("class", if is_true { "q" } else { "" }));
        let mut all = group().set("data-map", name);
        for (row, column) in (0..map.rows()).flat_map(|row| (0..8).map(move |at| (row, at))) {
            let right = owner(row, column)?;
            let lane = if is_true { right } else { wrong(row, column) };
            let y = TOP + LINE + f64::from(row) * CELL[1];
            let at = x + f64::from(column) * WIDTH;
            let shape = rectangle(at, y, WIDTH - 1.0, CELL[1] - 1.0)
                .set("data-lane", lane)
                .set("data-row", row)
                .set("data-column", column);
            let differs = lane != right;
            differ += u32::from(differs);
            let shape = match differs {
                true => shape.set("data-differs", right).set("class", fill(5)),
                false => shape.set("class", fill(0)),
            };
            let said = format!("row {row}, column {column}: held by lane {right}");
            all = all.add(shape.add(tooltip(said)));
            let label = text(at + WIDTH / 2.0 - 0.5, y + 11.0, format!("T{lane:02}"));
            all = all.add(label.set("class", "s m"));
        }
        canvas.add(all);
    }
    canvas.reach(TOP + LINE + f64::from(map.rows()) * CELL[1]);
    canvas.legend(&[(0, "the true owner".to_owned()), (5, "another one".to_owned())]);
    let elements = map.rows() * map.columns();
    Some(canvas.finish(format!(
        "Left, who holds each element of C: lane 4 · (row mod 8) + column / 2. Right, a map that is often copied, \
         and wrong: its first row reads T00 T00 T04 T04, as if lanes were counted down four rows first; it is \
         continued so here. {differ} of {elements} elements have another owner."
    )))
}
