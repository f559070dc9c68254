//! Branches, calls, returns, fences.

use std::collections::HashMap;

use super::frame::{Frame, Label};
use super::modifiers::Modifiers;
use super::{Class, Site};
use crate::program::{Constant, ControlOp, MemoryOp, Op};
use crate::ptx::ast::{Function, Guard, Operand};
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn control(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        match base {
            "bra" => {
                m.take("uni");
                let [target] = self.exactly(operands)?;
                let target = self.label(target)?;
                self.branch(target)
            }
            "brx" => self.branch_indexed(m, operands),
            "ret" => {
                m.take("uni");
                match self.frame.end {
                    Some(end) => self.branch(end),
                    None => self.emit(ControlOp::Exit),
                }
            }
            "exit" => self.emit(ControlOp::Exit),
            "trap" | "brkpt" => self.emit(ControlOp::Trap),
            "call" => self.call(m, operands),
            "membar" | "fence" => self.fence(m),
            "griddepcontrol" => {
                let [] = self.exactly(operands)?;
                match (m.take("wait"), m.take("launch_dependents")) {
                    (true, false) => self.emit(ControlOp::WaitForPredecessor),
                    (false, true) => self.emit(ControlOp::LaunchDependents),
                    _ => Err(self.problem("griddepcontrol takes .wait or .launch_dependents")),
                }
            }
            _ => {
                m.take("u32");
                self.emit(Op::Nop)
            }
        }
    }

    fn fence(&mut self, m: &mut Modifiers<'_>) -> Result<(), Problem> {
        if m.take("mbarrier_init") {
            m.drop_all(|name| matches!(name, "release" | "cluster"));
            return self.emit(MemoryOp::MbarrierFence);
        }
        if m.take("proxy") {
            return self.proxy_fence(m);
        }
        self.decoder.program.means.fences = true;
        // Memory operations happen in program order here: a fence within a block orders nothing more.
        let of_device = m.take_all(|name| matches!(name, "gl" | "gpu" | "sys"));
        m.drop_all(|name| matches!(name, "cta" | "cluster" | "sc" | "acq_rel"));
        match of_device {
            true => self.emit(MemoryOp::Fence),
            false => self.emit(Op::Nop),
        }
    }

    /// A fence between two proxies, of all memory or of one space. Those of one direction are not read.
    fn proxy_fence(&mut self, m: &mut Modifiers<'_>) -> Result<(), Problem> {
        if m.take("alias") {
            return self.emit(Op::Nop);
        }
        if !m.take("async") {
            return Err(self.problem("a fence of proxies takes .alias or .async"));
        }
        if m.take("global") {
            return self.emit(Op::Nop);
        }
        if !m.take("shared::cta") {
            m.take("shared::cluster");
        }
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

    fn branch(&mut self, target: Label) -> Result<(), Problem> {
        self.emit(ControlOp::Branch { target: target.0 as u32 })
    }

    fn branch_indexed(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        m.take("uni");
        if !m.take("idx") {
            return Err(self.problem("brx needs .idx"));
        }
        let [index, Operand::Name { name, scope, .. }] = self.exactly(operands)? else {
            return Err(self.problem("expected the name of a list of targets"));
        };
        let table = self.frame.table(name, *scope);
        let table = table.ok_or_else(|| self.problem("list of targets is missing"))?;
        let index = self.source(index, Type::U32)?;
        self.emit(ControlOp::BranchIndexed { table, index })
    }

    /// Expands a device function at its call.
    fn call(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        m.take("uni");
        let (returns, callee, arguments) = match operands {
            [Operand::Name { name, .. }] => (&[][..], name, &[][..]),
            [Operand::Name { name, .. }, Operand::Group(arguments)] => {
                (&[][..], name, arguments.as_slice())
            }
            [Operand::Group(returns), Operand::Name { name, .. }] => {
                (returns.as_slice(), name, &[][..])
            }
            [Operand::Group(returns), Operand::Name { name, .. }, Operand::Group(arguments)] => {
                (returns.as_slice(), name, arguments.as_slice())
            }
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

    /// Lets the callee's parameters be the caller's variables.
    fn bind<'s>(
        &self,
        formal: &'s [crate::ptx::ast::Variable],
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
        if let Some(guard) = self.guard {
            let inverse = Guard { negated: !guard.negated, ..guard };
            let skip = ControlOp::Branch { target: end.0 as u32 };
            self.decoder.push(skip.into(), Some(inverse), self.frame)?;
        }
        let origin = self.decoder.origin;
        let frame: Frame<'s> = self.decoder.frame(function, parameters, Some(end))?;
        self.decoder.function(&frame)?;
        self.decoder.origin = origin;
        self.decoder.place_label(end);
        // The label needs an instruction to stand at even where nothing follows.
        self.decoder.push(Op::Nop, None, self.frame)
    }
}

impl Site<'_, '_> {
    /// The register that holds an integer known to be uniform, such as a barrier's number.
    pub(super) fn uniform(&mut self, operand: &Operand) -> Result<u32, Problem> {
        if self.class_of(operand, Type::U32) != Class::Word {
            return Err(self.problem("operand has the wrong size"));
        }
        self.source(operand, Type::U32)
    }
}
