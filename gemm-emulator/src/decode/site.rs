//! One instruction being decoded: dispatch by its opcode.

use super::Decoder;
use super::frame::Frame;
use crate::program::{ControlOp, Op};
use crate::ptx::Problem;
use crate::ptx::ast::{Instruction, Operand};

/// One instruction being decoded.
pub(super) struct Site<'d, 's> {
    pub(super) decoder: &'d mut Decoder<'s>,
    pub(super) frame: &'d Frame<'s>,
    pub(super) instruction: &'d Instruction,
    /// The opcode without its modifiers.
    pub(super) base: &'d str,
    /// Those that were not taken yet.
    pub(super) modifiers: Vec<&'d str>,
    pub(super) operands: &'d [Operand],
}

impl<'d, 's> Site<'d, 's> {
    pub(super) fn new(
        decoder: &'d mut Decoder<'s>,
        frame: &'d Frame<'s>,
        instruction: &'d Instruction,
    ) -> Site<'d, 's> {
        let mut parts = instruction.opcode.split('.');
        let base = parts.next().unwrap_or("");
        let operands = &instruction.operands;
        Site { decoder, frame, instruction, base, modifiers: parts.collect(), operands }
    }

    pub(super) fn decode(&mut self) -> Result<(), Problem> {
        self.dispatch()?;
        match self.modifiers.first() {
            None => Ok(()),
            Some(name) => Err(self.problem(format!("unknown modifier .{name}"))),
        }
    }

    fn dispatch(&mut self) -> Result<(), Problem> {
        match self.base {
            "mov" | "pragma" => self.moves(),
            "selp" => self.select(),
            "slct" => self.select_by_sign(),
            "prmt" => self.permute(),
            "lop3" => self.logic3(),
            "dp2a" | "dp4a" => self.dot_product(),
            "bfe" => self.extract_field(),
            "bfi" => self.insert_field(),
            "shf" => self.funnel_shift(),
            "cvta" => self.convert_address(),
            "isspacep" => self.is_space(),
            "createpolicy" => self.create_policy(),
            "testp" => self.test_class(),
            "copysign" => self.copy_sign(),
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "rem" | "min" | "max" | "mul24"
            | "sad" | "and" | "or" | "xor" | "shl" | "shr" | "addc" | "subc" | "madc" => {
                self.arithmetic()
            }
            "neg" | "abs" | "not" | "cnot" | "popc" | "clz" | "brev" | "bfind" | "sqrt" | "rcp"
            | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" => self.unary(),
            "setp" | "set" => self.compare(),
            "cvt" => self.convert(),
            "ld" | "ldu" | "st" | "atom" | "red" | "prefetch" | "prefetchu" | "discard"
            | "applypriority" => self.memory(),
            "cp" => self.async_copy(),
            "mbarrier" => self.mbarrier(),
            _ => self.dispatch_control(),
        }
    }

    /// Instructions that control threads, and those of several threads.
    fn dispatch_control(&mut self) -> Result<(), Problem> {
        match self.base {
            "bra" => self.branch(),
            "brx" => self.branch_indexed(),
            "ret" => self.return_from_call(),
            "exit" => self.emit(ControlOp::Exit),
            "trap" | "brkpt" => self.emit(ControlOp::Trap),
            "call" => self.call(),
            "membar" | "fence" => self.fence(),
            "griddepcontrol" => self.grid_dependency(),
            "mapa" => self.map_address(),
            "getctarank" => self.rank_of_address(),
            "nanosleep" => {
                self.take("u32");
                self.emit(Op::Nop)
            }
            "bar" | "barrier" => self.barrier(),
            "activemask" => self.active_mask(),
            "shfl" | "vote" | "elect" => self.collective(),
            "ldmatrix" | "stmatrix" | "mma" => self.matrix(),
            "wgmma" => self.warpgroup(),
            "setmaxnreg" => self.set_registers(),
            base => Err(self.problem(format!("unknown instruction {base}"))),
        }
    }

    pub(super) fn emit(&mut self, op: impl Into<Op>) -> Result<(), Problem> {
        self.decoder.push(op.into(), self.instruction.guard, self.frame)
    }

    pub(super) fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(self.instruction.line, what)
    }
}
