//! The tile of a block, cut by warps or warpgroups and by MMA atoms.

use gemm_codegen::hardware::WARP;
use gemm_codegen::{Plan, Walk};
use svg::node::element::{Path, Pattern};

use crate::canvas::{
    Canvas, LINE, MARGIN, TOP, group, line, list, ranges, rectangle, round, text, text_width,
    tooltip,
};
use crate::palette::fill;
use crate::picture::Picture;

/// The longer side of the block tile is drawn no longer.
const LONGEST: f64 = 300.0;

/// A and the block tile together are drawn no wider.
const WIDEST: f64 = 410.0;

/// Between a factor and the block tile.
const GAP: f64 = 10.0;

/// Most k-steps that are drawn.
const MOST_STEPS: u32 = 8;

/// Left of the numbers on the right.
const RIGHT: f64 = 500.0;

/// Draws the block tile with the factors that are multiplied in it: A to the left, B above.
///
/// The part of a warp has `data-warps`, several where they share it, `data-row`, `data-column`, `data-rows`
/// and `data-columns` in elements; the part of a warpgroup `data-groups` in place of the warps.
pub fn picture(plan: &Plan) -> Picture {
    let warps = plan.warps();
    let [m, n, k] = warps.block;
    let noun = noun(plan);
    let title = format!("Block tile {m} × {n} × {k}: {noun}s and MMA atoms");
    let mut canvas = Canvas::new("warps", title);
    draw(&mut canvas, plan);
    numbers(&mut canvas, plan);
    canvas.finish(caption(plan))
}

/// Draws the factors and the parts of the warps.
pub(crate) fn draw(canvas: &mut Canvas, plan: &Plan) {
    let [m, n, k] = plan.warps().block;
    let scale = (LONGEST / f64::from(m.max(n))).min(WIDEST / f64::from(n + k));
    let [m, n, k] = [m, n, k].map(|extent| f64::from(extent) * scale);
    let corner = [MARGIN + 20.0 + k + GAP, TOP + 14.0 + k + GAP];
    factors(canvas, plan, corner, [m, n, k]);
    parts(canvas, plan, corner, scale);
    canvas.reach(corner[1] + m);
}

pub(crate) fn noun(plan: &Plan) -> &'static str {
    if plan.warps().warps == 1 { "warp" } else { "warpgroup" }
}

/// A and B, with a line after each k-step of each warp along K.
fn factors(canvas: &mut Canvas, plan: &Plan, [x, y]: [f64; 2], [m, n, k]: [f64; 3]) {
    let warps = plan.warps();
    let [left, above] = [x - GAP - k, y - GAP - k];
    canvas.add(rectangle(left, y, k, m).set("class", "f"));
    canvas.add(rectangle(x, above, n, k).set("class", "f"));
    let steps = warps.grid[2] * warps.atoms[2];
    let drawn = if steps <= MOST_STEPS { steps } else { warps.grid[2] };
    for step in 1..drawn {
        let at = f64::from(step) / f64::from(drawn) * k;
        canvas.add(line([left + at, y], [left + at, y + m]).set("class", "l"));
        canvas.add(line([x, above + at], [x + n, above + at]).set("class", "l"));
    }
    let [block_m, block_n, block_k] = warps.block;
    let labels = [
        (format!("A, k {block_k}"), [left, y - 5.0]),
        (format!("B, n {block_n}"), [x, above - 5.0]),
        (format!("m {block_m}"), [left, y + m + 12.0]),
    ];
    for (label, [x, y]) in labels {
        canvas.add(text(x, y, label).set("class", "s q"));
    }
    canvas.reach(y + m + 12.0);
}

/// Defines the lines of the MMA atoms of a block tile; the id of the pattern.
fn atom_pattern(canvas: &mut Canvas, plan: &Plan, [x, y]: [f64; 2], scale: f64) -> String {
    let [m, n, _] = plan.mma().shape();
    let [width, height] = [n, m].map(|extent| f64::from(extent) * scale);
    let id = canvas.id("atom");
    let edge = format!("M0 {0}V0H{1}", round(height), round(width));
    let pattern = Pattern::new()
        .set("id", &*id)
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", round(height))
        .set("patternUnits", "userSpaceOnUse")
        .add(Path::new().set("d", edge).set("class", "k n"));
    canvas.define(pattern);
    id
}

/// The warps that share the part of this one: those along K, or those that take turns, with a tile each.
fn sharers(plan: &Plan, first: u32) -> Vec<u32> {
    let [along_m, along_n, along_k] = plan.warps().grid;
    match plan.scheduler().walk() {
        Some(Walk::Pingpong) => vec![0, 1],
        _ => (0..along_k).map(|layer| first + layer * along_m * along_n).collect(),
    }
}

