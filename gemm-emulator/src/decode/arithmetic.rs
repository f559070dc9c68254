//! Arithmetic and logic on integers, floats and predicates.

use super::modifiers::Modifiers;
use super::{Class, Site};
use crate::program::{
    Float2, FloatOp, Integer2, Integer3, IntegerOp, Logic, MoveOp, Rounding, Scalar, Slot, Style,
};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

/// A float type, and whether an instruction works on two of them packed into a word.
pub(super) struct FloatType {
    pub(super) ty: Scalar,
    pub(super) packed: bool,
}

pub(super) fn float_type(ty: Type) -> Option<FloatType> {
    let (ty, packed) = match ty {
        Type::F16 => (Scalar::F16, false),
        Type::Bf16 => (Scalar::Bf16, false),
        Type::F32 => (Scalar::F32, false),
        Type::F64 => (Scalar::F64, false),
        Type::F16x2 => (Scalar::F16, true),
        Type::Bf16x2 => (Scalar::Bf16, true),
        _ => return None,
    };
    Some(FloatType { ty, packed })
}

impl Site<'_, '_> {
    /// Instructions of two and three sources.
    pub(super) fn arithmetic(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty()?;
        match (base, operands.len()) {
            ("and" | "or" | "xor", _) if ty == Type::Pred => self.predicate_logic(base, operands),
            ("shl" | "shr", _) => self.shift(base, ty, operands),
            ("addc" | "subc", _) => self.carry(base, ty, m, operands),
            ("add" | "sub", _) if m.take("cc") => self.add_carry(base, ty, false, true, operands),
            ("mad" | "fma" | "sad", _) => self.three_sources(base, ty, m, operands),
            ("mul", _) if m.take("wide") => {
                self.check_widening(ty)?;
                let [d, a, b] = self.exactly(operands)?;
                let op = IntegerOp::MultiplyWide {
                    ty: self.scalar(ty)?,
                    a: self.source(a, ty)?,
                    b: self.source(b, ty)?,
                    d: self.destination(d, widened(ty))?,
                };
                self.emit(op)
            }
            _ => self.two_sources(base, ty, m, operands),
        }
    }

