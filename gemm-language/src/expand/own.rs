//! The functions of the user's own on the host: they stay what they are, but that their integers wrap.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::host::proof_of_calls;
use super::wrapping::wrapping;
use super::{Item, Names};
use crate::own::Library;

/// The function as it stands in the module.
pub(crate) fn own_function(function: &ItemFn, library: &Library) -> TokenStream {
    let mut function = function.clone();
    // Its mistake was reported, so rustc need not report it again.
    if library.is_wrong {
        let ItemFn { attrs, vis, sig, .. } = function;
        return quote! {
            #(#attrs)*
            #[allow(unused)]
            #vis #sig {
                ::core::unreachable!()
            }
        };
    }
    let proof = proof_of_calls(&library.built_in(&function));
    if library.may_overflow(&function.sig.ident) {
        function.block.stmts = wrapping(&function.block);
    }
    let ItemFn { attrs, vis, sig, block, .. } = &function;
    let statements = &block.stmts;
    quote! {
        #(#attrs)*
        #vis #sig {
            #proof
            #(#statements)*
        }
    }
}

impl Item<'_> {
    /// The functions of the user's own that the body calls, in scope of the body alone: no item of the module of the
    /// kernel meets their names.
    pub(super) fn own_imports(&self) -> Option<TokenStream> {
        let names = self.own;
        let module = match self.names {
            Names::Of(_) if self.is_generic() => quote!(super::super),
            Names::Of(_) | Names::Parameters(_) => quote!(super),
        };
        (!names.is_empty()).then(|| quote!(#(use #module::#names;)*))
    }
}
