//! Operands of instructions.

use super::ast::Operand;
use super::body::{BodyParser, Symbol};
use super::error::Problem;
use super::lexer::TokenKind;

impl BodyParser<'_, '_> {
    pub(super) fn list(&mut self, end: char) -> Result<Vec<Operand>, Problem> {
        let mut items = Vec::new();
        if self.cursor.accept(end) {
            return Ok(items);
        }
        loop {
            items.push(self.simple()?);
            if !self.cursor.accept(',') {
                self.cursor.expect(end)?;
                return Ok(items);
            }
        }
    }

    pub(super) fn operand(&mut self) -> Result<Operand, Problem> {
        if self.cursor.accept('{') {
            return Ok(Operand::Vector(self.list('}')?));
        }
        if self.cursor.accept('(') {
            return Ok(Operand::Group(self.list(')')?));
        }
        if self.cursor.accept('[') {
            let base = Box::new(self.simple()?);
            let offset = self.offset()?;
            if self.cursor.accept(',') {
                self.cursor.expect('{')?;
                let coordinates = self.list('}')?;
                self.cursor.expect(']')?;
                return Ok(Operand::Tensor { base, offset, coordinates });
            }
            self.cursor.expect(']')?;
            return Ok(Operand::Memory { base, offset });
        }
        let first = self.simple()?;
        if self.cursor.accept('|') {
            let second = self.simple()?;
            return Ok(Operand::Pair(Box::new(first), Box::new(second)));
        }
        Ok(first)
    }

    pub(super) fn simple(&mut self) -> Result<Operand, Problem> {
        match self.cursor.peek() {
            Some(TokenKind::Mark('!')) => {
                self.cursor.advance();
                let name = self.cursor.name()?;
                match self.find(name) {
                    Some(Symbol::Register(register)) => Ok(Operand::Negated(register)),
                    _ => Err(self.cursor.problem(format!("{name} is not a declared register"))),
                }
            }
            Some(TokenKind::Single(bits)) => {
                self.cursor.advance();
                Ok(Operand::Single(bits))
            }
            Some(TokenKind::Double(bits)) => {
                self.cursor.advance();
                Ok(Operand::Double(bits))
            }
            Some(TokenKind::Integer(_) | TokenKind::Mark('-')) => {
                Ok(Operand::Integer(self.cursor.integer()? as u64))
            }
            Some(TokenKind::Name(name)) => {
                self.cursor.advance();
                self.named(name)
            }
            _ => Err(self.cursor.problem("expected an operand")),
        }
    }

    pub(super) fn named(&mut self, name: &str) -> Result<Operand, Problem> {
        if name == "_" {
            return Ok(Operand::Sink);
        }
        match self.find(name) {
            Some(Symbol::Register(register)) => Ok(Operand::Register(register)),
            Some(Symbol::Variable(index)) => {
                Ok(Operand::Variable { index, offset: self.offset()? })
            }
            None if name.starts_with('%') => Ok(Operand::Special(name.to_owned())),
            None => {
                let (name, scope) = (name.to_owned(), self.scope());
                Ok(Operand::Name { name, offset: self.offset()?, scope })
            }
        }
    }

    /// `+4` after a symbol.
    pub(super) fn offset(&mut self) -> Result<i64, Problem> {
        if self.cursor.accept('+') { self.cursor.integer() } else { Ok(0) }
    }
}