    fn two_sources(
        &mut self,
        base: &str,
        ty: Type,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let [d, a, b] = self.exactly(operands)?;
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let d = self.destination(d, ty)?;
        let whole = ty;
        if let Some(FloatType { ty, packed }) = float_type(ty) {
            let (f, style) = (self.float2(base, m)?, self.style(whole, m)?);
            return self.emit(if packed {
                FloatOp::Packed2 { f, ty, style, d, a, b }
            } else {
                FloatOp::Float2 { f, ty, style, d, a, b }
            });
        }
        let f = match base {
            "add" if m.take("sat") => Integer2::AddSaturate,
            "sub" if m.take("sat") => Integer2::SubSaturate,
            "add" => Integer2::Add,
            "sub" => Integer2::Sub,
            "mul" if m.take("hi") => Integer2::MulHi,
            "mul" => {
                m.take("lo");
                Integer2::MulLo
            }
            "mul24" if m.take("lo") => Integer2::Mul24Lo,
            "div" => Integer2::Div,
            "rem" => Integer2::Rem,
            "min" => Integer2::Min,
            "max" => Integer2::Max,
            "and" => Integer2::And,
            "or" => Integer2::Or,
            "xor" => Integer2::Xor,
            _ => return Err(self.problem("unsupported form of this instruction")),
        };
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::Integer2 { f, ty, d, a, b })
    }

    /// Rounding and the like of arithmetic on floats of type `ty`.
    pub(super) fn style(&self, ty: Type, m: &mut Modifiers<'_>) -> Result<Style, Problem> {
        let style = m.style();
        // A narrower result is rounded from an f64; there is nothing wider to round an f64 from.
        if ty == Type::F64 && style.rounding != Rounding::Nearest {
            return Err(self.problem("f64 arithmetic is only rounded to nearest"));
        }
        Ok(style)
    }

    fn float2(&self, base: &str, m: &mut Modifiers<'_>) -> Result<Float2, Problem> {
        let nan = m.take("NaN");
        let f = match base {
            "add" => Float2::Add,
            "sub" => Float2::Sub,
            "mul" => Float2::Mul,
            "div" => {
                // The approximate forms are given the exact quotient.
                let _ = m.take("approx") || m.take("full");
                Float2::Div
            }
            "min" if nan => Float2::MinNan,
            "max" if nan => Float2::MaxNan,
            "min" => Float2::Min,
            "max" => Float2::Max,
            _ => return Err(self.problem("this instruction does not take floats")),
        };
        if nan && !matches!(f, Float2::MinNan | Float2::MaxNan) {
            return Err(self.problem("unknown modifier .NaN"));
        }
        Ok(f)
    }

    fn three_sources(
        &mut self,
        base: &str,
        ty: Type,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let [d, a, b, c] = self.exactly(operands)?;
        let wide = base == "mad" && m.take("wide");
        if wide {
            self.check_widening(ty)?;
        }
        let result = if wide { widened(ty) } else { ty };
        let (a, b, c) = (self.source(a, ty)?, self.source(b, ty)?, self.source(c, result)?);
        let d = self.destination(d, result)?;
        let whole = ty;
        if let Some(FloatType { ty, packed }) = float_type(ty) {
            let style = self.style(whole, m)?;
            return self.emit(if packed {
                FloatOp::PackedMultiplyAdd { ty, style, d, a, b, c }
            } else {
                FloatOp::MultiplyAdd { ty, style, d, a, b, c }
            });
        }
        let ty = self.scalar(ty)?;
        if wide {
            return self.emit(IntegerOp::MultiplyAddWide { ty, d, a, b, c });
        }
        let f = match base {
            "mad" if m.take("lo") => Integer3::MadLo,
            "mad" if m.take("hi") => Integer3::MadHi,
            "sad" => Integer3::Sad,
            _ => return Err(self.problem("unsupported form of this instruction")),
        };
        self.emit(IntegerOp::Integer3 { f, ty, d, a, b, c })
    }

    /// The types whose products are of twice the width.
    fn check_widening(&self, ty: Type) -> Result<(), Problem> {
        match ty {
            Type::U16 | Type::S16 | Type::U32 | Type::S32 => Ok(()),
            _ => Err(self.problem("type does not fit this instruction")),
        }
    }

    fn shift(&mut self, base: &str, ty: Type, operands: &[Operand]) -> Result<(), Problem> {
        let [d, a, b] = self.exactly(operands)?;
        let (a, b) = (self.source(a, ty)?, self.source(b, Type::U32)?);
        let d = self.destination(d, ty)?;
        let ty = self.scalar(ty)?;
        self.emit(if base == "shl" {
            IntegerOp::ShiftLeft { ty, d, a, b }
        } else {
            IntegerOp::ShiftRight { ty, d, a, b }
        })
    }

    fn carry(
        &mut self,
        base: &str,
        ty: Type,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let out = m.take("cc");
        self.add_carry(base, ty, true, out, operands)
    }

    fn add_carry(
        &mut self,
        base: &str,
        ty: Type,
        carry_in: bool,
        carry_out: bool,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let [d, a, b] = self.exactly(operands)?;
        let op = IntegerOp::AddCarry {
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            d: self.destination(d, ty)?,
            ty: self.scalar(ty)?,
            subtract: base.starts_with("sub"),
            carry_in,
            carry_out,
        };
        self.emit(op)
    }

    fn predicate_logic(&mut self, base: &str, operands: &[Operand]) -> Result<(), Problem> {
        let [d, a, b] = self.exactly(operands)?;
        let f = logic(base).ok_or_else(|| self.problem("unknown operation on predicates"))?;
        let op = MoveOp::PredicateLogic {
            f,
            a: self.predicate(a)?,
            b: self.predicate(b)?,
            d: self.destination(d, Type::Pred)?,
        };
        self.emit(op)
    }

    /// A scratch register of the class of `ty`, for instructions that become two.
    pub(super) fn scratch(&mut self, ty: Type) -> Result<u32, Problem> {
        self.decoder.new_slot(Class::of(ty)).map(Slot::index)
    }
}

/// The type of twice the width.
fn widened(ty: Type) -> Type {
    match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        other => other,
    }
}

/// A logical operation by name.
pub(super) fn logic(name: &str) -> Option<Logic> {
    Some(match name {
        "and" => Logic::And,
        "or" => Logic::Or,
        "xor" => Logic::Xor,
        _ => return None,
    })
}
