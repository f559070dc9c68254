//! `wgmma` and `setmaxnreg`. (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "setmaxnreg")

use super::matrix::{ACCUMULATORS, element, multiplies, sums_in};
use super::site::Site;
use crate::fragment::accumulator_registers;
use crate::program::{
    Accumulator, Factor, FactorSource, MatrixElement, Multiplier, SetRegisters, Summation,
    WarpgroupMultiply, WarpgroupOp,
};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

/// Rows of d that a warp has: two bands of 8.
const WARP_ROWS: usize = 16;

/// The columns and the contraction extent of a shape such as `m64n128k16`.
fn shape(name: &str) -> Option<(usize, usize)> {
    let (columns, k) = name.strip_prefix("m64n")?.split_once('k')?;
    let number = |text: &str| text.parse().ok().filter(|n: &usize| n.to_string() == text);
    Some((number(columns)?, number(k)?))
}

/// Whether b may have that many columns. (PTX ISA, "wgmma", "Shape")
fn has_columns(element: MatrixElement, columns: usize) -> bool {
    let integers = matches!(element, MatrixElement::S8 | MatrixElement::U8);
    let step = if integers && columns != 8 && columns != 24 { 16 } else { 8 };
    (8..=256).contains(&columns) && columns.is_multiple_of(step)
}

/// The types and the shape of a multiplication.
struct Form {
    columns: usize,
    a: MatrixElement,
    b: MatrixElement,
    accumulator: Accumulator,
}

impl Site<'_, '_> {
    pub(super) fn warpgroup(&mut self) -> Result<(), Problem> {
        let names = ["fence", "commit_group", "wait_group", "mma_async"].map(|name| (name, name));
        let name = self.required(&names, "unsupported form of wgmma")?;
        if !self.take("sync") || !self.take("aligned") {
            return Err(self.problem("only the .sync.aligned form is supported"));
        }
        match name {
            "mma_async" => self.warpgroup_multiply(),
            "wait_group" => {
                let [groups] = self.exactly()?;
                let groups = u32::try_from(self.immediate(groups)?);
                let groups = groups.map_err(|_| self.problem("number of groups is too large"))?;
                self.emit(WarpgroupOp::Wait(groups))
            }
            _ => {
                let [] = self.exactly()?;
                let fence = name == "fence";
                self.emit(if fence { WarpgroupOp::Fence } else { WarpgroupOp::Commit })
            }
        }
    }

    pub(super) fn set_registers(&mut self) -> Result<(), Problem> {
        let increases = self.required(&[("inc", true), ("dec", false)], "direction is missing")?;
        if !self.take("sync") || !self.take("aligned") {
            return Err(self.problem("only the .sync.aligned form is supported"));
        }
        self.ty_of(&[Type::U32])?;
        let [count] = self.exactly()?;
        match self.immediate(count)? {
            count @ 24..=256 if count.is_multiple_of(8) => {
                let count = count as u32;
                self.emit(WarpgroupOp::SetRegisters(SetRegisters { count, increases }))
            }
            count => Err(self.problem(format!("{count} is not a multiple of 8 from 24 to 256"))),
        }
    }

    fn warpgroup_multiply(&mut self) -> Result<(), Problem> {
        let form = self.form()?;
        let saturate = form.accumulator == Accumulator::S32 && self.take("satfinite");
        let [d, a, b, adds, modifiers @ ..] = self.operands else {
            return Err(self.problem("wrong number of operands"));
        };
        let in_registers = matches!(a, Operand::Vector(_));
        let ([a_negated, b_negated], [a_transposed, b_transposed]) =
            self.operand_modifiers(form.a, in_registers, modifiers)?;
        let (a, b) = (self.left(a)?, FactorSource::Descriptor(self.source(b, Type::B64)?));
        let adds = self.predicate(adds)?;
        let d = self.accumulators(d, &form)?;
        let factor =
            |element, source, negated, transposed| Factor { element, source, negated, transposed };
        let multiply = WarpgroupMultiply {
            a: factor(form.a, a, a_negated, a_transposed),
            b: factor(form.b, b, b_negated, b_transposed),
            columns: form.columns,
            accumulator: form.accumulator,
            summation: Summation::of(Multiplier::Warpgroup, [form.a, form.b], form.accumulator),
            saturate,
            d,
            adds,
        };
        (self.decoder.program.clocks, self.decoder.program.warpgroups) = (true, true);
        self.emit(WarpgroupOp::Multiply(Box::new(multiply)))
    }

