//! The functions of the user's own that kernels call: the plain `fn`s of their module and of their `impl`.

mod reach;

use std::collections::HashMap;

use gemm_codegen::body::{Body, NodeId, check_functions, find_function};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{ImplItem, ImplItemFn, Item, ItemFn};

use crate::body::{self, Start};
use crate::errors::Errors;
use crate::function::is_gemm;
use crate::spans::Spans;
use reach::{Scope, note_calls, reachable};

/// What precedes the name of a function of an `impl` where it is called.
pub(crate) const OF_IMPL: &str = "Self::";

/// All of them, read once for all kernels.
#[derive(Clone)]
pub(crate) struct Library {
    /// What the body of each kernel begins with: the functions and their nodes. Its root means nothing.
    body: Body,
    /// Whether each computes with integers in a way that may panic where a kernel computes a value.
    panics: Vec<bool>,
    spans: Spans,
    /// Whether one of them has a mistake, which was reported: no kernel can be judged.
    pub(crate) is_wrong: bool,
    /// Those of the annotated `impl` that the kernels lie in.
    associated: Option<Associated>,
}

/// The plain functions of an annotated `impl`, which are called as `Self::name(..)`.
#[derive(Clone)]
struct Associated {
    /// The names of all.
    names: Vec<String>,
    /// Those that kernels call, or that these call.
    called: Vec<ItemFn>,
}

impl Library {
    /// None, as of a kernel that lies neither in an annotated module nor in an annotated `impl`.
    pub(crate) fn none() -> Library {
        Library {
            body: Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() },
            panics: Vec::new(),
            spans: Spans::default(),
            is_wrong: false,
            associated: None,
        }
    }

    /// Those of a module with these items.
    pub(crate) fn of(items: &[Item], errors: &mut Errors) -> Library {
        let is_kernel = |function: &ItemFn| function.attrs.iter().any(is_gemm);
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function.clone()),
            _ => None,
        });
        let (kernels, plain): (Vec<_>, Vec<_>) = functions.partition(is_kernel);
        let mut called = HashMap::new();
        let mut note = |tokens| note_calls(tokens, Scope::Module, &mut called);
        kernels.iter().for_each(|kernel| note(kernel.to_token_stream()));
        for item in items {
            let Item::Impl(block) = item else { continue };
            if block.attrs.iter().any(is_gemm) {
                let (kernels, associated) = of_impl(&block.items);
                kernels.iter().for_each(|kernel| note(kernel.to_token_stream()));
                associated.called.iter().for_each(|of| note(of.block.to_token_stream()));
            }
        }
        Library::none().with(&reachable(plain, called, Scope::Module), Scope::Module, errors)
    }

    /// These and those of an annotated `impl` with these items.
    pub(crate) fn in_impl(&self, items: &[ImplItem], errors: &mut Errors) -> Library {
        let (_, associated) = of_impl(items);
        let called = associated.called.clone();
        let mut library = self.clone();
        library.associated = Some(associated);
        // A mistake in the functions of the module was reported.
        if library.is_wrong { library } else { library.with(&called, Scope::Impl, errors) }
    }

    /// These and those of `functions`.
    fn with(mut self, functions: &[ItemFn], scope: Scope, errors: &mut Errors) -> Library {
        let mut own = Errors::default();
        let (mut body, mut spans) = (self.body.clone(), self.spans.clone());
        for function in functions {
            let start = Start { body, associated: self.names_of_impl() };
            let name = scope.key(&function.sig.ident);
            body = body::parse_function(name, function, start, &mut spans, &mut own);
        }
        (self.body, self.spans) = (body, spans);
        if own.is_empty() {
            match check_functions(&self.body) {
                Ok(panics) => self.panics = panics,
                Err(broken) => broken.iter().for_each(|broken| {
                    own.push_diagnostic(self.spans.place(broken), "", broken, "");
                }),
            }
        }
        self.is_wrong = !own.is_empty();
        errors.extend(own);
        self
    }

    /// The start of the body of a kernel, and the spans of its nodes.
    pub(crate) fn start(&self) -> (Start<'_>, Spans) {
        let start = Start { body: self.body.clone(), associated: self.names_of_impl() };
        (start, self.spans.clone())
    }

    /// The names of the plain functions of the `impl`, if it is annotated.
    fn names_of_impl(&self) -> Option<&[String]> {
        self.associated.as_ref().map(|associated| &associated.names[..])
    }

    /// The functions of the `impl` that kernels call, or that these call.
    pub(crate) fn associated(&self) -> &[ItemFn] {
        self.associated.as_ref().map_or(&[], |associated| &associated.called)
    }

    /// Whether a function of this name is one of the module.
    pub(crate) fn has(&self, name: &Ident) -> bool {
        find_function(&self.body, &Scope::Module.key(name)).is_some()
    }

    /// Whether a function of this name is one that kernels call of the `impl`.
    pub(crate) fn has_associated(&self, name: &Ident) -> bool {
        find_function(&self.body, &Scope::Impl.key(name)).is_some()
    }

    /// The built-in functions that one of them calls, each at its place; sorted by their names.
    pub(crate) fn built_in(&self, function: &ItemFn) -> Vec<Ident> {
        self.called_of(function, |name| !self.has(name))
    }

    /// The functions of the module that one of them calls, each at its place; sorted by their names.
    pub(crate) fn of_module(&self, function: &ItemFn) -> Vec<Ident> {
        self.called_of(function, |name| self.has(name))
    }

    fn called_of(&self, function: &ItemFn, is_kept: impl Fn(&Ident) -> bool) -> Vec<Ident> {
        let mut called = HashMap::new();
        note_calls(function.block.to_token_stream(), Scope::Module, &mut called);
        let mut called: Vec<Ident> = called.into_values().filter(is_kept).collect();
        called.sort();
        called
    }

    /// Whether the function of the module of this name may panic where a kernel computes a value.
    pub(crate) fn may_panic(&self, name: &Ident) -> bool {
        self.panic_of(&Scope::Module.key(name))
    }

    /// Whether the function of the `impl` of this name may panic where a kernel computes a value.
    pub(crate) fn associated_may_panic(&self, name: &Ident) -> bool {
        self.panic_of(&Scope::Impl.key(name))
    }

    fn panic_of(&self, key: &str) -> bool {
        let number = find_function(&self.body, key);
        number.is_some_and(|number| self.panics.get(number) == Some(&true))
    }
}

/// The kernels of an annotated `impl`, and its plain functions.
fn of_impl(items: &[ImplItem]) -> (Vec<ItemFn>, Associated) {
    let functions = items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(free(function)),
        _ => None,
    });
    let (kernels, plain): (Vec<_>, Vec<_>) =
        functions.partition(|function| function.attrs.iter().any(is_gemm));
    let names = plain.iter().map(|function| function.sig.ident.unraw().to_string()).collect();
    let mut called = HashMap::new();
    let mut note = |kernel: &ItemFn| note_calls(kernel.to_token_stream(), Scope::Impl, &mut called);
    kernels.iter().for_each(&mut note);
    (kernels, Associated { names, called: reachable(plain, called, Scope::Impl) })
}

/// The same function as it would stand in a module.
pub(crate) fn free(function: &ImplItemFn) -> ItemFn {
    let ImplItemFn { attrs, vis, modifiers, sig, block } = function.clone();
    ItemFn { attrs, vis, modifiers, sig, block: Box::new(block) }
}
