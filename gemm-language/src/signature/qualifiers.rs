//! Qualifiers and generics that a `#[gemm]` function cannot have.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::GenericParam;

use crate::errors::Errors;

const ONLY_TYPES: &str = "the generics of a `#[gemm]` function are type parameters only";

/// Refuses qualifiers, and generics other than plain type parameters.
pub(super) fn refuse(signature: &syn::Signature, errors: &mut Errors) {
    let mut refuse = |tokens: TokenStream, what: &str| {
        if !tokens.is_empty() {
            let help = "remove it: the generated function is an ordinary one";
            errors.push(tokens, format!("a `#[gemm]` function cannot have {what}"), help);
        }
    };
    refuse(signature.constness.to_token_stream(), "`const`");
    refuse(signature.asyncness.to_token_stream(), "`async`");
    refuse(signature.safety.to_token_stream(), "a safety qualifier");
    refuse(signature.abi.to_token_stream(), "an ABI");
    refuse(signature.variadic.to_token_stream(), "variadic parameters");
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Type(of) if of.bounds.is_empty() && of.default.is_none() => {}
            GenericParam::Type(of) => {
                let help = format!("write `{}` alone: the attribute lists its types", of.ident);
                errors.push(
                    of,
                    "a type parameter of a `#[gemm]` function has no bound and no default",
                    help,
                );
            }
            GenericParam::Lifetime(of) => errors.push(of, ONLY_TYPES, "remove it"),
            GenericParam::Const(of) => {
                let help = format!(
                    "pass the value as a parameter, `{}: i32`, or name a constant in the body",
                    of.ident.to_string().to_lowercase()
                );
                errors.push(of, ONLY_TYPES, help);
            }
        }
    }
    if let Some(clause) = &signature.generics.where_clause {
        let help = "remove it: the attribute lists the types of a type parameter";
        errors.push(clause, "a `#[gemm]` function cannot have a `where` clause", help);
    }
}
