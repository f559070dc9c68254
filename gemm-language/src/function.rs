//! The annotated item, as parsed before the phases start.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Block, Meta, Signature, Token, Visibility, parse_quote, token};

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
            // The phase that reads the body reports an empty one.
            let semicolon: Token![;] = input.parse()?;
            Block { brace_token: token::Brace(semicolon.span), ..parse_quote!({}) }
        } else {
            input.parse()?
        };
        Ok(Function { attributes, further: Vec::new(), visibility, signature, block })
    }
}

/// An item that cannot be read as a function.
pub(crate) struct Refused {
    pub(crate) error: syn::Error,
    /// The item, if it is of another kind: beside the error its uses still compile.
    pub(crate) kept: TokenStream,
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
                return Err(Refused { error, kept: TokenStream::new() });
            }
            Err(_) => {
                let error = error(
                    TokenRange::at(Span::call_site()),
                    "`#[gemm]` applies to functions only",
                    "write `#[gemm] fn name(a: Mat<f16, M, K>, b: Mat<f16, N, K>) \
                     -> Mat<f16, M, N> { matmul(a, b) }`",
                );
                return Err(Refused { error, kept: item });
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
        let signature = input.parse::<Signature>();
        input.parse::<TokenStream>()?;
        Ok(signature.is_ok())
    };
    syn::parse::Parser::parse2(start, item.clone()).unwrap_or(false)
}

/// Whether an attribute is `#[gemm]`, by any path.
pub(crate) fn is_gemm(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "gemm")
}
