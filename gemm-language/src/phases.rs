//! Tokens → items, phase by phase.

use std::collections::HashSet;

use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Diagnostic, Diagnostics, Field, Plan, Spec};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::expand::{self, Item};
use crate::function::{Function, Refused};
use crate::signature::{self, Signature};
use crate::spans::Spans;
use crate::{attribute, body};

/// Expands `#[gemm(arguments)] item`: to the items, or to the errors and items without a kernel.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match Function::new(item, &mut errors) {
        Ok(function) => function,
        Err(Refused { error, kept }) => {
            let error = error.to_compile_error();
            return quote!(#kept #error);
        }
    };
    let Parsed { signature, auto, calls, spans, spec } = parse(arguments, &function, &mut errors);
    let item = Item { function: &function, signature: &signature, auto, calls };
    let proved = spec.and_then(|spec| Some((prove(&spec, &spans, &mut errors)?, spec)));
    match proved {
        Some((plan, spec)) => expand::kernel(&item, &spec, &plan),
        None => expand::fallback(&item, &errors),
    }
}

/// What an annotated function declares: the same as its expansion has.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What was asked, by the name of the function.
    pub spec: Spec,
    /// Its proof with the written or the derived schedule, of which `KERNEL` is emitted.
    pub plan: Plan,
    /// Whether a launch chooses among candidates: no key fixes the schedule.
    pub auto: bool,
}

/// Reads `#[gemm(arguments)] item` as [`expand`] does, without expanding it.
///
/// # Errors
/// Every error of the phase that failed, as `expand` reports them. One about what is not written has
/// the span of `arguments` where there are any, else an empty one.
pub fn read(arguments: TokenStream, item: TokenStream) -> syn::Result<Declaration> {
    let mut errors = Errors::default();
    let function = Function::new(item, &mut errors).map_err(|refused| refused.error)?;
    let Parsed { auto, spans, spec, .. } = parse(arguments, &function, &mut errors);
    let proved = spec.and_then(|spec| Some((prove(&spec, &spans, &mut errors)?, spec)));
    match (proved, errors.into_error()) {
        (_, Some(errors)) => Err(errors),
        (Some((plan, spec)), None) => Ok(Declaration { spec, plan, auto }),
        (None, None) => Err(syn::Error::new(Span::call_site(), "a part of it could not be read")),
    }
}

/// The first phase's result.
struct Parsed {
    signature: Signature,
    auto: bool,
    calls: Vec<(Ident, usize)>,
    spans: Spans,
    /// `None` if there were errors.
    spec: Option<Spec>,
}

fn parse(arguments: TokenStream, function: &Function, errors: &mut Errors) -> Parsed {
    let mut spans = Spans::default();
    let attribute = attribute::parse(arguments, &mut spans, errors);
    let signature = signature::parse(&function.signature, &mut spans, errors);
    let body = body::parse(&function.block, signature.form(), &mut spans, errors);

    let name = signature.name.unraw().to_string();
    let calls = calls(&body, &name, &spans);
    let (schedule, auto) = (attribute.schedule, attribute.auto);
    let spec = |(operands, outputs)| Spec { name, operands, outputs, body, schedule };
    let spec = signature.spec().filter(|_| errors.is_empty()).map(spec);
    Parsed { signature, auto, calls, spans, spec }
}

/// The second phase: the plan, or an error for each broken rule.
fn prove(spec: &Spec, spans: &Spans, errors: &mut Errors) -> Option<Plan> {
    Plan::new(spec).map_err(|diagnostics| report(&diagnostics, spans, errors)).ok()
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
