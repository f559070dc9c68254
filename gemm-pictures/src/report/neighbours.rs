//! What a plan would be with another value of a key, or why it cannot have it.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use gemm_codegen::{Allow, Diagnostics, PerSide, Plan, Side, Spec, Swizzle};

use crate::page::{Content, Neighbour, Section};
use crate::{Picture, memory_map, registers, shared_tile};

/// No bit is xored.
const NO_SWIZZLE: Swizzle = Swizzle { b: 0, m: 3, s: 3 };

/// A change of a schedule, as it is written.
struct Change {
    written: String,
    spec: Spec,
}

/// The plan and its neighbours. The page shows one at a time.
pub(super) fn section(plan: &Plan) -> Section {
    let head = ["change", "shared memory", "registers", "bank passes, A and B", "result"];
    let text = "The plan with one key changed; all others are as they are written, or derived again. The \
                pictures of shared memory and of registers, below, are those of the chosen one. Of a refused one: what \
                the compiler says, at the changed key.";
    let this = Neighbour { result: Ok(Vec::new()), ..legal("as it is".to_owned(), plan) };
    let neighbours = [this].into_iter().chain(changes(plan).into_iter().map(neighbour)).collect();
    Section {
        heading: "Neighbours".to_owned(),
        text: text.to_owned(),
        content: Content::Neighbours { head: head.map(str::to_owned).to_vec(), neighbours },
    }
}

/// The pictures that change with the neighbour.
fn pictures(plan: &Plan) -> Vec<Picture> {
    let tiles = Side::BOTH.map(|side| shared_tile::picture(plan, side));
    tiles.into_iter().chain([memory_map::picture(plan), registers::picture(plan)]).collect()
}

/// The changes that are tried: the ring, the extents of the tile, the swizzle.
fn changes(plan: &Plan) -> Vec<Change> {
    let stages = plan.ring().stages as u16;
    let with_stages = [stages - 1, stages + 1, 2 * stages].map(|stages| {
        let mut spec = plan.spec().clone();
        spec.schedule.stages = NonZeroU16::new(stages);
        Change { written: format!("stages = {stages}"), spec }
    });
    let block = plan.warps().block.map(|extent| extent as u16);
    let with_tile = (0..3).flat_map(|axis| {
        [block[axis] / 2, block[axis] * 2].map(|extent| {
            let mut tile = block;
            tile[axis] = extent;
            let [m, n, k] = tile;
            let mut spec = plan.spec().clone();
            spec.schedule.tile =
                Some(tile.map(|one| NonZeroU16::new(one).unwrap_or(NonZeroU16::MIN)));
            Change { written: format!("tile = [{m}, {n}, {k}]"), spec }
        })
    });
    let off = "swizzle = [0, 3, 3]";
    let without = Change { written: off.to_owned(), spec: unswizzled(plan, false) };
    let allowed = format!("{off}, allow(bank_conflicts)");
    let allowed = Change { written: allowed, spec: unswizzled(plan, true) };
    with_stages.into_iter().chain(with_tile).chain([without, allowed]).collect()
}

/// The spec without a swizzle, whose bank conflicts may be allowed.
fn unswizzled(plan: &Plan, is_allowed: bool) -> Spec {
    let mut spec = plan.spec().clone();
    spec.schedule.swizzle = PerSide::both(Some(NO_SWIZZLE));
    spec.schedule.allow = if is_allowed { vec![Allow::BankConflicts] } else { Vec::new() };
    spec
}

fn neighbour(change: Change) -> Neighbour {
    match Plan::new(&change.spec) {
        Ok(plan) => legal(change.written, &plan),
        Err(broken) => {
            let message = message(&change.written, &broken);
            Neighbour { written: change.written, cells: Vec::new(), result: Err(message) }
        }
    }
}

fn legal(written: String, plan: &Plan) -> Neighbour {
    let registers = plan.registers();
    let [a, b] = Side::BOTH.map(|side| plan.feed(side).bank_passes().max(1));
    let cells = vec![
        format!("{} B", plan.shared_memory().bytes()),
        format!("about {} of {}", registers.estimate(), registers.limit),
        format!("{a} and {b}"),
    ];
    Neighbour { written, cells, result: Ok(pictures(plan)) }
}

/// The errors as rustc prints those of the attribute, at the changed key.
fn message(written: &str, broken: &Diagnostics) -> String {
    broken.iter().fold(String::new(), |mut text, one| {
        let gap = if text.is_empty() { "" } else { "\n" };
        let before = "#[gemm(";
        let _ = writeln!(
            text,
            "{gap}error: {}\n       = help: {}\n       = rule: {}\n  |\n  | {before}{written})]\n  | {}{}",
            one.message,
            one.help,
            one.rule,
            " ".repeat(before.len()),
            "^".repeat(written.chars().count())
        );
        text
    })
}
