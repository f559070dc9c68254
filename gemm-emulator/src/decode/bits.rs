//! Instructions on the bits of words: permutations, tables, fields, funnel shifts.

use super::modifiers::Modifiers;
use super::{Class, Site};
use crate::program::{IntegerOp, MoveOp};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn permute(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty_of(&[Type::B32])?;
        let [d, a, b, c] = self.exactly(operands)?;
        let op = MoveOp::Permute {
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            c: self.source(c, ty)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    pub(super) fn logic3(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty_of(&[Type::B32])?;
        let [d, a, b, c, table] = self.exactly(operands)?;
        let table = self.immediate(table)?;
        let table = u8::try_from(table).map_err(|_| self.problem("table is not a byte"))?;
        let op = MoveOp::Logic3 {
            table,
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            c: self.source(c, ty)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    pub(super) fn extract_field(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty_of(&[Type::U32, Type::U64, Type::S32, Type::S64])?;
        let [d, a, start, length] = self.exactly(operands)?;
        let op = IntegerOp::ExtractField {
            ty: self.scalar(ty)?,
            a: self.source(a, ty)?,
            start: self.source(start, Type::U32)?,
            length: self.source(length, Type::U32)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    pub(super) fn insert_field(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty_of(&[Type::B32, Type::B64])?;
        let [d, a, b, start, length] = self.exactly(operands)?;
        let op = IntegerOp::InsertField {
            long: Class::of(ty) == Class::Long,
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            start: self.source(start, Type::U32)?,
            length: self.source(length, Type::U32)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    pub(super) fn funnel_shift(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let (left, right) = (m.take("l"), m.take("r"));
        let (wrap, clamp) = (m.take("wrap"), m.take("clamp"));
        if left == right || wrap == clamp {
            return Err(self.problem("shf needs a direction and a mode"));
        }
        let ty = m.ty_of(&[Type::B32])?;
        let [d, a, b, c] = self.exactly(operands)?;
        let op = IntegerOp::FunnelShift {
            left,
            wrap,
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            c: self.source(c, Type::U32)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }
}
