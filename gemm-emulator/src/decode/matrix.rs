//! `mma.sync`, `ldmatrix`, `stmatrix`.

use super::site::Site;
use crate::fragment::{a_registers, accumulator_registers, b_registers};
use crate::program::{
    Accumulator, ByteFloat, CollectiveOp, MatrixElement, MatrixMove, Multiplier, Multiply,
    Summation,
};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

/// Rows and contraction extent by name.
fn shape(name: &str) -> Option<(usize, usize)> {
    let (rows, k) = name.strip_prefix('m')?.split_once("n8k")?;
    let named = |name: &str, extents: &[usize]| {
        extents.iter().copied().find(|extent| extent.to_string() == name)
    };
    Some((named(rows, &[8, 16])?, named(k, &[4, 8, 16, 32, 64])?))
}

const ELEMENTS: &[(&str, MatrixElement)] = &[
    ("f16", MatrixElement::F16),
    ("bf16", MatrixElement::Bf16),
    ("tf32", MatrixElement::Tf32),
    ("f64", MatrixElement::F64),
    ("s8", MatrixElement::S8),
    ("u8", MatrixElement::U8),
    ("s4", MatrixElement::S4),
    ("u4", MatrixElement::U4),
];

/// The type of a factor by its name.
pub(super) fn element(name: &str) -> Option<MatrixElement> {
    let listed = ELEMENTS.iter().find(|(other, _)| *other == name).map(|(_, element)| *element);
    listed.or_else(|| ByteFloat::named(name).map(MatrixElement::Byte))
}

pub(super) const ACCUMULATORS: &[(&str, Accumulator)] = &[
    ("f16", Accumulator::F16),
    ("f32", Accumulator::F32),
    ("f64", Accumulator::F64),
    ("s32", Accumulator::S32),
];

/// Whether elements of these two types are multiplied.
pub(super) fn multiplies(a: MatrixElement, b: MatrixElement) -> bool {
    use MatrixElement::{Byte, S4, S8, U4, U8};
    a == b || matches!((a, b), (Byte(_), Byte(_)) | (S8 | U8, S8 | U8) | (S4 | U4, S4 | U4))
}

/// Whether there is an instruction of this shape. (PTX ISA, "Shape" of the matrix instructions)
fn has_shape(element: MatrixElement, shape: (usize, usize)) -> bool {
    use MatrixElement::{Bf16, Byte, F16, F64, S4, S8, Tf32, U4, U8};
    let shapes: &[(usize, usize)] = match element {
        F16 | Bf16 => &[(16, 8), (16, 16)],
        Tf32 => &[(16, 4), (16, 8)],
        F64 => &[(8, 4), (16, 4), (16, 8), (16, 16)],
        Byte(_) => &[(16, 16), (16, 32)],
        S8 | U8 => &[(8, 16), (16, 16), (16, 32)],
        S4 | U4 => &[(8, 32), (16, 32), (16, 64)],
    };
    shapes.contains(&shape)
}

/// Whether products of these elements are summed in that type.
pub(super) fn sums_in(element: MatrixElement, accumulator: Accumulator) -> bool {
    use MatrixElement::{Bf16, Byte, F16, F64, S4, S8, Tf32, U4, U8};
    match accumulator {
        Accumulator::F16 => matches!(element, F16 | Byte(_)),
        Accumulator::F32 => matches!(element, F16 | Bf16 | Tf32 | Byte(_)),
        Accumulator::F64 => element == F64,
        Accumulator::S32 => matches!(element, S8 | U8 | S4 | U4),
    }
}

impl Site<'_, '_> {
    pub(super) fn matrix(&mut self) -> Result<(), Problem> {
        if !self.take("sync") || !self.take("aligned") {
            return Err(self.problem("only the .sync.aligned form is supported"));
        }
        if self.base == "mma" { self.multiply() } else { self.matrix_move() }
    }

    /// How many 8x8 matrices are moved.
    fn matrix_count(&mut self) -> Result<u8, Problem> {
        let count = self.take_named(&[("x1", 1), ("x2", 2), ("x4", 4)]);
        let shape = self.take_map(|name| name.starts_with('m').then(|| name.to_owned()));
        let (Some(count), Some(shape)) = (count, shape) else {
            return Err(self.problem("shape or number of a matrix move is missing"));
        };
        if shape != "m8n8" {
            // Of 8-bit elements (sm_100a) and of the formats that are unpacked to them.
            return Err(self.problem(format!("matrix moves of shape .{shape} are not supported")));
        }
        Ok(count)
    }

