//! `atom` and `red`.

use super::arithmetic::float_type;
use super::operands::Place;
use super::site::Site;
use crate::program::{Address, Atomic, AtomicAccess, FloatType, MemoryOp, MoveOp};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

const OPERATIONS: &[(&str, Atomic)] = &[
    ("add", Atomic::Add),
    ("exch", Atomic::Exchange),
    ("cas", Atomic::CompareExchange),
    ("min", Atomic::Min),
    ("max", Atomic::Max),
    ("and", Atomic::And),
    ("or", Atomic::Or),
    ("xor", Atomic::Xor),
    ("inc", Atomic::Increment),
    ("dec", Atomic::Decrement),
];

/// Whether there is such an operation on scalars of this type. (PTX ISA, `atom`)
fn has_scalar(f: Atomic, ty: Type) -> bool {
    use Type::{B16, B32, B64, Bf16, Bf16x2, F16, F16x2, F32, F64, S32, S64, U32, U64};
    match f {
        Atomic::Add => {
            matches!(ty, U32 | S32 | U64 | F32 | F64 | F16 | F16x2 | Bf16 | Bf16x2)
        }
        Atomic::Min | Atomic::Max => matches!(ty, U32 | S32 | U64 | S64),
        Atomic::And | Atomic::Or | Atomic::Xor | Atomic::Exchange => matches!(ty, B32 | B64),
        Atomic::CompareExchange => matches!(ty, B16 | B32 | B64),
        Atomic::Increment | Atomic::Decrement => ty == U32,
    }
}

/// Whether there is such an operation on vectors of `count` elements of this type.
fn has_vector(f: Atomic, ty: Type, count: usize) -> bool {
    match ty {
        Type::F32 => f == Atomic::Add && count <= 4,
        Type::F16x2 | Type::Bf16x2 => {
            matches!(f, Atomic::Add | Atomic::Min | Atomic::Max) && count <= 4
        }
        Type::F16 | Type::Bf16 => matches!(f, Atomic::Add | Atomic::Min | Atomic::Max),
        _ => false,
    }
}

/// The parts of one atomic instruction.
struct Parts<'o> {
    f: Atomic,
    ty: Type,
    space: Space,
    memory: &'o Operand,
    /// Result, first and second operand of each element.
    elements: Vec<[&'o Operand; 3]>,
}

impl Site<'_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Problem> {
        let returns = self.base == "atom";
        let space = self.space().unwrap_or(Space::Generic);
        let f = self.required(OPERATIONS, "unsupported atomic operation")?;
        let count = self.take_named(&[("v2", 2), ("v4", 4), ("v8", 8)]);
        let ty = self.ty()?;
        let halves = matches!(ty, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2);
        let supported = match count {
            None => has_scalar(f, ty) && self.take("noftz") == halves,
            Some(count) => {
                let place = matches!(space, Space::Global | Space::Generic);
                place && has_vector(f, ty, count) && self.take("noftz") == halves
            }
        };
        let swaps = matches!(f, Atomic::Exchange | Atomic::CompareExchange);
        if !supported || (swaps && !returns) {
            return Err(self.problem("unsupported type of an atomic operation"));
        }
        let (d, operands) = match self.operands {
            [d, rest @ ..] if returns => (d, rest),
            operands => (&Operand::Sink, operands),
        };
        let (memory, a, b) = match operands {
            [memory, a, b] if f == Atomic::CompareExchange => (memory, a, b),
            [memory, a] if f != Atomic::CompareExchange => (memory, a, a),
            _ => return Err(self.problem("wrong number of operands")),
        };
        let elements = match count {
            None => vec![[d, a, b]],
            Some(count) => self.vector_elements(d, a, count)?,
        };
        self.emit_atomic(&Parts { f, ty, space, memory, elements })
    }

    fn vector_elements<'o>(
        &self,
        d: &'o Operand,
        a: &'o Operand,
        count: usize,
    ) -> Result<Vec<[&'o Operand; 3]>, Problem> {
        let (results, sources) = (self.elements(d), self.elements(a));
        let result = |at: usize| if *d == Operand::Sink { d } else { &results[at] };
        if sources.len() != count || (*d != Operand::Sink && results.len() != count) {
            return Err(self.problem("wrong number of registers for the vector"));
        }
        Ok((0..count).map(|at| [result(at), &sources[at], &sources[at]]).collect())
    }

    /// Each element is an operation of its own: a vector is not atomic as a whole.
    fn emit_atomic(&mut self, parts: &Parts<'_>) -> Result<(), Problem> {
        let &Parts { f, ty, space, memory, ref elements } = parts;
        let FloatType { scalar, packed } = match float_type(ty) {
            Some(float) => float,
            None => FloatType { scalar: self.scalar(ty)?, packed: false },
        };
        let Place { address: Address { register, offset }, space: named } = self.place(memory)?;
        let space = if space == Space::Generic { named.unwrap_or(space) } else { space };
        let bytes = ty.bytes();
        let align = bytes * elements.len() as u32;
        let mut moves = Vec::new();
        for (at, [d, a, b]) in (0i64..).zip(elements) {
            let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
            let mut d = self.destination(d, ty)?;
            if elements.len() > 1 {
                // A result may go to a register that a later element reads.
                let result = self.scratch(ty)?;
                moves.push([d, result]);
                d = result;
            }
            let offset = offset.wrapping_add(at * i64::from(bytes));
            // The first element's alignment is that of the vector.
            let align = if at == 0 { align } else { bytes };
            let address = Address { register, offset };
            let access = AtomicAccess { f, ty: scalar, packed, space, address, bytes, align };
            self.emit(MemoryOp::Atomic(access, [d, a, b]))?;
        }
        // The elements of vectors have 32 bits at most.
        moves.into_iter().try_for_each(|at| self.emit(MoveOp::MoveWord { at }))
    }
}
