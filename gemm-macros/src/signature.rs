//! The function's signature → operands and output.

use gemm_codegen::{Element, Field, Operand, OperandKind, Output, ScalarType};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{FnArg, GenericArgument, Ident, Pat, Path, PathArguments, ReturnType, Type};

use crate::errors::{Errors, list};
use crate::spans::{Place, Spans};

const PARAMETERS: &str = "a parameter is `Mat<T, I, J>`, `Vector<T, I>`, `f32` or `i32`";
const OUTPUT: &str = "a `#[gemm]` function returns `Mat<T, I, J>`, such as `-> Mat<f16, M, N>`";

/// What the signature says. A part with an error is `None`, so that the rest can still be
/// expanded beside the error.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Option<Tensor<2>>,
}

/// One parameter.
pub(crate) struct Parameter {
    pub(crate) name: Option<Ident>,
    pub(crate) kind: Option<Kind>,
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
        let operands = self.parameters.iter().map(Parameter::operand).collect::<Option<_>>()?;
        let output = self.output.as_ref()?;
        Some((operands, Output { element: output.element, indices: output.index_names() }))
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
        Some(Operand { name: self.name.as_ref()?.unraw().to_string(), kind })
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
    let parameters =
        signature.inputs.iter().enumerate().map(|(i, p)| parameter(i, p, spans, errors)).collect();
    let output = output(signature, spans, errors);
    Signature { name: signature.ident.clone(), parameters, output }
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
            return Parameter { name: None, kind: None };
        }
    };
    for attribute in &typed.attrs {
        let help = "leave it out: host and device have the same parameters";
        errors.push(attribute, "a parameter has no attributes here", help);
    }
    let name = match &*typed.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            spans.set(Field::Operand(index), Place::of(&p.ident));
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
    Parameter { name, kind: kind(index, &typed.ty, spans, errors) }
}

fn kind(index: usize, ty: &Type, spans: &mut Spans, errors: &mut Errors) -> Option<Kind> {
    let ty = ungroup(ty);
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

fn output(signature: &syn::Signature, spans: &mut Spans, errors: &mut Errors) -> Option<Tensor<2>> {
    let ReturnType::Type(_, ty) = &signature.output else {
        errors.push(&signature.ident, "a `#[gemm]` function needs a return type", OUTPUT);
        return None;
    };
    let ty = ungroup(ty);
    spans.set(Field::Output, Place::of(ty));
    if last_name(ty).as_deref() != Some("Mat") {
        errors.push(ty, format!("`{}` cannot be returned", text(ty)), OUTPUT);
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
