//! Derived schedules fit their registers, in every order of the operands and the output, and so do the
//! schedules among which a launch chooses.

use std::num::NonZeroU16;

use gemm_codegen::{CopyAtom, Element, Mma, PerSide, Plan, Schedule, Spec, Target, auto, emit};
use gemm_runtime::Kernel;
use rayon::prelude::*;

use crate::shared::{orders, product};
use crate::{Test, ptxas};

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

/// A kernel that must not spill on some targets.
pub(crate) struct Measured {
    what: String,
    pub(crate) kernel: Kernel,
    pub(crate) targets: Vec<Target>,
}

pub(crate) fn tests() -> Vec<Test> {
    tests![no_derived_schedule_spills, no_schedule_among_which_a_launch_chooses_spills]
}

fn no_derived_schedule_spills() {
    assert_none_spills(derived());
}

fn no_schedule_among_which_a_launch_chooses_spills() {
    assert_none_spills(candidates());
}

fn assert_none_spills(all: Vec<Measured>) {
    let spills = all.par_iter().flat_map_iter(|measured| {
        measured.targets.iter().filter_map(|target| {
            let cost = ptxas::cost(&measured.kernel, *target).expect("a plan compiles");
            (!cost.fits()).then(|| format!("{}, {target}: {cost:?}", measured.what))
        })
    });
    let spills: Vec<String> = spills.collect();
    assert!(spills.is_empty(), "{spills:#?}");
}

/// The derived schedule of each kind in each order, on its lowest and its highest target.
pub(crate) fn derived() -> Vec<Measured> {
    let orders = KINDS.into_iter().flat_map(|kind| (0..8).map(move |order| (kind, order)));
    let legal = orders.filter(|(kind, order)| is_legal(*kind, *order));
    let measured = legal.map(|(kind, order)| {
        let what = format!("{}, order {order}", kind.0);
        let plan = Plan::new(&of_kind(kind, order));
        let plan = plan.unwrap_or_else(|broken| panic!("{what}: {broken}"));
        let mut targets = vec![plan.targets()[0], plan.targets()[plan.targets().len() - 1]];
        targets.dedup();
        Measured { what, kernel: emit(&plan), targets }
    });
    measured.collect()
}

/// The schedules among which a launch chooses: of f16 on every target, else on the highest.
pub(crate) fn candidates() -> Vec<Measured> {
    let along_n = 2;
    let orders = [(Element::F16, 0), (Element::F16, along_n), (Element::F32, 0), (Element::I8, 0)];
    let all = orders.into_iter().flat_map(|(element, order)| {
        let spec = of_kind((element, None, None, None), order);
        let all = auto::candidates(&spec).expect("legal").into_iter();
        all.map(move |candidate| {
            let targets = candidate.plan.targets();
            let highest = if (element, order) == (Element::F16, 0) { 0 } else { targets.len() - 1 };
            Measured {
                what: format!("{element}, order {order}, {:?}", candidate.plan.warps().block),
                kernel: emit(&candidate.plan),
                targets: targets[highest..].to_vec(),
            }
        })
    });
    all.collect()
}
