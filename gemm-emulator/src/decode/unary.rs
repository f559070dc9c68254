//! Functions of one number.

use super::Site;
use super::arithmetic::{FloatType, float_type};
use super::modifiers::Modifiers;
use crate::program::{Float1, FloatOp, Integer1, IntegerOp, MoveOp, PredicateUse};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    /// Instructions of one source.
    pub(super) fn unary(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let shift_amount = m.take("shiftamt");
        let approximate = m.take("approx");
        let ty = m.ty()?;
        let [d, a] = self.exactly(operands)?;
        if ty == Type::Pred {
            return self.invert(base, d, a);
        }
        let a = self.source(a, ty)?;
        if let Some(FloatType { ty: scalar, packed }) = float_type(ty) {
            let style = self.style(ty, m)?;
            let f = self.float1(base, approximate)?;
            let d = self.destination(d, ty)?;
            return self.emit(if packed {
                FloatOp::Packed1 { f, ty: scalar, style, d, a }
            } else {
                FloatOp::Float1 { f, ty: scalar, style, d, a }
            });
        }
        let f = self.integer1(base, shift_amount)?;
        // Counts are 32-bit whatever the source is.
        let counts = matches!(base, "popc" | "clz" | "bfind");
        let d = self.destination(d, if counts { Type::U32 } else { ty })?;
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::Integer1 { f, ty, d, a })
    }

    /// `not` of a predicate.
    fn invert(&mut self, base: &str, d: &Operand, a: &Operand) -> Result<(), Problem> {
        if base != "not" {
            return Err(self.problem("unsupported form of this instruction"));
        }
        let a = self.predicate(a)?;
        let a = PredicateUse { index: a.index, negated: !a.negated };
        let d = self.destination(d, Type::Pred)?;
        self.emit(MoveOp::MovePredicate { d, a })
    }

    fn integer1(&self, base: &str, shift_amount: bool) -> Result<Integer1, Problem> {
        Ok(match base {
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

    fn float1(&self, base: &str, approximate: bool) -> Result<Float1, Problem> {
        let f = match base {
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
        let plain = matches!(f, Float1::Neg | Float1::Abs);
        if approximate && plain {
            return Err(self.problem("unknown modifier .approx"));
        }
        Ok(f)
    }
}
