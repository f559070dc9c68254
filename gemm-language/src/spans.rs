//! The span in the user's source of each [`Field`] of a spec.

use std::collections::HashMap;
use std::iter;

use gemm_codegen::{Diagnostic, Field};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};

/// A range of the user's source, as its first and last token: stable Rust cannot join spans, but an
/// error accepts a first and a last token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenRange {
    start: Span,
    end: Span,
}

impl TokenRange {
    /// The range of these tokens; the attribute if there are none.
    pub(crate) fn of(tokens: impl ToTokens) -> TokenRange {
        let mut tokens = tokens.into_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |token| token.span());
        let end = tokens.last().map_or(start, |token| token.span());
        TokenRange { start, end }
    }

    /// This name where the range begins.
    pub(crate) fn name(&self, name: &str) -> Ident {
        Ident::new(name, self.start)
    }

    /// The range of one token.
    pub(crate) fn at(span: Span) -> TokenRange {
        TokenRange { start: span, end: span }
    }
}

impl ToTokens for TokenRange {
    /// Two placeholder tokens with the two spans.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for span in [self.start, self.end] {
            tokens.append(TokenTree::Ident(Ident::new("place", span)));
        }
    }
}

/// The span of each field that was written. A field left to its default has the span of the
/// attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans {
    /// The attribute, if it is not the one that is expanded.
    attribute: Option<TokenRange>,
    places: HashMap<Field, TokenRange>,
    /// Fields of B that are written once for A and B, each with its field of A.
    shared: HashMap<Field, Field>,
}

impl Spans {
    /// Those of an attribute that stands here.
    pub(crate) fn of(attribute: TokenRange) -> Spans {
        Spans { attribute: Some(attribute), ..Spans::default() }
    }

    /// The same with the fields of what all attributes share: the signature and the body.
    pub(crate) fn with(mut self, declared: &Spans) -> Spans {
        self.places.extend(&declared.places);
        self.shared.extend(&declared.shared);
        self
    }

    /// The attribute.
    pub(crate) fn attribute(&self) -> TokenRange {
        self.attribute.unwrap_or_else(|| TokenRange::at(Span::call_site()))
    }

    /// Remembers where `field` was written.
    pub(crate) fn set(&mut self, field: Field, place: TokenRange) {
        self.places.insert(field, place);
    }

    /// Remembers that `field` of B was written together with that of A.
    pub(crate) fn share(&mut self, field: Field, twin: Field) {
        self.shared.insert(field, twin);
    }

    /// Where `field` was written; else the smallest written field around it, else the attribute.
    pub(crate) fn get(&self, field: Field) -> TokenRange {
        let written = self.written(field).and_then(|field| self.places.get(&field));
        written.copied().unwrap_or_else(|| self.attribute())
    }

    /// What a diagnostic points at.
    pub(crate) fn place(&self, broken: &Diagnostic) -> TokenRange {
        let fields = [Some(broken.at), broken.unsuited].into_iter().flatten();
        let mut fields = fields.flat_map(|field| iter::once(field).chain(origins(field)));
        let is_written = |field: &Field| self.written(*field).is_some();
        self.get(fields.find(is_written).unwrap_or(broken.at))
    }

    /// The written field that stands for `field`; `None` for the attribute.
    pub(crate) fn written(&self, field: Field) -> Option<Field> {
        let field = self.shared.get(&field).copied().unwrap_or(field);
        match self.places.contains_key(&field) {
            true => Some(field),
            false => self.written(parent(field)?),
        }
    }
}

/// The fields from which a default of `field` follows, the one that is most to blame first.
fn origins(field: Field) -> Vec<Field> {
    match field {
        Field::Tile(axis) => vec![Field::Warps(axis), Field::Warpgroups(axis), Field::Mma],
        Field::Warps(axis) | Field::Warpgroups(axis) => vec![Field::Tile(axis)],
        _ => Vec::new(),
    }
}

/// The field that `field` is a part of.
fn parent(field: Field) -> Option<Field> {
    match field {
        Field::FmaExtent(_) => Some(Field::Mma),
        Field::CopyBytes(side) | Field::CopyCache(side) => Some(Field::Copy(side)),
        Field::SwizzleBits(side, _) => Some(Field::Swizzle(side)),
        Field::OperandElement(i) | Field::OperandBatch(i) | Field::OperandIndex(i, _) => {
            Some(Field::Operand(i))
        }
        Field::OutputElement(i) | Field::OutputBatch(i) | Field::OutputIndex(i, _) => {
            Some(Field::Output(i))
        }
        Field::OutputName => Some(Field::Output(0)),
        Field::Output(_) | Field::Operand(_) | Field::Body(_) => Some(Field::Function),
        _ => None,
    }
}
