//! Branches, calls, returns, fences.

use std::collections::HashMap;

use super::frame::{Frame, Label};
use super::site::Site;
use crate::program::{Constant, ControlOp, MemoryOp, Op};
use crate::ptx::ast::{Function, Guard, Operand, Variable};
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn branch(&mut self) -> Result<(), Problem> {
        self.take("uni");
        let [target] = self.exactly()?;
        let target = self.label(target)?;
        self.branch_to(target)
    }

    pub(super) fn branch_to(&mut self, target: Label) -> Result<(), Problem> {
        self.emit(ControlOp::Branch(target.0 as u32))
    }

    pub(super) fn return_from_call(&mut self) -> Result<(), Problem> {
        self.take("uni");
        match self.frame.end {
            Some(end) => self.branch_to(end),
            None => self.emit(ControlOp::Exit),
        }
    }

    pub(super) fn grid_dependency(&mut self) -> Result<(), Problem> {
        let [] = self.exactly()?;
        match (self.take("wait"), self.take("launch_dependents")) {
            (true, false) => self.emit(ControlOp::WaitForPredecessor),
            (false, true) => self.emit(ControlOp::LaunchDependents),
            _ => Err(self.problem("griddepcontrol takes .wait or .launch_dependents")),
        }
    }

    pub(super) fn fence(&mut self) -> Result<(), Problem> {
        if self.take("mbarrier_init") {
            self.take_all(|name| matches!(name, "release" | "cluster"));
            return self.emit(MemoryOp::MbarrierFence);
        }
        if self.take("proxy") {
            return self.proxy_fence();
        }
        self.memory_fence()
    }

    /// A fence between two proxies, of all memory or of one space. Fences of one direction are unknown modifiers.
    fn proxy_fence(&mut self) -> Result<(), Problem> {
        if self.take("alias") {
            return self.emit(Op::Nop);
        }
        if !self.take("async") {
            return Err(self.problem("a fence of proxies takes .alias or .async"));
        }
        if self.take("global") {
            return self.emit(Op::Nop);
        }
        let _ = self.take("shared::cta") || self.take("shared::cluster");
        self.emit(MemoryOp::ProxyFence)
    }

    fn label(&self, operand: &Operand) -> Result<Label, Problem> {
        match operand {
            Operand::Name { name, scope, offset: 0 } => {
                self.frame.label(name, *scope).map_err(|problem| self.problem(problem.what))
            }
            _ => Err(self.problem("expected a label")),
        }
    }

    pub(super) fn branch_indexed(&mut self) -> Result<(), Problem> {
        self.take("uni");
        if !self.take("idx") {
            return Err(self.problem("brx needs .idx"));
        }
        let [index, Operand::Name { name, scope, .. }] = self.exactly()? else {
            return Err(self.problem("expected the name of a list of targets"));
        };
        let table = self.frame.table(name, *scope);
        let table = table.ok_or_else(|| self.problem("list of targets is missing"))?;
        let index = self.source(index, Type::U32)?;
        self.emit(ControlOp::BranchIndexed(table, index))
    }

    /// Expands a device function at its call.
    pub(super) fn call(&mut self) -> Result<(), Problem> {
        self.take("uni");
        let (returns, rest) = match self.operands {
            [Operand::Group(returns), rest @ ..] => (returns.as_slice(), rest),
            rest => (&[][..], rest),
        };
        let (callee, arguments) = match rest {
            [Operand::Name { name, .. }] => (name, &[][..]),
            [Operand::Name { name, .. }, Operand::Group(arguments)] => (name, arguments.as_slice()),
            _ => return Err(self.problem("only direct calls are supported")),
        };
        let function = self.decoder.names.functions.get(callee.as_str()).copied();
        let function = function.ok_or_else(|| self.problem(format!("no function {callee}")))?;
        if function.body.is_none() {
            return Err(self.problem(format!("function {callee} has no body")));
        }
        let mut parameters = HashMap::new();
        self.bind(&function.parameters, arguments, &mut parameters)?;
        self.bind(&function.returns, returns, &mut parameters)?;
        self.expand(function, parameters)
    }

    /// Binds the callee's parameters to the caller's variables.
    fn bind<'s>(
        &self,
        formal: &'s [Variable],
        actual: &[Operand],
        into: &mut HashMap<&'s str, Constant>,
    ) -> Result<(), Problem> {
        if formal.len() != actual.len() {
            return Err(self.problem("call has the wrong number of arguments"));
        }
        for (formal, actual) in formal.iter().zip(actual) {
            let Operand::Variable { index, offset: 0 } = actual else {
                return Err(self.problem("argument is not a variable of parameter space"));
            };
            if self.frame.body.variables[*index].bytes < formal.bytes {
                return Err(self.problem("argument is smaller than the parameter"));
            }
            into.insert(&formal.name, self.frame.variables[*index]);
        }
        Ok(())
    }
}

impl<'s> Site<'_, 's> {
    fn expand(
        &mut self,
        function: &'s Function,
        parameters: HashMap<&'s str, Constant>,
    ) -> Result<(), Problem> {
        let end = self.decoder.new_label();
        if let Some(guard) = self.instruction.guard {
            let inverse = Guard { negated: !guard.negated, ..guard };
            let skip = ControlOp::Branch(end.0 as u32);
            self.decoder.push(skip.into(), Some(inverse), self.frame)?;
        }
        let origin = self.decoder.origin;
        let frame: Frame<'s> = self.decoder.frame(function, parameters, Some(end))?;
        self.decoder.function(&frame)?;
        self.decoder.origin = origin;
        self.decoder.place_label(end);
        // The label needs an instruction even at the end of the code.
        self.decoder.push(Op::Nop, None, self.frame)
    }
}
