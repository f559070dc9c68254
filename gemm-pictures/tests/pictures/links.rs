//! What links the elements of a report to the source, compared with the plan. Needs NVRTC.

use std::collections::{BTreeMap, BTreeSet};

use gemm_check::trace_plan;
use gemm_codegen::hardware::BANKS;
use gemm_codegen::{Plan, Side, emit};
use gemm_pictures::page::Word;
use gemm_pictures::report::Report;
use gemm_pictures::shared_tile;
use serde_json::Value;

use crate::parse::{document, having, number};
use crate::{GOLDENS, launch};

/// Kernels whose copies are `cp.async`, tensor copies for `mma.sync` and for `wgmma`, also of clusters, and by
/// registers, that multiply without tensor cores, and that have conflicts.
const KERNELS: [&str; 8] = [
    "classic",
    "tensor",
    "wgmma_cooperative",
    "wgmma_pingpong",
    "wgmma_cluster",
    "through_registers",
    "fma_nt",
    "conflicts_no_swizzle",
];

fn plan(name: &str) -> &'static Plan {
    let found = GOLDENS.iter().find(|(golden, _)| golden == name);
    &found.unwrap_or_else(|| panic!("no golden {name}")).1
}

fn links(name: &str) -> Value {
    let plan = plan(name);
    let trace = trace_plan(plan, 4, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let report = Report {
        plan,
        kernel: &emit(plan),
        launch: launch(plan, [512, 512, 512]),
        trace: trace.as_deref(),
        profile: None,
        counted: String::new(),
        written: None,
        checks: None,
        resources: None,
        times: Vec::new(),
    };
    let links = report.page(name, "").links.expect("there is a trace");
    serde_json::from_str(&links).expect("JSON")
}

/// Address, lane, wavefront and sector of each part of the accesses of this kind.
fn parts(known: &Value, is_it: impl Fn(&str) -> bool) -> Vec<[i64; 4]> {
    let accesses = known["accesses"].as_array().expect("accesses").iter();
    let of = accesses.filter(|access| is_it(access["what"].as_str().expect("a word")));
    let numbers: Vec<i64> = of
        .flat_map(|access| access["at"].as_array().expect("numbers"))
        .map(|number| number.as_i64().expect("a number"))
        .collect();
    numbers.as_chunks::<4>().0.to_vec()
}

#[test]
fn each_cell_is_filled_from_the_sectors_of_its_elements() {
    for name in KERNELS {
        let (plan, links) = (plan(name), links(name));
        for side in Side::BOTH {
            let (known, tile) = (&links[side.letter()], plan.shared_tile(side));
            let mut sectors: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
            let fetched = parts(known, |what| what == "fetched to registers").len();
            assert_eq!(fetched > 0, name == "through_registers", "{name} {side:?}");
            for [address, _, _, sector] in parts(known, |what| ["copied", "stored"].contains(&what))
            {
                sectors.entry(address).or_default().insert(sector);
            }
            let picture = shared_tile::picture(plan, side);
            let document = document(&picture);
            let cells: Vec<[u32; 3]> = having(document.root_element(), "address")
                .map(|cell| ["row", "column", "address"].map(|one| number(cell, one)))
                .collect();
            assert_eq!(cells.len(), sectors.len(), "{name} {side:?}");
            // Sectors from a row to the next, whole ones.
            let next = cells.iter().find(|cell| cell[0] > 0 && cell[1] == 0).expect("a row");
            let first = *sectors[&i64::from(next[2])].first().expect("a sector");
            let pitch = first / i64::from(next[0]);
            assert!(pitch > 0 && first == pitch * i64::from(next[0]), "{name} {side:?}: {first}");
            let unit = known["unit"].as_u64().expect("bytes") as u32;
            for [row, column, address] in cells {
                let elements = 0..unit / tile.element_bytes;
                let expected: BTreeSet<i64> = elements
                    .map(|at| match tile.is_transposed() {
                        true => [row + at, column],
                        false => [row, column + at],
                    })
                    .map(|[row, column]| {
                        i64::from(row) * pitch + i64::from(column * tile.element_bytes / 32)
                    })
                    .collect();
                let met = &sectors[&i64::from(address)];
                assert_eq!(met, &expected, "{name} {side:?} {row} {column}");
            }
        }
    }
}

#[test]
fn owners_are_those_of_the_fragments() {
    for name in KERNELS {
        let (plan, links) = (plan(name), links(name));
        for side in Side::BOTH {
            let owners = links[side.letter()]["owners"].as_object().expect("owners");
            let Some(loads) = plan.feed(side).loads() else {
                assert!(owners.is_empty(), "{name} {side:?}");
                continue;
            };
            // The first cell has the first elements along its line of the first atom.
            let tile = plan.shared_tile(side);
            let count =
                links[side.letter()]["unit"].as_u64().expect("bytes") as u32 / tile.element_bytes;
            let along_k = tile.k_contiguous != tile.is_transposed();
            let lanes: BTreeSet<u32> = (0..count)
                .flat_map(|at| {
                    let (mn, k) = if along_k { (0, at) } else { (at, 0) };
                    let (mn, k) = (mn % 8, k % plan.mma().shape()[2]);
                    let place = if side == Side::A { [mn, k] } else { [k, mn] };
                    let all = loads.fragment.iter().filter(move |(_, at)| *at == place);
                    all.map(|(owner, _)| owner.lane).collect::<Vec<_>>()
                })
                .collect();
            let said = owners["0"].as_str().expect("a text");
            let first = lanes.first().expect("a lane");
            assert!(
                said.starts_with("lane") && said.contains(&first.to_string()),
                "{said}: {lanes:?}"
            );
            let last = lanes.last().expect("a lane").to_string();
            assert!(
                said.split(", register").next().is_some_and(|one| one.ends_with(&last)),
                "{name} {said}"
            );
        }
    }
}

#[test]
fn loads_of_a_wavefront_meet_in_no_bank() {
    let mut conflicts = 0;
    for name in KERNELS {
        let links = links(name);
        for side in Side::BOTH {
            let accesses = links[side.letter()]["accesses"].as_array().expect("accesses");
            for access in accesses.iter().filter(|access| access["what"] == "loaded") {
                let known = serde_json::json!({ "accesses": [access] });
                let mut words: BTreeMap<(i64, i64), BTreeSet<i64>> = BTreeMap::new();
                for [address, _, wavefront, _] in parts(&known, |_| true) {
                    let bank = address / 4 % i64::from(BANKS);
                    words.entry((wavefront, bank)).or_default().insert(address);
                }
                assert!(words.values().all(|words| words.len() == 1), "{name}: {words:?}");
                let most = words.keys().map(|(wavefront, _)| wavefront).max().expect("a load");
                conflicts += u32::from(*most > 3);
            }
        }
    }
    assert!(
        conflicts > 0,
        "the kernel without a swizzle has loads of more wavefronts than matrices"
    );
}

#[test]
fn terms_of_the_first_screen_are_those_of_the_glossary() {
    let plan = plan("classic");
    let report = Report {
        plan,
        kernel: &emit(plan),
        launch: launch(plan, [512, 512, 512]),
        trace: None,
        profile: None,
        counted: String::new(),
        written: None,
        checks: None,
        resources: None,
        times: Vec::new(),
    };
    let facts = report.page("classic", "").first.expect("a first screen").facts;
    let glossary = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/glossary.md");
    let glossary = std::fs::read_to_string(glossary).expect("the glossary");
    let mut terms = 0;
    for word in facts.iter().flat_map(|fact| fact.lines.iter().flatten()) {
        if let Word::Term { written, meaning } = word {
            let mut rows =
                glossary.lines().filter_map(|row| row.split_once(&format!("| {meaning} |")));
            assert!(rows.any(|(term, _)| term.contains(written)), "{written}: {meaning}");
            terms += 1;
        }
    }
    assert!(terms >= 3, "{terms} terms");
}
