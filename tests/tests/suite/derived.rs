//! Derived schedules fit their registers, in every order of the operands and the output, and so do the
//! schedules among which a launch chooses.

use gemm_codegen::auto::{self, Footprint};
use gemm_codegen::{CopyAtom, Element, PerSide, Plan, Precision, Schedule, Spec, Target, emit};
use gemm_runtime::Kernel;
use rayon::prelude::*;

use crate::shared::{orders, product};
use crate::{Test, ptxas};

/// An element, and what is written of a schedule.
type Kind = (Element, Option<Target>, Option<CopyAtom>, Option<Precision>);

/// Factors of f32 for tensor cores.
const TF32: Option<Precision> = Some(Precision::Tf32);

/// One element of each kind that is loaded and multiplied in its own way, and the targets if they are
/// written: for some doubles have other atoms.
const KINDS: [Kind; 12] = [
    (Element::I8, None, None, None),
    (Element::E4m3, None, None, None),
    (Element::F16, None, None, None),
    (Element::F32, None, None, TF32),
    (Element::F64, None, None, None),
    (Element::F64, Some(Target::Sm90), None, None),
    (Element::I8, None, Some(CopyAtom::TMA), None),
    (Element::E4m3, None, Some(CopyAtom::TMA), None),
    (Element::F16, None, Some(CopyAtom::TMA), None),
    (Element::F32, None, Some(CopyAtom::TMA), TF32),
    // Lanes, by 128 registers a thread.
    (Element::F32, None, None, None),
    (Element::F32, Some(Target::Sm75), None, None),
];

/// Whether a kind is legal in the order with this number: tensor copies read rows along K, those of
/// 16 bits also along M and N.
fn is_legal((element, _, copy, _): Kind, order: u32) -> bool {
    copy.is_none() || order & 3 == 0 || element.bytes() == 2
}

/// A product in the order with this number, nothing else of its schedule written.
fn of_kind((element, target, copy, precision): Kind, order: u32) -> Spec {
    let targets = target.map(|target| vec![target]);
    let schedule =
        Schedule { targets, copy: PerSide::both(copy), precision, ..Schedule::default() };
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

/// The schedules among which a launch chooses: of f16 on every target, else on the highest; of f32 by
/// lanes and by tensor cores. In further orders, and of 8-bit floats, those of warpgroups, which transpose factors and outputs in their own way;
/// `mma.sync` of 8-bit floats makes halves of them, for which some tiles have no registers on sm_90.
pub(crate) fn candidates() -> Vec<Measured> {
    let along_n = 2;
    let orders = [
        (Element::F16, 0, None),
        (Element::F16, along_n, None),
        (Element::F32, 0, None),
        (Element::F32, 0, TF32),
        (Element::I8, 0, None),
    ];
    let all = orders.into_iter().flat_map(|(element, order, precision)| {
        let all = candidates_of(element, order, precision).into_iter();
        all.map(move |candidate| {
            let highest = if (element, order) == (Element::F16, 0) { 0 } else { usize::MAX };
            measured(element, order, &candidate, highest)
        })
    });
    let orders = [(Element::F16, 4), (Element::F16, 3), (Element::E4m3, 0)];
    let of_groups = orders.into_iter().flat_map(|(element, order)| {
        let all = candidates_of(element, order, None).into_iter();
        let all = all.filter(|one| Footprint::of(&one.plan).form == gemm_codegen::Form::Groups);
        all.map(move |candidate| measured(element, order, &candidate, 0))
    });
    all.chain(of_groups).collect()
}

fn candidates_of(
    element: Element,
    order: u32,
    precision: Option<Precision>,
) -> Vec<auto::Candidate> {
    auto::candidates(&of_kind((element, None, None, precision), order)).expect("legal")
}

/// A candidate, on its targets from the one with this number on, at the least the highest.
fn measured(element: Element, order: u32, candidate: &auto::Candidate, from: usize) -> Measured {
    let targets = candidate.plan.targets();
    Measured {
        what: format!("{element}, order {order}, {}", candidate.id),
        kernel: emit(&candidate.plan),
        targets: targets[from.min(targets.len() - 1)..].to_vec(),
    }
}
