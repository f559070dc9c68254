//! The syntax tree: names of registers and of a function's own variables are resolved, opcodes are still text.

use std::collections::HashMap;
use std::sync::Arc;

use super::types::{Space, Type};

/// A whole PTX text.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The number of the target, such as 90 of `sm_90a`; 0 if the text has none.
    pub(crate) architecture: u32,
    pub(crate) files: Vec<(u32, String)>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
    /// Registers of all functions.
    pub(crate) registers: usize,
    /// The values of the labels of the debug section: names of functions.
    pub(crate) strings: HashMap<String, String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) align: u32,
    /// 0 for an `extern` array without a length: the launch's dynamic shared memory.
    pub(crate) bytes: u64,
    pub(crate) initial: Arc<[u8]>,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) is_entry: bool,
    pub(crate) parameters: Vec<Variable>,
    pub(crate) returns: Vec<Variable>,
    /// `.maxntid` or `.reqntid`: the most threads a block may have.
    pub(crate) max_threads: Option<u64>,
    /// `.reqnctapercluster`: blocks of a cluster along each axis.
    pub(crate) cluster: Option<[u32; 3]>,
    /// `.explicitcluster`
    pub(crate) explicit_cluster: bool,
    pub(crate) body: Option<Body>,
    pub(crate) line: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Body {
    /// The type of each register; [`Operand::Register`] is an index into it.
    pub(crate) registers: Vec<Type>,
    /// Variables of local, shared and parameter space declared inside the body.
    pub(crate) variables: Vec<Variable>,
    /// The scope that encloses each scope; scope 0 is the body itself and its own parent.
    pub(crate) scope_parents: Vec<usize>,
    pub(crate) statements: Vec<Statement>,
    /// Length of its text.
    pub(crate) bytes: usize,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Label { name: String, scope: usize },
    BranchTargets { name: String, scope: usize, targets: Vec<String> },
    Location(Location),
    Instruction(Instruction),
}

/// A place in the CUDA source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    pub(crate) file: u32,
    /// 0 for code of no line.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Where the instructions that follow come from.
#[derive(Debug)]
pub(crate) struct Location {
    pub(crate) at: Position,
    pub(crate) inlined: Option<Inlined>,
}

/// The call that brought a line into the function.
#[derive(Debug)]
pub(crate) struct Inlined {
    /// Label of the name of the function that was called.
    pub(crate) function: String,
    pub(crate) at: Position,
}

#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) line: u32,
    pub(crate) guard: Option<Guard>,
    pub(crate) opcode: String,
    pub(crate) operands: Vec<Operand>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) register: usize,
    pub(crate) negated: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Register(usize),
    /// `!%p1`
    Negated(usize),
    Integer(u64),
    Single(u32),
    Double(u64),
    /// A variable of the enclosing function's body.
    Variable {
        index: usize,
        offset: i64,
    },
    /// A parameter, module variable, function or label, seen from `scope`.
    Name {
        name: String,
        offset: i64,
        scope: usize,
    },
    /// `%tid.x` and the like.
    Special(String),
    /// `[base + offset]`; the base is any operand but a list.
    Memory {
        base: Box<Operand>,
        offset: i64,
    },
    /// `[base + offset, {x, y}]`: a place in a tensor.
    Tensor {
        base: Box<Operand>,
        offset: i64,
        coordinates: Vec<Operand>,
    },
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`
    Group(Vec<Operand>),
    /// `%r1|%p1`
    Pair(Box<Operand>, Box<Operand>),
    /// `_`
    Sink,
}
