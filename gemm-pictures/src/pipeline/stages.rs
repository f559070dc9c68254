//! The rows of the stages: what each holds, and the completions of its empty barrier.

use gemm_codegen::Plan;
use svg::node::element::Group;

use super::axis::{Axis, LEFT};
use super::timeline::{Completed, Fill, Span, Timeline};
use super::{FILLING, FULL, PITCH, READ, ROW, STAGED};
use crate::canvas::{Canvas, MARGIN, WIDTH, group, line, rectangle, text, text_width, tooltip};
use crate::palette::fill;

/// A row for each stage of the rings.
pub(super) fn draw(canvas: &mut Canvas, plan: &Plan, timeline: &Timeline, axis: Axis) {
    let of_ring = plan.ring().stages as usize;
    for (number, fills) in timeline.stages.iter().enumerate() {
        let y = canvas.bottom();
        let name = match plan.ring().rings {
            1 => format!("stage {number}"),
            _ => format!("stage {}.{}", number / of_ring, number % of_ring),
        };
        canvas.add(text(MARGIN, y + 13.0, name).set("class", "q"));
        let row = group().set("data-stage", number);
        let row = row.add(rectangle(LEFT, y, WIDTH - MARGIN - LEFT, ROW).set("class", "f"));
        let row = fills.iter().fold(row, |row, fill| tile(row, fill, y, axis));
        let row = staged(row, timeline.staged[number], y, axis);
        let of = |phase: &&Completed| phase.stage == number && !phase.is_full;
        let empty = timeline.phases.iter().filter(of).filter(|phase| phase.step < axis.end);
        canvas.add(empty.fold(row, |row, phase| row.add(mark(phase, y, axis))));
        canvas.reach(y + PITCH);
    }
}

/// The states of a k-tile, with its number where there is room.
fn tile(row: Group, fill: &Fill, y: f64, axis: Axis) -> Group {
    let row = states(fill).fold(row, |row, (state, colour, span)| match axis.place(span) {
        None => row,
        Some([x, width]) => row.add(
            rectangle(x, y, width, ROW)
                .set("class", self::fill(colour))
                .set("data-tile", fill.tile)
                .set("data-state", state)
                .set("data-from", span[0])
                .set("data-to", span[1])
                .add(tooltip(said(fill, state, span))),
        ),
    });
    let widest = states(fill).filter_map(|(_, _, span)| axis.place(span));
    let widest = widest.max_by(|one, other| one[1].total_cmp(&other[1]));
    let number = fill.tile.to_string();
    match widest {
        Some([x, width]) if text_width(&number, 9.0) + 2.0 < width => {
            row.add(text(x + width / 2.0, y + 12.5, number).set("class", "s m"))
        }
        _ => row,
    }
}

/// When results are staged there.
fn staged(row: Group, span: Option<Span>, y: f64, axis: Axis) -> Group {
    match span.and_then(|span| Some((span, axis.place(span)?))) {
        None => row,
        Some(([from, to], [x, width])) => {
            let shape = rectangle(x, y, width, ROW).set("class", fill(STAGED));
            let shape = shape.set("data-state", "staged").set("data-from", from);
            row.add(shape.set("data-to", to).add(tooltip("results are staged here")))
        }
    }
}

/// The completion of a phase of its empty barrier.
fn mark(phase: &Completed, y: f64, axis: Axis) -> svg::node::element::Line {
    let Completed { phase, step, .. } = *phase;
    let x = axis.x(step);
    let mark = line([x, y - 2.0], [x, y + ROW + 2.0]).set("class", "i");
    let mark = mark.set("data-phase", phase).set("data-step", step);
    mark.add(tooltip(format!("phase {phase} of empty completes at step {step}")))
}

/// The states of a k-tile.
fn states(fill: &Fill) -> impl Iterator<Item = (&'static str, u32, Span)> {
    let [from, landed] = fill.filling;
    let filling = ("filling", FILLING, [from, landed]);
    let full = fill.read.map(|[read, _]| ("full", FULL, [landed, read]));
    let read = fill.read.map(|read| ("read", READ, read));
    [filling].into_iter().chain(full).chain(read).filter(|(.., [from, to])| from < to)
}

fn said(fill: &Fill, state: &str, [from, to]: Span) -> String {
    let bytes = if state == "filling" { format!(", {} B", fill.bytes) } else { String::new() };
    format!("k-tile {}: {state}, steps {from}–{to}{bytes}", fill.tile)
}
