//! Comparisons.

use super::arithmetic::LOGIC;
use super::site::Site;
use crate::program::{Compare, Comparison, MoveOp, PredicateUse, UnorderedComparison};
use crate::program::{Comparison::Unordered, FloatOp};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

const COMPARISONS: &[(&str, Comparison)] = &[
    ("eq", Comparison::Equal),
    ("ne", Comparison::NotEqual),
    ("lt", Comparison::Less),
    ("lo", Comparison::Less),
    ("le", Comparison::LessEqual),
    ("ls", Comparison::LessEqual),
    ("gt", Comparison::Greater),
    ("hi", Comparison::Greater),
    ("ge", Comparison::GreaterEqual),
    ("hs", Comparison::GreaterEqual),
    ("equ", Unordered(UnorderedComparison::Equal)),
    ("neu", Unordered(UnorderedComparison::NotEqual)),
    ("ltu", Unordered(UnorderedComparison::Less)),
    ("leu", Unordered(UnorderedComparison::LessEqual)),
    ("gtu", Unordered(UnorderedComparison::Greater)),
    ("geu", Unordered(UnorderedComparison::GreaterEqual)),
    ("num", Comparison::Numbers),
    ("nan", Comparison::NotNumbers),
];

impl Site<'_, '_> {
    pub(super) fn compare(&mut self) -> Result<(), Problem> {
        let f = self.required(COMPARISONS, "comparison is missing")?;
        let logic = self.take_named(LOGIC);
        let flush = self.take("ftz");
        let result = if self.base == "set" { Some(self.ty()?) } else { None };
        let ty = self.ty()?;
        let (d, a, b, combine) = match (self.operands, logic) {
            ([d, a, b], None) => (d, a, b, None),
            ([d, a, b, c], Some(logic)) => (d, a, b, Some((logic, self.predicate(c)?))),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let ty = self.scalar(ty)?;
        let slots = match (result, d) {
            (Some(_), _) => [self.scratch(Type::Pred)?, self.sink(Type::Pred)?],
            (None, d) => self.with_predicate(d, Type::Pred)?,
        };
        self.emit(FloatOp::Compare(Compare { f, ty, flush, d: slots, a, b, combine }))?;
        match result {
            None => Ok(()),
            Some(ty) => self.set_value(ty, d, slots[0]),
        }
    }

    /// `set` gives all ones, or 1.0 for a float result.
    fn set_value(&mut self, ty: Type, d: &Operand, p: u32) -> Result<(), Problem> {
        let yes = match ty {
            Type::F32 => Operand::Single(1f32.to_bits()),
            Type::U32 | Type::S32 => Operand::Integer(u64::MAX),
            _ => return Err(self.problem("unsupported result type of set")),
        };
        let at = self.slots_of([d, &yes, &Operand::Integer(0)], [ty, ty, Type::U32])?;
        self.emit(MoveOp::SelectWord { at, p: PredicateUse { index: p, negated: false } })
    }
}
