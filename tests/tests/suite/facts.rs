//! What a kernel states of its text, compared with the text.

use std::collections::BTreeSet;

use gemm_codegen::{Accumulator, CopyAtom, Facts, Part, Raster, Sums};
use gemm_tests::{Golden, goldens};

use crate::Test;

/// Device functions by which each part is known.
const FUNCTIONS: [(&str, Part); 15] = [
    ("raster", Part::Tiles),
    ("part_of_block", Part::Tiles),
    ("warps", Part::Warps),
    ("global_to_shared", Part::Copies),
    ("global_to_register", Part::Copies),
    ("register_to_shared", Part::Copies),
    ("shared_to_register", Part::Loads),
    ("mma", Part::Multiply),
    ("wgmma", Part::Multiply),
    ("mainloop", Part::Mainloop),
    ("produce", Part::Mainloop),
    ("split_k", Part::Reduction),
    ("reduce", Part::Reduction),
    ("stage", Part::Staging),
    ("epilogue", Part::Epilogue),
];

pub(crate) fn tests() -> Vec<Test> {
    tests![
        a_function_lies_in_its_part,
        sums_are_those_of_the_instruction,
        copies_are_those_of_the_text,
        the_raster_is_that_of_the_attribute
    ]
}

fn all() -> impl Iterator<Item = (&'static Golden, &'static Facts)> {
    goldens::ALL.iter().map(|golden| {
        let facts = golden.kernel.facts.as_ref();
        (golden, facts.unwrap_or_else(|| panic!("{} states nothing", golden.name)))
    })
}

fn a_function_lies_in_its_part() {
    let mut met = BTreeSet::new();
    for (golden, facts) in all() {
        for (number, line) in (1..).zip(golden.kernel.text.lines()) {
            let name = match line.split_once("__device__ __forceinline__ ") {
                // Members of a class are indented.
                Some((before, rest)) if !before.starts_with(' ') => {
                    rest.split('(').next().and_then(|head| head.split(' ').next_back())
                }
                _ => None,
            };
            let known = FUNCTIONS.iter().find(|(function, _)| name == Some(function));
            let known = known.map(|(_, part)| *part);
            let known = known.or(line.contains(" __global__ ").then_some(Part::Entry));
            if let Some(part) = known {
                assert_eq!(facts.part(number), Some(part), "{}: {line}", golden.name);
                met.insert(name.unwrap_or("the kernel itself"));
            }
        }
        let lines = facts.parts.iter().flat_map(|(_, lines)| lines);
        assert!(lines.is_sorted(), "{}: {:?}", golden.name, facts.parts);
    }
    assert_eq!(met.len(), FUNCTIONS.len() + 1, "{met:?}");
}

fn sums_are_those_of_the_instruction() {
    let mut truncated = 0;
    for (golden, facts) in all() {
        let text = &golden.kernel.text;
        let of_group = text.split_once("wgmma.mma_async.sync.aligned.");
        let of_group = of_group.map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
        // Shape, sums, A and B.
        let types = of_group.map(|name| name.split('.').collect::<Vec<_>>());
        let is_narrow = types.is_some_and(|types| ["e4m3", "e5m2"].contains(&types[2]));
        truncated += usize::from(is_narrow);
        match facts.sums {
            Sums::Truncated => {
                assert!(is_narrow && !text.contains("PROMOTED"), "{}", golden.name);
            }
            Sums::Promoted(_) => assert!(is_narrow && text.contains("PROMOTED"), "{}", golden.name),
            Sums::Rounded(sums) => {
                let register = match sums {
                    Accumulator::F16 => "typedef unsigned Accumulators",
                    _ => "typedef Sum Accumulators",
                };
                let sum = format!("typedef {} Sum;", sums.value().cuda());
                assert!(!is_narrow, "{}", golden.name);
                assert!(text.contains(register) && text.contains(&sum), "{}", golden.name);
            }
        }
    }
    assert!(truncated > 0);
}

fn copies_are_those_of_the_text() {
    for (golden, facts) in all() {
        let text = &golden.kernel.text;
        for copy in [facts.copies.a, facts.copies.b] {
            let instruction = match copy {
                CopyAtom::Tma { .. } => "cp.async.bulk.tensor.",
                CopyAtom::CpAsync { .. } => "cp.async.c",
                CopyAtom::LdGlobal { .. } => "register_to_shared(",
            };
            assert!(text.contains(instruction), "{}: {copy:?}", golden.name);
            assert_eq!(
                golden.kernel.footprint.form.copies_tensors(),
                matches!(copy, CopyAtom::Tma { .. }),
                "{}",
                golden.name
            );
        }
    }
}

fn the_raster_is_that_of_the_attribute() {
    for (golden, facts) in all() {
        let mut attribute = golden.kernel.text.lines().take_while(|line| !line.contains(")]"));
        let line = attribute.find(|line| line.contains(" raster ")).unwrap_or_default();
        let along_n = matches!(facts.raster, Raster::AlongN(_));
        let says = format!("along_{}({}),", if along_n { 'n' } else { 'm' }, facts.raster.width());
        assert!(line.ends_with(&says), "{}: {line}", golden.name);
    }
}
