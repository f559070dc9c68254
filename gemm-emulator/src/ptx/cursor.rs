//! A position in the tokens, with what every part of the parser needs.

use super::error::Problem;
use super::lexer::{Token, TokenKind};

pub(crate) struct Cursor<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(tokens: Vec<Token<'t>>) -> Cursor<'t> {
        Cursor { tokens, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<TokenKind<'t>> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    pub(crate) fn peek_after(&self) -> Option<TokenKind<'t>> {
        self.tokens.get(self.at + 1).map(|token| token.kind)
    }

    /// Line of the next token, or of the last one at the end.
    pub(crate) fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |token| token.line)
    }

    /// Where the tokens passed so far end in the text.
    pub(crate) fn passed(&self) -> usize {
        self.tokens[..self.at.min(self.tokens.len())].last().map_or(0, |token| token.end)
    }

    pub(crate) fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(self.line(), what)
    }

    pub(crate) fn advance(&mut self) -> Option<TokenKind<'t>> {
        let kind = self.peek();
        self.at += 1;
        kind
    }

    pub(crate) fn accept(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(TokenKind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, mark: char) -> Result<(), Problem> {
        if self.accept(mark) { Ok(()) } else { Err(self.problem(format!("expected `{mark}`"))) }
    }

    pub(crate) fn name(&mut self) -> Result<&'t str, Problem> {
        match self.peek() {
            Some(TokenKind::Name(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.problem("expected a name")),
        }
    }

    pub(crate) fn accept_name(&mut self, name: &str) -> bool {
        let found = self.peek() == Some(TokenKind::Name(name));
        self.at += usize::from(found);
        found
    }

    /// An integer with an optional minus sign, in two's complement.
    pub(crate) fn integer(&mut self) -> Result<i64, Problem> {
        let negative = self.accept('-');
        match self.peek() {
            Some(TokenKind::Integer(value)) => {
                self.at += 1;
                Ok(if negative { value.wrapping_neg() as i64 } else { value as i64 })
            }
            _ => Err(self.problem("expected an integer")),
        }
    }

    /// A count or size that fits 32 bits.
    pub(crate) fn size(&mut self) -> Result<u32, Problem> {
        let line = self.line();
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| Problem::new(line, "number out of range"))
    }

    /// Skips everything up to and including the brace that closes the one just passed.
    pub(crate) fn skip_braces(&mut self) -> Result<(), Problem> {
        let mut depth = 1;
        while depth > 0 {
            match self.advance() {
                Some(TokenKind::Mark('{')) => depth += 1,
                Some(TokenKind::Mark('}')) => depth -= 1,
                Some(_) => {}
                None => return Err(self.problem("brace without end")),
            }
        }
        Ok(())
    }
}