    fn form(&mut self) -> Result<Form, Problem> {
        let shape = self.take_map(shape);
        let accumulator = self.take_named(ACCUMULATORS);
        let (a, b) = (self.take_map(element), self.take_map(element));
        let (Some((columns, k)), Some(a), Some(b), Some(accumulator)) = (shape, a, b, accumulator)
        else {
            return Err(self.problem("unsupported shape or type of wgmma"));
        };
        let known = a.bits() >= 8 && a.bits() <= 32;
        if !known || !multiplies(a, b) || !sums_in(a, accumulator) {
            return Err(self.problem("unsupported types of wgmma"));
        }
        if k * a.bits() != 8 * WarpgroupMultiply::K_BYTES || !has_columns(a, columns) {
            return Err(self.problem("wgmma has no such shape for its input type"));
        }
        Ok(Form { columns, a, b, accumulator })
    }

    /// A: a descriptor, or four registers.
    fn left(&mut self, operand: &Operand) -> Result<FactorSource, Problem> {
        let Operand::Vector(_) = operand else {
            return Ok(FactorSource::Descriptor(self.source(operand, Type::B64)?));
        };
        let mut registers = [0; 4];
        for (slot, register) in registers.iter_mut().zip(self.fragment(operand, 4)?) {
            *slot = self.source(register, Type::B32)?;
        }
        Ok(FactorSource::Registers(registers))
    }

    /// `imm-scale-a`, `imm-scale-b` of floats: whether A and B are negated; `imm-trans-a`, `imm-trans-b` of 16-bit
    /// floats: whether they are transposed, which A in registers is not.
    fn operand_modifiers(
        &self,
        element: MatrixElement,
        in_registers: bool,
        operands: &[Operand],
    ) -> Result<([bool; 2], [bool; 2]), Problem> {
        let one_of = |operand: &Operand, [no, yes]: [i64; 2]| match self.immediate(operand)? as i64
        {
            value if value == no => Ok(false),
            value if value == yes => Ok(true),
            value => Err(self.problem(format!("a modifier of wgmma is {value}"))),
        };
        let scales = |operands: [&Operand; 2]| -> Result<[bool; 2], Problem> {
            Ok([one_of(operands[0], [1, -1])?, one_of(operands[1], [1, -1])?])
        };
        let integers = matches!(element, MatrixElement::S8 | MatrixElement::U8);
        match operands {
            [] if integers => Ok(([false; 2], [false; 2])),
            [a, b] if !integers && element.bits() != 16 => Ok((scales([a, b])?, [false; 2])),
            [a, b, b_order] if element.bits() == 16 && in_registers => {
                Ok((scales([a, b])?, [false, one_of(b_order, [0, 1])?]))
            }
            [a, b, a_order, b_order] if element.bits() == 16 && !in_registers => {
                let transposed = [one_of(a_order, [0, 1])?, one_of(b_order, [0, 1])?];
                Ok((scales([a, b])?, transposed))
            }
            _ => Err(self.problem("wrong number of operands")),
        }
    }

    fn accumulators(&mut self, operand: &Operand, form: &Form) -> Result<Vec<u32>, Problem> {
        let ty = match form.accumulator {
            Accumulator::F16 => Type::B32,
            Accumulator::S32 => Type::S32,
            _ => Type::F32,
        };
        let of_8_columns = accumulator_registers(WARP_ROWS, form.accumulator.per_register());
        let count = form.columns / 8 * of_8_columns;
        let registers = self.fragment(operand, count)?;
        let slots: Vec<u32> = registers
            .iter()
            .map(|register| self.destination(register, ty))
            .collect::<Result<_, _>>()?;
        let mut sorted = slots.clone();
        sorted.sort_unstable();
        match sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            true => Err(self.problem("an accumulator is given twice")),
            false => Ok(slots),
        }
    }
}
