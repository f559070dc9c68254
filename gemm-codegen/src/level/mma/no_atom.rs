//! What is said of elements that no atom multiplies.

use super::{multiplied, multiplied_as, of};
use crate::element::{Element, pair};
use crate::field::Field;
use crate::help::one_of;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Mma;

/// Why no atom of this shape multiplies these elements.
pub(super) fn report(shape: Mma, elements: [Element; 2], operands: [usize; 2]) -> Vec<Diagnostic> {
    match elements.iter().all(|element| element.is_several()) {
        true => vec![both_packed(elements, operands[0])],
        false => otherwise(shape, elements, operands),
    }
}

/// Reports two elements that are not both packed integers.
fn otherwise(shape: Mma, elements: [Element; 2], operands: [usize; 2]) -> Vec<Diagnostic> {
    let [a, b] = multiplied_as(elements);
    let others: Vec<_> = of(a, b).map(|atom| atom.shape.name()).collect();
    if !others.is_empty() {
        return vec![Diagnostic::new(
            Rule::ElementsMatchAtom,
            Field::Mma,
            format!("{} does not multiply {}", shape.name(), pair(elements)),
            format!(
                "use {} for {}{}",
                one_of(others.iter().map(|name| &**name)),
                pair(elements),
                if a == Element::F32 { ", with `precision = tf32`" } else { "" }
            ),
        )];
    }
    let nothing = |element: Element| of(element, element).next().is_none();
    let broken: Vec<Diagnostic> = elements
        .into_iter()
        .zip(operands)
        .filter(|(element, _)| nothing(*element))
        .map(|(element, operand)| {
            Diagnostic::new(
                Rule::ElementsMatchAtom,
                Field::OperandElement(operand),
                format!("no MMA atom multiplies {element}"),
                stored_otherwise(element),
            )
        })
        .collect();
    if !broken.is_empty() {
        return broken;
    }
    let (at, help) = match [a.is_integer(), b.is_integer()] {
        [true, false] => (operands[0], not_converted(a, b)),
        [false, true] => (operands[1], not_converted(b, a)),
        _ => (operands[1], format!("make both {a} or both {b}")),
    };
    let message = format!("no MMA atom multiplies {a} by {b}");
    vec![Diagnostic::new(Rule::ElementsMatchAtom, Field::OperandElement(at), message, help)]
}

/// The help for a factor that nothing multiplies.
fn stored_otherwise(element: Element) -> String {
    match element.numbers() {
        1 => format!("store the operand as {}", one_of(multiplied().map(Element::name))),
        _ => "multiply it by f16 or bf16, to which a kernel converts it".to_owned(),
    }
}

/// The help for integers that are multiplied by floats to which no kernel converts them.
fn not_converted(integer: Element, float: Element) -> String {
    format!("store the {float} factor as f16 or bf16, to which a kernel converts {integer}")
}

/// Reports that both factors are packed integers: one may stay.
fn both_packed([a, b]: [Element; 2], first: usize) -> Diagnostic {
    let message = format!("no MMA atom multiplies {a} by {b}");
    let help = "store one of the two as f16 or bf16, to which a kernel converts the other";
    Diagnostic::new(Rule::ElementsMatchAtom, Field::OperandElement(first), message, help)
}
