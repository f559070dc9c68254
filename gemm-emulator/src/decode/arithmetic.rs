//! Arithmetic and logic on integers, floats and predicates.

use super::Class;
use super::site::Site;
use crate::program::{
    Carry, Float2, FloatOp, FloatType, Integer2, Integer3, IntegerOp, Logic, MoveOp, Rounding,
    Scalar, Slot, Style,
};
use crate::ptx::{Problem, Type};

pub(super) fn float_type(ty: Type) -> Option<FloatType> {
    let (scalar, packed) = match ty {
        Type::F16 => (Scalar::F16, false),
        Type::Bf16 => (Scalar::Bf16, false),
        Type::F32 => (Scalar::F32, false),
        Type::F64 => (Scalar::F64, false),
        Type::F16x2 => (Scalar::F16, true),
        Type::Bf16x2 => (Scalar::Bf16, true),
        _ => return None,
    };
    Some(FloatType { scalar, packed })
}

/// The logical operations by name.
pub(super) const LOGIC: &[(&str, Logic)] =
    &[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)];

impl Site<'_, '_> {
    /// Instructions of two and three sources.
    pub(super) fn arithmetic(&mut self) -> Result<(), Problem> {
        let (base, ty) = (self.base, self.ty()?);
        match base {
            "and" | "or" | "xor" if ty == Type::Pred => self.predicate_logic(),
            "shl" | "shr" => self.shift(ty),
            "addc" | "subc" => {
                let writes = self.take("cc");
                self.add_carry(ty, true, writes)
            }
            "add" | "sub" if self.take("cc") => self.add_carry(ty, false, true),
            "madc" => {
                let writes = self.take("cc");
                self.multiply_add_carry(ty, true, writes)
            }
            "mad" if self.take("cc") => self.multiply_add_carry(ty, false, true),
            "mad" | "fma" | "sad" => self.three_sources(ty),
            "mul" if self.take("wide") => {
                let at = self.slots([self.widened(ty)?, ty, ty])?;
                let ty = self.scalar(ty)?;
                self.emit(IntegerOp::MultiplyWide { ty, at })
            }
            _ => self.two_sources(ty),
        }
    }

    fn two_sources(&mut self, ty: Type) -> Result<(), Problem> {
        let at = self.slots([ty; 3])?;
        if let Some(float) = float_type(ty) {
            let f = self.float2()?;
            let style = match f {
                Float2::Add | Float2::Sub => self.sum_style(ty)?,
                _ => self.arithmetic_style(ty)?,
            };
            return self.emit(FloatOp::Float2 { f, ty: float, style, at });
        }
        let base = self.base;
        let f = match base {
            "add" if self.take("sat") => Integer2::AddSaturate,
            "sub" if self.take("sat") => Integer2::SubSaturate,
            "add" => Integer2::Add,
            "sub" => Integer2::Sub,
            "mul" if self.take("hi") => Integer2::MulHi,
            "mul" => {
                self.take("lo");
                Integer2::MulLo
            }
            "mul24" if self.take("lo") => Integer2::Mul24Lo,
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
        self.emit(IntegerOp::Integer2 { f, ty, at })
    }

    /// Rounding and the like of arithmetic on floats of type `ty`.
    pub(super) fn arithmetic_style(&mut self, ty: Type) -> Result<Style, Problem> {
        let style = self.style();
        // A narrower result is rounded from an f64; there is nothing wider to round an f64 from.
        if ty == Type::F64 && style.rounding != Rounding::Nearest {
            return Err(self.problem("f64 arithmetic is only rounded to nearest"));
        }
        Ok(style)
    }

    /// The same of sums, which `round` of CUDA rounds towards zero in f64.
    fn sum_style(&mut self, ty: Type) -> Result<Style, Problem> {
        let style = self.style();
        if ty == Type::F64 && !matches!(style.rounding, Rounding::Nearest | Rounding::Zero) {
            return Err(self.problem("f64 sums are only rounded to nearest and towards zero"));
        }
        Ok(style)
    }

    fn float2(&mut self) -> Result<Float2, Problem> {
        let nan = self.take("NaN");
        let f = match self.base {
            "add" => Float2::Add,
            "sub" => Float2::Sub,
            "mul" => Float2::Mul,
            "div" => {
                // The approximate forms give the exact quotient.
                let _ = self.take("approx") || self.take("full");
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

    fn three_sources(&mut self, ty: Type) -> Result<(), Problem> {
        let wide = self.base == "mad" && self.take("wide");
        let result = if wide { self.widened(ty)? } else { ty };
        let at = self.slots([result, ty, ty, result])?;
        if let Some(float) = float_type(ty) {
            let style = self.arithmetic_style(ty)?;
            return self.emit(FloatOp::MultiplyAdd { ty: float, style, at });
        }
        let ty = self.scalar(ty)?;
        if wide {
            return self.emit(IntegerOp::MultiplyAddWide { ty, at });
        }
        let base = self.base;
        let f = match base {
            "mad" if self.take("lo") => Integer3::MadLo,
            "mad" if self.take("hi") => Integer3::MadHi,
            "sad" => Integer3::Sad,
            _ => return Err(self.problem("unsupported form of this instruction")),
        };
        self.emit(IntegerOp::Integer3 { f, ty, at })
    }

    /// The type of a widening product: twice the width.
    fn widened(&self, ty: Type) -> Result<Type, Problem> {
        match ty {
            Type::U16 => Ok(Type::U32),
            Type::S16 => Ok(Type::S32),
            Type::U32 => Ok(Type::U64),
            Type::S32 => Ok(Type::S64),
            _ => Err(self.problem("type does not fit this instruction")),
        }
    }

    fn shift(&mut self, ty: Type) -> Result<(), Problem> {
        let at = self.slots([ty, ty, Type::U32])?;
        let ty = self.scalar(ty)?;
        match self.base {
            "shl" => self.emit(IntegerOp::ShiftLeft { ty, at }),
            _ => self.emit(IntegerOp::ShiftRight { ty, at }),
        }
    }

    fn add_carry(&mut self, ty: Type, reads: bool, writes: bool) -> Result<(), Problem> {
        let at = self.slots([ty; 3])?;
        let carry = Carry { subtract: self.base.starts_with("sub"), reads, writes };
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::AddCarry { ty, carry, at })
    }

    fn multiply_add_carry(&mut self, ty: Type, reads: bool, writes: bool) -> Result<(), Problem> {
        let at = self.slots([ty; 4])?;
        let high = self.take("hi");
        if !high && !self.take("lo") {
            return Err(self.problem("unsupported form of this instruction"));
        }
        let carry = Carry { subtract: false, reads, writes };
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::MultiplyAddCarry { high, ty, carry, at })
    }

    fn predicate_logic(&mut self) -> Result<(), Problem> {
        let [d, a, b] = self.exactly()?;
        let f = LOGIC.iter().find(|(name, _)| *name == self.base);
        let (_, f) = f.ok_or_else(|| self.problem("unknown operation on predicates"))?;
        let (a, b) = (self.predicate(a)?, self.predicate(b)?);
        let d = self.destination(d, Type::Pred)?;
        self.emit(MoveOp::PredicateLogic { f: *f, d, a, b })
    }

    /// A scratch register of the class of `ty`, for instructions that become two.
    pub(super) fn scratch(&mut self, ty: Type) -> Result<u32, Problem> {
        self.decoder.new_slot(Class::of(ty)).map(Slot::index)
    }
}
