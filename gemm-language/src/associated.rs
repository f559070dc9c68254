//! `#[gemm] impl Layer { #[gemm] fn .. }`: functions of a type.
//!
//! No module can stand in an `impl`, so the module of each function follows the block.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Attribute, ImplItem, ImplItemFn, Item, ItemImpl, Token};

use crate::errors::Errors;
use crate::expand::{associated_function, renamed};
use crate::function::{self, is_gemm};
use crate::own::{Library, free};
use crate::phases;
use crate::spans::TokenRange;

/// Whether the item is an `impl`, by the tokens after its attributes.
pub(crate) fn is_impl(item: &TokenStream) -> bool {
    let start = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        let is_impl = input.peek(Token![impl]);
        let is_unsafe = input.peek(Token![unsafe]) && input.peek2(Token![impl]);
        input.parse::<TokenStream>()?;
        Ok(is_impl || is_unsafe)
    };
    syn::parse::Parser::parse2(start, item.clone()).unwrap_or(false)
}

/// Expands `#[gemm(arguments)] impl ..`: to the block, in which each annotated function launches, and the
/// module of each. Bodies may call the functions of `module`, and the plain ones of the block.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream, module: &Library) -> TokenStream {
    let mut block: ItemImpl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(_) => return function::parsed_again(&item),
    };
    let mut errors = Errors::default();
    if let Some((of, _)) = &block.trait_ {
        let help =
            "write the function in an inherent `impl`, and call it from the one of the trait";
        errors.push(of, "a `#[gemm]` function cannot implement a function of a trait", help);
    }
    if !arguments.is_empty() {
        let help = "write them on its functions: `#[gemm(..)] fn name(..)`";
        errors.push(arguments, "`#[gemm]` on an `impl` takes no keys", help);
    }
    let cfg: Vec<_> = block.attrs.iter().filter(|a| a.path().is_ident("cfg")).cloned().collect();
    let library = module.in_impl(&block.items, &mut errors);
    let (mut modules, mut runtime) = (TokenStream::new(), None);
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let Some(arguments) = annotation(function, &mut errors) else { continue };
        runtime = runtime.or_else(|| phases::runtime(arguments.clone()));
        let (function, module) = split(phases::expand(arguments, quote!(#function), &library));
        modules.extend(module.into_iter().map(|module| quote!(#(#cfg)* #module)));
        *item = ImplItem::Verbatim(function);
    }
    if modules.is_empty() {
        let help = "write `#[gemm]` on each of its functions that is a kernel, too";
        errors.push(
            TokenRange::at(Span::call_site()),
            "this `impl` has no `#[gemm]` function",
            help,
        );
    }
    replace_own(&mut block, &library, runtime.as_ref());
    let errors = errors.to_compile_errors();
    quote!(#block #modules #errors)
}

/// Puts in place of each plain function that a kernel calls what stands for it on the host.
fn replace_own(block: &mut ItemImpl, library: &Library, runtime: Option<&TokenStream>) {
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        if library.has_associated(&function.sig.ident) {
            let twin = associated_function(&free(function), library);
            *item = ImplItem::Verbatim(match runtime {
                Some(runtime) => renamed(twin, runtime),
                None => twin,
            });
        }
    }
}

/// Takes the first `#[gemm]` off a function that has it; its arguments.
fn annotation(function: &mut ImplItemFn, errors: &mut Errors) -> Option<TokenStream> {
    let place = function.attrs.iter().position(is_gemm)?;
    let attribute = function.attrs.remove(place);
    Some(function::arguments(&attribute, errors).unwrap_or_default())
}

/// The function of an expansion, and its other items.
fn split(expansion: TokenStream) -> (TokenStream, Vec<Item>) {
    let items = match syn::parse2::<syn::File>(expansion) {
        Ok(file) => file.items,
        Err(error) => return (error.to_compile_error(), Vec::new()),
    };
    let (functions, rest): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|item| matches!(item, Item::Fn(_)));
    (functions.iter().map(ToTokens::to_token_stream).collect(), rest)
}

#[cfg(test)]
mod tests;
