//! The function's signature → operands and output.

use gemm_codegen::{Element, Field, Operand, OperandKind, Output, ScalarType};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    FnArg, GenericArgument, Ident, Pat, Path, PathArguments, ReturnType, Type, TypeReference,
};

use crate::errors::{Errors, list};
use crate::spans::{Place, Spans};

const PARAMETERS: &str = "a parameter is `Mat<T, I, J>`, `Vector<T, I>`, `f32` or `i32`";
const OUTPUT: &str = "a `#[gemm]` function returns `Mat<T, I, J>`, such as `-> Mat<f16, M, N>`";
const IN_PLACE: &str = "what is written is one matrix: `-> Mat<T, I, J>`, or a parameter \
                        `c: &mut Mat<T, I, J>` that the body assigns to, `*c = ..`";

/// What the signature says. A part with an error is `None`, so that the rest can still be
/// expanded beside the error.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    /// The type that is returned, if it could be read.
    pub(crate) returned: Option<Tensor<2>>,
    /// Whether a return type was written.
    returns: bool,
}

/// One parameter.
pub(crate) struct Parameter {
    pub(crate) name: Option<Ident>,
    pub(crate) kind: Option<Kind>,
    /// Whether it is `&mut`: what the function writes, and no operand.
    pub(crate) written: bool,
}

/// What a function does with the value of its body.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// It returns it.
    Returned,
    /// It assigns it to `*c`, for the parameter of this name.
    InPlace(&'a Ident),
    /// The signature contradicts itself, and an error says so.
    Unclear,
}

/// The type of a parameter.
pub(crate) enum Kind {
    Matrix(Tensor<2>),
    Vector(Tensor<1>),
    Scalar(ScalarType),
}

/// `Mat<T, I, J>` or `Vector<T, I>`.
pub(crate) struct Tensor<const N: usize> {
    /// The path as the user wrote it, without its arguments.
    pub(crate) path: Path,
    /// The element type as the user wrote it.
    pub(crate) element_type: Type,
    pub(crate) element: Element,
    pub(crate) indices: [Ident; N],
}

impl Signature {
    /// Operands and output, if nothing is missing.
    pub(crate) fn spec(&self) -> Option<(Vec<Operand>, Output)> {
        let operands = self.parameters.iter().filter(|parameter| !parameter.written);
        let operands = operands.map(Parameter::operand).collect::<Option<_>>()?;
        let in_place = match self.written() {
            Some(parameter) => Some(parameter.spec_name()?),
            None => None,
        };
        let output = self.output()?;
        let (element, indices) = (output.element, output.index_names());
        Some((operands, Output { in_place, element, indices }))
    }

    /// The `&mut` parameter; the first of several, which are an error.
    pub(crate) fn written(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.written)
    }

    /// The type of what is written.
    pub(crate) fn output(&self) -> Option<&Tensor<2>> {
        match self.written().map(|parameter| &parameter.kind) {
            Some(Some(Kind::Matrix(matrix))) => Some(matrix),
            Some(_) => None,
            None => self.returned.as_ref(),
        }
    }

    /// What the function does with the value of its body.
    pub(crate) fn form(&self) -> Form<'_> {
        match self.written() {
            None if self.returns => Form::Returned,
            Some(Parameter { name: Some(name), .. }) if !self.returns => Form::InPlace(name),
            _ => Form::Unclear,
        }
    }
}

impl Parameter {
    fn operand(&self) -> Option<Operand> {
        let kind = match self.kind.as_ref()? {
            Kind::Matrix(matrix) => {
                OperandKind::Matrix { element: matrix.element, indices: matrix.index_names() }
            }
            Kind::Vector(vector) => {
                let [index] = vector.index_names();
                OperandKind::Vector { element: vector.element, index }
            }
            Kind::Scalar(scalar) => OperandKind::Scalar(*scalar),
        };
        Some(Operand { name: self.spec_name()?, kind })
    }

    fn spec_name(&self) -> Option<String> {
        Some(self.name.as_ref()?.unraw().to_string())
    }
}

impl<const N: usize> Tensor<N> {
    fn index_names(&self) -> [String; N] {
        self.indices.each_ref().map(|index| index.unraw().to_string())
    }
}

