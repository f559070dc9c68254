//! Moves, packing, selection, bit fields, address conversion.

use super::modifiers::Modifiers;
use super::{Class, Site};
use crate::program::{FloatClass, FloatOp, MoveOp, PredicateUse, Rounding};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

impl Site<'_, '_> {
    pub(super) fn moves(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let ty = m.ty()?;
        let [d, a] = self.exactly(operands)?;
        match (d, a) {
            (_, Operand::Vector(parts)) => self.pack(ty, d, parts),
            (Operand::Vector(parts), _) => self.split(ty, parts, a),
            (_, Operand::Special(name)) if name.starts_with("%clock") || name == "%globaltimer" => {
                if ty == Type::Pred {
                    return Err(self.problem("a clock is not a predicate"));
                }
                let d = self.destination(d, ty)?;
                let long = Class::of(ty) == Class::Long;
                self.emit(MoveOp::Clock { long, d })
            }
            _ => self.move_scalar(ty, d, a),
        }
    }

    fn move_scalar(&mut self, ty: Type, d: &Operand, a: &Operand) -> Result<(), Problem> {
        let op = match Class::of(ty) {
            Class::Predicate => {
                let a = self.predicate(a)?;
                MoveOp::MovePredicate { d: self.destination(d, ty)?, a }
            }
            Class::Word => MoveOp::MoveWord { a: self.source(a, ty)?, d: self.destination(d, ty)? },
            Class::Long => MoveOp::MoveLong { a: self.source(a, ty)?, d: self.destination(d, ty)? },
        };
        self.emit(op)
    }

    fn pack(&mut self, ty: Type, d: &Operand, parts: &[Operand]) -> Result<(), Problem> {
        let d = self.destination(d, ty)?;
        let op = match (ty.bytes(), parts) {
            (4, [lo, hi]) => MoveOp::PackWord {
                d,
                parts: [self.source(lo, Type::B16)?, self.source(hi, Type::B16)?],
            },
            (8, [lo, hi]) => MoveOp::PackLong {
                d,
                parts: [self.source(lo, Type::B32)?, self.source(hi, Type::B32)?],
            },
            (8, [_, _, _, _]) => {
                let mut slots = [0; 4];
                for (slot, part) in slots.iter_mut().zip(parts) {
                    *slot = self.source(part, Type::B16)?;
                }
                MoveOp::PackQuad { d, parts: slots }
            }
            _ => return Err(self.problem("unsupported number of parts in a move")),
        };
        self.emit(op)
    }

    fn split(&mut self, ty: Type, parts: &[Operand], a: &Operand) -> Result<(), Problem> {
        let a = self.source(a, ty)?;
        let op = match (ty.bytes(), parts) {
            (4, [lo, hi]) => MoveOp::SplitWord {
                parts: [self.destination(lo, Type::B16)?, self.destination(hi, Type::B16)?],
                a,
            },
            (8, [lo, hi]) => MoveOp::SplitLong {
                parts: [self.destination(lo, Type::B32)?, self.destination(hi, Type::B32)?],
                a,
            },
            (8, [_, _, _, _]) => {
                let mut slots = [0; 4];
                for (slot, part) in slots.iter_mut().zip(parts) {
                    *slot = self.destination(part, Type::B16)?;
                }
                MoveOp::SplitQuad { parts: slots, a }
            }
            _ => return Err(self.problem("unsupported number of parts in a move")),
        };
        self.emit(op)
    }

    pub(super) fn other_moves(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        match base {
            "selp" => self.select(m, operands),
            "slct" => self.select_by_sign(m, operands),
            "prmt" => self.permute(m, operands),
            "lop3" => self.logic3(m, operands),
            "bfe" => self.extract_field(m, operands),
            "bfi" => self.insert_field(m, operands),
            "shf" => self.funnel_shift(m, operands),
            "cvta" => self.convert_address(m, operands),
            "isspacep" => {
                let space = self.space(m)?.unwrap_or(Space::Generic);
                let [d, a] = self.exactly(operands)?;
                let op = MoveOp::IsSpace {
                    space,
                    a: self.source(a, Type::B64)?,
                    d: self.destination(d, Type::Pred)?,
                };
                self.emit(op)
            }
            "testp" => self.test_class(m, operands),
            "copysign" => self.copy_sign(m, operands),
            _ => self.create_policy(m, operands),
        }
    }

