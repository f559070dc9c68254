//! The functions of the user's own in a module: the plain `fn`s that its kernels call.

use std::collections::HashMap;

use gemm_codegen::body::{Body, NodeId, check_functions, find_function};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Item, ItemFn};

use crate::body;
use crate::errors::Errors;
use crate::function::is_gemm;
use crate::spans::Spans;

/// All of them, read once for all kernels.
pub(crate) struct Library {
    /// What the body of each kernel begins with: the functions and their nodes. Its root means nothing.
    body: Body,
    /// Whether each computes with integers in a way that may overflow.
    overflows: Vec<bool>,
    spans: Spans,
    /// Whether one of them has a mistake, which was reported: no kernel can be judged.
    pub(crate) is_wrong: bool,
}

impl Library {
    /// None, as of a kernel that does not lie in an annotated module.
    pub(crate) fn none() -> Library {
        let body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
        Library { body, overflows: Vec::new(), spans: Spans::default(), is_wrong: false }
    }

    /// Those of a module with these items.
    pub(crate) fn of(items: &[Item], errors: &mut Errors) -> Library {
        let mut library = Library::none();
        let mut own = Errors::default();
        for function in reachable(items) {
            let Library { body, spans, .. } = library;
            let mut spans = spans;
            let body = body::parse_function(function, body, &mut spans, &mut own);
            library = Library { body, spans, ..Library::none() };
        }
        if own.is_empty() {
            match check_functions(&library.body) {
                Ok(overflows) => library.overflows = overflows,
                Err(broken) => broken.iter().for_each(|broken| {
                    own.push_diagnostic(library.spans.get(broken.at), "", broken, "");
                }),
            }
        }
        library.is_wrong = !own.is_empty();
        errors.extend(own);
        library
    }

    /// The start of the body of a kernel, and the spans of its nodes.
    pub(crate) fn start(&self) -> (Body, Spans) {
        (self.body.clone(), self.spans.clone())
    }

    /// Whether a function of this name is one of them.
    pub(crate) fn has(&self, name: &Ident) -> bool {
        self.number(name).is_some()
    }

    /// The built-in functions that one of them calls, each at its place; sorted by their names.
    pub(crate) fn built_in(&self, function: &ItemFn) -> Vec<Ident> {
        let mut called = HashMap::new();
        note_calls(function.block.to_token_stream(), &mut called);
        let mut called: Vec<Ident> = called.into_values().filter(|name| !self.has(name)).collect();
        called.sort();
        called
    }

    /// Whether a function of this name is one of them and may overflow.
    pub(crate) fn may_overflow(&self, name: &Ident) -> bool {
        self.number(name).is_some_and(|number| self.overflows.get(number) == Some(&true))
    }

    fn number(&self, name: &Ident) -> Option<usize> {
        find_function(&self.body, &name.unraw().to_string())
    }
}

/// The plain functions that kernels call, or that these call, in the order of the items.
fn reachable(items: &[Item]) -> Vec<&ItemFn> {
    let is_kernel = |item: &&Item| match item {
        Item::Fn(function) => function.attrs.iter().any(is_gemm),
        Item::Impl(block) => block.attrs.iter().any(is_gemm),
        _ => false,
    };
    let plain = items.iter().filter_map(|item| match item {
        Item::Fn(function) if !is_kernel(&item) => Some(function),
        _ => None,
    });
    let plain: Vec<&ItemFn> = plain.collect();
    let mut called = HashMap::new();
    let kernels = items.iter().filter(is_kernel);
    kernels.for_each(|kernel| note_calls(kernel.to_token_stream(), &mut called));
    let is_called = |function: &&&ItemFn, called: &HashMap<String, Ident>| {
        called.contains_key(&function.sig.ident.unraw().to_string())
    };
    loop {
        let before = called.len();
        let reached: Vec<_> = plain.iter().filter(|of| is_called(of, &called)).collect();
        reached.iter().for_each(|of| note_calls(of.block.to_token_stream(), &mut called));
        if called.len() == before {
            return reached.into_iter().copied().collect();
        }
    }
}

/// Notes each name, where it is written first, before an argument list that is neither a method nor the end of a path.
fn note_calls(tokens: TokenStream, called: &mut HashMap<String, Ident>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        note_calls(group.stream(), called);
        let is_part = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if ".:".contains(mark.as_char()));
        let Some(TokenTree::Ident(name)) = at.checked_sub(1).map(|before| &tokens[before]) else {
            continue;
        };
        let is_path = at.checked_sub(2).is_some_and(is_part);
        if group.delimiter() == Delimiter::Parenthesis && !is_path {
            called.entry(name.unraw().to_string()).or_insert_with(|| name.clone());
        }
    }
}