/// Reads the signature.
pub(crate) fn parse(
    signature: &syn::Signature,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Signature {
    spans.set(Field::Function, Place::of(&signature.ident));
    qualifiers(signature, errors);
    let mut parameters: Vec<Parameter> = Vec::new();
    for input in &signature.inputs {
        // Operands are numbered without what is written.
        let operands = parameters.iter().filter(|earlier| !earlier.written).count();
        let parameter = parameter(operands, input, spans, errors);
        if parameter.written && parameters.iter().any(|earlier| earlier.written) {
            errors.push(input, "a second `&mut` parameter", IN_PLACE);
        }
        parameters.push(parameter);
    }
    let written = parameters.iter().any(|parameter| parameter.written);
    let returned = returned(signature, written, spans, errors);
    let returns = matches!(signature.output, ReturnType::Type(..));
    Signature { name: signature.ident.clone(), parameters, returned, returns }
}

/// Everything a function can have that has no meaning here.
fn qualifiers(signature: &syn::Signature, errors: &mut Errors) {
    let mut refuse = |tokens: TokenStream, what: &str| {
        if !tokens.is_empty() {
            let help = "leave it out: the function is a description, and what is generated from \
                        it is an ordinary function";
            errors.push(tokens, format!("a `#[gemm]` function has no {what}"), help);
        }
    };
    refuse(signature.constness.to_token_stream(), "`const`");
    refuse(signature.asyncness.to_token_stream(), "`async`");
    refuse(signature.safety.to_token_stream(), "safety qualifier");
    refuse(signature.abi.to_token_stream(), "ABI");
    refuse(signature.variadic.to_token_stream(), "variadic parameters");
    let generics = &signature.generics;
    if !generics.params.is_empty() || generics.where_clause.is_some() {
        let (parameters, clause) = (generics, &generics.where_clause);
        let tokens = match generics.params.is_empty() {
            false => parameters.to_token_stream(),
            true => clause.to_token_stream(),
        };
        errors.push(
            tokens,
            "a `#[gemm]` function has no generics",
            "indices such as `M`, `N` and `K` are free names that need no declaration, element \
             types are concrete",
        );
    }
}

fn parameter(index: usize, parameter: &FnArg, spans: &mut Spans, errors: &mut Errors) -> Parameter {
    let typed = match parameter {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            errors.push(receiver, "a `#[gemm]` function takes no `self`", PARAMETERS);
            return Parameter { name: None, kind: None, written: false };
        }
    };
    for attribute in &typed.attrs {
        let help = "leave it out: host and device have the same parameters";
        errors.push(attribute, "a parameter has no attributes here", help);
    }
    let ty = ungroup(&typed.ty);
    let target = written(ty);
    let field = if target.is_some() { Field::OutputName } else { Field::Operand(index) };
    let name = match &*typed.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            spans.set(field, Place::of(&p.ident));
            Some(p.ident.clone())
        }
        other => {
            errors.push(
                other,
                "expected the plain name of an operand",
                "such as `x: Mat<f16, M, K>`",
            );
            None
        }
    };
    let kind = match target {
        Some(reference) => written_kind(reference, spans, errors),
        None => kind(index, ty, spans, errors),
    };
    Parameter { name, kind, written: target.is_some() }
}

/// The type of a parameter that is written, `&mut ..`.
fn written(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => reference.mutability.map(|_| reference),
        _ => None,
    }
}

/// What is behind `&mut`: a matrix.
fn written_kind(reference: &TypeReference, spans: &mut Spans, errors: &mut Errors) -> Option<Kind> {
    if let Some(lifetime) = &reference.lifetime {
        errors.push(lifetime, "a lifetime has no meaning here", "write `&mut Mat<T, I, J>`");
    }
    output(&reference.elem, "written", IN_PLACE, spans, errors).map(Kind::Matrix)
}

fn kind(index: usize, ty: &Type, spans: &mut Spans, errors: &mut Errors) -> Option<Kind> {
    if let Type::Reference(reference) = ty {
        errors.push(
            reference,
            "an operand is not written as a reference",
            format!("{PARAMETERS}; what is passed to the generated function is borrowed anyway"),
        );
        return None;
    }
    let at = TensorFields {
        element: Field::OperandElement(index),
        index: |operand, i| Field::OperandIndex(operand, i),
        operand: index,
    };
    match last_name(ty).as_deref() {
        Some("Mat") => tensor(ty, &at, spans, errors).map(Kind::Matrix),
        Some("Vector") => tensor(ty, &at, spans, errors).map(Kind::Vector),
        Some("f32") => Some(Kind::Scalar(ScalarType::F32)),
        Some("i32") => Some(Kind::Scalar(ScalarType::I32)),
        _ => {
            let message = format!("`{}` is not the type of an operand", text(ty));
            errors.push(ty, message, PARAMETERS);
            None
        }
    }
}

