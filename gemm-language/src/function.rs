//! The annotated item, as parsed before the phases start.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Block, Expr, LitStr, Meta, Signature, Stmt, Token, Visibility, token};

use crate::errors::{Errors, error};
use crate::spans::TokenRange;

/// The annotated function.
pub(crate) struct Function {
    /// Its attributes, without `#[gemm]`.
    pub(crate) attributes: Vec<Attribute>,
    /// Every `#[gemm]` but the first.
    pub(crate) further: Vec<Further>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) block: Block,
    /// Why its block is empty: what is written there is not Rust.
    pub(crate) unread: Option<syn::Error>,
}

/// A further `#[gemm(..)]`: another schedule.
pub(crate) struct Further {
    pub(crate) arguments: TokenStream,
    pub(crate) place: TokenRange,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Function> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let block = if input.peek(Token![;]) {
            // The phase that reads the body reports one of this alone.
            let semicolon: Token![;] = input.parse()?;
            let nothing = Stmt::Expr(Expr::Verbatim(TokenStream::new()), Some(semicolon));
            Block { brace_token: token::Brace(semicolon.span), stmts: vec![nothing] }
        } else {
            input.parse()?
        };
        Ok(Function { attributes, further: Vec::new(), visibility, signature, block, unread: None })
    }
}

/// An item that cannot be read as a function.
pub(crate) struct Refused {
    pub(crate) error: syn::Error,
    /// The item: of another kind, its uses still compile.
    pub(crate) kept: TokenStream,
    /// Whether it is a function: rustc reports what is not Rust.
    pub(crate) is_function: bool,
}

impl Function {
    /// The function that `#[gemm]` annotates.
    ///
    /// # Errors
    /// It is another item, or it is not written as a function is.
    pub(crate) fn new(item: TokenStream, errors: &mut Errors) -> Result<Function, Refused> {
        let mut function = match syn::parse2::<Function>(item.clone()) {
            Ok(function) => function,
            Err(error) if is_function(&item) => {
                let Ok(function) = syn::parse2::<Function>(without_block(item)) else {
                    return Err(Refused { error, kept: TokenStream::new(), is_function: true });
                };
                Function { unread: Some(error), ..function }
            }
            Err(_) => {
                let error = error(
                    TokenRange::at(Span::call_site()),
                    "`#[gemm]` applies to functions, and to modules and `impl`s of them",
                    "write `#[gemm] fn name(a: Mat<f16, M, K>, b: Mat<f16, N, K>) \
                     -> Mat<f16, M, N> { matmul(a, b) }`",
                );
                return Err(Refused { error, kept: item, is_function: false });
            }
        };
        let (further, kept) = function.attributes.into_iter().partition(is_gemm);
        function.attributes = kept;
        let further: Vec<Attribute> = further;
        let read = further.iter().filter_map(|attribute| Further::new(attribute, errors));
        function.further = read.collect();
        Ok(function)
    }
}

impl Further {
    fn new(attribute: &Attribute, errors: &mut Errors) -> Option<Further> {
        let arguments = arguments(attribute, errors)?;
        Some(Further { arguments, place: TokenRange::of(attribute) })
    }
}

/// The tokens in the parentheses of a `#[gemm(..)]`, if it is written so.
pub(crate) fn arguments(attribute: &Attribute, errors: &mut Errors) -> Option<TokenStream> {
    match &attribute.meta {
        Meta::Path(_) => Some(TokenStream::new()),
        Meta::List(list) => Some(list.tokens.clone()),
        Meta::NameValue(_) => {
            let help = "write for example `#[gemm(tile = [128, 128, 32])]`";
            errors.push(attribute, "expected `#[gemm]` or `#[gemm(..)]`", help);
            None
        }
    }
}

/// Whether the item is a function, by the tokens after its attributes and visibility.
fn is_function(item: &TokenStream) -> bool {
    let start = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        while !input.is_empty() && !input.peek(Token![fn]) && is_qualifier(input) {
            input.parse::<TokenTree>()?;
        }
        let is_function = input.peek(Token![fn]);
        input.parse::<TokenStream>()?;
        Ok(is_function)
    };
    syn::parse::Parser::parse2(start, item.clone()).unwrap_or(false)
}

/// An item that is not Rust, to be parsed and no more: rustc has reported it, and does not report the same twice.
pub(crate) fn parsed_again(item: &TokenStream) -> TokenStream {
    quote!(#[cfg(any())] #item)
}

/// A function with an empty block.
fn without_block(item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(block)) = tokens.last_mut() {
        let mut empty = Group::new(block.delimiter(), TokenStream::new());
        empty.set_span(block.span());
        *block = empty;
    }
    tokens.into_iter().collect()
}

/// Whether what comes next may precede `fn`: `const`, `async`, `unsafe` or an ABI.
fn is_qualifier(input: ParseStream<'_>) -> bool {
    input.peek(Token![const])
        || input.peek(Token![async])
        || input.peek(Token![unsafe])
        || input.peek(Token![extern])
        || input.peek(LitStr)
}

/// Whether an attribute is `#[gemm]`, by any path.
pub(crate) fn is_gemm(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "gemm")
}
