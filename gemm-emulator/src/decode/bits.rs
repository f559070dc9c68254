//! Instructions on the bits of words: permutations, tables, fields, funnel shifts, products of parts.

use super::Class;
use super::site::Site;
use crate::program::{DotProduct, IntegerOp, MoveOp};
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    pub(super) fn permute(&mut self) -> Result<(), Problem> {
        let ty = self.ty_of(&[Type::B32])?;
        let at = self.slots([ty; 4])?;
        self.emit(MoveOp::Permute { at })
    }

    pub(super) fn logic3(&mut self) -> Result<(), Problem> {
        let ty = self.ty_of(&[Type::B32])?;
        let [d, a, b, c, table] = self.exactly()?;
        let table = self.immediate(table)?;
        let table = u8::try_from(table).map_err(|_| self.problem("table is not a byte"))?;
        let at = self.slots_of([d, a, b, c], [ty; 4])?;
        self.emit(MoveOp::Logic3 { table, at })
    }

    pub(super) fn extract_field(&mut self) -> Result<(), Problem> {
        let ty = self.ty_of(&[Type::U32, Type::U64, Type::S32, Type::S64])?;
        let at = self.slots([ty, ty, Type::U32, Type::U32])?;
        let ty = self.scalar(ty)?;
        self.emit(IntegerOp::ExtractField { ty, at })
    }

    pub(super) fn insert_field(&mut self) -> Result<(), Problem> {
        let ty = self.ty_of(&[Type::B32, Type::B64])?;
        let at = self.slots([ty, ty, ty, Type::U32, Type::U32])?;
        self.emit(IntegerOp::InsertField { long: Class::of(ty) == Class::Long, at })
    }

    pub(super) fn dot_product(&mut self) -> Result<(), Problem> {
        let f = match self.base {
            "dp2a" => {
                let halves = [("lo", DotProduct::HalvesLow), ("hi", DotProduct::HalvesHigh)];
                self.required(&halves, "dp2a needs lo or hi")?
            }
            _ => DotProduct::Bytes,
        };
        let types = [self.ty_of(&[Type::U32, Type::S32])?, self.ty_of(&[Type::U32, Type::S32])?];
        let at = self.slots([Type::B32; 4])?;
        self.emit(IntegerOp::DotProduct { f, signed: types.map(Type::is_signed), at })
    }

    pub(super) fn funnel_shift(&mut self) -> Result<(), Problem> {
        let (left, right) = (self.take("l"), self.take("r"));
        let (wrap, clamp) = (self.take("wrap"), self.take("clamp"));
        if left == right || wrap == clamp {
            return Err(self.problem("shf needs a direction and a mode"));
        }
        let ty = self.ty_of(&[Type::B32])?;
        let at = self.slots([ty, ty, ty, Type::U32])?;
        self.emit(IntegerOp::FunnelShift { left, wrap, at })
    }
}
