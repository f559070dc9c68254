//! What a plan would be with another value of a key, or why it cannot have it.

use std::num::NonZeroU16;

use gemm_codegen::{Allow, PerSide, Plan, Side, Spec, Swizzle};
use gemm_pictures::page::{Content, Section};
use gemm_pictures::shared_tile;

/// No bit is xored.
const NO_SWIZZLE: Swizzle = Swizzle { b: 0, m: 3, s: 3 };

/// A change of a schedule, as it is written.
struct Change {
    written: String,
    spec: Spec,
}

/// A table of changes, each with the plan that it makes or with the compiler's message; and the banks of the
/// tile of A without a swizzle, where the plan has one.
pub(super) fn sections(plan: &Plan) -> Vec<Section> {
    let rows = changes(plan).into_iter().map(row).collect();
    let head = ["change", "shared memory", "registers", "bank passes, A and B", "result"];
    let table = Content::Table { head: head.map(str::to_owned).to_vec(), rows };
    let text =
        "The plan with one key changed; all others are as they are written, or derived again.";
    let mut sections =
        vec![Section { heading: "Neighbours".to_owned(), text: text.to_owned(), content: table }];
    let swizzled = plan.shared_tile(Side::A).layout.swizzle().b > 0;
    let plain = Plan::new(&unswizzled(plan, true)).ok().filter(|_| swizzled);
    sections.extend(plain.map(|plain| Section {
        heading: "Without a swizzle".to_owned(),
        text: "The same tiles if no bit of an offset is xored.".to_owned(),
        content: Content::Pictures(
            Side::BOTH.map(|side| shared_tile::picture(&plain, side)).into(),
        ),
    }));
    sections
}

/// The changes that are tried: the ring, the extents of the tile, the swizzle.
fn changes(plan: &Plan) -> Vec<Change> {
    let stages = plan.pipeline().stages() as u16;
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

fn row(change: Change) -> Vec<String> {
    match Plan::new(&change.spec) {
        Ok(plan) => {
            let registers = plan.registers();
            let [a, b] = Side::BOTH.map(|side| plan.feed(side).bank_passes().max(1));
            vec![
                change.written,
                format!("{} B", plan.shared_memory().bytes()),
                format!("about {} of {}", registers.estimate(), registers.limit),
                format!("{a} and {b}"),
                "legal".to_owned(),
            ]
        }
        Err(broken) => {
            let said = broken.iter().map(|one| format!("{}; help: {}", one.message, one.help));
            let none = || String::new();
            let result = format!("refused: {}", said.collect::<Vec<_>>().join("; "));
            vec![change.written, none(), none(), none(), result]
        }
    }
}
