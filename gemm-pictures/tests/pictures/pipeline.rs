//! The pipelines of kernels of each form, compared with the traces that they are drawn from. Needs NVRTC.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use expect_test::expect_file;
use gemm_check::trace_plan;
use gemm_codegen::Plan;
use gemm_emulator::Trace;
use gemm_emulator::trace::{EventKind, SharedRange, Wait};
use gemm_pictures::{Picture, pipeline};
use roxmltree::Node;

use crate::GOLDENS;
use crate::parse::{document, having, number, numbers, only, word};

/// Forms of pipelines, each by a golden.
pub(crate) const KERNELS: [&str; 7] = [
    "derived",
    "tensor_derived",
    "wgmma",
    "wgmma_cooperative",
    "wgmma_pingpong",
    "wgmma_cluster",
    "wgmma_residual",
];

/// k-tiles of a launch.
const TILES: usize = 10;

fn plan(name: &str) -> &'static Plan {
    let found = GOLDENS.iter().find(|(golden, _)| golden == name);
    &found.unwrap_or_else(|| panic!("no golden {name}")).1
}

pub(crate) fn drawn(name: &str) -> (&'static Plan, Trace, Picture) {
    let plan = plan(name);
    let trace = trace_plan(plan, TILES, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let trace = Trace::clone(&trace.expect("a block runs"));
    let picture = pipeline::picture(plan, &trace).expect("a ring");
    (plan, trace, picture)
}

/// The spans of a state, by the stage.
fn spans(root: Node<'_, '_>, state: &str) -> Vec<(u32, [u64; 2])> {
    let stages = having(root, "stage");
    let of = |stage: Node<'_, '_>| {
        let all = having(stage, "state").filter(|node| word(*node, "state") == state);
        all.map(|node| ["from", "to"].map(|name| u64::from(number(node, name)))).collect::<Vec<_>>()
    };
    stages
        .flat_map(|stage| of(stage).into_iter().map(move |one| (number(stage, "stage"), one)))
        .collect()
}

#[test]
fn the_states_of_a_stage_follow_each_other() {
    for name in KERNELS {
        let (_, _, picture) = drawn(name);
        let document = document(&picture);
        for stage in having(document.root_element(), "stage") {
            let order = ["filling", "full", "read", "staged"];
            let states: Vec<_> = having(stage, "state")
                .map(|node| {
                    let state = order.iter().position(|one| *one == word(node, "state"));
                    (state, number(node, "from"), number(node, "to"))
                })
                .collect();
            assert!(states.len() > 3, "{name}");
            for pair in states.windows(2) {
                let ((one, _, end), (next, begin, _)) = (pair[0], pair[1]);
                assert!(end <= begin, "{name}: {pair:?}");
                // A k-tile is filled, full, read; one that is filled when it is waited for is never full.
                assert!(one < next || next == Some(0), "{name}: {pair:?}");
            }
        }
    }
}

/// The copies of a block that has been traced, with their spans, and the spans of its products.
fn completed(trace: &Trace) -> (Vec<(SharedRange, [u64; 2])>, Vec<[u64; 2]>) {
    let (mut requested, mut issued) = (BTreeMap::new(), BTreeMap::new());
    let (mut copies, mut products) = (BTreeMap::new(), Vec::new());
    for event in trace.events.iter().filter(|event| event.block == trace.rank) {
        match &event.kind {
            EventKind::CopyRequested { copy, to, .. } => {
                requested.insert(*copy, (event.step, *to));
            }
            EventKind::CopyCompleted { copy } => {
                let (from, to) = requested[copy];
                copies.insert(*copy, (to, [from, event.step]));
            }
            EventKind::ProductIssued { product, .. } => {
                issued.insert(*product, event.step);
            }
            EventKind::ProductCompleted { product } => {
                products.push([issued[product], event.step]);
            }
            _ => {}
        }
    }
    (copies.into_values().collect(), products)
}

#[test]
fn the_spans_of_copies_and_products_are_those_of_the_trace() {
    for name in KERNELS {
        let (plan, trace, picture) = drawn(name);
        let document = document(&picture);
        let root = document.root_element();
        let (copies, products) = completed(&trace);
        let base = copies.iter().map(|(to, _)| to.address).min().expect("copies");
        let bytes = plan.shared_memory().ring_bytes / plan.ring().stages / plan.ring().rings;
        // Each copy is within a span of its stage, and each span begins with a copy and ends with one.
        let filling = spans(root, "filling");
        assert!(filling.len() >= TILES.min(copies.len()), "{name}");
        let of = |to: SharedRange| (to.address - base) / bytes;
        for (stage, [from, to]) in &filling {
            let of_stage = copies.iter().filter(|(range, _)| of(*range) == *stage);
            let within =
                of_stage.map(|(_, span)| *span).filter(|[step, _]| (from..to).contains(&step));
            let ends = [within.clone().map(|one| one[0]).min(), within.map(|one| one[1]).max()];
            assert_eq!(ends, [Some(*from), Some(*to)], "{name} stage {stage}");
        }
        let read = spans(root, "read");
        assert!(read.len() >= TILES, "{name}: {read:?}");
        for [from, to] in products {
            let is_read = |[begin, end]: [u64; 2]| begin <= from && to <= end;
            assert!(read.iter().any(|(_, span)| is_read(*span)), "{name}: {from}–{to}");
        }
    }
}

/// The waits of a warp that last, by the name of what is drawn for them.
fn waits(plan: &Plan, trace: &Trace, warp: u32) -> BTreeMap<&'static str, Vec<[u64; 2]>> {
    let of_block = || trace.events.iter().filter(|event| event.block == trace.rank);
    let copies = || {
        of_block().filter_map(|event| match event.kind {
            EventKind::CopyRequested { to, barrier, .. } => Some((to.address, barrier)),
            _ => None,
        })
    };
    let base = copies().map(|(to, _)| to).min().expect("copies");
    let ring = base..base + plan.shared_memory().ring_bytes;
    let to_ring = copies().filter(|(to, _)| ring.contains(to));
    let full: BTreeSet<u32> = to_ring.filter_map(|(_, barrier)| barrier).collect();
    // The empty barriers follow the full ones.
    let empty: BTreeSet<u32> = full.iter().map(|at| at + 8 * plan.ring().stages).collect();
    let (mut begun, mut waits) = (None, BTreeMap::<_, Vec<_>>::new());
    for event in of_block() {
        match event.kind {
            EventKind::WaitBegun { warp: of, .. } if of == warp => begun = Some(event.step),
            EventKind::WaitOver { warp: of, wait } if of == warp => {
                let from = begun.take().expect("it began");
                let name = match wait {
                    Wait::Copies(_) => "wait-filled",
                    Wait::Phase { barrier, .. } if full.contains(&barrier) => "wait-filled",
                    Wait::Phase { barrier, .. } if empty.contains(&barrier) => "wait-free",
                    _ => "wait",
                };
                if from < event.step {
                    waits.entry(name).or_default().push([from, event.step]);
                }
            }
            _ => {}
        }
    }
    waits
}

