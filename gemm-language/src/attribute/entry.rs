//! `key = value`, `key(value)`: the pieces between the commas.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, Token, token};

/// The prefix of syn's message at the end of the tokens.
const UNEXPECTED_END: &str = "unexpected end of input, ";

/// Some tokens of the user, and the span for an error if there are none or too few.
#[derive(Clone)]
pub(crate) struct Piece {
    tokens: TokenStream,
    around: Span,
}

impl Piece {
    /// The tokens `group` encloses.
    pub(crate) fn inside(group: &Group) -> Piece {
        Piece { tokens: group.stream(), around: group.span() }
    }

    /// The tokens inside the delimiters that come next.
    pub(crate) fn group(input: ParseStream<'_>) -> syn::Result<Piece> {
        Ok(Piece::inside(&input.parse()?))
    }

    /// Reads the piece as a `T`; further tokens are an error.
    pub(crate) fn parse<T: Parse>(&self) -> syn::Result<T> {
        self.parse_with(T::parse)
    }

    /// Reads the piece with `parser`; further tokens are an error.
    pub(crate) fn parse_with<T>(
        &self,
        parser: impl Fn(ParseStream<'_>) -> syn::Result<T>,
    ) -> syn::Result<T> {
        let end = self.last();
        let whole = |input: ParseStream<'_>| {
            // syn would place "unexpected end" at the attribute, which may be lines away.
            let value = parser(input).map_err(|error| match input.is_empty() {
                true => syn::Error::new(end, error.to_string().replace(UNEXPECTED_END, "")),
                false => error,
            })?;
            match input.is_empty() {
                true => Ok(value),
                false => {
                    let behind = input.parse::<TokenTree>()?;
                    Err(missing_comma(&behind))
                }
            }
        };
        whole.parse2(self.tokens.clone())
    }

    /// Whether there are no tokens.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The pieces between the commas of `[..]`.
    ///
    /// # Errors
    /// The parser's error; `otherwise` if the piece does not begin with a bracket.
    pub(crate) fn list(&self, otherwise: syn::Error) -> syn::Result<Vec<Piece>> {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Group(group)), behind) if group.delimiter() == Delimiter::Bracket => {
                match behind {
                    Some(behind) => Err(missing_comma(&behind)),
                    None => Ok(split_around(group.stream(), group.span())),
                }
            }
            _ => Err(otherwise),
        }
    }

    /// Splits the piece at its commas.
    pub(crate) fn split(&self) -> Vec<Piece> {
        split_around(self.tokens.clone(), self.around)
    }

    /// The span of the last token.
    fn last(&self) -> Span {
        self.tokens.clone().into_iter().last().map_or(self.around, |token| token.span())
    }
}

impl ToTokens for Piece {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if self.is_empty() {
            tokens.append(Ident::new("place", self.around));
        }
        tokens.extend(self.tokens.clone());
    }
}

fn missing_comma(behind: &TokenTree) -> syn::Error {
    syn::Error::new(behind.span(), "expected `,` before this")
}

/// Splits the attribute's arguments at the commas that no bracket encloses. A comma at the end
/// starts no piece.
pub(crate) fn split(tokens: TokenStream) -> Vec<Piece> {
    split_around(tokens, Span::call_site())
}

fn split_around(tokens: TokenStream, mut around: Span) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => {
                around = comma.span();
                pieces.push(Piece { tokens: std::mem::take(&mut piece), around });
            }
            token => piece.append(token),
        }
    }
    if !piece.is_empty() {
        pieces.push(Piece { tokens: piece, around });
    }
    pieces
}

/// One entry of the attribute.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) form: Written,
}

/// The form of the entry after its key.
pub(crate) enum Written {
    /// `key`
    Alone,
    /// `key = ..`
    Equals(Piece),
    /// `key(..)`
    List(Piece),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected a key, such as `tile = [128, 128, 32]`"));
        }
        let key: Ident = input.call(Ident::parse_any)?;
        let form = if input.is_empty() {
            Written::Alone
        } else if input.peek(token::Paren) {
            Written::List(Piece::group(input)?)
        } else if input.peek(Token![=]) && !input.peek(Token![==]) {
            let equals: Token![=] = input.parse()?;
            Written::Equals(Piece { tokens: input.parse()?, around: equals.span })
        } else {
            return Err(input.error(format!("expected `=` after `{key}`")));
        };
        Ok(Entry { key, form })
    }
}

impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.key.to_tokens(tokens);
        match &self.form {
            Written::Alone => {}
            Written::Equals(piece) | Written::List(piece) => piece.to_tokens(tokens),
        }
    }
}
