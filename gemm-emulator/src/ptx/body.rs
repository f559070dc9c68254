//! The body of a function: declarations in nested scopes, labels, instructions.

use std::collections::HashMap;

use super::ast::{Body, Guard, Inlined, Instruction, Location, Position, Statement};
use super::cursor::Cursor;
use super::error::Problem;
use super::lexer::TokenKind;
use super::types::Type;
use super::variables::{space_of, variables};

/// The most registers of one declaration; a limit on what a malformed text can make us allocate.
const MAX_REGISTERS: u32 = 1 << 16;
/// The most registers of all functions together.
const MAX_REGISTERS_IN_ALL: usize = 1 << 18;
/// The deepest nesting of braces.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Register(usize),
    Variable(usize),
}

pub(super) struct BodyParser<'c, 't> {
    pub(super) cursor: &'c mut Cursor<'t>,
    pub(super) body: Body,
    /// The scopes open at this point, innermost last: their number and names.
    open: Vec<(usize, HashMap<String, Symbol>)>,
    /// Registers of the functions before.
    registers: usize,
}

/// Parses from the opening brace to the closing one. `registers` is how many the functions before have declared.
pub(crate) fn parse(cursor: &mut Cursor<'_>, registers: usize) -> Result<Body, Problem> {
    let start = cursor.passed();
    cursor.expect('{')?;
    let mut parser = BodyParser { cursor, body: Body::default(), open: Vec::new(), registers };
    parser.open_scope()?;
    while !parser.open.is_empty() {
        parser.statement()?;
    }
    parser.body.bytes = parser.cursor.passed() - start;
    Ok(parser.body)
}

