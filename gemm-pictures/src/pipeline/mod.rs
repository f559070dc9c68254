//! The pipeline of a block along the steps of a trace.

mod timeline;

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use svg::node::element::Path;

use crate::canvas::{
    Canvas, MARGIN, TOP, WIDTH, group, line, rectangle, round, text, text_width, tooltip,
};
use crate::palette::fill;
use crate::picture::Picture;
use timeline::{Act, Fill, Role, Span, Timeline};

/// Most k-tiles that are drawn.
const MOST_TILES: usize = 16;

/// Most warps that are drawn of a kernel whose warps all do the same.
const MOST_WARPS: u32 = 4;

/// Left of the rows.
const LEFT: f64 = MARGIN + 96.0;

/// Height of a row, and from one to the next.
const ROW: f64 = 18.0;
const PITCH: f64 = 22.0;

/// Height of the part of a warp's row that shows what it does.
const WORK: f64 = 11.0;

/// What is closer than this is drawn as one.
const NEAR: f64 = 1.0;

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
    let axis = Axis { end, scale: (WIDTH - MARGIN - LEFT) / end.max(1) as f64 };
    canvas.reach(TOP);
    stages(&mut canvas, plan, &timeline, axis);
    canvas.reach(canvas.bottom() + 10.0);
    timeline.roles.iter().for_each(|role| warp(&mut canvas, role, axis));
    canvas.reach(canvas.bottom() + 10.0);
    curve(&mut canvas, &timeline, axis);
    ticks(&mut canvas, axis);
    canvas.legend(&legend(&timeline));
    Some(canvas.finish(caption(plan, &timeline)))
}

/// The step at which the picture ends: that of the first k-tile that is not drawn.
fn end_of(timeline: &Timeline) -> u64 {
    let left = timeline.stages.iter().flatten().filter(|fill| fill.tile >= MOST_TILES);
    left.map(|fill| fill.filling[0]).min().unwrap_or(timeline.end)
}

/// Where steps lie.
#[derive(Clone, Copy)]
struct Axis {
    end: u64,
    scale: f64,
}

impl Axis {
    fn x(self, step: u64) -> f64 {
        LEFT + step.min(self.end) as f64 * self.scale
    }

    /// Steps that are too close to be told apart.
    fn near(self) -> u64 {
        (NEAR / self.scale) as u64
    }

    /// Spans in their order, those that are too close to be told apart as one.
    fn joined(self, spans: &[Span]) -> Vec<Span> {
        let mut joined: Vec<Span> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span[0] <= last[1] + self.near() => last[1] = span[1],
                _ => joined.push(*span),
            }
        }
        joined
    }

    /// Left edge and width of a span; none if it begins after the end.
    fn place(self, [from, to]: Span) -> Option<[f64; 2]> {
        let x = self.x(from);
        (from < self.end && from < to).then(|| [x, (self.x(to) - x).max(0.5)])
    }
}

fn stages(canvas: &mut Canvas, plan: &Plan, timeline: &Timeline, axis: Axis) {
    let of_ring = plan.pipeline().stages() as usize;
    for (number, fills) in timeline.stages.iter().enumerate() {
        let y = canvas.bottom();
        let name = match plan.pipeline().rings() {
            1 => format!("stage {number}"),
            _ => format!("stage {}.{}", number / of_ring, number % of_ring),
        };
        canvas.add(text(MARGIN, y + 13.0, name).set("class", "q"));
        let mut row = group().set("data-stage", number);
        row = row.add(rectangle(LEFT, y, WIDTH - MARGIN - LEFT, ROW).set("class", "f"));
        for fill in fills {
            for (state, colour, span) in states(fill) {
                row = match axis.place(span) {
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
                };
            }
            row = label(row, fill, y, axis);
        }
        if let Some((span, [x, width])) =
            timeline.staged[number].and_then(|span| Some((span, axis.place(span)?)))
        {
            let shape = rectangle(x, y, width, ROW).set("class", self::fill(STAGED));
            let shape = shape.set("data-state", "staged").set("data-from", span[0]);
            row = row.add(shape.set("data-to", span[1]).add(tooltip("results are staged here")));
        }
        let of = timeline.phases.iter().filter(|phase| phase.stage == number && !phase.is_full);
        for phase in of.filter(|phase| phase.step < axis.end) {
            let x = axis.x(phase.step);
            let mark = line([x, y - 2.0], [x, y + ROW + 2.0]).set("class", "i");
            let mark = mark.set("data-phase", phase.phase).set("data-step", phase.step);
            row = row.add(mark.add(tooltip(format!(
                "phase {} of empty completes at step {}",
                phase.phase, phase.step
            ))));
        }
        canvas.add(row);
        canvas.reach(y + PITCH);
    }
}

/// The number of a k-tile, where there is room.
fn label(
    row: svg::node::element::Group,
    fill: &Fill,
    y: f64,
    axis: Axis,
) -> svg::node::element::Group {
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

/// Steps below the rows.
fn ticks(canvas: &mut Canvas, axis: Axis) {
    let y = canvas.bottom() + 10.0;
    let wanted = axis.end as f64 / 8.0;
    let unit = 10f64.powf(wanted.max(1.0).log10().floor());
    let unit = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
    let unit = unit.into_iter().find(|unit| *unit >= wanted).unwrap_or(wanted).max(1.0) as u64;
    canvas.add(text(MARGIN, y, "step").set("class", "s q"));
    let [left, right] = [LEFT, WIDTH - MARGIN].map(round);
    let all = group().set("data-axis", format!("{} {left} {right}", axis.end));
    let mut all = all.set("data-bottom", round(y - 12.0));
    for step in (0..axis.end).step_by(unit as usize) {
        let (x, label) = (axis.x(step), step.to_string());
        if x + text_width(&label, 9.0) < WIDTH - 8.0 {
            all = all.add(line([x, y - 12.0], [x, y - 8.0]).set("class", "l"));
            all = all.add(text(x, y, label).set("class", if step == 0 { "s q" } else { "s m q" }));
        }
    }
    canvas.add(all);
    canvas.reach(y + 4.0);
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
    let stages = plan.pipeline().stages();
    let most = timeline.flight.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let barriers = match plan.stage_counts() {
        Some(_) => " A line marks the completion of an empty barrier.",
        None => "",
    };
    let rows = match plan.pipeline().roles() {
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