    fn select(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let ty = m.ty()?;
        let [d, a, b, p] = self.exactly(operands)?;
        let p: PredicateUse = self.predicate(p)?;
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let d = self.destination(d, ty)?;
        self.emit(match Class::of(ty) {
            Class::Word => MoveOp::SelectWord { d, a, b, p },
            Class::Long => MoveOp::SelectLong { d, a, b, p },
            Class::Predicate => return Err(self.problem("selp takes no predicates")),
        })
    }

    fn select_by_sign(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let flush = m.take("ftz");
        let (ty, by) = (m.ty()?, m.ty()?);
        if flush || ty == Type::Pred || !matches!(by, Type::S32 | Type::F32) {
            return Err(self.problem("unsupported form of slct"));
        }
        let [d, a, b, c] = self.exactly(operands)?;
        let op = MoveOp::SelectBySign {
            long: Class::of(ty) == Class::Long,
            float: by == Type::F32,
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            c: self.source(c, by)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    fn convert_address(
        &mut self,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let to_generic = !m.take("to");
        let space = self.space(m)?.ok_or_else(|| self.problem("space is missing"))?;
        let ty = m.ty()?;
        let [d, a] = self.exactly(operands)?;
        if Class::of(ty) != Class::Long {
            return Err(self.problem("only 64-bit addresses are supported"));
        }
        let op = MoveOp::ConvertAddress {
            space,
            to_generic,
            a: self.source(a, ty)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    fn test_class(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let class = m.take_map(|name| {
            Some(match name {
                "finite" => FloatClass::Finite,
                "infinite" => FloatClass::Infinite,
                "number" => FloatClass::Number,
                "notanumber" => FloatClass::NotANumber,
                "normal" => FloatClass::Normal,
                "subnormal" => FloatClass::Subnormal,
                _ => return None,
            })
        });
        let class = class.ok_or_else(|| self.problem("class is missing"))?;
        let ty = m.ty_of(&[Type::F32, Type::F64])?;
        let [d, a] = self.exactly(operands)?;
        let op = FloatOp::TestClass {
            class,
            ty: self.scalar(ty)?,
            a: self.source(a, ty)?,
            d: self.destination(d, Type::Pred)?,
        };
        self.emit(op)
    }

    fn copy_sign(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let ty = m.ty_of(&[Type::F32, Type::F64])?;
        let [d, a, b] = self.exactly(operands)?;
        // The first source gives the sign, the second the magnitude.
        let op = FloatOp::Float2 {
            f: crate::program::Float2::CopySign,
            ty: self.scalar(ty)?,
            style: Default::default(),
            a: self.source(b, ty)?,
            b: self.source(a, ty)?,
            d: self.destination(d, ty)?,
        };
        self.emit(op)
    }

    /// The state space among the modifiers; `shared::cta` is `shared`.
    pub(super) fn space(&mut self, m: &mut Modifiers<'_>) -> Result<Option<Space>, Problem> {
        let space = m.take_map(|name| {
            Some(match name {
                "global" => Space::Global,
                "shared" | "shared::cta" => Space::Shared,
                "local" => Space::Local,
                "param" | "param::entry" | "param::func" => Space::Parameter,
                "const" => Space::Constant,
                _ => return None,
            })
        });
        Ok(space)
    }

    /// Rounding to an integer among the modifiers.
    pub(super) fn integer_rounding(&self, m: &mut Modifiers<'_>) -> Option<Rounding> {
        m.take_map(|name| {
            Some(match name {
                "rni" => Rounding::Nearest,
                "rzi" => Rounding::Zero,
                "rmi" => Rounding::Down,
                "rpi" => Rounding::Up,
                _ => return None,
            })
        })
    }
}
