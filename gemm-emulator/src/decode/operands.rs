//! Operands to slots.

use super::Class;
use super::site::Site;
use crate::program::{Address, AddressRegister, Constant, PredicateUse, Scalar, Slot};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

impl Slot {
    /// The index in the file of its class.
    pub(super) fn index(self) -> u32 {
        match self {
            Slot::Predicate(index) | Slot::Word(index) | Slot::Long(index) => index,
        }
    }

    pub(super) fn class(self) -> Class {
        match self {
            Slot::Predicate(_) => Class::Predicate,
            Slot::Word(_) => Class::Word,
            Slot::Long(_) => Class::Long,
        }
    }
}

/// A memory operand.
pub(super) struct Place {
    pub(super) address: Address,
    /// The space of the variable it names, if it names one.
    pub(super) space: Option<Space>,
}

impl<'d> Site<'d, '_> {
    /// Fails unless there are exactly N operands.
    pub(super) fn exactly<const N: usize>(&self) -> Result<&'d [Operand; N], Problem> {
        let found = self.operands.len();
        let wrong = |_| self.problem(format!("expected {N} operands, found {found}"));
        self.operands.try_into().map_err(wrong)
    }
}

impl Site<'_, '_> {
    /// The slots of the operands of an instruction that has a destination and sources of these types.
    pub(super) fn slots<const N: usize>(&mut self, types: [Type; N]) -> Result<[u32; N], Problem> {
        let operands: &[Operand; N] = self.exactly()?;
        self.slots_of(operands.each_ref(), types)
    }

    /// As [`Site::slots`], of some operands.
    pub(super) fn slots_of<const N: usize>(
        &mut self,
        operands: [&Operand; N],
        types: [Type; N],
    ) -> Result<[u32; N], Problem> {
        let mut slots = [0; N];
        for at in (0..N).rev() {
            slots[at] = match at {
                0 => self.destination(operands[0], types[0])?,
                _ => self.source(operands[at], types[at])?,
            };
        }
        Ok(slots)
    }

    /// The slots of up to N sources of a type; 0 for the rest.
    pub(super) fn sources<const N: usize>(
        &mut self,
        operands: &[Operand],
        ty: Type,
    ) -> Result<[u32; N], Problem> {
        let mut slots = [0; N];
        for (slot, operand) in slots.iter_mut().zip(operands) {
            *slot = self.source(operand, ty)?;
        }
        Ok(slots)
    }

    /// As [`Site::sources`], of destinations.
    pub(super) fn destinations<const N: usize>(
        &mut self,
        operands: &[Operand],
        ty: Type,
    ) -> Result<[u32; N], Problem> {
        let mut slots = [0; N];
        for (slot, operand) in slots.iter_mut().zip(operands) {
            *slot = self.destination(operand, ty)?;
        }
        Ok(slots)
    }

    /// The register of an integer that is the same in all lanes, such as a barrier's number.
    pub(super) fn uniform(&mut self, operand: &Operand) -> Result<u32, Problem> {
        if self.class_of(operand, Type::U32) != Class::Word {
            return Err(self.problem("operand has the wrong size"));
        }
        self.source(operand, Type::U32)
    }

    /// A slot that takes results that nothing reads.
    pub(super) fn sink(&mut self, ty: Type) -> Result<u32, Problem> {
        self.destination(&Operand::Sink, ty)
    }

    /// The slot of a source of type `ty`; a register must be of that size, or a larger one of the same class.
    pub(super) fn source(&mut self, operand: &Operand, ty: Type) -> Result<u32, Problem> {
        self.source_slot(operand, ty, Class::of(ty)).map(Slot::index)
    }

    fn source_slot(&mut self, operand: &Operand, ty: Type, class: Class) -> Result<Slot, Problem> {
        let slot = match (self.constant_of(operand, ty)?, operand) {
            (Some(constant), _) => self.decoder.constant(class, constant)?,
            (None, Operand::Register(register)) => self.accessed(*register, false),
            _ => return Err(self.problem("operand is of a kind this instruction cannot read")),
        };
        if slot.class() == class {
            Ok(slot)
        } else {
            Err(self.problem("operand has the wrong size"))
        }
    }

