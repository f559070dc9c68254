//! The pipeline of a block along the steps of a trace.

mod axis;
mod stages;
mod timeline;

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use svg::node::element::Path;

use crate::canvas::{Canvas, MARGIN, TOP, WIDTH, group, rectangle, round, text, tooltip};
use crate::palette::fill;
use crate::picture::Picture;
use axis::{Axis, LEFT};
use timeline::{Act, Role, Timeline};

/// Most k-tiles that are drawn.
const MOST_TILES: usize = 16;

/// Most warps that are drawn of a kernel whose warps all do the same.
const MOST_WARPS: u32 = 4;

/// Height of a row, and from one to the next.
const ROW: f64 = 18.0;
const PITCH: f64 = 22.0;

/// Height of the part of a warp's row that shows what it does.
const WORK: f64 = 11.0;

/// Height of the curve of bytes in flight.
const CURVE: f64 = 48.0;

const FILLING: u32 = 3;
const FULL: u32 = 2;
const READ: u32 = 4;
const STAGED: u32 = 6;

impl Act {
    /// Its fill and its name; waits are drawn below what is done.
    fn style(self) -> (u32, &'static str, bool) {
        match self {
            Act::Request => (FILLING, "request", false),
            Act::Multiply => (READ, "multiply", false),
            Act::Load => (0, "load", false),
            Act::Stage => (STAGED, "stage", false),
            Act::WaitFilled => (5, "wait-filled", true),
            Act::WaitFree => (1, "wait-free", true),
            Act::WaitOther => (7, "wait", true),
        }
    }
}

/// Draws the stages of the ring, the warps of each role and the bytes in flight along the steps of a trace of
/// the plan's kernel. `None` for a double buffer, whose stages are filled by stores, and for a block that
/// copies nothing.
///
/// A state of a stage has `data-stage`, `data-tile`, the number of its k-tile, `data-state`: `filling`, `full`,
/// `read` or `staged`, and `data-from` and `data-to`, its first step and the step after its last. A stage is
/// free where it has no state. The completion of an `empty` barrier has `data-phase` and `data-step`. What a
/// warp does or waits for has `data-act`, `data-from` and `data-to` in a group with `data-warp` and `data-role`; acts that
/// are less than a unit apart are one. The curve has `data-flight`: steps, each with the bytes that are in flight from
/// there on, those less than a unit before the next left out. The steps are in a group with `data-axis`: their
/// number, and where the first begins and the last ends, and `data-bottom`, where they are marked.
pub fn picture(plan: &Plan, trace: &Trace) -> Option<Picture> {
    let timeline = Timeline::new(plan, trace)?;
    let (drawn, end) = (timeline.tiles.min(MOST_TILES), end_of(&timeline));
    let title = match drawn == timeline.tiles {
        true => format!("Pipeline of a block: {drawn} k-tiles in {end} steps"),
        false => format!("Pipeline of a block: the first {drawn} of {} k-tiles", timeline.tiles),
    };
    let mut canvas = Canvas::new("pipeline", title);
    let axis = Axis::new(end);
    canvas.reach(TOP);
    stages::draw(&mut canvas, plan, &timeline, axis);
    canvas.reach(canvas.bottom() + 10.0);
    timeline.roles.iter().for_each(|role| warp(&mut canvas, role, axis));
    canvas.reach(canvas.bottom() + 10.0);
    curve(&mut canvas, &timeline, axis);
    axis::ticks(&mut canvas, axis);
    canvas.legend(&legend(&timeline));
    Some(canvas.finish(caption(plan, &timeline)))
}

/// The step at which the picture ends: that of the first k-tile that is not drawn.
fn end_of(timeline: &Timeline) -> u64 {
    let left = timeline.stages.iter().flatten().filter(|fill| fill.tile >= MOST_TILES);
    left.map(|fill| fill.filling[0]).min().unwrap_or(timeline.end)
}

