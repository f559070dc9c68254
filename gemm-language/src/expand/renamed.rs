//! `crate = gemm`: the runtime under another name.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::Ident;

/// The name of the runtime in the expansion.
const RUNTIME: &str = "gemm_runtime";

/// The expansion with this path for each `::gemm_runtime`.
pub(crate) fn renamed(expansion: TokenStream, runtime: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in expansion {
        match token {
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), renamed(group.stream(), runtime));
                inside.set_span(group.span());
                tokens.push(inside.into());
            }
            TokenTree::Ident(name) if name == RUNTIME && ends_in_colons(&tokens) => {
                tokens.truncate(tokens.len() - 2);
                tokens.extend(runtime.clone());
            }
            token => tokens.push(token),
        }
    }
    tokens.into_iter().collect()
}

/// Whether these tokens end in a `::` that does not follow a name.
fn ends_in_colons(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    match tokens {
        [before @ .., first, second] if is_colon(first) && is_colon(second) => {
            // A keyword may be there, as in `impl ::gemm_runtime::AsMatrix`.
            let is_name = |token: &TokenTree| syn::parse2::<Ident>(token.clone().into()).is_ok();
            !before.last().is_some_and(is_name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn paths_from_the_root_alone_are_renamed() {
        let expansion = quote! {
            fn f<T: ::gemm_runtime::Element>(x: impl ::gemm_runtime::AsMatrix<T>) {
                our::gemm_runtime::g::<gemm_runtime::f16>(x)
            }
        };
        let expected = quote! {
            fn f<T: ::gemm::Element>(x: impl ::gemm::AsMatrix<T>) {
                our::gemm_runtime::g::<gemm_runtime::f16>(x)
            }
        };
        assert_eq!(renamed(expansion, &quote!(::gemm)).to_string(), expected.to_string());
    }
}
