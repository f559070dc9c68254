//! What L2 does with the lines of tensor copies.

use gemm_codegen::{CachePolicy, CopyAtom, Mma, PerSide, Plan, Side, Spec, emit};

use super::shared::{F16, TN, by_tensors, extent, kernel, plan, product, with};

/// Products of both generations, and of clusters, whose factors are copied by these atoms.
fn products(copy: [CopyAtom; 2]) -> [Spec; 4] {
    let of_groups = with(product(F16, TN), |schedule| schedule.mma = Some(Mma::Wgmma(None)));
    let clustered = |blocks: [u16; 2]| {
        with(of_groups.clone(), |schedule| schedule.cluster = Some(blocks.map(extent)))
    };
    let [a, b] = copy.map(Some);
    [by_tensors(F16, &[]), of_groups.clone(), clustered([2, 1]), clustered([2, 2])]
        .map(|spec| with(spec, |schedule| schedule.copy = PerSide { a, b }))
}

fn tma(policy: CachePolicy) -> CopyAtom {
    CopyAtom::Tma { policy: Some(policy) }
}

/// The policies of A and B in the text, by the members of their tiles.
fn written(plan: &Plan) -> Vec<String> {
    let text = emit(plan).text;
    let member = "unsigned long long policy() { return ";
    let members = text.lines().filter_map(|line| line.split_once(member));
    members.map(|(_, call)| call.trim_end_matches("(); }").to_owned()).collect()
}

#[test]
fn each_factor_has_the_policy_that_it_names() {
    for policy in CachePolicy::ALL {
        for spec in products([tma(policy), tma(CachePolicy::EvictFirst)]) {
            let plan = plan(&spec);
            assert_eq!(plan.global_to_shared(Side::A).atom.policy(), Some(policy));
            assert_eq!(written(&plan), [policy.name(), "evict_first"]);
        }
    }
}

#[test]
fn a_factor_without_one_has_the_default_of_the_hardware() {
    for spec in products([CopyAtom::TMA, tma(CachePolicy::EvictFirst)]) {
        let plan = plan(&spec);
        assert_eq!(written(&plan), ["evict_normal", "evict_first"]);
        assert_eq!(plan.global_to_shared(Side::A).atom, CopyAtom::TMA);
    }
}

#[test]
fn every_copy_of_a_kernel_has_a_policy_or_none() {
    for (copy, is_hinted) in
        [([CopyAtom::TMA; 2], false), ([CopyAtom::TMA, tma(CachePolicy::EvictLast)], true)]
    {
        for spec in products(copy) {
            let text = kernel(&spec).text;
            // Copies to global memory count no bytes.
            let copies = text.matches("mbarrier::complete_tx::bytes").count();
            let hints = text.matches("L2::cache_hint").count();
            assert_eq!(hints, if is_hinted { copies } else { 0 });
        }
    }
}

#[test]
fn a_side_that_names_none_takes_the_copies_of_the_other_without_its_policy() {
    for spec in products([tma(CachePolicy::EvictLast); 2]) {
        let spec = with(spec, |schedule| schedule.copy.b = None);
        assert_eq!(plan(&spec).global_to_shared(Side::B).atom, CopyAtom::TMA);
    }
}
