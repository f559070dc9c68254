//! Tokens → items, phase by phase.

use std::collections::HashSet;

use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Diagnostic, Diagnostics, Element, Field, Plan, Spec};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use crate::attribute;
use crate::attribute::Attribute;
use crate::body::{self, Constant};
use crate::errors::Errors;
use crate::expand::{self, Item, Names, Proved};
use crate::function::{Function, Refused};
use crate::signature::{self, Instance, Signature};
use crate::spans::{Spans, TokenRange};

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
    let parsed = parse(arguments, &function, &mut errors);
    let proved = parsed.prove(&mut errors);
    let Parsed { signature, auto, calls, constants, .. } = &parsed;
    let names = signature.type_names();
    let names = Names::Parameters(&names);
    let item = Item { function: &function, signature, auto: *auto, calls, constants, names };
    let items = match proved {
        Some(proved) => expand::kernels(&item, &proved),
        None => expand::fallback(&item, &errors),
    };
    match &parsed.runtime {
        Some(runtime) => expand::renamed(items, runtime),
        None => items,
    }
}

/// A kernel that an annotated function declares: the same as its expansion has.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What was asked, by the name of the function; of a type parameter with the elements as well,
    /// as in `linear_f16`.
    pub spec: Spec,
    /// Its proof with the written or the derived schedule; `KERNEL` is emitted from it.
    pub plan: Plan,
    /// Whether a launch chooses among candidates: no key fixes the schedule.
    pub auto: bool,
    /// The path of the module that has its `KERNEL`: `linear`, or `linear::f16` for an element of a
    /// type parameter.
    pub path: String,
}

/// Reads `#[gemm(arguments)] item` as [`expand`] does, without expanding it: a kernel, or one for
/// each choice of the elements that the attribute lists.
///
/// # Errors
/// Every error of the phase that failed, as `expand` reports them. One about what is not written has
/// the span of `arguments` where there are any, else an empty one.
pub fn read(arguments: TokenStream, item: TokenStream) -> syn::Result<Vec<Declaration>> {
    let mut errors = Errors::default();
    let function = Function::new(item, &mut errors).map_err(|refused| refused.error)?;
    let parsed = parse(arguments, &function, &mut errors);
    let (proved, auto) = (parsed.prove(&mut errors), parsed.auto);
    let name = &parsed.signature.name;
    let declaration = |Proved { kernel: (instance, spec), plan }| {
        let (module, spec) = (instance.name(), spec.clone());
        let path = if module.is_empty() { name.to_string() } else { format!("{name}::{module}") };
        Declaration { spec, plan, auto, path }
    };
    match (proved, errors.into_error()) {
        (_, Some(errors)) => Err(errors),
        (Some(proved), None) => Ok(proved.into_iter().map(declaration).collect()),
        (None, None) => Err(syn::Error::new(Span::call_site(), "a part of it could not be read")),
    }
}

/// The first phase's result.
struct Parsed {
    signature: Signature,
    auto: bool,
    /// The path of the runtime, if it has another name.
    runtime: Option<TokenStream>,
    calls: Vec<Ident>,
    constants: Vec<Constant>,
    spans: Spans,
    /// The kernels; none if there were errors.
    kernels: Vec<(Instance, Spec)>,
}

fn parse(arguments: TokenStream, function: &Function, errors: &mut Errors) -> Parsed {
    let mut spans = Spans::default();
    let declared = signature::declared(&function.signature);
    let attribute = attribute::parse(arguments, declared, &mut spans, errors);
    let Attribute { schedule, type_parameters: types, runtime, auto } = attribute;
    let signature = signature::parse(&function.signature, types, &mut spans, errors);
    let body = body::parse(&function.block, signature.form(), &mut spans, errors);

    let calls = calls(&body, &signature.name.unraw().to_string(), &spans);
    let constants = body::constants(&body, &signature.names(), &spans);
    for (number, constant) in constants.iter().enumerate() {
        signature::refuse_value(&constant.name, "a constant", errors);
        let operand = signature.operands().count() + number;
        spans.set(Field::Operand(operand), TokenRange::of(&constant.name));
    }
    let kernel = |instance: Instance| {
        let (mut operands, outputs) = signature.spec(&instance)?;
        operands.extend(constants.iter().map(|constant| constant.operand(&outputs)));
        let (body, schedule) = (body.clone(), schedule.clone());
        let spec =
            Spec { name: signature.kernel_name(&instance), operands, outputs, body, schedule };
        Some((instance, spec))
    };
    let mut kernels: Vec<_> = match errors.is_empty() {
        true => signature.instances().into_iter().filter_map(kernel).collect(),
        false => Vec::new(),
    };
    keep_precision(&mut kernels);
    Parsed { auto, runtime, constants, calls, spans, kernels, signature }
}

