//! `cvt`.

use super::modifiers::Modifiers;
use super::{Class, Site};
use crate::program::{FloatOp, MoveOp, Rounding, Scalar};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn convert(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let to_integer = self.integer_rounding(m);
        let explicit = ["rn", "rz", "rm", "rp", "rna"].map(|name| m.take(name));
        let rounding = explicit.iter().position(|found| *found).map(|at| {
            [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up, Rounding::NearestAway]
                [at]
        });
        let mut style = m.style();
        style.rounding = rounding.unwrap_or_default();
        let (to, from) = (m.ty()?, m.ty()?);
        if let (Type::F16x2 | Type::Bf16x2, Type::F32) = (to, from) {
            let [d, a, b] = self.exactly(operands)?;
            let op = FloatOp::ConvertPair {
                to: if to == Type::F16x2 { Scalar::F16 } else { Scalar::Bf16 },
                style,
                a: self.source(a, from)?,
                b: self.source(b, from)?,
                d: self.destination(d, to)?,
            };
            return self.emit(op);
        }
        let [d, a] = self.exactly(operands)?;
        let (to_scalar, from_scalar) = (self.scalar(to)?, self.scalar(from)?);
        self.check_rounding(to, from, to_integer, rounding)?;
        // Source and destination registers may be wider than their types.
        let a = self.wide_source(a, from)?;
        let d_class = self.class_of(d, to);
        let d_slot = self.destination(d, class_type(d_class, to))?;
        let to_scalar = self.widen_destination(d, to, to_scalar, style.saturate)?;
        self.emit(FloatOp::Convert {
            from: from_scalar,
            to: to_scalar,
            style,
            to_integer,
            d: d_slot,
            a,
        })
    }

    fn check_rounding(
        &self,
        to: Type,
        from: Type,
        to_integer: Option<Rounding>,
        rounding: Option<Rounding>,
    ) -> Result<(), Problem> {
        let narrows = match (from.is_float(), to.is_float()) {
            (true, true) => from.bytes() > to.bytes(),
            (false, true) => true,
            _ => false,
        };
        if narrows && rounding.is_none() {
            return Err(self.problem("this conversion needs a rounding modifier"));
        }
        if from.is_float() && !to.is_float() && to_integer.is_none() {
            return Err(self.problem("this conversion needs an integer rounding modifier"));
        }
        Ok(())
    }

    fn wide_source(&mut self, a: &Operand, from: Type) -> Result<u32, Problem> {
        let class = self.class_of(a, from);
        if class == Class::of(from) {
            return self.source(a, from);
        }
        if class != Class::Long {
            return Err(self.problem("operand has the wrong size"));
        }
        let long = self.source(a, Type::B64)?;
        let (lo, hi) = (self.scratch(Type::B32)?, self.destination(&Operand::Sink, Type::B32)?);
        self.emit(MoveOp::SplitLong { parts: [lo, hi], a: long })?;
        Ok(lo)
    }

    /// An integer result in a register wider than its type is extended to the register's width.
    fn widen_destination(
        &mut self,
        d: &Operand,
        to: Type,
        scalar: Scalar,
        saturate: bool,
    ) -> Result<Scalar, Problem> {
        let Some(declared) = self.declared(d) else { return Ok(scalar) };
        if to.is_float() || declared.bytes() <= to.bytes() {
            return Ok(scalar);
        }
        // Only sub-word results and the plain widening of 8 bits occur in compiled code.
        match (to.bytes(), declared.bytes(), saturate) {
            (1, 2 | 4, _) => Ok(scalar),
            (2, 4, _) if !to.is_signed() => Ok(scalar),
            _ => Err(self.problem("result register is wider than this conversion supports")),
        }
    }
}

fn class_type(class: Class, ty: Type) -> Type {
    if class == Class::of(ty) {
        return ty;
    }
    match class {
        Class::Predicate => Type::Pred,
        Class::Word => Type::B32,
        Class::Long => Type::B64,
    }
}
