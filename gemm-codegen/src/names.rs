//! The names of a spec: the function's, the operands', the indices'.

use crate::body::name::plain;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{OperandKind, Spec};

/// No two operands of one name, and nothing but identifiers: the banner has all of them as they
/// are, and the rest of the text has the operands'.
pub(crate) fn check(spec: &Spec) -> Result<(), Vec<Diagnostic>> {
    let mut broken: Vec<Diagnostic> = names(spec)
        .into_iter()
        .filter(|(_, name)| !is_identifier(name))
        .map(no_identifier)
        .collect();
    let parameters = parameters(spec);
    for (number, (at, name)) in parameters.iter().enumerate() {
        let name = plain(name);
        if parameters[..number].iter().any(|(_, earlier)| plain(earlier) == name) {
            let message = format!("two operands are named `{}`", name.escape_debug());
            let help = "rename one of them";
            broken.push(Diagnostic::new(Rule::OperandNames, *at, message, help));
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// The names of the parameters and where they are: the operands', then those of what is written in
/// place.
fn parameters(spec: &Spec) -> Vec<(Field, &str)> {
    let operands = spec.operands.iter().enumerate();
    let operands = operands.map(|(number, o)| (Field::Operand(number), o.name.as_str()));
    operands.chain(written(spec)).collect()
}

/// The names of what is written in place.
fn written(spec: &Spec) -> impl Iterator<Item = (Field, &str)> {
    let names = spec.outputs.iter().filter_map(|output| output.in_place.as_deref());
    names.map(|name| (Field::OutputName, name))
}

/// Every name and where it is.
fn names(spec: &Spec) -> Vec<(Field, &str)> {
    let mut names = vec![(Field::Function, spec.name.as_str())];
    for (number, operand) in spec.operands.iter().enumerate() {
        names.push((Field::Operand(number), &operand.name));
        names.extend(operand.batch.iter().map(|b| (Field::OperandBatch(number), b.as_str())));
        let indices = match &operand.kind {
            OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => {
                indices.as_slice()
            }
            OperandKind::Vector { index, .. } => std::slice::from_ref(index),
            OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => &[],
        };
        let at = |(at, index): (usize, _)| (Field::OperandIndex(number, at), index);
        names.extend(indices.iter().map(String::as_str).enumerate().map(at));
    }
    names.extend(written(spec));
    for (number, output) in spec.outputs.iter().enumerate() {
        names.extend(output.batch.iter().map(|b| (Field::OutputBatch(number), b.as_str())));
        let indices = output.indices.names().iter().map(String::as_str).enumerate();
        names.extend(indices.map(|(at, index)| (Field::OutputIndex(number, at), index)));
    }
    names
}

/// Whether a name can be an identifier of Rust. Which letters are, beyond ASCII, is the compiler's
/// to say; here it matters that a name is one word.
fn is_identifier(name: &str) -> bool {
    let name = plain(name);
    let of_word = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '_',
        false => !c.is_whitespace() && !c.is_control(),
    };
    name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(of_word)
}

fn no_identifier((at, name): (Field, &str)) -> Diagnostic {
    let message = format!("`{}` is not an identifier", name.escape_debug());
    let help = "use letters, digits and underscores, not beginning with a digit";
    Diagnostic::new(Rule::OperandNames, at, message, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_words() {
        for name in ["x", "_", "r#type", "größe", "x1", "_1", "नमस्ते"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "r#", "1x", "two words", "x\ny", "x\\", "a-b", "x\u{2028}y", "x\u{85}"] {
            assert!(!is_identifier(name), "{name:?}");
        }
    }
}
