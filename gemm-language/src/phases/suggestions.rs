//! Unknown names in an attribute, unknown element types in a signature: what their helps suggest is tried first.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;

use super::parse::parse;
use crate::errors::{Errors, Unknown};
use crate::function::Function;
use crate::own::Library;

/// Leaves in each help of an unknown name the candidates that are legal in its place.
pub(super) fn judge(
    errors: &mut Errors,
    library: &Library,
    arguments: &TokenStream,
    item: &TokenStream,
) {
    let before: HashSet<String> = errors.first_lines().collect();
    errors.judge(|unknown| match unknown.is_element {
        true => elements(unknown, &before, library, [arguments, item]),
        false => of_attribute(unknown, &before, library, [arguments, item]),
    });
}

/// With one of them the attribute has no mistake that it lacks without the whole entry. The plural or the singular of a key
/// is meant, whatever its value is.
fn of_attribute(
    Unknown { written, candidates, .. }: &Unknown,
    before: &HashSet<String>,
    library: &Library,
    [arguments, item]: [&TokenStream; 2],
) -> Vec<bool> {
    let edited = |edit: &dyn Fn(TokenStream) -> TokenStream| {
        mistakes(library, edit(arguments.clone()), in_attributes(item.clone(), edit))
    };
    let without = edited(&|tokens| without(tokens, written));
    let is_legal = |candidate: &String| {
        if candidate.strip_suffix('s') == Some(written)
            || written.strip_suffix('s') == Some(candidate)
        {
            return true;
        }
        let after = edited(&|tokens| renamed(tokens, written, candidate));
        after.iter().all(|line| before.contains(line) || without.contains(line))
    };
    candidates.iter().map(is_legal).collect()
}

/// With one of them the function has no mistake that it lacks with another.
fn elements(
    Unknown { written, candidates, .. }: &Unknown,
    before: &HashSet<String>,
    library: &Library,
    [arguments, item]: [&TokenStream; 2],
) -> Vec<bool> {
    let edited = |candidate: &String| {
        let [arguments, item] =
            [arguments, item].map(|tokens| renamed(tokens.clone(), written, candidate));
        mistakes(library, arguments, item)
    };
    let after: Vec<HashSet<String>> = candidates.iter().map(edited).collect();
    let is_common = |line: &String| after.iter().all(|lines| lines.contains(line));
    let is_legal =
        |lines: &HashSet<String>| lines.iter().all(|line| before.contains(line) || is_common(line));
    after.iter().map(is_legal).collect()
}

/// The first lines of the errors of an annotated function.
fn mistakes(library: &Library, arguments: TokenStream, item: TokenStream) -> HashSet<String> {
    let mut errors = Errors::default();
    match Function::new(item, &mut errors) {
        Ok(function) => {
            parse(arguments, &function, library, &mut errors).prove(&mut errors);
        }
        Err(refused) => errors.push_syn(refused.error),
    }
    errors.first_lines().collect()
}

/// The item with the arguments of its attributes edited.
fn in_attributes(item: TokenStream, edit: &dyn Fn(TokenStream) -> TokenStream) -> TokenStream {
    let mut is_attribute = false;
    let edited = item.into_iter().map(|token| {
        let follows = std::mem::replace(&mut is_attribute, is_punct(&token, '#'));
        match token {
            TokenTree::Group(group) if follows => inside(&group, |attribute| {
                let arguments = |token| match token {
                    TokenTree::Group(arguments) => inside(&arguments, edit),
                    other => other,
                };
                attribute.into_iter().map(arguments).collect()
            }),
            other => other,
        }
    });
    edited.collect()
}

/// The entries that do not contain this name.
fn without(arguments: TokenStream, name: &str) -> TokenStream {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    let entries = tokens.split(|token| is_punct(token, ','));
    let kept = entries.filter(|entry| !entry.iter().any(|token| contains(token, name)));
    let kept: Vec<TokenStream> = kept.map(|entry| entry.iter().cloned().collect()).collect();
    quote!(#(#kept),*)
}

fn contains(token: &TokenTree, name: &str) -> bool {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().any(|token| contains(&token, name)),
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    }
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// The tokens with another name in place of `written`.
fn renamed(tokens: TokenStream, written: &str, name: &str) -> TokenStream {
    let rename = |token: TokenTree| match token {
        TokenTree::Group(group) => inside(&group, |tokens| renamed(tokens, written, name)),
        TokenTree::Ident(ident) if ident == written => Ident::new(name, ident.span()).into(),
        other => other,
    };
    tokens.into_iter().map(rename).collect()
}

/// The group with its tokens edited.
fn inside(group: &Group, edit: impl FnOnce(TokenStream) -> TokenStream) -> TokenTree {
    let mut edited = Group::new(group.delimiter(), edit(group.stream()));
    edited.set_span(group.span());
    edited.into()
}
