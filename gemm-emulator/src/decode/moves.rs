//! Moves, packing, selection, address conversion.

use super::Class;
use super::site::Site;
use crate::program::{Float2, FloatClass, FloatOp, FloatType, MoveOp, Style};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

const CLASSES: &[(&str, FloatClass)] = &[
    ("finite", FloatClass::Finite),
    ("infinite", FloatClass::Infinite),
    ("number", FloatClass::Number),
    ("notanumber", FloatClass::NotANumber),
    ("normal", FloatClass::Normal),
    ("subnormal", FloatClass::Subnormal),
];

impl Site<'_, '_> {
    pub(super) fn moves(&mut self) -> Result<(), Problem> {
        let ty = self.ty()?;
        let [d, a] = self.exactly()?;
        match (d, a) {
            (_, Operand::Vector(parts)) => self.pack(ty, d, parts),
            (Operand::Vector(parts), _) => self.split(ty, parts, a),
            (_, Operand::Special(name)) if name.starts_with("%clock") || name == "%globaltimer" => {
                if ty == Type::Pred {
                    return Err(self.problem("a clock is not a predicate"));
                }
                let d = self.destination(d, ty)?;
                self.emit(MoveOp::Clock { long: Class::of(ty) == Class::Long, d })
            }
            _ if ty == Type::Pred => {
                let (a, d) = (self.predicate(a)?, self.destination(d, ty)?);
                self.emit(MoveOp::MovePredicate { d, a })
            }
            _ => {
                let at = self.slots([ty; 2])?;
                self.emit(match Class::of(ty) {
                    Class::Long => MoveOp::MoveLong { at },
                    _ => MoveOp::MoveWord { at },
                })
            }
        }
    }

    fn pack(&mut self, ty: Type, d: &Operand, parts: &[Operand]) -> Result<(), Problem> {
        let d = self.destination(d, ty)?;
        let op = match (ty.bytes(), parts.len()) {
            (4, 2) => MoveOp::PackWord { d, parts: self.sources(parts, Type::B16)? },
            (8, 2) => MoveOp::PackLong { d, parts: self.sources(parts, Type::B32)? },
            (8, 4) => MoveOp::PackQuad { d, parts: self.sources(parts, Type::B16)? },
            _ => return Err(self.problem("unsupported number of parts in a move")),
        };
        self.emit(op)
    }

    fn split(&mut self, ty: Type, parts: &[Operand], a: &Operand) -> Result<(), Problem> {
        let a = self.source(a, ty)?;
        let op = match (ty.bytes(), parts.len()) {
            (4, 2) => MoveOp::SplitWord { parts: self.destinations(parts, Type::B16)?, a },
            (8, 2) => MoveOp::SplitLong { parts: self.destinations(parts, Type::B32)?, a },
            (8, 4) => MoveOp::SplitQuad { parts: self.destinations(parts, Type::B16)?, a },
            _ => return Err(self.problem("unsupported number of parts in a move")),
        };
        self.emit(op)
    }

    pub(super) fn is_space(&mut self) -> Result<(), Problem> {
        let space = self.space().unwrap_or(Space::Generic);
        let at = self.slots([Type::Pred, Type::B64])?;
        self.emit(MoveOp::IsSpace { space, at })
    }

    pub(super) fn select(&mut self) -> Result<(), Problem> {
        let ty = self.ty()?;
        let [d, a, b, p] = self.exactly()?;
        let p = self.predicate(p)?;
        let at = self.slots_of([d, a, b], [ty; 3])?;
        self.emit(match Class::of(ty) {
            Class::Word => MoveOp::SelectWord { at, p },
            Class::Long => MoveOp::SelectLong { at, p },
            Class::Predicate => return Err(self.problem("selp takes no predicates")),
        })
    }

    pub(super) fn select_by_sign(&mut self) -> Result<(), Problem> {
        let flush = self.take("ftz");
        let (ty, by) = (self.ty()?, self.ty()?);
        if flush || ty == Type::Pred || !matches!(by, Type::S32 | Type::F32) {
            return Err(self.problem("unsupported form of slct"));
        }
        let at = self.slots([ty, ty, ty, by])?;
        let (long, float) = (Class::of(ty) == Class::Long, by == Type::F32);
        self.emit(MoveOp::SelectBySign { long, float, at })
    }

    pub(super) fn convert_address(&mut self) -> Result<(), Problem> {
        let to_generic = !self.take("to");
        let space = self.space().ok_or_else(|| self.problem("space is missing"))?;
        let ty = self.ty()?;
        if Class::of(ty) != Class::Long {
            return Err(self.problem("only 64-bit addresses are supported"));
        }
        let at = self.slots([ty; 2])?;
        self.emit(MoveOp::ConvertAddress { space, to_generic, at })
    }

    pub(super) fn test_class(&mut self) -> Result<(), Problem> {
        let class = self.required(CLASSES, "class is missing")?;
        let ty = self.ty_of(&[Type::F32, Type::F64])?;
        let at = self.slots([Type::Pred, ty])?;
        let ty = self.scalar(ty)?;
        self.emit(FloatOp::TestClass { class, ty, at })
    }

    pub(super) fn copy_sign(&mut self) -> Result<(), Problem> {
        let ty = self.ty_of(&[Type::F32, Type::F64])?;
        // The first source gives the sign, the second the magnitude.
        let [d, sign, magnitude] = self.slots([ty; 3])?;
        let (f, style, at) = (Float2::CopySign, Style::default(), [d, magnitude, sign]);
        let ty = FloatType { scalar: self.scalar(ty)?, packed: false };
        self.emit(FloatOp::Float2 { f, ty, style, at })
    }
}
