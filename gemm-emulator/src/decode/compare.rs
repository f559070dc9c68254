//! Comparisons.

use super::Site;
use super::arithmetic::logic;
use super::modifiers::Modifiers;
use crate::program::{Comparison, FloatOp, MoveOp, PredicateUse, UnorderedComparison};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

fn comparison(name: &str) -> Option<Comparison> {
    use Comparison::*;
    Some(match name {
        "eq" => Equal,
        "ne" => NotEqual,
        "lt" | "lo" => Less,
        "le" | "ls" => LessEqual,
        "gt" | "hi" => Greater,
        "ge" | "hs" => GreaterEqual,
        "equ" => Unordered(UnorderedComparison::Equal),
        "neu" => Unordered(UnorderedComparison::NotEqual),
        "ltu" => Unordered(UnorderedComparison::Less),
        "leu" => Unordered(UnorderedComparison::LessEqual),
        "gtu" => Unordered(UnorderedComparison::Greater),
        "geu" => Unordered(UnorderedComparison::GreaterEqual),
        "num" => Numbers,
        "nan" => NotNumbers,
        _ => return None,
    })
}

impl Site<'_, '_> {
    pub(super) fn compare(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let f = m.take_map(comparison).ok_or_else(|| self.problem("comparison is missing"))?;
        let logic = m.take_map(logic);
        let flush = m.take("ftz");
        let result = if base == "set" { Some(m.ty()?) } else { None };
        let ty = m.ty()?;
        let (d, a, b, c) = match (operands, logic) {
            ([d, a, b], None) => (d, a, b, None),
            ([d, a, b, c], Some(logic)) => (d, a, b, Some((logic, self.predicate(c)?))),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let scalar = self.scalar(ty)?;
        let sink = self.destination(&Operand::Sink, Type::Pred)?;
        let (d_slot, inverse) = match (result, d) {
            (Some(_), _) => (self.scratch(Type::Pred)?, sink),
            (None, Operand::Pair(d, inverse)) => {
                (self.destination(d, Type::Pred)?, self.destination(inverse, Type::Pred)?)
            }
            (None, d) => (self.destination(d, Type::Pred)?, sink),
        };
        self.emit(FloatOp::Compare { f, ty: scalar, flush, d: d_slot, inverse, a, b, combine: c })?;
        match result {
            None => Ok(()),
            Some(ty) => self.set_value(ty, d, d_slot),
        }
    }

    /// `set` gives all ones, or 1.0 for a float result.
    fn set_value(&mut self, ty: Type, d: &Operand, p: u32) -> Result<(), Problem> {
        let yes = match ty {
            Type::F32 => Operand::Single(1f32.to_bits()),
            Type::U32 | Type::S32 => Operand::Integer(u64::MAX),
            _ => return Err(self.problem("unsupported result type of set")),
        };
        let a = self.source(&yes, ty)?;
        let b = self.source(&Operand::Integer(0), Type::U32)?;
        let d = self.destination(d, ty)?;
        self.emit(MoveOp::SelectWord { d, a, b, p: PredicateUse { index: p, negated: false } })
    }
}
