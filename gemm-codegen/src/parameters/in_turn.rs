//! The parameters of several products in turn: those of the first one are the kernel's own, and the block takes those
//! of the product that its tile is of.

use super::Parameters;
use crate::axis::Axis;
use crate::body::name::cuda_name;
use crate::parameter::Parameter;
use crate::plan::Plan;

/// Adds what products have besides the first one, and returns what a caller passes, by its numbers in the list.
pub(super) fn add(
    plan: &Plan,
    list: &mut Vec<Parameter>,
    names: &mut Vec<String>,
    of_output: impl Fn(usize) -> String,
) -> Vec<usize> {
    let (asked, own) = (plan.spec(), plan.spec.operands.len());
    let mut placed: Vec<Option<usize>> = vec![None; asked.operands.len()];
    for segment in &plan.segments {
        for (slot, number) in segment.operands.iter().enumerate() {
            if placed[*number].is_some() {
                continue;
            }
            let is_first = list.len() == own + 1 && plan.segments[0].operands[slot] == *number;
            placed[*number] = Some(if is_first { slot } else { list.len() });
            if !is_first {
                let name = &asked.operands[*number].name;
                list.push(Parameter { name: name.clone().into(), ..list[slot].clone() });
                names.push(cuda_name(name));
            }
        }
    }
    let mut passed = Vec::new();
    for (number, placed) in placed.into_iter().enumerate() {
        passed.push(placed.unwrap_or(list.len()));
        if placed.is_none() {
            list.push(unused(plan, number));
            names.push(cuda_name(&asked.operands[number].name));
        }
    }
    passed.push(own);
    for output in 1..asked.outputs.len() {
        let name = of_output(output);
        passed.push(list.len());
        list.push(Parameter { name: name.clone().into(), ..list[own].clone() });
        names.push(name);
    }
    passed
}

/// A parameter that no product has.
fn unused(plan: &Plan, number: usize) -> Parameter {
    let declared = &plan.spec().operands[number];
    Parameter {
        name: declared.name.clone().into(),
        kind: plan.problem().operands()[number],
        batch: crate::problem::Batching::of(&declared.batch, plan.batch()),
        align_constant: None,
        tensor: None,
        planes: None,
        epilogue_box: None,
    }
}

/// For each of the kernel's own parameters, those that it is in each product; empty for one that all have.
pub(super) fn chosen(plan: &Plan, passed: &[usize]) -> Vec<Vec<usize>> {
    let Some(first) = plan.segments.first() else { return Vec::new() };
    let of_slot = |slot: usize| -> Vec<usize> {
        plan.segments.iter().map(|segment| passed[segment.operands[slot]]).collect()
    };
    let operands = plan.spec().operands.len();
    let outputs = passed[operands..].to_vec();
    let all = (0..first.operands.len()).map(of_slot).chain([outputs]);
    let differs = |of: &Vec<usize>| of.iter().any(|number| *number != of[0]);
    all.map(|of| if differs(&of) { of } else { Vec::new() }).collect()
}

impl Parameters {
    /// The text of a parameter of the kernel's own; of several products in turn, that of the block's.
    pub(crate) fn of_segment(&self, number: usize, text: impl Fn(usize) -> String) -> String {
        match self.chosen.get(number) {
            Some(all) if !all.is_empty() => {
                let all: Vec<String> = all.iter().map(|number| text(*number)).collect();
                format!("of_segment(block.segment, {})", all.join(", "))
            }
            _ => text(number),
        }
    }

    /// The names of a parameter in all products, if they differ.
    pub(crate) fn in_turn(&self, number: usize) -> Vec<&str> {
        let all = self.chosen.get(number).into_iter().flatten();
        all.map(|number| self.name(*number)).collect()
    }

    /// The parameter of the kernel's own in whose place another one is.
    pub(super) fn own_of(&self, number: usize) -> usize {
        self.chosen.iter().position(|of| of.contains(&number)).unwrap_or(number)
    }

    /// The columns of the block's product.
    pub(crate) fn columns(&self, plan: &Plan) -> String {
        match plan.problem().columns_in_turn() {
            all if all.iter().all(|axis| *axis == Axis::N) => Axis::N.extent().to_owned(),
            all => format!("of_segment(block.segment, {})", list_of_extents(all)),
        }
    }
}

/// The names of the columns of all products.
pub(crate) fn list_of_extents(all: &[Axis]) -> String {
    all.iter().map(|axis| axis.extent()).collect::<Vec<_>>().join(", ")
}