    fn matrix_move(&mut self) -> Result<(), Problem> {
        let load = self.base == "ldmatrix";
        let count = self.matrix_count()?;
        let transposed = self.take("trans");
        let shared = self.take("shared") || self.take("shared::cta");
        if self.ty()? != Type::B16 {
            return Err(self.problem("matrices of shape .m8n8 have elements of type .b16"));
        }
        let [first, second] = self.exactly()?;
        let (data, memory) = if load { (first, second) } else { (second, first) };
        let parts = self.fragment(data, usize::from(count))?;
        let registers = match load {
            true => self.destinations(parts, Type::B32)?,
            false => self.sources(parts, Type::B32)?,
        };
        let address = self.place(memory)?.address;
        let space = if shared { Space::Shared } else { Space::Generic };
        let moved = MatrixMove { count, transposed, space, address, registers };
        self.emit(match load {
            true => CollectiveOp::LoadMatrix(moved),
            false => CollectiveOp::StoreMatrix(moved),
        })
    }

    fn multiply(&mut self) -> Result<(), Problem> {
        let shape = self.take_map(shape);
        let (Some((rows, k)), true, true) = (shape, self.take("row"), self.take("col")) else {
            return Err(self.problem("unsupported shape or layout of mma"));
        };
        let (a_element, b_element, accumulator) = self.multiplied_types((rows, k))?;
        let (source, result) = match accumulator {
            Accumulator::F16 => (Type::B32, Type::B32),
            Accumulator::F32 => (Type::B32, Type::F32),
            Accumulator::F64 => (Type::F64, Type::F64),
            Accumulator::S32 => (Type::B32, Type::S32),
        };
        // The default; other roundings of f64 are not modelled.
        let _ = accumulator == Accumulator::F64 && self.take("rn");
        let saturate = accumulator == Accumulator::S32 && self.take("satfinite");
        let per_source = (32 / a_element.bits()).max(1);
        let results = accumulator_registers(rows, accumulator.per_register());
        let [d, a, b, c] = self.exactly()?;
        let a = self.fragment(a, a_registers(rows, k, per_source))?;
        let b = self.fragment(b, b_registers(k, per_source))?;
        let (c, d) = (self.fragment(c, results)?, self.fragment(d, results)?);
        let (a, b) = (self.sources(a, source)?, self.sources(b, source)?);
        let (c, d) = (self.sources(c, result)?, self.destinations(d, result)?);
        let multiplier = Multiplier::Warp(self.decoder.names.source.architecture);
        let summation = Summation::of(multiplier, [a_element, b_element], accumulator);
        let multiply = Multiply {
            rows,
            k,
            a_element,
            b_element,
            accumulator,
            summation,
            saturate,
            d,
            a,
            b,
            c,
        };
        self.emit(CollectiveOp::Multiply(Box::new(multiply)))
    }

    /// The types of A, B and of the accumulators, which are legal in this shape.
    fn multiplied_types(
        &mut self,
        shape: (usize, usize),
    ) -> Result<(MatrixElement, MatrixElement, Accumulator), Problem> {
        let d_type = self.take_named(ACCUMULATORS);
        let (a, b) = (self.take_map(element), self.take_map(element));
        let c_type = self.take_named(ACCUMULATORS);
        let (Some(a), Some(b)) = (a, b) else {
            return Err(self.problem("unsupported input type of mma"));
        };
        if !multiplies(a, b) {
            return Err(self.problem("unsupported pair of input types of mma"));
        }
        if !has_shape(a, shape) {
            return Err(self.problem("mma has no such shape for its input type"));
        }
        match (d_type, c_type) {
            (Some(d), Some(c)) if d == c && sums_in(a, d) => Ok((a, b, d)),
            _ => Err(self.problem("unsupported accumulator type of mma")),
        }
    }

    /// The `count` registers of a fragment.
    pub(super) fn fragment<'o>(
        &self,
        operand: &'o Operand,
        count: usize,
    ) -> Result<&'o [Operand], Problem> {
        let parts = self.elements(operand);
        let wrong = || self.problem("wrong number of registers in a fragment");
        if parts.len() == count { Ok(parts) } else { Err(wrong()) }
    }
}