#[test]
fn the_waits_of_a_warp_are_those_of_the_trace() {
    let mut compared = 0;
    for name in KERNELS {
        let (plan, trace, picture) = drawn(name);
        let document = document(&picture);
        let end = u64::from(numbers(only(document.root_element(), "axis"), "axis")[0]);
        for row in having(document.root_element(), "warp") {
            let mut waits = waits(plan, &trace, number(row, "warp"));
            for act in having(row, "act").filter(|act| word(*act, "act").starts_with("wait")) {
                let waits = waits.remove(word(act, "act")).unwrap_or_default();
                let drawn: Vec<[u64; 2]> = having(act, "from")
                    .map(|node| ["from", "to"].map(|name| u64::from(number(node, name))))
                    .collect();
                // Each wait is within a span, and each span begins with a wait and ends with one.
                for [from, to] in waits.iter().filter(|[from, _]| *from < end) {
                    let is_drawn = |[begin, end]: &[u64; 2]| begin <= from && to <= end;
                    assert!(drawn.iter().any(is_drawn), "{name}: {from}–{to} of {drawn:?}");
                    compared += 1;
                }
                for [from, to] in drawn {
                    assert!(waits.iter().any(|wait| wait[0] == from), "{name}: from {from}");
                    assert!(waits.iter().any(|wait| wait[1] == to), "{name}: to {to}");
                }
            }
            let is_left = |wait: &&[u64; 2]| wait[0] < end;
            assert_eq!(waits.values().flatten().find(is_left), None, "{name}: it is not drawn");
        }
    }
    assert!(compared > 100, "only {compared} waits");
}

#[test]
fn the_curve_sums_the_copies_in_flight() {
    for name in KERNELS {
        let (_, trace, picture) = drawn(name);
        let document = document(&picture);
        let mut sizes = BTreeMap::new();
        let (mut flying, mut curve) = (0, BTreeMap::new());
        for event in trace.events.iter().filter(|event| event.block == trace.rank) {
            match event.kind {
                EventKind::CopyRequested { copy, bytes, .. } => {
                    sizes.insert(copy, bytes);
                    flying += bytes;
                }
                EventKind::CopyCompleted { copy } => flying -= sizes[&copy],
                _ => continue,
            }
            curve.insert(event.step as u32, flying);
        }
        let drawn = numbers(only(document.root_element(), "flight"), "flight");
        let mut drawn = drawn.as_chunks::<2>().0.iter();
        // Where as much lands as is requested, the curve goes on.
        assert!(drawn.all(|[step, bytes]| curve[step] == *bytes), "{name}");
    }
}

#[test]
fn a_pipeline_is_small_and_as_in_its_file() {
    for name in KERNELS {
        let (_, _, picture) = drawn(name);
        assert!(picture.svg.len() <= 40_000, "{name}: {} B", picture.svg.len());
        if let Some(folder) = std::env::var_os("GEMM_PICTURES_DIR") {
            std::fs::write(Path::new(&folder).join(format!("{name}.svg")), &picture.svg).unwrap();
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    expect_file![folder.join("pipeline.svg")].assert_eq(&drawn("wgmma_cooperative").2.svg);
}

#[test]
fn a_double_buffer_has_no_picture() {
    let (_, plan) =
        (GOLDENS.iter()).find(|(_, plan)| plan.form().is_double_buffered()).expect("a golden");
    let trace = trace_plan(plan, 3, None).expect("it runs").expect("a block runs");
    assert!(pipeline::picture(plan, &trace).is_none());
}
