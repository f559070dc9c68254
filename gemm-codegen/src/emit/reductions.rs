//! What a kernel reduces, with the names of its text.

use crate::axis::Axis;
use crate::level::epilogue::{Lines, Reduced, Reductions};
use crate::parameters::Parameters;
use crate::plan::Plan;

impl Parameters {
    /// What is reduced, if anything is.
    pub(crate) fn reductions(&self, plan: &Plan) -> Option<Reductions> {
        let (problem, parts) = (&plan.problem, plan.epilogue.parts());
        let reductions = &problem.body.reductions;
        let reduced = |along: Axis| {
            let outputs = self.output_numbers().zip(problem.stores()).zip(reductions);
            let outputs = outputs.filter(|((_, store), _)| store.reduced_along() == Some(along));
            let outputs = outputs.filter_map(|((number, store), reduction)| {
                let (name, element) = (self.name(number).to_owned(), store.element());
                Some(Reduced { name, element, reduction: (*reduction)? })
            });
            outputs.collect::<Vec<_>>()
        };
        let lines = problem.axes.order().into_iter().zip(parts).enumerate();
        let lines = lines.map(|(number, (along, parts))| Lines {
            of_rows: number == 0,
            along,
            outputs: reduced(along),
            parts,
        });
        let lines: Vec<Lines> = lines.filter(|lines| !lines.outputs.is_empty()).collect();
        let ty = problem.body.reduced_type()?;
        let results = self.output_numbers().zip(plan.own_results()).zip(reductions);
        let stored = results.filter(|(_, reduction)| reduction.is_none());
        let stored = stored.map(|((number, ty), _)| (self.name(number).to_owned(), ty));
        Some(Reductions {
            ty,
            is_only: problem.stores().len() == 1,
            lines,
            stored: stored.collect(),
            in_registers: plan.epilogue.reduces_in_registers(),
        })
    }
}