impl BodyParser<'_, '_> {
    fn open_scope(&mut self) -> Result<(), Problem> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.cursor.problem("scopes are nested too deeply"));
        }
        let scope = self.body.scope_parents.len();
        self.body.scope_parents.push(self.scope());
        self.open.push((scope, HashMap::new()));
        Ok(())
    }

    /// The innermost open scope.
    pub(super) fn scope(&self) -> usize {
        self.open.last().map_or(0, |(scope, _)| *scope)
    }

    fn declare(&mut self, name: String, symbol: Symbol) -> Result<(), Problem> {
        let previous = self.open.last_mut().and_then(|(_, names)| names.insert(name, symbol));
        match previous {
            None => Ok(()),
            Some(_) => Err(self.cursor.problem("name is declared twice in its scope")),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.open.iter().rev().find_map(|(_, names)| names.get(name).copied())
    }

    fn statement(&mut self) -> Result<(), Problem> {
        match self.cursor.peek() {
            Some(TokenKind::Mark('{')) => {
                self.cursor.advance();
                self.open_scope()
            }
            Some(TokenKind::Mark('}')) => {
                self.cursor.advance();
                self.open.pop();
                Ok(())
            }
            Some(TokenKind::Mark(';')) => {
                self.cursor.advance();
                Ok(())
            }
            Some(TokenKind::Mark('@')) => self.instruction(),
            Some(TokenKind::Name(name))
                if self.cursor.peek_after() == Some(TokenKind::Mark(':')) =>
            {
                self.label(name.to_owned())
            }
            Some(TokenKind::Name(name)) if name.starts_with('.') => self.directive(),
            Some(TokenKind::Name(_)) => self.instruction(),
            Some(_) => Err(self.cursor.problem("expected a statement")),
            None => Err(self.cursor.problem("function without end")),
        }
    }

    fn label(&mut self, name: String) -> Result<(), Problem> {
        self.cursor.advance();
        self.cursor.advance();
        let scope = self.scope();
        if !self.cursor.accept_name(".branchtargets") {
            self.body.statements.push(Statement::Label { name, scope });
            return Ok(());
        }
        let mut targets = vec![self.cursor.name()?.to_owned()];
        while self.cursor.accept(',') {
            targets.push(self.cursor.name()?.to_owned());
        }
        self.body.statements.push(Statement::BranchTargets { name, scope, targets });
        self.cursor.expect(';')
    }

    fn directive(&mut self) -> Result<(), Problem> {
        let directive = self.cursor.name()?;
        match directive {
            ".reg" => self.registers(),
            ".loc" => self.location(),
            ".pragma" => {
                self.cursor.advance();
                self.cursor.expect(';')
            }
            _ => {
                let space = space_of(directive)
                    .ok_or_else(|| self.cursor.problem(format!("unknown directive {directive}")))?;
                let first = self.body.variables.len();
                variables(self.cursor, space, &mut self.body.variables)?;
                for index in first..self.body.variables.len() {
                    let name = self.body.variables[index].name.clone();
                    self.declare(name, Symbol::Variable(index))?;
                }
                Ok(())
            }
        }
    }

    fn registers(&mut self) -> Result<(), Problem> {
        let name = self.cursor.name()?;
        let ty = name.strip_prefix('.').and_then(Type::parse);
        let ty = ty.ok_or_else(|| self.cursor.problem(format!("unknown register type {name}")))?;
        loop {
            let name = self.cursor.name()?;
            if self.cursor.accept('<') {
                let count = self.cursor.size()?;
                if count > MAX_REGISTERS {
                    return Err(self.cursor.problem("too many registers"));
                }
                self.cursor.expect('>')?;
                for number in 0..count {
                    self.register(format!("{name}{number}"), ty)?;
                }
            } else {
                self.register(name.to_owned(), ty)?;
            }
            if !self.cursor.accept(',') {
                return self.cursor.expect(';');
            }
        }
    }

    fn register(&mut self, name: String, ty: Type) -> Result<(), Problem> {
        let index = self.body.registers.len();
        if self.registers + index == MAX_REGISTERS_IN_ALL {
            return Err(self.cursor.problem("too many registers"));
        }
        self.body.registers.push(ty);
        self.declare(name, Symbol::Register(index))
    }

    /// `.loc file line column`, then `, function_name label, inlined_at file line column` for inlined code.
    fn location(&mut self) -> Result<(), Problem> {
        let at = self.position()?;
        let (mut function, mut call) = (None, None);
        while self.cursor.accept(',') {
            match self.cursor.name()? {
                "function_name" => {
                    function = Some(self.cursor.name()?.to_owned());
                    if self.cursor.accept('+') {
                        self.cursor.integer()?;
                    }
                }
                "inlined_at" => call = Some(self.position()?),
                other => {
                    return Err(self.cursor.problem(format!("unknown part of .loc: {other}")));
                }
            }
        }
        let inlined = function.zip(call).map(|(function, at)| Inlined { function, at });
        self.body.statements.push(Statement::Location(Location { at, inlined }));
        Ok(())
    }

    fn position(&mut self) -> Result<Position, Problem> {
        let (file, line, column) = (self.cursor.size()?, self.cursor.size()?, self.cursor.size()?);
        Ok(Position { file, line, column })
    }

    fn instruction(&mut self) -> Result<(), Problem> {
        let guard = self.guard()?;
        let line = self.cursor.line();
        let opcode = self.cursor.name()?.to_owned();
        let mut operands = Vec::new();
        if self.cursor.peek() != Some(TokenKind::Mark(';')) {
            operands.push(self.operand()?);
            while self.cursor.accept(',') {
                operands.push(self.operand()?);
            }
        }
        self.cursor.expect(';')?;
        let instruction = Instruction { line, guard, opcode, operands };
        self.body.statements.push(Statement::Instruction(instruction));
        Ok(())
    }

    fn guard(&mut self) -> Result<Option<Guard>, Problem> {
        if !self.cursor.accept('@') {
            return Ok(None);
        }
        let negated = self.cursor.accept('!');
        let name = self.cursor.name()?;
        match self.find(name) {
            Some(Symbol::Register(register)) => Ok(Some(Guard { register, negated })),
            _ => Err(self.cursor.problem(format!("guard {name} is not a declared register"))),
        }
    }
}
