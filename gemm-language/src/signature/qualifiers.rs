//! Qualifiers and generics, which a `#[gemm]` function cannot have.

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::errors::Errors;

/// Refuses qualifiers and generics.
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
    let generics = &signature.generics;
    if !generics.params.is_empty() || generics.where_clause.is_some() {
        let (parameters, clause) = (generics, &generics.where_clause);
        let tokens = match generics.params.is_empty() {
            false => parameters.to_token_stream(),
            true => clause.to_token_stream(),
        };
        errors.push(
            tokens,
            "a `#[gemm]` function cannot have generics",
            "remove them: indices such as `M`, `N` and `K` need no declaration, and element types \
             are concrete",
        );
    }
}
