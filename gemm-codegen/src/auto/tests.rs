use super::*;
use crate::element::Element;
use crate::level::global_to_shared::CacheOperator;
use crate::spec::{Axis, Operand, OperandKind, Output};
use crate::{Factors, Kernel, Mma, ParameterKind, Raster, emit};

/// a(M×K) · b(N×K)ᵀ, everything of one element.
fn product(element: Element) -> Spec {
    let matrix = |name: &str, indices: [&str; 2]| Operand {
        name: name.to_owned(),
        batch: None,
        kind: OperandKind::Matrix { element, indices: indices.map(str::to_owned) },
    };
    Spec {
        name: "product".to_owned(),
        operands: vec![matrix("a", ["M", "K"]), matrix("b", ["N", "K"])],
        output: Output {
            in_place: None,
            batch: None,
            element,
            indices: ["M", "N"].map(str::to_owned),
        },
        more_outputs: Vec::new(),
        body: Body::matmul("a", "b"),
        schedule: Schedule::default(),
    }
}

/// As the driver describes it.
const H200: Machine =
    Machine { target: Target::Sm90, processors: 132, clock: 1.98e9, memory: 4.917e12 };

/// The tile and the splits of the kernel that is chosen for a shape on an H200.
fn chosen(kernels: &[Kernel], [m, n, k]: [usize; 3]) -> ([u32; 3], u32) {
    let seconds = |kernel: &&Kernel| {
        let output = kernel.parameters.last().map(|output| output.kind);
        let swapped = matches!(output, Some(ParameterKind::Matrix { rows: Axis::N, .. }));
        let shape = if swapped { [n, m, k] } else { [m, n, k] };
        kernel.footprint.seconds(shape, 1, &H200)
    };
    let best = kernels.iter().min_by(|x, y| seconds(x).total_cmp(&seconds(y))).unwrap();
    (best.launch.block_tile, best.footprint.splits)
}

#[test]
fn every_candidate_is_legal_for_halves() {
    let plans = plans(&product(Element::F16)).unwrap();
    let candidates = CANDIDATES.into_iter().filter(|candidate| !candidate.lanes);
    assert_eq!(plans.len(), 1 + candidates.clone().count());
    assert_eq!(plans[0].warps().block, [128, 128, 32]);
    assert_eq!(plans[0].targets(), Target::DEFAULT);
    for (plan, candidate) in plans[1..].iter().zip(candidates) {
        let [m, n, _] = candidate.tile.map(u32::from);
        assert_eq!(plan.warps().block[..2], [m, n]);
        assert!(plan.targets().contains(&Target::Sm90));
    }
}

