//! Functions of one number.

use super::arithmetic::float_type;
use super::site::Site;
use crate::program::{Float1, FloatOp, Integer1, IntegerOp, MoveOp, PredicateUse};
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    /// Instructions of one source.
    pub(super) fn unary(&mut self) -> Result<(), Problem> {
        let (shift_amount, approximate) = (self.take("shiftamt"), self.take("approx"));
        let ty = self.ty()?;
        if ty == Type::Pred {
            return self.invert();
        }
        if let Some(float) = float_type(ty) {
            let style = self.arithmetic_style(ty)?;
            let f = self.float1(approximate)?;
            let at = self.slots([ty; 2])?;
            return self.emit(FloatOp::Float1 { f, ty: float, style, at });
        }
        let f = self.integer1(shift_amount)?;
        // Counts are 32-bit for any type of source.
        let counts = matches!(self.base, "popc" | "clz" | "bfind");
        let at = self.slots([if counts { Type::U32 } else { ty }, ty])?;
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::Integer1 { f, ty, at })
    }

    /// `not` of a predicate.
    fn invert(&mut self) -> Result<(), Problem> {
        let [d, a] = self.exactly()?;
        if self.base != "not" {
            return Err(self.problem("unsupported form of this instruction"));
        }
        let a = self.predicate(a)?;
        let a = PredicateUse { index: a.index, negated: !a.negated };
        let d = self.destination(d, Type::Pred)?;
        self.emit(MoveOp::MovePredicate { d, a })
    }

    fn integer1(&self, shift_amount: bool) -> Result<Integer1, Problem> {
        Ok(match self.base {
            "neg" => Integer1::Neg,
            "abs" => Integer1::Abs,
            "not" => Integer1::Not,
            "popc" => Integer1::Popc,
            "clz" => Integer1::Clz,
            "brev" => Integer1::Brev,
            "bfind" if shift_amount => Integer1::BfindShift,
            "bfind" => Integer1::Bfind,
            _ => return Err(self.problem("unsupported form of this instruction")),
        })
    }

    fn float1(&self, approximate: bool) -> Result<Float1, Problem> {
        let f = match self.base {
            "neg" => Float1::Neg,
            "abs" => Float1::Abs,
            "sqrt" => Float1::Sqrt,
            "rcp" => Float1::Reciprocal,
            "rsqrt" => Float1::ReciprocalRoot,
            "ex2" => Float1::Exp2,
            "lg2" => Float1::Log2,
            "sin" => Float1::Sin,
            "cos" => Float1::Cos,
            "tanh" => Float1::Tanh,
            _ => return Err(self.problem("this instruction does not take floats")),
        };
        if approximate && matches!(f, Float1::Neg | Float1::Abs) {
            return Err(self.problem("unknown modifier .approx"));
        }
        Ok(f)
    }
}
