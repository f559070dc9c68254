//! Elements that are several numbers: those of a factor alone.

use super::factor::Multiplied;
use crate::axis::Multiplicands;
use crate::element::Element;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Spec;

/// Proves that no output and no operand but a factor has them.
pub(super) fn check(
    spec: &Spec,
    multiplied: Option<&Multiplicands<Multiplied<'_>>>,
) -> Result<(), Vec<Diagnostic>> {
    let is_several = |element: &Element| element.is_several();
    let operands = spec.operands.iter().enumerate();
    // Where it is unclear what is multiplied, any may be.
    let others = operands.filter(|(number, _)| {
        multiplied.is_some_and(|of| of.all().all(|factor| factor.operand != *number))
    });
    let others = others.filter_map(|(number, operand)| {
        Some((Field::OperandElement(number), operand.kind.element().filter(is_several)?))
    });
    let outputs = spec.outputs.iter().enumerate().filter_map(|(number, output)| {
        Some((Field::OutputElement(number), Some(output.element).filter(is_several)?))
    });
    let broken: Vec<Diagnostic> = others
        .chain(outputs)
        .map(|(at, element)| {
            let count = element.numbers() * element.lines();
            let message = format!("{element} is {count} numbers, which only a factor has");
            let help = "use an element that is one number, such as i8";
            Diagnostic::new(Rule::ConvertedFactor, at, message, help)
        })
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}