fn warp(canvas: &mut Canvas, role: &Role, axis: Axis) {
    let y = canvas.bottom();
    canvas.add(text(MARGIN, y + 13.0, &*role.name).set("class", "q"));
    let mut row = group().set("data-warp", role.warp).set("data-role", &*role.name);
    row = row.add(rectangle(LEFT, y, WIDTH - MARGIN - LEFT, ROW).set("class", "f"));
    for (act, spans) in &role.acts {
        let (colour, name, is_wait) = act.style();
        let mut of_act = group().set("class", fill(colour)).set("data-act", name);
        of_act = of_act.add(tooltip(name.replace('-', " until ")));
        let [top, height] = if is_wait { [y + WORK + 1.0, ROW - WORK - 1.0] } else { [y, WORK] };
        for span in axis.joined(spans) {
            if let Some([x, width]) = axis.place(span) {
                let shape = rectangle(x, top, width, height).set("data-from", span[0]);
                of_act = of_act.add(shape.set("data-to", span[1]));
            }
        }
        row = row.add(of_act);
    }
    canvas.add(row);
    canvas.reach(y + PITCH);
}

/// The bytes in flight, as an area of steps.
fn curve(canvas: &mut Canvas, timeline: &Timeline, axis: Axis) {
    let y = canvas.bottom();
    let most = timeline.flight.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let height = |bytes: i64| CURVE * bytes as f64 / most.max(1) as f64;
    canvas.add(text(MARGIN, y + 13.0, "in flight").set("class", "q"));
    canvas.add(text(MARGIN, y + 27.0, format!("≤ {most} B")).set("class", "s q"));
    canvas.add(rectangle(LEFT, y, WIDTH - MARGIN - LEFT, CURVE).set("class", "f"));
    let (mut path, mut points) = (format!("M{LEFT} {}", round(y + CURVE)), Vec::new());
    let flight: Vec<_> = timeline.flight.iter().filter(|(step, _)| *step < axis.end).collect();
    for (number, (step, bytes)) in flight.iter().enumerate() {
        if flight.get(number + 1).is_some_and(|(next, _)| next - step <= axis.near()) {
            continue;
        }
        path += &format!("H{}V{}", round(axis.x(*step)), round(y + CURVE - height(*bytes)));
        points.push(format!("{step} {bytes}"));
    }
    path += &format!("H{}V{}Z", round(WIDTH - MARGIN), round(y + CURVE));
    let said = format!("at most {most} bytes are in flight");
    let shape = Path::new().set("d", path).set("class", fill(FILLING));
    canvas.add(shape.set("data-flight", points.join(" ")).add(tooltip(said)));
    canvas.reach(y + CURVE + 4.0);
}

fn legend(timeline: &Timeline) -> Vec<(u32, String)> {
    let has = |act| timeline.roles.iter().any(|role| role.acts.contains_key(&act));
    let staged = timeline.staged.iter().any(Option::is_some) || has(Act::Stage);
    let entries = [
        (FILLING, "filling, requests", true),
        (FULL, "full", true),
        (READ, "read, multiplies", has(Act::Multiply)),
        (READ, "read", !has(Act::Multiply)),
        (0, "loads", has(Act::Load)),
        (STAGED, "results are staged", staged),
        (5, "waits for a full stage", has(Act::WaitFilled)),
        (1, "waits for a free stage", has(Act::WaitFree)),
        (7, "waits for others", has(Act::WaitOther)),
    ];
    let used = entries.into_iter().filter(|(.., is_used)| *is_used);
    used.map(|(colour, name, _)| (colour, name.to_owned())).collect()
}

fn caption(plan: &Plan, timeline: &Timeline) -> String {
    let stages = plan.ring().stages;
    let most = timeline.flight.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let barriers = match plan.stage_counts() {
        Some(_) => " A line marks the completion of an empty barrier.",
        None => "",
    };
    let rows = match plan.roles() {
        Some(_) => "Of a consumer, the waits are those of its first warp.".to_owned(),
        None => {
            let warps = plan.threads() / 32;
            format!("{} of {warps} warps are shown.", warps.min(MOST_WARPS))
        }
    };
    format!(
        "{} k-tiles pass through {stages} stages in {} steps of the emulator, with at most {most} bytes in \
         flight. A step is an instruction of a warp, neither a cycle nor a time; the steps of a copy and of a \
         wgmma are given.{barriers} {rows}",
        timeline.tiles, timeline.end
    )
}
