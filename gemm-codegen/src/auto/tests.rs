mod classes;
mod converted;
mod groups;
mod lanes;

use std::fmt::Write as _;
use std::num::NonZeroU16;

use super::presets::OfForm;
use super::*;
use crate::body::samples;
use crate::hardware::{A100, H200};
use crate::level::mma::Unit;
use crate::spec::{CacheOperator, CachePolicy, OperandKind};
use crate::{CopyAtom, Element, Factors, PerSide, Raster, Side, Target};

/// A product on tensor cores.
fn product(element: Element) -> Spec {
    samples::product(element, "matmul(x, w)")
}

/// The plans of the candidates.
fn plans(spec: &Spec) -> Vec<Plan> {
    candidates(spec).unwrap().into_iter().map(|candidate| candidate.plan).collect()
}

/// The candidate that is estimated to be the fastest for a shape.
fn chosen<'c>(all: &'c [Candidate], [m, n, k]: [usize; 3], machine: &Machine) -> &'c Candidate {
    let seconds = |candidate: &&Candidate| {
        let shape = if candidate.swapped { [n, m, k] } else { [m, n, k] };
        Footprint::of(&candidate.plan).seconds(shape, 1, machine)
    };
    let on_machine = |candidate: &&Candidate| {
        let capability = machine.target.capability();
        candidate.plan.targets().iter().any(|target| target.runs_on(capability))
    };
    let able = all.iter().filter(on_machine);
    able.min_by(|x, y| seconds(x).total_cmp(&seconds(y))).unwrap()
}

#[test]
fn every_candidate_is_legal_for_halves() {
    let plans = plans(&product(Element::F16));
    let presets = PRESETS.iter().copied().filter(|preset| !preset.is_of_lanes());
    assert_eq!(plans.len(), 1 + presets.clone().count());
    assert_eq!(plans[0].warps().block, [128, 128, 32]);
    assert_eq!(plans[0].targets(), Target::DEFAULT);
    for (plan, preset) in plans[1..].iter().zip(presets) {
        let [m, n, _] = preset.tile.map(u32::from);
        assert_eq!(plan.warps().block[..2], [m, n]);
        match preset.by {
            OfForm::Warps(_) => assert!(plan.targets().contains(&Target::Sm90)),
            OfForm::Groups(_) => assert_eq!(plan.targets(), [Target::Sm90a]),
        }
    }
}

#[test]
fn each_correction_is_of_a_schedule_that_has_no_other() {
    let plans = plans(&product(Element::F16));
    let of_warps = plans.iter().filter(|plan| !matches!(plan.mma().unit, Unit::Warpgroup(_)));
    let schedules: Vec<fitted::Schedule> = of_warps
        .map(|plan| {
            let [m, n, k] = plan.warps().block;
            ([m, n, k * Element::F16.bytes()], plan.warps().grid, plan.ring().stages)
        })
        .collect();
    for (number, (schedule, correction)) in fitted::CORRECTIONS.iter().enumerate() {
        assert!(schedules.contains(schedule), "{schedule:?}");
        assert!((0.8..1.25).contains(correction), "{schedule:?}");
        let others = &fitted::CORRECTIONS[number + 1..];
        assert!(others.iter().all(|(other, _)| other != schedule), "{schedule:?}");
    }
}

#[test]
fn corrections_of_warpgroups_are_of_candidates() {
    let plans = plans(&product(Element::F16));
    for (([m, n, k], warps, stages), _) in fitted::groups::CORRECTIONS {
        let is_of = |plan: &&Plan| {
            plan.warps().block == [m, n, k / Element::F16.bytes()]
                && plan.warps().grid == warps
                && plan.ring().stages == stages
        };
        assert_eq!(plans.iter().filter(is_of).count(), 1, "{m} x {n}");
    }
}

#[test]
fn a_target_with_less_shared_memory_has_fewer() {
    let mut spec = product(Element::F16);
    spec.schedule.targets = Some(vec![Target::Sm86]);
    let few = plans(&spec);
    assert!((4..PRESETS.len()).contains(&few.len()), "{}", few.len());
    assert!(few.iter().all(|plan| plan.targets() == [Target::Sm86]));
}

