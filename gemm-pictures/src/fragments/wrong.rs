//! The owners of C beside a map of them that is often copied, and wrong.

use gemm_codegen::{AtomMatrix, Plan};
use svg::node::element::Group;

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
    let all = (0..map.rows()).flat_map(|row| (0..8).map(move |column| [row, column]));
    let elements: Option<Vec<Element>> =
        all.map(|at| Some(Element { at, owner: owner(at[0], at[1])? })).collect();
    let elements = elements?;
    for (name, x) in [("true", MARGIN + 20.0), ("wrong", RIGHT)] {
        let is_true = name == "true";
        let head = if is_true { "as the PTX ISA says" } else { "WRONG: an often copied map" };
        canvas.add(text(x, TOP + 6.0, head).set("class", if is_true { "q" } else { "" }));
        let group = group().set("data-map", name);
        canvas.add(elements.iter().fold(group, |group, one| one.draw(group, x, is_true)));
    }
    canvas.reach(TOP + LINE + f64::from(map.rows()) * CELL[1]);
    canvas.legend(&[(0, "the true owner".to_owned()), (5, "another one".to_owned())]);
    let differ = elements.iter().filter(|one| one.is_wrong()).count();
    Some(canvas.finish(format!(
        "Left, who holds each element of C: lane 4 · (row mod 8) + column / 2. Right, a map that is often copied, \
         and wrong: its first row reads T00 T00 T04 T04, as if lanes were counted down four rows first; it is \
         continued so here. {differ} of {} elements have another owner.",
        elements.len()
    )))
}

/// An element of C.
struct Element {
    /// Row and column.
    at: [u32; 2],
    /// The lane that holds it.
    owner: u32,
}

impl Element {
    /// Whether the wrong map gives it to another lane.
    fn is_wrong(&self) -> bool {
        wrong(self.at[0], self.at[1]) != self.owner
    }

    /// Draws it in one of the maps.
    fn draw(&self, map: Group, left: f64, is_true: bool) -> Group {
        let ([row, column], owner) = (self.at, self.owner);
        let [x, y] = [left + f64::from(column) * WIDTH, TOP + LINE + f64::from(row) * CELL[1]];
        let lane = if is_true { owner } else { wrong(row, column) };
        let shape = rectangle(x, y, WIDTH - 1.0, CELL[1] - 1.0)
            .set("data-lane", lane)
            .set("data-row", row)
            .set("data-column", column);
        let shape = match is_true || !self.is_wrong() {
            true => shape.set("class", fill(0)),
            false => shape.set("data-differs", owner).set("class", fill(5)),
        };
        let said = format!("row {row}, column {column}: held by lane {owner}");
        let label = text(x + WIDTH / 2.0 - 0.5, y + 11.0, format!("T{lane:02}"));
        map.add(shape.add(tooltip(said))).add(label.set("class", "s m"))
    }
}
