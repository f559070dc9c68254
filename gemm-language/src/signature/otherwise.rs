//! Tensors that are written with other indices than they have: the help has the type that is meant.

use gemm_codegen::Element;
use syn::{GenericArgument, Ident, Type};

use super::output::ONE_ROW;
use super::tensor::{arguments, is_batched};
use super::types::{last_name, text};
use crate::errors::Errors;

/// Reports a tensor that `takes` another number of parameters.
pub(super) fn wrong_count(
    ty: &Type,
    is_output: bool,
    takes: usize,
    (type_parameters, errors): (&[Ident], &mut Errors),
) {
    let (got, plural) = (arguments(ty).len(), if takes == 1 { "" } else { "s" });
    let (form, parts) = form(takes, is_batched(ty));
    let help = without_element(ty, type_parameters)
        .or_else(|| meant(ty, is_output))
        .unwrap_or_else(|| parts.to_owned());
    errors.push(ty, format!("{form} takes {takes} parameter{plural}, got {got}"), help);
}

/// The form of a tensor with this number of parameters, and a help for them.
fn form(takes: usize, batched: bool) -> (&'static str, &'static str) {
    match (batched, takes) {
        (true, _) => (
            "`Batched<T, B, I, J>`",
            "give an element type, the batch index, then two indices (one for a batch of vectors)",
        ),
        (false, 1) => ("`Scalar<T>`", "give the type of its element"),
        (false, 2) => ("`Vector<T, I>`", "give an element type and an index"),
        (false, _) => ("`Mat<T, I, J>`", "give an element type and two indices"),
    }
}

/// The help for a tensor whose arguments are indices alone: as many as it has.
fn without_element(ty: &Type, type_parameters: &[Ident]) -> Option<String> {
    let (name, arguments) = (last_name(ty)?, arguments(ty));
    let GenericArgument::Type(Type::Path(first)) = *arguments.first()? else { return None };
    let first = first.path.get_ident()?;
    let is_element = type_parameters.contains(first)
        || Element::from_name(&first.to_string()).is_some()
        || !first.to_string().starts_with(char::is_uppercase);
    let indices: Vec<String> = arguments.into_iter().map(text).collect();
    let is_whole = matches!((name.as_str(), indices.len()), ("Mat", 2) | ("Vector", 1));
    (is_whole && !is_element)
        .then(|| format!("the element type comes first: `{name}<f16, {}>`", indices.join(", ")))
}

/// The help for a tensor that has the indices of another type.
fn meant(ty: &Type, is_output: bool) -> Option<String> {
    let all: Vec<String> = arguments(ty).into_iter().map(text).collect();
    let (element, indices) = all.split_first()?;
    // The last indices are those of each matrix, or of each vector.
    let batch_of = |own: usize| {
        let (batch, own) = indices.split_at(indices.len() - own);
        let batch = match batch {
            [index] => index.clone(),
            several => format!("({})", several.join(", ")),
        };
        format!("`Batched<{element}, {batch}, {}>`", own.join(", "))
    };
    match (last_name(ty)?.as_str(), indices) {
        ("Mat", [pair]) if pair.starts_with('(') => {
            let indices = pair.trim_matches(['(', ')', ' ']);
            Some(format!("the indices have no parentheses: write `Mat<{element}, {indices}>`"))
        }
        ("Mat", [_]) if is_output => Some(ONE_ROW.to_owned()),
        ("Mat", [index]) => Some(format!("write `Vector<{element}, {index}>`")),
        ("Mat", [_, _, _]) => {
            Some(format!("write {}, a matrix for each value of the first index", batch_of(2)))
        }
        ("Mat", [_, _, _, ..]) => Some(format!("write {}", batch_of(2))),
        ("Vector", [row, column]) => Some(format!(
            "write `Mat<{element}, {row}, {column}>`, or {} for a vector for each value of `{row}`",
            batch_of(1)
        )),
        ("Batched", [batch]) if !is_output => {
            let own = if batch == "M" { "N" } else { "M" };
            Some(format!(
                "a body reads an element of a row or a column: write `Batched<{element}, {batch}, {own}>`, a vector \
                 for each matrix, with its value repeated along an index `{own}` of the output"
            ))
        }
        ("Batched", [_, _, _, _, ..]) => {
            Some(format!("several batch indices are in parentheses: write {}", batch_of(2)))
        }
        _ => None,
    }
}

/// The help for an extent 1 in place of an index.
pub(super) fn extent_of_one(ty: &Type, is_output: bool) -> Option<String> {
    if is_output {
        return Some(ONE_ROW.to_owned());
    }
    let arguments = arguments(ty);
    let is_one = |argument: &&&GenericArgument| text(**argument) == "1";
    let (element, indices) = arguments.split_first()?;
    let others: Vec<_> = indices.iter().filter(|index| !is_one(index)).collect();
    let written = match (last_name(ty)?.as_str(), &others[..]) {
        ("Mat", [index]) => format!("Vector<{}, {}>", text(*element), text(**index)),
        ("Mat" | "Vector", []) => format!("Scalar<{}>", text(*element)),
        _ => return None,
    };
    Some(format!(
        "write `{written}`; a factor of `matmul` has an index such as `M`, whose extent a launch may \
         give as 1"
    ))
}