#[test]
fn what_a_schedule_names_is_kept() {
    let mut spec = product(Element::F16);
    spec.schedule.raster = Some(Raster::AlongN(NonZeroU16::new(3).unwrap()));
    let plans = plans(&spec);
    assert!(plans.len() > 10);
    assert!(plans.iter().all(|plan| Some(plan.raster()) == spec.schedule.raster));
}

#[test]
fn a_copy_stays_with_its_factor() {
    let bytes = NonZeroU16::new(16).unwrap();
    let policy = Some(CachePolicy::EvictLast);
    let mut spec = product(Element::F16);
    spec.schedule.copy.a = Some(CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, policy });
    for plan in plans(&spec) {
        let of_a = if plan.problem().factor(Side::A).operand == 0 { Side::A } else { Side::B };
        let policies = Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy());
        assert_eq!(policies[of_a as usize], policy);
        assert_ne!(policies[1 - of_a as usize], policy);
    }
}

#[test]
fn a_preset_can_stream_the_second_factor() {
    let streamed = Some(CachePolicy::EvictFirst);
    let policies = |spec: &Spec, preset: Preset| {
        let derived = Plan::new(spec).unwrap();
        let plan = Plan::new(&preset.spec(spec, &derived).unwrap()).unwrap();
        Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy())
    };
    let spec = product(Element::F16);
    let of = |swapped| {
        let streams = |found: &Preset| match found.by {
            OfForm::Warps(warps) => warps.streamed == streamed && found.swapped == swapped,
            OfForm::Groups(_) => false,
        };
        PRESETS.into_iter().find(streams).unwrap()
    };
    let [rows, columns] = [false, true].map(of);
    assert_eq!(policies(&spec, rows), [None, streamed]);
    assert_eq!(policies(&spec, columns), [streamed, None]);

    let mut named = spec.clone();
    let bytes = NonZeroU16::new(16).unwrap();
    let plain = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy: None };
    named.schedule.copy = PerSide::both(Some(plain));
    assert_eq!(policies(&named, rows), [None; 2], "what is named is kept");
}

#[test]
fn other_elements_have_what_is_legal_for_them() {
    for element in [Element::I8, Element::F32, Element::F64, Element::E4m3] {
        let count = plans(&product(element)).len();
        assert!(count > 5, "{element}: {count}");
    }
}

#[test]
fn tf32_has_every_candidate_and_some_round_where_they_copy() {
    let plans = plans(&product(Element::F32));
    let presets = PRESETS.iter().copied().filter(|preset| !preset.is_of_lanes());
    assert_eq!(plans.len(), 1 + presets.clone().count());
    assert_eq!(plans[0].factors(), Factors::Tf32TiesAway, "as the reference rounds");
    for (plan, preset) in plans[1..].iter().zip(presets) {
        assert_eq!(plan.factors() == Factors::Tf32TiesEven, preset.copies_tensors());
    }
}

#[test]
fn a_mistake_of_the_spec_is_reported() {
    let mut spec = product(Element::F16);
    spec.schedule.copy = PerSide::both(None);
    spec.outputs[0].indices.names_mut()[1] = "K".to_owned();
    assert!(candidates(&spec).is_err());
}

#[test]
fn the_shape_decides() {
    let all = candidates(&product(Element::F16)).unwrap();
    let chosen = |shape| chosen(&all, shape, &H200).id.as_str();
    assert_eq!(chosen([4096, 4096, 4096]), "128x256x128B-wg2x1-4-cooperative");
    assert_eq!(chosen([128, 14336, 4096]), "64x224x128B-wg1x1-6", "128 blocks, one wave");
    let pairs = "128x224x128B-wg2x1-4-cluster2x1-cooperative";
    assert_eq!(chosen([5000, 5000, 5000]), pairs, "rows that begin within sectors");
    assert_eq!(chosen([1, 4096, 4096]), "16x32x512B-1x1x8-6-stream");
    assert_eq!(chosen([32, 28672, 8192]), "128x32x256B-4x1x2-4-stream-swap");
    assert_eq!(chosen([64, 64, 64]), "16x32x256B-1x1x4-4-stream");
    assert_eq!(chosen([16, 16, 16384]), "64x64x128B-wg1x1-12-split8");
}

