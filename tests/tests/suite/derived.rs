//! Schedules that nobody has written: in every order of the operands and the output, what is derived
//! fits the registers of its oldest and its newest target, and so do those among which a launch chooses.

use std::num::NonZeroU16;

use gemm_codegen::{CopyAtom, Element, Mma, PerSide, Plan, Schedule, Spec, Target, auto, emit};
use gemm_runtime::compile::{Form, Program, cached};
use gemm_tests::require_pinned_nvrtc;
use rayon::prelude::*;

use crate::Test;
use crate::shared::{orders, product};

/// An element, and what is written of a schedule.
type Kind = (Element, Option<Target>, Option<CopyAtom>, Option<Mma>);

/// Lanes that multiply f32 by 128 registers a thread.
const LANES: Option<Mma> = {
    let eight = NonZeroU16::new(8).unwrap();
    Some(Mma::Fma { m: eight, n: eight })
};

/// One element of each kind that is loaded and multiplied in its own way, and the targets if they are
/// written: for some doubles have other atoms.
const KINDS: [Kind; 12] = [
    (Element::I8, None, None, None),
    (Element::E4m3, None, None, None),
    (Element::F16, None, None, None),
    (Element::F32, None, None, None),
    (Element::F64, None, None, None),
    (Element::F64, Some(Target::Sm90), None, None),
    (Element::I8, None, Some(CopyAtom::Tma), None),
    (Element::E4m3, None, Some(CopyAtom::Tma), None),
    (Element::F16, None, Some(CopyAtom::Tma), None),
    (Element::F32, None, Some(CopyAtom::Tma), None),
    (Element::F32, None, None, LANES),
    (Element::F32, Some(Target::Sm75), None, LANES),
];

/// Whether a kind is legal in the order with this number: tensor copies read rows along K, those of
/// 16 bits also along M and N.
fn is_legal((element, _, copy, _): Kind, order: u32) -> bool {
    copy.is_none() || order & 3 == 0 || element.bytes() == 2
}

/// A product in the order with this number, nothing else of its schedule written.
fn of_kind((element, target, copy, mma): Kind, order: u32) -> Spec {
    let targets = target.map(|target| vec![target]);
    let schedule = Schedule { targets, copy: PerSide::both(copy), mma, ..Schedule::default() };
    product([element; 2], orders(order), schedule)
}

/// What a target has to spill, in words; nothing where it does not.
fn spilled(plan: &Plan, target: Target) -> Option<String> {
    let kernel = emit(plan);
    let program = Program {
        name: "product",
        text: &kernel.text,
        architecture: target.name(),
        options: Vec::new(),
        form: Form::Cubin,
    };
    let compilation = cached(&program).expect("a plan compiles");
    let cost = compilation.resources(&kernel.entry).expect("ptxas names the entry");
    let bytes = cost.spill_store_bytes + cost.spill_load_bytes + cost.stack_bytes;
    (bytes > 0).then(|| format!("{target}: {cost:?}"))
}

pub(crate) fn tests() -> Vec<Test> {
    tests![no_derived_schedule_spills, no_schedule_among_which_a_launch_chooses_spills]
}

fn no_derived_schedule_spills() {
    require_pinned_nvrtc().expect("the pinned NVRTC");
    let orders: Vec<_> = KINDS
        .into_iter()
        .flat_map(|kind| (0..8).map(move |order| (kind, order)))
        .filter(|(kind, order)| is_legal(*kind, *order))
        .collect();
    let spills = orders.into_par_iter().flat_map_iter(|(kind, order)| {
        let (spec, element) = (of_kind(kind, order), kind.0);
        let plan = Plan::new(&spec).unwrap_or_else(|broken| panic!("{element} {order}: {broken}"));
        let targets = [plan.targets().first(), plan.targets().last()];
        let spills = targets.into_iter().flatten().filter_map(|target| spilled(&plan, *target));
        spills.map(move |what| format!("{element}, order {order}: {what}")).collect::<Vec<_>>()
    });
    let spills: Vec<String> = spills.collect();
    assert!(spills.is_empty(), "{spills:#?}");
}

fn no_schedule_among_which_a_launch_chooses_spills() {
    require_pinned_nvrtc().expect("the pinned NVRTC");
    let along_n = 2;
    let orders = [(Element::F16, 0), (Element::F16, along_n), (Element::F32, 0), (Element::I8, 0)];
    let all = orders.into_iter().flat_map(|(element, order)| {
        let spec = of_kind((element, None, None, None), order);
        let all = auto::candidates(&spec).expect("legal").into_iter();
        all.map(move |candidate| (element, order, candidate.plan)).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.collect();
    let spills = all.par_iter().flat_map_iter(|(element, order, plan)| {
        let targets = match (element, order) {
            (Element::F16, 0) => plan.targets(),
            _ => &plan.targets()[plan.targets().len() - 1..],
        };
        let spills = targets.iter().filter_map(|target| spilled(plan, *target));
        let block = plan.warps().block;
        spills.map(move |what| format!("{element}, order {order}, {block:?}: {what}"))
    });
    let spills: Vec<String> = spills.collect();
    assert!(spills.is_empty(), "{spills:#?}");
}
