//! The first phase: attributes, signature and body → a spec of each kernel.

use std::collections::HashSet;

use gemm_codegen::body::{Body, Coordinate, Node, NodeId};
use gemm_codegen::{Element, Field, Schedule, Spec};
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::attribute::{self, Attribute};
use crate::body::{self, Constant};
use crate::errors::Errors;
use crate::expand::{Own, Schedules};
use crate::function::{Function, Further};
use crate::own::{Library, OF_IMPL};
use crate::signature::{self, Instance, Signature, TypeParameter};
use crate::spans::{Spans, TokenRange};

/// The first phase's result.
pub(super) struct Parsed {
    pub(super) signature: Signature,
    pub(super) written: Schedules,
    /// The path of the runtime, if it has another name.
    pub(super) runtime: Option<TokenStream>,
    pub(super) calls: Vec<Ident>,
    pub(super) own: Own,
    pub(super) coordinates: Vec<Ident>,
    pub(super) constants: Vec<Constant>,
    /// What is written of the signature and the body.
    pub(super) declared: Spans,
    /// What is written of each schedule and of what they share, in the order of the attributes.
    pub(super) schedules: Vec<Spans>,
    /// The kernels; none if there were errors in the signature or the body.
    pub(super) kernels: Vec<Asked>,
    /// Whether no error was reported: the schedules are those that were written.
    pub(super) is_right: bool,
}

/// A kernel for one choice of the element types.
pub(super) struct Asked {
    pub(super) instance: Instance,
    /// One for each schedule.
    pub(super) specs: Vec<Spec>,
}

pub(super) fn parse(
    arguments: TokenStream,
    function: &Function,
    library: &Library,
    errors: &mut Errors,
) -> Parsed {
    let mut first = Spans::default();
    let types = signature::declared(&function.signature);
    let attribute = attribute::parse(arguments, types, &mut first, errors);
    let Attribute { schedule, mut type_parameters, runtime, auto } = attribute;
    let mut read = (vec![schedule], vec![first]);
    for further in &function.further {
        let of_first = (&mut type_parameters[..], &read.0[0], runtime.is_some());
        read.extend([read_further(further, of_first, errors)]);
    }
    let (schedules, places) = read;
    let written = written(function.further.len(), auto, &places[0], errors);
    let (start, mut declared) = library.start();
    let first = start.body.nodes.len();
    let mut of_item = Errors::default();
    let signature =
        signature::parse(&function.signature, type_parameters, &mut declared, &mut of_item);
    let body = body::parse(&function.block, signature.form(), start, &mut declared, &mut of_item);
    let called = calls(&body, first, &declared);
    let [own, coordinates, calls] = sorted(called, library, &signature.name);
    let own = Own::new(own, &body, first, library);
    let constants = body::constants(&body, first, &signature.names(), &declared);
    place(&constants, &signature, &mut declared, &mut of_item);
    let kernels = match of_item.is_empty() {
        true => kernels(&signature, &constants, &body, &schedules),
        false => Vec::new(),
    };
    errors.extend(of_item);
    Parsed {
        schedules: places.into_iter().map(|spans| spans.with(&declared)).collect(),
        signature,
        written,
        runtime,
        calls,
        own,
        coordinates,
        constants,
        declared,
        kernels,
        is_right: errors.is_empty(),
    }
}

/// Notes where constants are written: they follow the operands. A name that hides one of the expansion is refused.
fn place(constants: &[Constant], signature: &Signature, declared: &mut Spans, errors: &mut Errors) {
    let first = signature.operands().count();
    for (number, constant) in constants.iter().enumerate() {
        signature::refuse_value(&constant.name, "a constant", errors);
        declared.set(Field::Operand(first + number), TokenRange::of(&constant.name));
    }
}

/// Who chooses among the schedules of a function with this many further ones.
fn written(further: usize, auto: bool, place: &Spans, errors: &mut Errors) -> Schedules {
    match further {
        0 if auto => Schedules::Auto,
        0 => Schedules::One,
        further => {
            refuse_auto(auto, place, errors);
            Schedules::Written { further }
        }
    }
}

