//! The functions of the user's own on the host: they stay what they are, but that their integers wrap.
//!
//! The body of a kernel stands in a module, where `Self` means nothing. It has copies of the functions of its `impl`,
//! which are expressions over their parameters alone.

use gemm_codegen::body::{Body, Node};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Block, ItemFn};

use super::host::proof_of_calls;
use super::wrapping::wrapping;
use super::{Item, Names};
use crate::own::{Library, OF_IMPL};

/// What the body of a kernel has in scope.
pub(crate) struct Own {
    /// The functions of the module.
    imported: Vec<Ident>,
    /// Those of the `impl`, as items of the function that holds the body.
    copies: Vec<Copy>,
}

/// A function of the `impl` under the name by which [`on_host`] calls it.
struct Copy {
    signature: TokenStream,
    /// The functions of the module that it calls, in scope of it alone: no operand of the kernel meets their names.
    imported: Vec<Ident>,
    block: TokenStream,
}

impl Own {
    /// What this body calls, whose nodes are those from `first` on; `imported` are the functions of the module
    /// among it.
    pub(crate) fn new(imported: Vec<Ident>, body: &Body, first: usize, library: &Library) -> Own {
        let is_of_impl = |node: &Node| matches!(node, Node::Call { function, .. } if function.starts_with(OF_IMPL));
        let copies = match body.nodes.iter().skip(first).any(is_of_impl) {
            true => library.associated().iter().map(|of| Copy::new(of, library)).collect(),
            false => Vec::new(),
        };
        Own { imported, copies }
    }
}

/// A function of the module as it stands there.
pub(crate) fn own_function(function: &ItemFn, library: &Library) -> TokenStream {
    twin(function, library, library.may_panic(&function.sig.ident))
}

/// A function of the `impl` as it stands there. Kernels call copies of it, so it may seem unused.
pub(crate) fn associated_function(function: &ItemFn, library: &Library) -> TokenStream {
    let panics = library.associated_may_panic(&function.sig.ident);
    let twin = twin(function, library, panics);
    quote!(#[allow(dead_code)] #twin)
}

fn twin(function: &ItemFn, library: &Library, panics: bool) -> TokenStream {
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
    if panics {
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

impl Copy {
    fn new(function: &ItemFn, library: &Library) -> Copy {
        let mut block = (*function.block).clone();
        if library.associated_may_panic(&function.sig.ident) {
            block.stmts = wrapping(&block);
        }
        let name = name_of_copy(&function.sig.ident);
        let (inputs, output) = (&function.sig.inputs, &function.sig.output);
        Copy {
            signature: quote!(fn #name(#inputs) #output),
            imported: library.of_module(function),
            block: without_self(block.to_token_stream()),
        }
    }

    /// The item; rustc lints the original.
    fn item(&self, module: &TokenStream) -> TokenStream {
        let Copy { signature, imported, block } = self;
        quote! {
            #[allow(unused, clippy::all, clippy::pedantic)]
            #signature {
                #(use #module::#imported;)*
                #block
            }
        }
    }
}

/// A name that no item of the user has.
fn name_of_copy(name: &Ident) -> Ident {
    format_ident!("__of_impl_{}", name.unraw(), span = name.span())
}

/// The block of a kernel with calls of copies in place of the functions of its `impl`.
pub(crate) fn on_host(block: Block) -> Block {
    // A name in place of a path is a block again.
    syn::parse2(without_self(block.to_token_stream())).unwrap_or(block)
}

/// The tokens with the name of a copy in place of each `Self::name`.
fn without_self(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let is_colon =
            |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
        match (token, &kept[..]) {
            (TokenTree::Group(group), _) => {
                let mut inside = Group::new(group.delimiter(), without_self(group.stream()));
                inside.set_span(group.span());
                kept.push(inside.into());
            }
            (TokenTree::Ident(name), [.., TokenTree::Ident(word), first, second])
                if word == "Self" && is_colon(first) && is_colon(second) =>
            {
                kept.truncate(kept.len() - 3);
                kept.push(name_of_copy(&name).into());
            }
            (token, _) => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

impl Item<'_> {
    /// The functions of the user's own that the body calls, in scope of the body alone: no item of the module of the
    /// kernel meets their names.
    pub(super) fn own_imports(&self) -> Option<TokenStream> {
        let Own { imported, copies } = self.own;
        let module = match self.names {
            Names::Of(_) if self.is_generic() => quote!(super::super),
            Names::Of(_) | Names::Parameters(_) => quote!(super),
        };
        let copies = copies.iter().map(|copy| copy.item(&module));
        let items = quote!(#(use #module::#imported;)* #(#copies)*);
        (!items.is_empty()).then_some(items)
    }
}
