//! Classes of candidates of functions that are `invariant`.

use super::*;
use crate::axis::Axis;
use crate::problem::ParameterKind;
use crate::spec::Precision;
use crate::summation::Summation;

fn invariant(mut spec: Spec) -> Vec<Candidate> {
    spec.schedule.invariant = true;
    candidates(&spec).unwrap()
}

/// The class that is chosen among those that a machine runs.
fn class(all: &[Candidate], rows: Axis, shape: [usize; 3], machine: &Machine) -> usize {
    let capability = machine.target.capability();
    let runs = |one: &&Candidate| one.plan.targets().iter().any(|on| on.runs_on(capability));
    let able: Vec<&Candidate> = all.iter().filter(runs).collect();
    let footprints: Vec<Footprint> = able.iter().map(|one| Footprint::of(&one.plan)).collect();
    let members = able.iter().zip(&footprints);
    let members = members.map(|(one, footprint)| Member {
        class: one.class,
        swapped: one.swapped,
        footprint,
    });
    let columns = if rows == Axis::M { Axis::N } else { Axis::M };
    let output = ParameterKind::Matrix { element: Element::F16, rows, columns };
    fastest_class(&members.collect::<Vec<_>>(), output, shape, machine).unwrap()
}

/// Blocks that share the K of each tile by the candidates of a class; 1 where none do.
fn splits(all: &[Candidate], class: usize) -> u32 {
    match all[class].plan.summation() {
        Summation::Floats(sums) => sums.splits.map_or(1, |splits| splits.count),
        Summation::Integers => 1,
    }
}

#[test]
fn plans_are_of_one_class_where_they_give_the_same_bits() {
    for element in [Element::F16, Element::F32, Element::F64] {
        let all = invariant(product(element));
        assert!(all.iter().any(|one| one.class > 0));
        for one in &all {
            for other in &all {
                let is_alike = one.plan.gives_bits_of(&other.plan);
                assert_eq!(is_alike, one.class == other.class, "{} {}", one.id, other.id);
            }
        }
        assert!(all.iter().enumerate().all(|(number, one)| one.class <= number));
    }
}

#[test]
fn only_invariant_functions_of_floats_have_several_classes() {
    let one_class = |all: &[Candidate]| all.iter().all(|candidate| candidate.class == 0);
    assert!(one_class(&candidates(&product(Element::F16)).unwrap()));
    let integers = invariant(product(Element::I8));
    assert!(one_class(&integers) && integers.len() > 20);
}

/// The terms of planes tell A from B.
#[test]
fn candidates_of_planes_with_exchanged_factors_are_classes_of_their_own() {
    let mut spec = product(Element::F32);
    spec.schedule.precision = Some(Precision::F16x3);
    let all = invariant(spec);
    assert!(all.iter().any(|one| one.swapped));
    assert!(all.iter().all(|one| one.swapped == all[one.class].swapped));
}

#[test]
fn rows_do_not_decide_the_class() {
    let all = invariant(product(Element::F16));
    for machine in [H200, A100] {
        for [features, k] in [[72, 1160], [1024, 8192], [4096, 4096]] {
            let of_m = |m| class(&all, Axis::M, [m, features, k], &machine);
            let of_n = |n| class(&all, Axis::N, [features, n, k], &machine);
            for rows in [0, 1, 17, 300, 100_000] {
                assert_eq!((of_m(rows), of_n(rows)), (of_m(16), of_n(16)));
            }
        }
    }
}

#[test]
fn k_is_split_where_there_are_few_columns_and_not_where_there_are_many() {
    let all = invariant(product(Element::F16));
    let splits = |n, k| splits(&all, class(&all, Axis::M, [1, n, k], &H200));
    assert_eq!(splits(1024, 8192), 4);
    assert_eq!(splits(4096, 4096), 1);
    assert_eq!(splits(28672, 4096), 1);
}

/// The sums of `wgmma` of tf32 and 8-bit floats differ from those of the derived schedule, which has no tensor copies.
#[test]
fn large_products_multiply_by_warpgroups_of_any_element() {
    for element in [Element::F16, Element::F32, Element::E4m3] {
        let all = invariant(product(element));
        let class = class(&all, Axis::M, [1, 4096, 4096], &H200);
        let of_class = all.iter().filter(|one| one.class == class).cloned();
        let fastest = chosen(&of_class.collect::<Vec<_>>(), [2048, 4096, 4096], &H200).clone();
        assert!(matches!(fastest.plan.mma().unit, Unit::Warpgroup(_)), "{}", fastest.id);
    }
}