/// The parts of the warps, with the lines of their atoms.
fn parts(canvas: &mut Canvas, plan: &Plan, [x, y]: [f64; 2], scale: f64) {
    let warps = plan.warps();
    let id = atom_pattern(canvas, plan, [x, y], scale);
    let mut all = group();
    for first in 0..warps.grid[0] * warps.grid[1] {
        let [row, column, _] = warps.part(first);
        let sharers = sharers(plan, first);
        let [left, top] = [x + f64::from(column) * scale, y + f64::from(row) * scale];
        let [width, height] = [warps.tile[1], warps.tile[0]].map(|one| f64::from(one) * scale);
        let shape = rectangle(left, top, width, height)
            .set("class", format!("{} k", fill(first)))
            .set(if warps.warps == 1 { "data-warps" } else { "data-groups" }, list(&sharers))
            .set("data-row", row)
            .set("data-column", column)
            .set("data-rows", warps.tile[0])
            .set("data-columns", warps.tile[1]);
        let label = format!("{} {}", noun(plan), ranges(&sharers));
        all = all.add(shape.add(tooltip(threads(plan, &sharers))));
        let atoms = rectangle(left, top, width, height).set("fill", format!("url(#{id})"));
        all = all.add(atoms.set("pointer-events", "none"));
        let label = if text_width(&label, 12.0) < width { label } else { ranges(&sharers) };
        if text_width(&label, 12.0) < width && height > 14.0 {
            let at = [left + width / 2.0, top + height / 2.0 + 4.0];
            all = all.add(text(at[0], at[1], label).set("class", "m"));
        }
    }
    canvas.add(all);
}

/// Atoms of a warp, or of a warpgroup, along M and N.
fn atoms(plan: &Plan) -> [u32; 2] {
    let (tile, shape) = (plan.warps().tile, plan.mma().shape());
    [0, 1].map(|axis| tile[axis] / shape[axis])
}

/// The threads of these warps, or warpgroups.
fn threads(plan: &Plan, numbers: &[u32]) -> String {
    let each = plan.warps().warps * WARP;
    let of = numbers.iter().map(|number| format!("{}–{}", number * each, (number + 1) * each - 1));
    format!("threads {}", of.collect::<Vec<_>>().join(", "))
}

/// The numbers of each level.
fn numbers(canvas: &mut Canvas, plan: &Plan) {
    let warps = plan.warps();
    let axes = if warps.grid[2] == 1 { 2 } else { 3 };
    let product =
        |extents: &[u32]| extents.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ");
    let [m, n, k] = plan.mma().shape();
    let mut lines = vec![
        ("block", product(&warps.block)),
        ("", format!("{} threads", plan.threads())),
        (noun(plan), product(&warps.tile)),
        ("", format!("{} of them", product(&warps.grid[..axes]))),
        ("atom", format!("{m} × {n} × {k}")),
        ("", format!("{} a {}", product(&atoms(plan)), noun(plan))),
        ("", format!("{} k-steps", warps.atoms[2])),
    ];
    if let Some(roles) = plan.roles() {
        lines.push(("producer", format!("warpgroup {}", roles.consumers)));
    }
    for (number, (what, value)) in (0..).zip(lines) {
        let y = TOP + 20.0 + f64::from(number) * LINE;
        canvas.add(text(RIGHT, y, what).set("class", "q"));
        canvas.add(text(RIGHT + 84.0, y, value));
        canvas.reach(y);
    }
}

fn caption(plan: &Plan) -> String {
    let warps = plan.warps();
    let [m, n, k] = warps.tile;
    let count: u32 = warps.grid.iter().product();
    let who = match count {
        1 => format!("The {} has", noun(plan)),
        _ => format!("Each of {count} {}s has", noun(plan)),
    };
    let turns = match plan.scheduler().walk() {
        Some(Walk::Pingpong) => " Warpgroups 0 and 1 take turns, a tile each.",
        _ => "",
    };
    let along_k = match warps.grid[2] {
        1 => String::new(),
        along_k => format!(" {along_k} of them share each part of the output, each a part of K."),
    };
    let ([atoms_m, atoms_n], steps) = (atoms(plan), warps.atoms[2]);
    let plural = if steps == 1 { "" } else { "s" };
    format!(
        "{who} a tile of {m} × {n} × {k}: {atoms_m} × {atoms_n} atoms of {} and {steps} k-step{plural} of \
         each k-tile.{along_k}{turns}",
        plan.mma().name()
    )
}
