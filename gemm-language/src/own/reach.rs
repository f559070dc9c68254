//! Which functions the kernels of a module or of an `impl` call, read from their tokens.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;
use syn::ext::IdentExt;

use super::OF_IMPL;

/// Where functions stand, and so how they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// `name(..)`
    Module,
    /// `Self::name(..)`
    Impl,
}

impl Scope {
    /// The name of a function in the arena of bodies.
    pub(super) fn key(self, name: &Ident) -> String {
        let name = name.unraw();
        match self {
            Scope::Module => name.to_string(),
            Scope::Impl => format!("{OF_IMPL}{name}"),
        }
    }
}

/// Those of the `plain` functions that are called, or that these call, in their order.
pub(super) fn reachable(
    plain: Vec<ItemFn>,
    mut called: HashMap<String, Ident>,
    scope: Scope,
) -> Vec<ItemFn> {
    let is_called = |function: &ItemFn, called: &HashMap<String, Ident>| {
        called.contains_key(&function.sig.ident.unraw().to_string())
    };
    loop {
        let before = called.len();
        let reached: Vec<_> = plain.iter().filter(|of| is_called(of, &called)).collect();
        reached.iter().for_each(|of| note_calls(of.block.to_token_stream(), scope, &mut called));
        if called.len() == before {
            break;
        }
    }
    plain.into_iter().filter(|of| is_called(of, &called)).collect()
}

/// Notes each name, where it is written first, before an argument list: of functions of a module those that are neither
/// methods nor the end of a path, of functions of an `impl` those after `Self::`.
pub(super) fn note_calls(tokens: TokenStream, scope: Scope, called: &mut HashMap<String, Ident>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        note_calls(group.stream(), scope, called);
        let [before @ .., TokenTree::Ident(name)] = &tokens[..at] else { continue };
        let is_ours = match scope {
            Scope::Module => !before.last().is_some_and(|mark| is_punct(mark, ".:")),
            Scope::Impl => is_self(before),
        };
        if group.delimiter() == Delimiter::Parenthesis && is_ours {
            called.entry(name.unraw().to_string()).or_insert_with(|| name.clone());
        }
    }
}

/// Whether these tokens end in `Self::`, which does not continue a path.
fn is_self(tokens: &[TokenTree]) -> bool {
    match tokens {
        [before @ .., TokenTree::Ident(word), first, second] => {
            let ends = word == "Self" && is_punct(first, ":") && is_punct(second, ":");
            ends && !before.last().is_some_and(|mark| is_punct(mark, ":"))
        }
        _ => false,
    }
}

fn is_punct(token: &TokenTree, marks: &str) -> bool {
    matches!(token, TokenTree::Punct(mark) if marks.contains(mark.as_char()))
}
