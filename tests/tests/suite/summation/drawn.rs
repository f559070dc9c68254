//! Random schedules of one product.

use std::collections::BTreeMap;

use fastrand::Rng;
use gemm_codegen::{Element, Plan, Summation, Target};
use gemm_tests::random::draw::{Form, Orders, schedule};
use libtest_mimic::Failed;

use super::product::{Factors, device};

/// The elements, and how many schedules are drawn for each.
pub(super) const ELEMENTS: [(Element, usize); 6] = [
    (Element::F16, 10),
    (Element::Bf16, 6),
    (Element::F32, 10),
    (Element::E4m3, 8),
    (Element::F64, 6),
    (Element::I8, 6),
];

/// Rows, columns, and a K that ends within a k-tile and within a k-step.
const SHAPE: [usize; 3] = [70, 54, 723];

/// Draws after which something is wrong with the drawing.
const MOST_DRAWS: usize = 4000;

/// Pairs that differ in one part of their summations, so that it shows in the bits of some. Two splits may divide
/// this K at the same place, and two promotions exceed it.
const SHOWN_BY: usize = 4;

/// Runs schedules on the same factors. Those with equal summations must agree in every bit. Where [`SHOWN_BY`] pairs
/// differ in the same part of their summations, bits of one pair must differ.
pub(super) fn equal_summations(seed: u64, element: Element, draws: usize) -> Result<(), Failed> {
    let mut rng = Rng::with_seed(seed);
    let factors = Factors::random(&mut rng, element, SHAPE);
    let device = device(Target::Sm90);
    let plans = plans(&mut rng, &factors, draws);
    if plans.len() < draws {
        return Err(format!("{} of {MOST_DRAWS} schedules are legal", plans.len()).into());
    }
    let mut runs: Vec<(Plan, Summation, Vec<u64>)> = Vec::new();
    for plan in plans {
        let (summation, bits) = (plan.summation(), factors.bits(&device, &plan)?);
        match runs.iter().find(|(_, other, _)| *other == summation) {
            Some((_, _, same)) if *same == bits => {}
            Some((other, _, _)) => {
                let [one, other] = [&plan, other].map(|plan| &plan.spec().schedule);
                return Err(format!("{summation}\n{one:#?}\n{other:#?}").into());
            }
            None => runs.push((plan, summation, bits)),
        }
    }
    match hidden(&runs) {
        Some(part) => Err(format!("no bit shows a difference of `{part}`").into()),
        None => Ok(()),
    }
}

/// A part in which many of these summations differ, and no bit of their sums.
fn hidden(runs: &[(Plan, Summation, Vec<u64>)]) -> Option<&'static str> {
    let mut differences: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (number, (_, one, bits)) in runs.iter().enumerate() {
        for (_, other, other_bits) in &runs[..number] {
            if let Some(part) = difference(one, other) {
                let [pairs, shown] = differences.entry(part).or_default();
                (*pairs, *shown) = (*pairs + 1, *shown + usize::from(bits != other_bits));
            }
        }
    }
    let is_hidden = |[pairs, shown]: [usize; 2]| pairs >= SHOWN_BY && shown == 0;
    differences.into_iter().find(|(_, counts)| is_hidden(*counts)).map(|(part, _)| part)
}

/// Legal schedules by warps and by warpgroups in turn, if the element has both; some have the summation of one
/// before.
fn plans(rng: &mut Rng, factors: &Factors, count: usize) -> Vec<Plan> {
    let orders = Orders { a_k_contiguous: true, b_k_contiguous: true, n_contiguous: true };
    let has_groups = factors.element != Element::F64;
    let mut plans: Vec<Plan> = Vec::new();
    for draw in 0..MOST_DRAWS {
        let form = if has_groups && plans.len() % 3 == 2 { Form::Warpgroups } else { Form::Warps };
        let mut drawn = schedule(rng, form, orders, factors.element);
        drawn.targets = None;
        let Some(plan) = factors.plan(drawn) else { continue };
        let is_known = plans.iter().any(|other| other.summation() == plan.summation());
        // Every second one repeats a summation, as long as draws are left.
        if plans.len().is_multiple_of(2) || is_known || draw > MOST_DRAWS / 2 {
            plans.push(plan);
        }
        if plans.len() == count {
            break;
        }
    }
    plans
}

/// The only part in which two summations differ, unless the launch decides one of them.
fn difference(one: &Summation, other: &Summation) -> Option<&'static str> {
    let (Summation::Floats(one), Summation::Floats(other)) = (one, other) else { return None };
    let parts = [
        ("factors", one.factors != other.factors),
        ("adder and step", (one.adder, one.step) != (other.adder, other.step)),
        ("accumulator", one.accumulator != other.accumulator),
        ("promotion", one.promotion != other.promotion),
        ("warps", one.warps != other.warps),
        ("splits", one.splits != other.splits),
    ];
    let mut differ = parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part);
    let part = differ.next()?;
    (differ.next().is_none() && one.launch == other.launch).then_some(part)
}