/// Leaves `precision` to the kernels of f32 factors, if there are any: it means nothing to the others.
fn keep_precision(kernels: &mut [(Instance, Spec)]) {
    let is_of_f32 = |spec: &Spec| spec.factor_elements() == Some([Element::F32; 2]);
    if kernels.iter().any(|(_, spec)| is_of_f32(spec)) {
        for (_, spec) in kernels.iter_mut().filter(|(_, spec)| !is_of_f32(spec)) {
            spec.schedule.precision = None;
        }
    }
}

impl Parsed {
    /// The second phase: the plan of each kernel, or an error for each broken rule.
    fn prove(&self, errors: &mut Errors) -> Option<Vec<Proved<'_>>> {
        let (mut proved, mut broken) = (Vec::new(), Vec::new());
        for kernel in &self.kernels {
            match Plan::new(&kernel.1) {
                Ok(plan) => proved.push(Proved { kernel, plan }),
                Err(diagnostics) => broken.push((&kernel.0, diagnostics)),
            }
        }
        self.report(&broken, errors);
        (broken.is_empty() && !proved.is_empty()).then_some(proved)
    }

    /// Turns each diagnostic into an error at its span. One that is not about every kernel names
    /// the elements of those that it is about.
    fn report(&self, broken: &[(&Instance, Diagnostics)], errors: &mut Errors) {
        let mut found: Vec<(&Diagnostic, Vec<&Instance>)> = Vec::new();
        for (instance, diagnostics) in broken {
            for diagnostic in self.mistakes(diagnostics) {
                match found.iter_mut().find(|(other, _)| same(diagnostic, other)) {
                    Some((_, instances)) => instances.push(instance),
                    None => found.push((diagnostic, vec![instance])),
                }
            }
        }
        for (diagnostic, instances) in found {
            let types = &self.signature.type_parameters;
            let described = instances.iter().map(|instance| instance.describe(types));
            let of = match instances.len() == self.kernels.len() {
                true => String::new(),
                false => format!("with {}: ", described.collect::<Vec<_>>().join(" or ")),
            };
            errors.push_diagnostic(self.spans.get(diagnostic.at), &of, diagnostic);
        }
    }

    /// The diagnostics of one kernel. A value written once for A and B is reported once: one edit
    /// fixes both.
    fn mistakes<'d>(&self, diagnostics: &'d Diagnostics) -> impl Iterator<Item = &'d Diagnostic> {
        let mut seen = HashSet::new();
        diagnostics.iter().filter(move |Diagnostic { rule, at, message, help, .. }| {
            let place = self.spans.written(*at);
            seen.insert((rule, place, if place.is_some() { help } else { message }))
        })
    }
}

/// Whether two kernels are told the same.
fn same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let mistake = (one.rule, one.at, &one.message, &one.help);
    mistake == (other.rule, other.at, &other.message, &other.help)
}

/// The built-in functions that a body calls, each at its first call: not `matmul`, a word of the
/// language, nor one of the name `own`, which the function itself has.
fn calls(body: &Body, own: &str, spans: &Spans) -> Vec<Ident> {
    let mut seen = HashSet::from(["matmul", own]);
    let nodes = body.nodes.iter().enumerate();
    let calls = nodes.filter_map(|(id, node)| match node {
        Node::Call { function, .. } if seen.insert(function) => {
            Some(spans.get(Field::Body(NodeId(id))).name(function))
        }
        _ => None,
    });
    calls.collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod time;
