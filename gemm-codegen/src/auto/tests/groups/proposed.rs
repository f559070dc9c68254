//! Where warpgroups are proposed, and which.

use super::*;
use crate::Mma;
use crate::spec::Accumulator;

#[test]
fn every_one_has_the_stages_that_fit() {
    for Candidate { id, plan, .. } in groups(&product(Element::F16)) {
        let footprint = Footprint::of(&plan);
        let stage = footprint.ring_bytes / footprint.stages;
        let limit = Target::Sm90a.limits().shared_bytes_per_block;
        let full = footprint.shared_bytes + stage > limit;
        let enough = match footprint.block[2] * 2 {
            128 => 8,
            256 => 6,
            other => panic!("{id}: {other} B along K"),
        };
        assert!(full || footprint.stages >= enough, "{id}");
    }
}

#[test]
fn ids_name_the_grid_of_warpgroups() {
    let ids: Vec<String> = groups(&product(Element::F16)).into_iter().map(|one| one.id).collect();
    for id in [
        "128x256x128B-wg2x1-4",
        "192x192x128B-wg3x1-4",
        "64x128x128B-wg1x1-8-swap",
        "64x64x256B-wg1x1-6-split2",
        "64x80x128B-wg1x1-12-cluster4x2-swap",
    ] {
        assert!(ids.iter().any(|known| known == id), "{id}");
    }
}

#[test]
fn they_are_not_proposed_where_a_rule_or_a_key_excludes_them() {
    type Change = fn(&mut Spec);
    let cases: [(&str, Element, Change); 7] = [
        ("doubles", Element::F64, |_| ()),
        ("sums in f16", Element::F16, |spec| spec.schedule.acc = Some(Accumulator::F16)),
        ("register tiles", Element::F32, |spec| {
            let eight = NonZeroU16::new(8).unwrap();
            spec.schedule.precision = None;
            spec.schedule.mma = Some(Mma::Fma { m: eight, n: eight });
        }),
        ("exact f32", Element::F32, |spec| spec.schedule.precision = None),
        ("an atom of warps", Element::F16, |spec| spec.schedule.mma = Some(Mma::M16n8k16)),
        ("copies of threads", Element::F16, |spec| {
            let bytes = NonZeroU16::new(16).unwrap();
            let cache = CacheOperator::Cg;
            spec.schedule.copy.b = Some(CopyAtom::CpAsync { bytes, cache, policy: None });
        }),
        ("other targets", Element::F16, |spec| {
            spec.schedule.targets = Some(vec![Target::Sm80, Target::Sm100]);
        }),
    ];
    for (what, element, change) in cases {
        let mut spec = product(element);
        change(&mut spec);
        assert!(candidates(&spec).is_ok_and(|all| all.len() > 1), "{what}");
        assert!(groups(&spec).is_empty(), "{what}");
    }
}

#[test]
fn a_batch_has_those_of_one_matrix() {
    let mut batched = product(Element::F16);
    batched.operands[0].batch = vec!["B".to_owned()];
    batched.outputs[0].batch = vec!["B".to_owned()];
    let ids = |spec| groups(spec).into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(&batched), ids(&product(Element::F16)));
}

#[test]
fn they_are_all_there_is_where_the_key_asks_for_them() {
    let mut spec = product(Element::F16);
    spec.schedule.mma = Some(Mma::Wgmma(None));
    let all = candidates(&spec).unwrap();
    assert!(all.len() > 20 && all.iter().all(is_of_groups));
}

#[test]
fn a_target_of_their_compute_capability_is_enough() {
    for target in [Target::Sm90, Target::Sm90a] {
        let mut spec = product(Element::F16);
        spec.schedule.targets = Some(vec![target]);
        assert!(groups(&spec).len() > 20, "{target}");
    }
}
