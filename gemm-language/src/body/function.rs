//! Functions of the user's own: a signature of scalars, and a block that is read as a body.

use gemm_codegen::body::{Body, Node, UserFunction};
use gemm_codegen::{Field, ScalarType};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{FnArg, ItemFn, Pat, ReturnType, Signature};

use super::{Reader, Start, scalar_type};
use crate::errors::Errors;
use crate::spans::{Spans, TokenRange};

/// The types of parameters and values.
const TYPES: &str = "a function that a body calls takes and returns `f32`, `f64`, `i32` or `bool`";

/// What is said of what a signature cannot have.
const PLAIN: &str = "remove it: a function that a body calls has parameters of scalars alone";

/// Reads one of them, which bodies call by this name; its nodes and span follow those of `start`.
pub(crate) fn parse_function(
    name: String,
    function: &ItemFn,
    start: Start<'_>,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Body {
    let ItemFn { sig, block, .. } = function;
    let Start { body, associated } = start;
    let mut reader = Reader { body, associated, spans, errors };
    reader.refuse_qualifiers(sig);
    let parameters = sig.inputs.iter().filter_map(|input| reader.parameter(input)).collect();
    let result = reader.result(sig);
    reader.no_attributes(block.to_token_stream());
    let root = match sig.output {
        // The block has no value, which is the same mistake.
        ReturnType::Default => reader.push(Node::Float(0.0), &sig.ident),
        ReturnType::Type(..) => reader.block(block),
    };
    let number = reader.body.functions.len();
    reader.spans.set(Field::UserFunction(number), TokenRange::of(&sig.ident));
    reader.body.functions.push(UserFunction { name, parameters, result, root });
    reader.body
}

impl Reader<'_> {
    /// Refuses what makes a function more than an expression over its parameters.
    fn refuse_qualifiers(&mut self, signature: &Signature) {
        let Signature { asyncness, safety, abi, generics, variadic, .. } = signature;
        let parts = [
            (asyncness.to_token_stream(), "`async`"),
            (safety.to_token_stream(), "a safety qualifier"),
            (abi.to_token_stream(), "an ABI"),
            (generics.params.to_token_stream(), "generics"),
            (generics.where_clause.to_token_stream(), "a `where` clause"),
            (variadic.to_token_stream(), "variadic parameters"),
        ];
        for (tokens, what) in parts.into_iter().filter(|(tokens, _)| !tokens.is_empty()) {
            let message = format!("a function that a body calls cannot have {what}");
            self.errors.push(tokens, message, PLAIN);
        }
    }

    fn parameter(&mut self, input: &FnArg) -> Option<(String, ScalarType)> {
        let FnArg::Typed(typed) = input else {
            self.errors.push(input, "a function that a body calls cannot have `self`", PLAIN);
            return None;
        };
        if let Some(attribute) = typed.attrs.first() {
            self.errors.push(attribute, "attributes are not supported in a body", "remove it");
        }
        let ty = self.scalar(&typed.ty);
        let name = match &*typed.pat {
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                name.ident.unraw().to_string()
            }
            // Nothing can name it, so any name that is not Rust's will do.
            Pat::Wild(_) => format!("_ {}", self.body.nodes.len()),
            other => {
                self.errors.push(other, "expected a plain name", "write `name: f32`");
                return None;
            }
        };
        Some((name, ty))
    }

    fn result(&mut self, signature: &Signature) -> ScalarType {
        match &signature.output {
            ReturnType::Type(_, ty) => self.scalar(ty),
            ReturnType::Default => {
                let message = format!("`{}` returns nothing, but a body calls it", signature.ident);
                self.errors.push(&signature.ident, message, "write its type: `-> f32`");
                ScalarType::F32
            }
        }
    }

    /// A type of a signature; f32 if it is another one.
    fn scalar(&mut self, ty: &syn::Type) -> ScalarType {
        scalar_type(ty).unwrap_or_else(|| {
            self.errors.push(ty, "unsupported type of a function that a body calls", TYPES);
            ScalarType::F32
        })
    }
}
