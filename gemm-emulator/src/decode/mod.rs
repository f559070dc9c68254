//! From the syntax tree of a kernel to a [`Program`].
//!
//! Each instruction's modifiers are taken one by one; a modifier left over is an error, so that nothing is skipped
//! silently.

mod accumulators;
mod arithmetic;
mod atomic;
mod bits;
mod bulk;
mod cluster;
mod collective;
mod compare;
mod constant;
mod control;
mod convert;
mod frame;
mod limits;
mod lines;
mod matrix;
mod memory;
mod modifiers;
mod moves;
mod operands;
mod policy;
mod site;
mod slots;
mod unary;
mod warpgroup;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::program::{
    Constant, ControlOp, Instruction, MemoryOp, Op, Origin, Program, Slot, SourceMap, Touched,
    UNGUARDED,
};
use crate::ptx::ast::{Function, Guard, Source, Statement, Variable};
use crate::ptx::{Problem, Space, Type};

use frame::{Frame, Label};
use limits::{MAX_CALL_DEPTH, MAX_FRAMES, Spent};
use lines::Lines;
use site::Site;

/// Decodes the kernels of `source`.
pub(crate) fn programs(source: &Source) -> Result<Vec<Program>, Problem> {
    let names = Rc::new(Names::new(source));
    let mut spent = Spent::default();
    let entries = source.functions.iter().filter(|function| function.is_entry);
    entries.map(|entry| program(&names, entry, &mut spent)).collect()
}

fn program<'s>(
    names: &Rc<Names<'s>>,
    entry: &'s Function,
    spent: &mut Spent,
) -> Result<Program, Problem> {
    let mut decoder = Decoder::new(names.clone(), entry, std::mem::take(spent));
    let frame = decoder.entry_frame(entry)?;
    decoder.function(&frame)?;
    decoder.push(ControlOp::Exit.into(), None, &frame)?;
    decoder.patch_labels(entry.line)?;
    decoder.mark_accumulators();
    *spent = decoder.spent;
    Ok(decoder.program)
}

/// The definitions of the names of a text, the same for all its kernels.
pub(super) struct Names<'s> {
    source: &'s Source,
    files: Arc<HashMap<u32, Arc<str>>>,
    functions: HashMap<&'s str, &'s Function>,
    variables: HashMap<&'s str, &'s Variable>,
}

