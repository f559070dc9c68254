//! `#[gemm] mod layers { .. }`: kernels, and the functions of the user's own that their bodies call.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Attribute, Item, ItemMod, Token, Visibility};

use crate::errors::Errors;
use crate::expand::{own_function, renamed};
use crate::function::{self, is_gemm};
use crate::own::Library;
use crate::spans::TokenRange;
use crate::{associated, phases};

/// Whether the item is a module, by the tokens after its attributes and visibility.
pub(crate) fn is_module(item: &TokenStream) -> bool {
    let start = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let is_module = input.peek(Token![mod]);
        input.parse::<TokenStream>()?;
        Ok(is_module)
    };
    syn::parse::Parser::parse2(start, item.clone()).unwrap_or(false)
}

/// Expands `#[gemm(arguments)] mod ..`: each annotated function and `impl` in it as on its own, with the plain
/// functions of the module as functions of bodies.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut module: ItemMod = match syn::parse2(item.clone()) {
        Ok(module) => module,
        // rustc has reported what is not Rust, and its functions are expanded on their own.
        Err(_) => return item,
    };
    let mut errors = Errors::default();
    if !arguments.is_empty() {
        let help = "write them on its functions: `#[gemm(..)] fn name(..)`";
        errors.push(arguments, "`#[gemm]` on a module takes no keys", help);
    }
    match &mut module.content {
        Some((_, items)) => expand_items(items, &mut errors),
        None => {
            let help = "write `#[gemm] mod name { .. }`";
            errors.push(&module.ident, "`#[gemm]` does not see the items of another file", help);
        }
    }
    let errors = errors.to_compile_errors();
    quote!(#module #errors)
}

fn expand_items(items: &mut [Item], errors: &mut Errors) {
    let library = Library::of(items, errors);
    let mut runtime = None;
    let mut kernels = 0;
    for item in &mut *items {
        let attributes = match item {
            Item::Fn(function) => &mut function.attrs,
            Item::Impl(block) => &mut block.attrs,
            _ => continue,
        };
        let Some(place) = attributes.iter().position(is_gemm) else { continue };
        let attribute = attributes.remove(place);
        let arguments = function::arguments(&attribute, errors).unwrap_or_default();
        let tokens = item.to_token_stream();
        let expanded = match item {
            Item::Impl(_) => associated::expand(arguments, tokens, &library),
            _ => {
                runtime = runtime.or_else(|| phases::runtime(arguments.clone()));
                phases::expand(arguments, tokens, &library)
            }
        };
        *item = Item::Verbatim(expanded);
        kernels += 1;
    }
    if kernels == 0 {
        let help = "write `#[gemm]` on each of its functions that is a kernel, too";
        let place = TokenRange::at(Span::call_site());
        errors.push(place, "this module has no `#[gemm]` function", help);
    }
    for item in items {
        let Item::Fn(function) = item else { continue };
        if library.has(&function.sig.ident) {
            let twin = own_function(function, &library);
            *item = Item::Verbatim(match &runtime {
                Some(runtime) => renamed(twin, runtime),
                None => twin,
            });
        }
    }
}

#[cfg(test)]
mod tests;