    /// The slot a result of type `ty` goes to.
    pub(super) fn destination(&mut self, operand: &Operand, ty: Type) -> Result<u32, Problem> {
        let class = Class::of(ty);
        let slot = match operand {
            Operand::Register(register) => self.accessed(*register, true),
            Operand::Sink => self.decoder.sink(class)?,
            _ => return Err(self.problem("destination is not a register")),
        };
        if slot.class() == class {
            Ok(slot.index())
        } else {
            Err(self.problem("destination has the wrong size"))
        }
    }

    /// The class of a register operand, or that of `ty` for anything else.
    pub(super) fn class_of(&self, operand: &Operand, ty: Type) -> Class {
        match operand {
            Operand::Register(register) => self.frame.registers[*register].class(),
            _ => Class::of(ty),
        }
    }

    /// The declared type of a register operand.
    pub(super) fn declared(&self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Register(register) => Some(self.frame.body.registers[*register]),
            _ => None,
        }
    }

    /// A predicate source, perhaps inverted.
    pub(super) fn predicate(&mut self, operand: &Operand) -> Result<PredicateUse, Problem> {
        let (operand, negated) = match operand {
            Operand::Negated(register) => (&Operand::Register(*register), true),
            _ => (operand, false),
        };
        Ok(PredicateUse { index: self.source(operand, Type::Pred)?, negated })
    }

    /// A memory operand.
    pub(super) fn place(&mut self, operand: &Operand) -> Result<Place, Problem> {
        let Operand::Memory { base, offset } = operand else {
            return Err(self.problem("expected an address in brackets"));
        };
        let class = self.class_of(base, Type::B64);
        let ty = if class == Class::Word { Type::B32 } else { Type::B64 };
        let space = match self.constant_of(base, ty)? {
            Some(Constant::Offset(space, _)) => Some(space),
            Some(Constant::Address(variable, _)) => {
                Some(self.decoder.program.variables[variable as usize].space)
            }
            _ => None,
        };
        let register = match self.source_slot(base, ty, class)? {
            Slot::Word(index) => AddressRegister::Word(index),
            Slot::Long(index) => AddressRegister::Long(index),
            Slot::Predicate(_) => return Err(self.problem("a predicate is not an address")),
        };
        Ok(Place { address: Address { register, offset: *offset }, space })
    }

    /// The elements of `{a, b}`, or the operand itself as a vector of one.
    pub(super) fn elements<'o>(&self, operand: &'o Operand) -> &'o [Operand] {
        match operand {
            Operand::Vector(items) => items,
            _ => std::slice::from_ref(operand),
        }
    }

    /// The scalar of an arithmetic type; untyped bits count as unsigned.
    pub(super) fn scalar(&self, ty: Type) -> Result<Scalar, Problem> {
        Ok(match ty {
            Type::S8 => Scalar::S8,
            Type::U8 | Type::B8 => Scalar::U8,
            Type::S16 => Scalar::S16,
            Type::U16 | Type::B16 => Scalar::U16,
            Type::S32 => Scalar::S32,
            Type::U32 | Type::B32 => Scalar::U32,
            Type::S64 => Scalar::S64,
            Type::U64 | Type::B64 => Scalar::U64,
            Type::F16 => Scalar::F16,
            Type::Bf16 => Scalar::Bf16,
            Type::F32 => Scalar::F32,
            Type::F64 => Scalar::F64,
            Type::Pred | Type::F16x2 | Type::Bf16x2 => {
                return Err(self.problem("type does not fit this instruction"));
            }
        })
    }

    /// An immediate integer.
    pub(super) fn immediate(&self, operand: &Operand) -> Result<u64, Problem> {
        match operand {
            Operand::Integer(value) => Ok(*value),
            _ => Err(self.problem("expected an immediate integer")),
        }
    }
}