/// Reads a further attribute, which has a schedule and nothing else.
fn read_further(
    Further { arguments, place }: &Further,
    (first, of_first, has_runtime): (&mut [TypeParameter], &Schedule, bool),
    errors: &mut Errors,
) -> (Schedule, Spans) {
    let declared = first.iter().map(|of| of.name.clone()).collect();
    let mut spans = Spans::of(*place);
    let attribute = attribute::parse(arguments.clone(), declared, &mut spans, errors);
    let Attribute { schedule, type_parameters, runtime, auto } = attribute;
    let Schedule { invariant, .. } = *of_first;
    let mut of_all = vec![
        ("crate".to_owned(), runtime.is_some(), has_runtime),
        ("invariant".to_owned(), schedule.invariant && !invariant, false),
    ];
    for own in type_parameters.iter().filter(|of| of.is_listed) {
        for of in first.iter_mut().filter(|of| of.name == own.name) {
            // A list in the wrong place is a list: that the first attribute lacks it is the same mistake.
            of_all.push((of.name.to_string(), true, std::mem::replace(&mut of.is_listed, true)));
        }
    }
    for (key, _, in_first) in of_all.into_iter().filter(|(_, is_written, _)| *is_written) {
        let place = key_in(arguments, &key).unwrap_or(*place);
        let (is_not, help) = match in_first {
            true => ("and is in the first `#[gemm]` already", format!("remove `{key}` here")),
            false => (
                "but is not in the first `#[gemm]`",
                format!("move `{key}` to the first `#[gemm]`"),
            ),
        };
        errors.push(place, format!("`{key}` holds for all schedules, {is_not}"), help);
    }
    refuse_auto(auto, &spans, errors);
    (Schedule { invariant, ..schedule }, spans)
}

/// The name of a key among the arguments of an attribute.
fn key_in(arguments: &TokenStream, key: &str) -> Option<TokenRange> {
    let mut tokens = arguments.clone().into_iter();
    let name = tokens.find(|token| matches!(token, TokenTree::Ident(name) if name == key))?;
    Some(TokenRange::at(name.span()))
}

/// Refuses one of several attributes that fixes no schedule.
fn refuse_auto(auto: bool, spans: &Spans, errors: &mut Errors) {
    if auto {
        let message =
            "each of several `#[gemm]` must fix a schedule, but this one has no key that does";
        let help = "write `#[gemm(derived)]` for the default schedule, or a key such as `tile`; to let a \
                    launch choose among all schedules, write a single `#[gemm]`";
        errors.push(spans.attribute(), message, help);
    }
}

/// A kernel for each choice of the element types.
fn kernels(
    signature: &Signature,
    constants: &[Constant],
    body: &Body,
    schedules: &[Schedule],
) -> Vec<Asked> {
    let kernel = |instance: Instance| {
        let (mut operands, outputs) = signature.spec(&instance)?;
        operands.extend(constants.iter().map(|constant| constant.operand(&outputs)));
        let name = signature.kernel_name(&instance);
        let spec = |schedule: &Schedule| Spec {
            name: name.clone(),
            operands: operands.clone(),
            outputs: outputs.clone(),
            body: body.clone(),
            schedule: schedule.clone(),
        };
        Some(Asked { instance, specs: schedules.iter().map(spec).collect() })
    };
    let mut kernels: Vec<_> = signature.instances().into_iter().filter_map(kernel).collect();
    keep_precision(&mut kernels);
    kernels
}

/// Leaves `precision` to the kernels of f32 factors, if there are any: it means nothing to the others.
fn keep_precision(kernels: &mut [Asked]) {
    let is_of_f32 = |spec: &Spec| spec.factor_elements() == Some([Element::F32; 2]);
    let specs = || kernels.iter().flat_map(|kernel| &kernel.specs);
    if specs().any(is_of_f32) {
        let specs = kernels.iter_mut().flat_map(|kernel| &mut kernel.specs);
        for spec in specs.filter(|spec| !is_of_f32(spec)) {
            spec.schedule.precision = None;
        }
    }
}

/// The functions of the user's own among those that a body calls, those of coordinates, and the built-in ones, but one
/// of the name of the function itself.
fn sorted(called: Vec<Ident>, library: &Library, function: &Ident) -> [Vec<Ident>; 3] {
    let (own, called): (Vec<_>, Vec<_>) = called.into_iter().partition(|name| library.has(name));
    let (coordinates, mut calls): (Vec<_>, Vec<_>) = called
        .into_iter()
        .partition(|name| Coordinate::from_name(&name.unraw().to_string()).is_some());
    calls.retain(|name| name.unraw() != function.unraw());
    [own, coordinates, calls]
}

/// What a body calls by a plain name, each at its first call: not `matmul`, a word of the language. The nodes before
/// `first` are of other functions.
fn calls(body: &Body, first: usize, spans: &Spans) -> Vec<Ident> {
    let mut seen = HashSet::from(["matmul"]);
    let nodes = body.nodes.iter().enumerate().skip(first);
    let calls = nodes.filter_map(|(id, node)| match node {
        Node::Call { function, .. } if !function.starts_with(OF_IMPL) && seen.insert(function) => {
            Some(spans.get(Field::Body(NodeId(id))).name(function))
        }
        _ => None,
    });
    calls.collect()
}

/// The path of the runtime that an attribute states, whatever else is wrong with it.
pub(crate) fn runtime(arguments: TokenStream) -> Option<TokenStream> {
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    attribute::parse(arguments, Vec::new(), &mut spans, &mut errors).runtime
}