/// The return type, which there is unless a parameter is written.
fn returned(
    signature: &syn::Signature,
    written: bool,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<2>> {
    match &signature.output {
        ReturnType::Default if written => None,
        ReturnType::Default => {
            errors.push(&signature.ident, "a `#[gemm]` function needs a return type", OUTPUT);
            None
        }
        ReturnType::Type(_, ty) if written => {
            errors.push(ty, "a function with a `&mut` parameter returns nothing", IN_PLACE);
            None
        }
        ReturnType::Type(_, ty) => output(ty, "returned", OUTPUT, spans, errors),
    }
}

/// The type of what is `written` or `returned`.
fn output(
    ty: &Type,
    how: &str,
    help: &str,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<2>> {
    let ty = ungroup(ty);
    spans.set(Field::Output, Place::of(ty));
    if last_name(ty).as_deref() != Some("Mat") {
        errors.push(ty, format!("`{}` cannot be {how}", text(ty)), help);
        return None;
    }
    let at = TensorFields {
        element: Field::OutputElement,
        index: |_, i| Field::OutputIndex(i),
        operand: 0,
    };
    tensor(ty, &at, spans, errors)
}

/// Which fields the parts of a tensor's type are.
struct TensorFields {
    element: Field,
    index: fn(usize, usize) -> Field,
    operand: usize,
}

/// Reads `Mat<T, I, J>` or `Vector<T, I>`: the name is known to be right.
fn tensor<const N: usize>(
    ty: &Type,
    at: &TensorFields,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<N>> {
    let Type::Path(whole) = ty else { return None };
    let (form, parts) = match N {
        1 => ("`Vector<T, I>`", "an element type, then the name of an index"),
        _ => ("`Mat<T, I, J>`", "an element type, then the names of two indices"),
    };
    let last = whole.path.segments.last()?;
    let arguments: Vec<&GenericArgument> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    let Some((element, indices)) = arguments.split_first().filter(|(_, i)| i.len() == N) else {
        let message = format!("{form} takes {} parameters, got {}", N + 1, arguments.len());
        errors.push(ty, message, parts);
        return None;
    };
    let names = indices.iter().enumerate().map(|(i, index)| {
        spans.set((at.index)(at.operand, i), Place::of(index));
        index_name(index, errors)
    });
    // Collected first, so that each wrong index is reported.
    let names: Vec<Option<Ident>> = names.collect();
    spans.set(at.element, Place::of(element));
    let (element, element_type) = element_of(element, errors)?;
    let mut path = whole.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let indices = names.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
    Some(Tensor { path, element_type, element, indices })
}

/// An element type, recognised by the last segment of its path; rustc checks that it is ours.
fn element_of(argument: &GenericArgument, errors: &mut Errors) -> Option<(Element, Type)> {
    let element = match argument {
        GenericArgument::Type(ty) => {
            let ty = ungroup(ty);
            last_name(ty).and_then(|n| Element::from_name(&n)).map(|e| (e, ty.clone()))
        }
        _ => None,
    };
    if element.is_none() {
        errors.push(
            argument,
            format!("`{}` is not an element type", text(argument)),
            format!("the element types are {}", list(Element::ALL)),
        );
    }
    element
}

/// The name of an index.
fn index_name(argument: &GenericArgument, errors: &mut Errors) -> Option<Ident> {
    if let GenericArgument::Type(ty) = argument
        && let Type::Path(path) = ungroup(ty)
        && path.qself.is_none()
        && let Some(name) = path.path.get_ident()
    {
        return Some(name.clone());
    }
    errors.push(
        argument,
        format!("`{}` is not the name of an index", text(argument)),
        "an index is a free name such as `M`; its extent comes with the arguments of each call",
    );
    None
}

/// The type inside the invisible brackets of a `macro_rules!` fragment.
fn ungroup(mut ty: &Type) -> &Type {
    while let Type::Group(group) = ty {
        ty = &group.elem;
    }
    ty
}

/// The last segment of a path.
fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map(|segment| segment.ident.unraw().to_string())
        }
        _ => None,
    }
}

/// Tokens as one would write them.
fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    spaced.replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",")
}

#[cfg(test)]
mod tests;
