//! Shared memory, registers and the roofline.

use gemm_codegen::auto::{Footprint, Machine};
use gemm_codegen::emit;
use gemm_pictures::{memory_map, registers, roofline};
use roxmltree::Node;

use crate::parse::{document, having, number, only, word};
use crate::{GOLDENS, launch};

/// First byte and the byte after the last of the regions of a phase, in order.
fn regions(root: Node<'_, '_>, phases: [&str; 2]) -> Vec<[u32; 2]> {
    let of = having(root, "phase").filter(|node| phases.contains(&word(*node, "phase")));
    let mut regions: Vec<[u32; 2]> = of
        .flat_map(|phase| having(phase, "region").collect::<Vec<_>>())
        .map(|region| [number(region, "byte"), number(region, "byte") + number(region, "bytes")])
        .collect();
    regions.sort_unstable();
    regions
}

#[test]
fn the_regions_of_a_phase_share_no_byte_and_end_at_the_total() {
    for (golden, plan) in GOLDENS.iter() {
        let picture = memory_map::picture(plan);
        let document = document(&picture);
        let root = document.root_element();
        let shared = plan.shared_memory();
        let mut end = 0;
        // What the epilogue stages may lie where the ring is.
        let phases: &[[&str; 2]] = &[["mainloop", "both"], ["epilogue", "both"]];
        for phases in phases {
            let regions = regions(root, *phases);
            let apart = regions.windows(2).all(|pair| pair[0][1] <= pair[1][0]);
            assert!(apart, "{golden}: {regions:?}");
            end = end.max(regions.last().map_or(0, |region| region[1]));
        }
        assert_eq!(end, shared.bytes(), "{golden}");
        let ring = regions(root, ["mainloop", ""]);
        assert_eq!(ring.last().map(|region| region[1]), Some(shared.ring_bytes), "{golden}");
        if shared.apart {
            let staged = regions(root, ["epilogue", ""]);
            assert_eq!(staged.first().map(|region| region[0]), Some(shared.ring_bytes), "{golden}");
        }
        for target in having(root, "target") {
            let blocks = having(target, "block").count() as u64;
            let of = plan.targets().iter().find(|one| one.name() == word(target, "target"));
            let of = *of.expect("a target of the plan");
            let machine = Machine { target: of, processors: 1, clock: 1.0, memory: 1.0 };
            assert_eq!(blocks, emit(plan).resident_blocks(&machine), "{golden} {of}");
        }
        assert_eq!(having(root, "target").count(), plan.targets().len(), "{golden}");
    }
}

#[test]
fn the_parts_of_the_registers_follow_each_other() {
    for (golden, plan) in GOLDENS.iter() {
        let picture = registers::picture(plan);
        let document = document(&picture);
        let root = document.root_element();
        let registers = plan.registers();
        let mut next = 0;
        for part in having(root, "part") {
            assert_eq!(number(part, "register"), next, "{golden}");
            next += number(part, "registers");
        }
        let held = registers.accumulators
            + registers.fragments
            + registers.next_fragments
            + registers.addresses
            + registers.copies;
        assert_eq!(next, held, "{golden}");
        assert_eq!(number(only(root, "limit"), "limit"), registers.limit, "{golden}");
        let roles: Vec<u32> = having(root, "role").map(|role| number(role, "registers")).collect();
        let moved = plan.roles().and_then(|roles| roles.registers);
        assert_eq!(roles, moved.map(Vec::from).unwrap_or_default(), "{golden}");
    }
}

#[test]
fn the_points_of_the_roofline_are_the_estimate_and_the_measurement() {
    let mut drawn = 0;
    for (golden, plan) in GOLDENS.iter() {
        let launch = launch(plan, [4096, 1000, 2048]);
        let Some(picture) = roofline::picture(plan, &launch, Some(1.5e12)) else {
            assert_ne!(launch.machine.target.capability(), (9, 0), "{golden}");
            continue;
        };
        drawn += 1;
        let document = document(&picture);
        let [m, n, k] = launch.shape.map(|extent| extent as f64);
        let seconds = Footprint::of(plan).seconds(launch.shape, 1, &launch.machine);
        let expected = [("estimate", 2.0 * m * n * k / seconds), ("measured", 1.5e12)];
        let points = having(document.root_element(), "point");
        let points = points.map(|node| (word(node, "point"), word(node, "speed")));
        for ((what, speed), (name, at)) in expected.into_iter().zip(points) {
            assert_eq!((what, format!("{}", speed.round())), (name, at.to_owned()), "{golden}");
        }
        assert_eq!(having(document.root_element(), "point").count(), 2, "{golden}");
    }
    assert!(drawn > 100, "only {drawn} were drawn");
}
