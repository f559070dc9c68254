//! Tokens → items, phase by phase.

use std::collections::HashSet;

use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Diagnostic, Diagnostics, Field, Plan, Spec};
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::expand::Item;
use crate::function::Function;
use crate::spans::Spans;
use crate::{attribute, body, signature};

/// Expands `#[gemm(arguments)] item`: to the items, or to the errors and items without a kernel.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut spans = Spans::default();
    let function = match Function::new(item, &mut errors) {
        Ok(function) => function,
        Err(instead) => return instead,
    };

    let attribute = attribute::parse(arguments, &mut spans, &mut errors);
    let signature = signature::parse(&function.signature, &mut spans, &mut errors);
    let body = body::parse(&function.block, signature.form(), &mut spans, &mut errors);

    let calls = calls(&body, &signature.name.unraw().to_string(), &spans);
    let item = Item { function: &function, signature: &signature, auto: attribute.auto, calls };
    let (Some((operands, outputs)), true) = (signature.spec(), errors.is_empty()) else {
        return crate::expand::fallback(&item, &errors);
    };
    let name = signature.name.unraw().to_string();
    let schedule = attribute.schedule;
    let spec = Spec { name, operands, outputs, body, schedule };
    match Plan::new(&spec) {
        Ok(plan) => crate::expand::kernel(&item, &spec, &plan),
        Err(diagnostics) => {
            report(&diagnostics, &spans, &mut errors);
            crate::expand::fallback(&item, &errors)
        }
    }
}

/// The built-in functions that a body calls, each at its first call, and how many arguments they take:
/// not `matmul`, a word of the language, nor one of the name `own`, which the function itself has.
fn calls(body: &Body, own: &str, spans: &Spans) -> Vec<(Ident, usize)> {
    let mut seen = HashSet::from(["matmul", own]);
    let nodes = body.nodes.iter().enumerate();
    let calls = nodes.filter_map(|(id, node)| match node {
        Node::Call { function, arguments } if seen.insert(function) => {
            Some((spans.get(Field::Body(NodeId(id))).name(function), arguments.len()))
        }
        _ => None,
    });
    calls.collect()
}

/// Turns each diagnostic into an error at its span.
fn report(diagnostics: &Diagnostics, spans: &Spans, errors: &mut Errors) {
    let mut reported = HashSet::new();
    for diagnostic in diagnostics {
        let Diagnostic { rule, at, message, help, .. } = diagnostic;
        // A value written once for A and B is reported once: one edit fixes both.
        let place = spans.written(*at);
        let mistake = if place.is_some() { help } else { message };
        if reported.insert((rule, place, mistake)) {
            errors.push_diagnostic(spans.get(*at), diagnostic);
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod time;
