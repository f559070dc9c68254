//! Who holds what of an atom.

use std::collections::HashMap;

use gemm_codegen::level::mma::Unit;
use gemm_codegen::{AtomMatrix, Fragment, Plan, Wgmma};
use gemm_pictures::fragments;
use roxmltree::Node;

use crate::GOLDENS;
use crate::parse::{document, having, number, numbers, target, word};

/// Lanes and registers of an element.
type Owners = (Vec<u32>, Vec<u32>);

#[test]
fn the_owner_of_a_cell_is_that_of_the_map() {
    for (golden, plan) in GOLDENS.iter() {
        let picture = fragments::picture(plan);
        let document = document(&picture);
        let mut matrices = 0;
        for node in having(document.root_element(), "matrix") {
            let is_it = |matrix: &AtomMatrix| matrix.letter() == word(node, "matrix");
            let Some(matrix) = AtomMatrix::ALL.into_iter().find(is_it) else { continue };
            compare(golden, node, &plan.mma().fragment(matrix));
            matrices += 1;
        }
        let expected = if matches!(plan.mma().unit, Unit::Warpgroup(_)) { 1 } else { 3 };
        assert_eq!(matrices, expected, "{golden}");
    }
}

fn compare(golden: &str, matrix: Node<'_, '_>, map: &Fragment) {
    let mut owners: HashMap<[u32; 2], Owners> = HashMap::new();
    for (owner, at) in map.iter() {
        let (lanes, registers) = owners.entry(at).or_default();
        lanes.push(owner.lane);
        registers.push(owner.register);
    }
    let mut drawn = 0;
    for part in having(matrix, "registers") {
        let (cells, registers) = (target(part), numbers(part, "registers"));
        let extents = [number(cells, "rows"), number(cells, "columns")];
        for cell in having(cells, "lanes") {
            let [row, column] =
                ["row", "column"].map(|name| number(part, name) + number(cell, name));
            let mut met = Vec::new();
            for at in (row..row + extents[0])
                .flat_map(|row| (column..column + extents[1]).map(move |column| [row, column]))
            {
                let (lanes, held) =
                    owners.remove(&at).unwrap_or_else(|| panic!("{golden}: {at:?}"));
                assert_eq!(lanes, numbers(cell, "lanes"), "{golden} {at:?}");
                assert!(held.iter().all(|one| *one == held[0]), "{golden} {at:?}");
                if !met.contains(&held[0]) {
                    met.push(held[0]);
                }
                drawn += 1;
            }
            assert_eq!(met, registers, "{golden}: from {row}, {column} on");
        }
    }
    assert!(owners.is_empty(), "{golden}: {} elements are not drawn", owners.len());
    assert_eq!(drawn, map.rows() * map.columns(), "{golden}");
}

#[test]
fn the_sums_of_a_warpgroup_are_drawn_where_they_lie() {
    let mut groups = 0;
    for (golden, plan) in GOLDENS.iter() {
        let Unit::Warpgroup(unit) = plan.mma().unit else { continue };
        check_sums(golden, plan, unit);
        groups += 1;
    }
    assert!(groups > 10, "only {groups} goldens of warpgroups");
}

fn check_sums(golden: &str, plan: &Plan, unit: Wgmma) {
    let picture = fragments::picture(plan);
    let document = document(&picture);
    let is_sums = |node: &Node<'_, '_>| word(*node, "matrix") == "D";
    let sums = having(document.root_element(), "matrix").find(is_sums).expect("the sums");
    // Warp and register → first row and column, and extents.
    let mut places = HashMap::new();
    for band in having(sums, "registers") {
        let (parts, column) = (target(band), number(band, "column"));
        let extents = [number(parts, "rows"), number(parts, "columns")];
        for part in having(parts, "warp") {
            for register in numbers(band, "registers") {
                let place = ([number(part, "row"), column], extents);
                assert!(places.insert((number(part, "warp"), register), place).is_none());
            }
        }
    }
    let [m, n, _] = unit.shape();
    let mut held = vec![0; (m * n) as usize];
    for (thread, sum) in (0..128).flat_map(|thread| (0..unit.sums()).map(move |sum| (thread, sum)))
    {
        let [row, column] = unit.position(thread, sum).expect("a sum");
        held[(row * n + column) as usize] += 1;
        let (at, extents) = places[&(thread / 32, sum)];
        let inside = (at[0]..at[0] + extents[0]).contains(&row)
            && (at[1]..at[1] + extents[1]).contains(&column);
        assert!(inside, "{golden}: sum {sum} of thread {thread} at {row}, {column}");
    }
    assert!(held.iter().all(|times| *times == 1), "{golden}: each sum has one owner");
}

#[test]
fn the_elements_with_another_owner_are_marked_and_counted() {
    let mut drawn = 0;
    for (golden, plan) in GOLDENS.iter() {
        let Some(picture) = fragments::true_and_wrong(plan) else { continue };
        drawn += 1;
        let document = document(&picture);
        let map = plan.mma().fragment(AtomMatrix::C);
        let maps: Vec<Node<'_, '_>> = having(document.root_element(), "map").collect();
        let mut differ = 0;
        for (node, name) in maps.into_iter().zip(["true", "wrong"]) {
            assert_eq!(word(node, "map"), name);
            let cells: Vec<Node<'_, '_>> = having(node, "lane").collect();
            assert_eq!(cells.len() as u32, map.rows() * map.columns(), "{golden}");
            for cell in cells {
                let owner = map.owner(number(cell, "row"), number(cell, "column"));
                let owner = owner.expect("an element").lane;
                let differs = number(cell, "lane") != owner;
                assert_eq!(cell.has_attribute("data-differs"), differs, "{golden} {name}");
                assert!(name == "wrong" || !differs, "{golden}");
                differ += u32::from(differs);
            }
        }
        let said = format!("{differ} of {} elements have another owner.", map.rows() * 8);
        assert!(differ > 0 && picture.caption.ends_with(&said), "{golden}: {}", picture.caption);
    }
    assert!(drawn > 10, "{drawn}");
}
