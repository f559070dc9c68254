//! One expansion of a function: the places of its registers, variables, parameters and labels.

use std::collections::HashMap;

use super::limits::{MAX_LOCAL_BYTES, MAX_PARAMETER_BYTES};
use super::slots::reserve;
use super::{Class, Decoder};
use crate::program::{Constant, Extent, Slot};
use crate::ptx::ast::{Body, Function, Statement, Variable};
use crate::ptx::{Problem, Space};

#[derive(Clone, Copy, Debug)]
pub(super) struct Label(pub(super) usize);

pub(super) struct Frame<'s> {
    pub(super) body: &'s Body,
    pub(super) line: u32,
    pub(super) registers: Vec<Slot>,
    /// The address of each of the body's variables.
    pub(super) variables: Vec<Constant>,
    /// The address of each parameter and return value.
    pub(super) parameters: HashMap<&'s str, Constant>,
    labels: HashMap<(usize, &'s str), Label>,
    /// Names of `.branchtargets` lists, which are numbers of tables of the program.
    tables: HashMap<(usize, &'s str), u32>,
    /// Where `ret` goes; it exits in a kernel.
    pub(super) end: Option<Label>,
}

impl<'s> Frame<'s> {
    /// The label a branch from `scope` means: the one of the innermost enclosing scope.
    pub(super) fn label(&self, name: &str, scope: usize) -> Result<Label, Problem> {
        self.lookup(&self.labels, name, scope)
            .copied()
            .ok_or_else(|| Problem::new(self.line, format!("label {name} is missing")))
    }

    pub(super) fn table(&self, name: &str, scope: usize) -> Option<u32> {
        self.lookup(&self.tables, name, scope).copied()
    }

    fn lookup<'m, T>(
        &self,
        map: &'m HashMap<(usize, &'s str), T>,
        name: &'m str,
        scope: usize,
    ) -> Option<&'m T> {
        let mut scope = scope;
        loop {
            if let Some(found) = map.get(&(scope, name)) {
                return Some(found);
            }
            let parent = self.body.scope_parents[scope];
            if parent == scope {
                return None;
            }
            scope = parent;
        }
    }
}

impl<'s> Decoder<'s> {
    /// The frame of the kernel itself: its parameters lie in parameter space.
    pub(super) fn entry_frame(&mut self, entry: &'s Function) -> Result<Frame<'s>, Problem> {
        let mut parameters = HashMap::new();
        for variable in &entry.parameters {
            let offset = reserve(&mut self.program.parameter_bytes, variable);
            self.program.parameters.push(Extent { offset, bytes: variable.bytes });
            let place = Constant::Offset(Space::Parameter, offset);
            parameters.insert(variable.name.as_str(), place);
        }
        if self.program.parameter_bytes > MAX_PARAMETER_BYTES {
            return Err(Problem::new(entry.line, "kernel has too many bytes of parameters"));
        }
        self.frame(entry, parameters, None)
    }

    /// A frame with fresh registers, variables and labels.
    pub(super) fn frame(
        &mut self,
        function: &'s Function,
        parameters: HashMap<&'s str, Constant>,
        end: Option<Label>,
    ) -> Result<Frame<'s>, Problem> {
        let missing = || Problem::new(function.line, format!("{} has no body", function.name));
        let body = function.body.as_ref().ok_or_else(missing)?;
        let mut registers = Vec::with_capacity(body.registers.len());
        for ty in &body.registers {
            registers.push(self.new_slot(Class::of(*ty))?);
        }
        let variables = body.variables.iter().map(|variable| self.body_variable(variable));
        let variables = variables.collect::<Result<_, _>>()?;
        if self.program.local_bytes > MAX_LOCAL_BYTES {
            return Err(Problem::new(function.line, "kernel needs too much local memory"));
        }
        let mut frame = Frame {
            body,
            line: function.line,
            registers,
            variables,
            parameters,
            labels: HashMap::new(),
            tables: HashMap::new(),
            end,
        };
        self.declare_labels(&mut frame)?;
        Ok(frame)
    }

    fn body_variable(&mut self, variable: &Variable) -> Result<Constant, Problem> {
        Ok(match variable.space {
            // Arguments of calls live next to the locals.
            Space::Local | Space::Parameter => self.place_local(variable),
            _ => Constant::Address(self.place_variable(variable)?, 0),
        })
    }

    fn declare_labels(&mut self, frame: &mut Frame<'s>) -> Result<(), Problem> {
        for statement in &frame.body.statements {
            if let Statement::Label { name, scope } = statement {
                let label = self.new_label();
                if frame.labels.insert((*scope, name), label).is_some() {
                    return Err(Problem::new(frame.line, format!("label {name} is there twice")));
                }
            }
        }
        for statement in &frame.body.statements {
            if let Statement::BranchTargets { name, scope, targets } = statement {
                let labels = targets.iter().map(|target| frame.label(target, *scope));
                let labels = labels.map(|label| label.map(|label| label.0 as u32));
                let labels = labels.collect::<Result<Vec<_>, _>>()?;
                frame.tables.insert((*scope, name), self.program.tables.len() as u32);
                self.program.tables.push(labels);
            }
        }
        Ok(())
    }
}