#[test]
fn each_correction_is_of_a_schedule_that_has_no_other() {
    let plans = plans(&product(Element::F16)).unwrap();
    let schedules: Vec<fitted::Schedule> = plans
        .iter()
        .map(|plan| {
            let [m, n, k] = plan.warps().block;
            ([m, n, k * Element::F16.bytes()], plan.warps().grid, plan.mainloop().stages)
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
fn a_target_with_less_shared_memory_has_fewer() {
    let spec = Spec {
        schedule: Schedule { targets: Some(vec![Target::Sm86]), ..Schedule::default() },
        ..product(Element::F16)
    };
    let few = plans(&spec).unwrap();
    assert!((4..CANDIDATES.len()).contains(&few.len()), "{}", few.len());
    assert!(few.iter().all(|plan| plan.targets() == [Target::Sm86]));
}

#[test]
fn what_a_schedule_names_is_kept() {
    let mut spec = product(Element::F16);
    spec.schedule.raster = Some(Raster::AlongN(NonZeroU16::new(3).unwrap()));
    let plans = plans(&spec).unwrap();
    assert!(plans.len() > 10);
    assert!(plans.iter().all(|plan| Some(plan.grid()) == spec.schedule.raster));
}

#[test]
fn a_copy_stays_with_its_factor() {
    let bytes = NonZeroU16::new(16).unwrap();
    let policy = Some(CachePolicy::EvictLast);
    let mut spec = product(Element::F16);
    spec.schedule.copy.a = Some(CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, policy });
    for plan in plans(&spec).unwrap() {
        let of_a = if plan.contraction().operand(Side::A) == 0 { Side::A } else { Side::B };
        let policies = Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy());
        assert_eq!(policies[of_a as usize], policy);
        assert_ne!(policies[1 - of_a as usize], policy);
    }
}

#[test]
fn a_candidate_can_stream_the_second_factor() {
    let streamed = Some(CachePolicy::EvictFirst);
    let policies = |spec: &Spec, candidate: Candidate| {
        let derived = Plan::new(spec).unwrap();
        let plan = Plan::new(&candidate.spec(spec, &derived).unwrap()).unwrap();
        Side::BOTH.map(|side| plan.global_to_shared(side).atom.policy())
    };
    let spec = product(Element::F16);
    let of = |swapped| {
        let streams = |found: &Candidate| found.streamed == streamed && found.swapped == swapped;
        CANDIDATES.into_iter().find(streams).unwrap()
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
        let output = Output { element: element_of(element), ..product(element).output };
        let count = plans(&Spec { output, ..product(element) }).unwrap().len();
        assert!(count > 5, "{element}: {count}");
    }
}

#[test]
fn singles_have_every_candidate_and_some_round_where_they_copy() {
    let plans = plans(&product(Element::F32)).unwrap();
    let candidates = CANDIDATES.into_iter().filter(|candidate| !candidate.lanes);
    assert_eq!(plans.len(), 1 + candidates.clone().count());
    assert_eq!(plans[0].factors(), Factors::Tf32TiesAway, "as the reference rounds");
    for (plan, candidate) in plans[1..].iter().zip(candidates) {
        assert_eq!(plan.factors() == Factors::Tf32TiesEven, candidate.tensors);
    }
}

#[test]
fn lanes_have_their_own_tile_once_and_smaller_ones() {
    let mut spec = product(Element::F32);
    let eight = NonZeroU16::new(8).unwrap();
    spec.schedule.mma = Some(Mma::Fma { m: eight, n: eight });
    let plans = plans(&spec).unwrap();
    let cut = |plan: &Plan| (plan.warps().block, plan.warps().grid);
    assert_eq!(cut(&plans[0]), ([128, 256, 16], [4, 4, 1]));
    let wide = plans.iter().filter(|plan| plan.warps().block == [128, 256, 16]);
    assert_eq!(wide.count(), 1);
    assert!(plans.iter().any(|plan| cut(plan) == ([128, 128, 16], [4, 2, 1])));
}

/// What a product of these elements is stored as.
fn element_of(element: Element) -> Element {
    if element == Element::I8 { Element::I32 } else { element }
}

#[test]
fn a_mistake_of_the_spec_is_reported() {
    let mut spec = product(Element::F16);
    spec.schedule.copy = PerSide::both(None);
    spec.output.indices[1] = "K".to_owned();
    assert!(plans(&spec).is_err());
}

#[test]
fn the_shape_decides() {
    let kernels: Vec<Kernel> = plans(&product(Element::F16)).unwrap().iter().map(emit).collect();
    assert_eq!(chosen(&kernels, [4096, 4096, 4096]), ([128, 256, 64], 8));
    assert_eq!(chosen(&kernels, [8192, 8192, 8192]), ([192, 256, 64], 8));
    assert_eq!(chosen(&kernels, [1, 4096, 4096]), ([16, 32, 256], 1));
    assert_eq!(chosen(&kernels, [32, 28672, 8192]), ([128, 32, 128], 1));
    assert_eq!(chosen(&kernels, [64, 64, 64]), ([16, 32, 128], 1));
    assert_eq!(chosen(&kernels, [16, 16, 16384]).1, 2, "few tiles, a long sum");
}

#[test]
fn more_work_takes_longer() {
    let kernels: Vec<Kernel> = plans(&product(Element::F16)).unwrap().iter().map(emit).collect();
    for kernel in &kernels {
        let seconds = |shape, batch| kernel.footprint.seconds(shape, batch, &H200);
        let one = seconds([512, 512, 512], 1);
        assert!(one > 1e-6 && one < 1e-4, "{one}");
        for shape in [[2048, 512, 512], [512, 2048, 512], [512, 512, 2048]] {
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
        plans(&spec).unwrap()
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