#[test]
fn the_shape_decides_where_there_are_no_warpgroups() {
    let all = candidates(&product(Element::F16)).unwrap();
    let next = Machine { target: Target::Sm100, ..H200 };
    let chosen = |shape| chosen(&all, shape, &next).id.as_str();
    assert_eq!(chosen([4096, 4096, 4096]), "128x256x128B-2x4x1-4-tail8-tma");
    assert_eq!(chosen([8192, 8192, 8192]), "192x256x128B-2x4x1-4-tail8-tma");
}

#[test]
fn ids_tell_presets_apart() {
    let mut ids: Vec<String> = PRESETS.iter().map(Preset::to_string).collect();
    ids.push(DERIVED.to_owned());
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1 + PRESETS.len());
}

/// Shapes from a few rows to large squares, the same in each run.
fn shapes() -> impl Iterator<Item = [usize; 3]> {
    let mut state = 1u64;
    std::iter::repeat_with(move || {
        [(); 3].map(|()| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bits = (state >> 40) % 14;
            (1 << bits) + (state >> 20) as usize % (1 << bits)
        })
    })
}

#[test]
fn choices_are_those_recorded() {
    let mut text = String::new();
    for (element, spec, machine) in [
        ("f16", product(Element::F16), &H200),
        ("tf32", product(Element::F32), &H200),
        ("e4m3", product(Element::E4m3), &H200),
        ("f16", product(Element::F16), &A100),
        ("f32", lanes::exact(), &H200),
    ] {
        let all = candidates(&spec).unwrap();
        for shape in shapes().take(100) {
            let (target, id) = (machine.target, &chosen(&all, shape, machine).id);
            _ = writeln!(text, "{element} on {target}, {shape:?}: {id}");
        }
    }
    expect_test::expect_file!["choices.txt"].assert_eq(&text);
}

#[test]
fn more_work_takes_longer() {
    for plan in plans(&product(Element::F16)) {
        let seconds = |shape, batch| Footprint::of(&plan).seconds(shape, batch, &H200);
        let one = seconds([512, 512, 512], 1);
        assert!(one > 1e-6 && one < 1e-4, "{one}");
        // More rows than one wave has: within a wave, edges that divide the tiles can be faster.
        for shape in [[16384, 512, 512], [512, 16384, 512], [512, 512, 2048]] {
            assert!(seconds(shape, 1) > one);
        }
        assert!(seconds([512, 512, 512], 9) > one);
        assert!(seconds([0, 512, 512], 0) > 0.0, "an empty product is a launch");
    }
}

#[test]
fn rows_that_begin_within_sectors_take_longer() {
    let plans = |indices: [&str; 2]| {
        let mut spec = product(Element::F16);
        if let OperandKind::Matrix { indices: of_b, .. } = &mut spec.operands[1].kind {
            *of_b = indices.map(str::to_owned);
        }
        plans(&spec)
    };
    let seconds = |plan: &Plan, shape| Footprint::of(plan).seconds(shape, 1, &H200);
    let narrow = |plan: &&Plan| plan.warps().block[0] <= 32;
    for order in [["N", "K"], ["K", "N"]] {
        assert!(plans(order).iter().filter(narrow).count() > 5, "{order:?}");
    }
    for plan in plans(["N", "K"]).iter().filter(narrow) {
        // 16 elements are a sector.
        assert!(seconds(plan, [16, 4096, 4088]) > 1.1 * seconds(plan, [16, 4096, 4096]));
        assert!(seconds(plan, [16, 4088, 4096]) <= seconds(plan, [16, 4096, 4096]));
    }
    for plan in plans(["K", "N"]).iter().filter(narrow) {
        assert!(seconds(plan, [16, 4088, 4096]) > seconds(plan, [16, 4096, 4096]));
    }
}