impl<'s> Names<'s> {
    fn new(source: &'s Source) -> Names<'s> {
        // A definition wins over a forward declaration of the same name.
        let mut functions: HashMap<&str, &Function> = HashMap::new();
        for function in &source.functions {
            if function.body.is_some() || !functions.contains_key(function.name.as_str()) {
                functions.insert(&function.name, function);
            }
        }
        let mut files = HashMap::new();
        for (number, name) in &source.files {
            files.entry(*number).or_insert_with(|| name.as_str().into());
        }
        let variables = source.variables.iter();
        let variables = variables.map(|variable| (variable.name.as_str(), variable)).collect();
        Names { source, files: Arc::new(files), functions, variables }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Predicate,
    Word,
    Long,
}

impl Class {
    pub(super) fn of(ty: Type) -> Class {
        match ty {
            Type::Pred => Class::Predicate,
            _ if ty.bytes() == 8 => Class::Long,
            _ => Class::Word,
        }
    }
}

pub(super) struct Decoder<'s> {
    names: Rc<Names<'s>>,
    spent: Spent,
    program: Program,
    constants: HashMap<(Class, Constant), Slot>,
    /// Module variables already in the program.
    placed: HashMap<&'s str, u32>,
    /// Bytes of the variables in global and constant memory.
    variable_bytes: u64,
    /// Where each label stands, once known.
    labels: Vec<Option<u32>>,
    /// The slots that take results nobody reads, one of each class.
    sinks: HashMap<Class, Slot>,
    /// The word registers that each instruction accesses.
    touched: Vec<(u32, Touched)>,
    origin: Origin,
    lines: Lines,
    /// The number of each opcode met so far.
    opcodes: HashMap<&'s str, u32>,
    depth: usize,
}

impl<'s> Decoder<'s> {
    fn new(names: Rc<Names<'s>>, entry: &Function, spent: Spent) -> Decoder<'s> {
        let program = Program {
            name: entry.name.clone(),
            max_threads: entry.max_threads,
            cluster: entry.cluster,
            explicit_cluster: entry.explicit_cluster || entry.cluster.is_some(),
            source: SourceMap { files: names.files.clone(), ..SourceMap::default() },
            ..Program::default()
        };
        Decoder {
            names,
            spent,
            program,
            constants: HashMap::new(),
            placed: HashMap::new(),
            variable_bytes: 0,
            labels: Vec::new(),
            sinks: HashMap::new(),
            touched: Vec::new(),
            origin: Origin { ptx_line: entry.line, ..Origin::default() },
            lines: Lines::default(),
            opcodes: HashMap::new(),
            depth: 0,
        }
    }

    /// Decodes the statements of a frame's function.
    fn function(&mut self, frame: &Frame<'s>) -> Result<(), Problem> {
        if self.depth == MAX_CALL_DEPTH {
            return Err(Problem::new(frame.line, "calls are nested too deeply or recursive"));
        }
        if !self.spent.body(frame.body) {
            return Err(Problem::new(frame.line, "kernels are too long once calls are expanded"));
        }
        self.depth += 1;
        for statement in &frame.body.statements {
            match statement {
                Statement::Label { name, scope } => self.place_label(frame.label(name, *scope)?),
                Statement::BranchTargets { .. } => {}
                Statement::Location(location) => {
                    let frame =
                        self.lines.frame(location, self.names.source, &mut self.program.source);
                    if self.program.source.frames.len() > MAX_FRAMES {
                        return Err(self.problem("kernel has too many lines of source"));
                    }
                    // Where the text tells of no line, the last known one says more.
                    self.origin.frame = frame.or(self.origin.frame);
                }
                Statement::Instruction(instruction) => {
                    self.origin.ptx_line = instruction.line;
                    self.origin.opcode = self.opcode(&instruction.opcode);
                    Site::new(self, frame, instruction).decode()?;
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn push(&mut self, op: Op, guard: Option<Guard>, frame: &Frame<'_>) -> Result<(), Problem> {
        let guard = match guard {
            None => (UNGUARDED, false),
            Some(guard) => match frame.registers[guard.register] {
                Slot::Predicate(index) => (index, guard.negated),
                _ => return Err(self.problem("guard is not a predicate")),
            },
        };
        if !self.spent.instruction() {
            return Err(self.problem("kernels are too long once calls are expanded"));
        }
        if let Op::Memory(MemoryOp::Atomic(access, _)) = &op {
            self.program.means.atomics |= !matches!(access.space, Space::Shared | Space::Cluster);
        }
        let (guard, guard_negated) = guard;
        self.program.code.push(Instruction { op, guard, guard_negated, touches: false });
        self.program.origins.push(self.origin);
        Ok(())
    }

    fn opcode(&mut self, text: &'s str) -> u32 {
        let next = self.program.opcodes.len() as u32;
        let number = *self.opcodes.entry(text).or_insert(next);
        if number == next {
            self.program.opcodes.push(text.to_owned());
        }
        number
    }

    fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(self.origin.ptx_line, what)
    }

    fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    fn place_label(&mut self, label: Label) {
        self.labels[label.0] = Some(self.program.code.len() as u32);
    }

    /// Replaces label numbers by positions in the code.
    fn patch_labels(&mut self, line: u32) -> Result<(), Problem> {
        let labels = &self.labels;
        let position = |label: u32| {
            labels[label as usize].ok_or_else(|| Problem::new(line, "branch to a missing label"))
        };
        for instruction in &mut self.program.code {
            if let Op::Control(ControlOp::Branch(target)) = &mut instruction.op {
                *target = position(*target)?;
            }
        }
        for target in self.program.tables.iter_mut().flatten() {
            *target = position(*target)?;
        }
        Ok(())
    }
}
