//! `mma.sync`, `ldmatrix`, `stmatrix`.

use super::Site;
use super::modifiers::Modifiers;
use crate::fragment::{a_registers, accumulator_registers, b_registers};
use crate::program::{Accumulator, CollectiveOp, MatrixElement, MatrixMove, Multiply};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Space, Type};

/// Rows and contraction extent by name.
fn shape(name: &str) -> Option<(usize, usize)> {
    let (rows, k) = name.strip_prefix('m')?.split_once("n8k")?;
    let rows = match rows {
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    [4, 8, 16, 32, 64].into_iter().find(|at| at.to_string() == k).map(|k| (rows, k))
}

fn element(name: &str) -> Option<MatrixElement> {
    Some(match name {
        "f16" => MatrixElement::F16,
        "bf16" => MatrixElement::Bf16,
        "tf32" => MatrixElement::Tf32,
        "f64" => MatrixElement::F64,
        "e4m3" => MatrixElement::E4m3,
        "e5m2" => MatrixElement::E5m2,
        "s8" => MatrixElement::S8,
        "u8" => MatrixElement::U8,
        "s4" => MatrixElement::S4,
        "u4" => MatrixElement::U4,
        _ => return None,
    })
}

fn accumulator(name: &str) -> Option<Accumulator> {
    Some(match name {
        "f16" => Accumulator::F16,
        "f32" => Accumulator::F32,
        "f64" => Accumulator::F64,
        "s32" => Accumulator::S32,
        _ => return None,
    })
}

/// Whether `mma.sync` multiplies elements of these two types.
fn multiplies(a: MatrixElement, b: MatrixElement) -> bool {
    use MatrixElement::{E4m3, E5m2, S4, S8, U4, U8};
    let mixed = |x, y| [x, y].contains(&a) && [x, y].contains(&b);
    a == b || mixed(E4m3, E5m2) || mixed(S8, U8) || mixed(S4, U4)
}

/// Whether there is an instruction of this shape. (PTX ISA, "Shape" of the matrix instructions)
fn has_shape(element: MatrixElement, shape: (usize, usize)) -> bool {
    use MatrixElement::{Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
    let shapes: &[(usize, usize)] = match element {
        F16 | Bf16 => &[(16, 8), (16, 16)],
        Tf32 => &[(16, 4), (16, 8)],
        F64 => &[(8, 4), (16, 4), (16, 8), (16, 16)],
        E4m3 | E5m2 => &[(16, 16), (16, 32)],
        S8 | U8 => &[(8, 16), (16, 16), (16, 32)],
        S4 | U4 => &[(8, 32), (16, 32), (16, 64)],
    };
    shapes.contains(&shape)
}

/// Whether products of these elements are summed in that type.
fn sums_in(element: MatrixElement, accumulator: Accumulator) -> bool {
    use MatrixElement::{Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
    match accumulator {
        Accumulator::F16 => matches!(element, F16 | E4m3 | E5m2),
        Accumulator::F32 => matches!(element, F16 | Bf16 | Tf32 | E4m3 | E5m2),
        Accumulator::F64 => element == F64,
        Accumulator::S32 => matches!(element, S8 | U8 | S4 | U4),
    }
}

impl Site<'_, '_> {
    pub(super) fn matrix(
        &mut self,
        base: &str,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        if !m.take("sync") || !m.take("aligned") {
            return Err(self.problem("only the .sync.aligned form is supported"));
        }
        match base {
            "mma" => self.multiply(m, operands),
            _ => self.matrix_move(base == "ldmatrix", m, operands),
        }
    }

    /// How many 8x8 matrices are moved.
    fn matrix_count(&self, m: &mut Modifiers<'_>) -> Result<u8, Problem> {
        let count = m.take_map(|name| match name {
            "x1" => Some(1u8),
            "x2" => Some(2),
            "x4" => Some(4),
            _ => None,
        });
        let shape = m.take_map(|name| name.starts_with('m').then(|| name.to_owned()));
        let (Some(count), Some(shape)) = (count, shape) else {
            return Err(self.problem("shape or number of a matrix move is missing"));
        };
        if shape != "m8n8" {
            // Of 8-bit elements (sm_100a) and of the formats that are unpacked to them.
            return Err(self.problem(format!("matrix moves of shape .{shape} are not supported")));
        }
        Ok(count)
    }

    fn matrix_move(
        &mut self,
        load: bool,
        m: &mut Modifiers<'_>,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let count = self.matrix_count(m)?;
        let transposed = m.take("trans");
        let shared = m.take("shared") || m.take("shared::cta");
        if m.ty()? != Type::B16 {
            return Err(self.problem("matrices of shape .m8n8 have elements of type .b16"));
        }
        let [first, second] = self.exactly(operands)?;
        let (data, memory) = if load { (first, second) } else { (second, first) };
        let registers = if load {
            self.fragment_result(data, usize::from(count), Type::B32)?
        } else {
            self.fragment(data, usize::from(count), Type::B32)?
        };
        let place = self.place(memory)?;
        let moved = MatrixMove {
            count,
            transposed,
            space: if shared { Space::Shared } else { Space::Generic },
            address: place.address,
            offset: place.offset,
            registers,
        };
        self.emit(if load {
            CollectiveOp::LoadMatrix(moved)
        } else {
            CollectiveOp::StoreMatrix(moved)
        })
    }

    fn multiply(&mut self, m: &mut Modifiers<'_>, operands: &[Operand]) -> Result<(), Problem> {
        let shape = m.take_map(shape);
        let (Some((rows, k)), true, true) = (shape, m.take("row"), m.take("col")) else {
            return Err(self.problem("unsupported shape or layout of mma"));
        };
        let d_type = m.take_map(accumulator);
        let (a_element, b_element) = (m.take_map(element), m.take_map(element));
        let c_type = m.take_map(accumulator);
        let (Some(a_element), Some(b_element)) = (a_element, b_element) else {
            return Err(self.problem("unsupported input type of mma"));
        };
        if !multiplies(a_element, b_element) {
            return Err(self.problem("unsupported pair of input types of mma"));
        }
        if !has_shape(a_element, (rows, k)) {
            return Err(self.problem("mma has no such shape for its input type"));
        }
        let accumulator = match (d_type, c_type) {
            (Some(d), Some(c)) if d == c && sums_in(a_element, d) => d,
            _ => return Err(self.problem("unsupported accumulator type of mma")),
        };
        let integers = accumulator == Accumulator::S32;
        if accumulator == Accumulator::F64 {
            // The default; other roundings of f64 are not modelled.
            m.take("rn");
        }
        let mut multiply = Multiply {
            rows,
            k,
            a_element,
            b_element,
            accumulator,
            saturate: integers && m.take("satfinite"),
            a: [0; 8],
            b: [0; 4],
            c: [0; 4],
            d: [0; 4],
        };
        self.multiply_operands(&mut multiply, operands)?;
        self.emit(CollectiveOp::Multiply(Box::new(multiply)))
    }

    fn multiply_operands(
        &mut self,
        multiply: &mut Multiply,
        operands: &[Operand],
    ) -> Result<(), Problem> {
        let [d, a, b, c] = self.exactly(operands)?;
        let &mut Multiply { rows, k, a_element, .. } = multiply;
        let (source, result, per_result) = match multiply.accumulator {
            Accumulator::F16 => (Type::B32, Type::B32, 2),
            Accumulator::F32 => (Type::B32, Type::F32, 1),
            Accumulator::F64 => (Type::F64, Type::F64, 1),
            Accumulator::S32 => (Type::B32, Type::S32, 1),
        };
        let per_source = (32 / a_element.bits()).max(1);
        let results = accumulator_registers(rows, per_result);
        multiply.a = self.fragment(a, a_registers(rows, k, per_source), source)?;
        multiply.b = self.fragment(b, b_registers(k, per_source), source)?;
        multiply.c = self.fragment(c, results, result)?;
        multiply.d = self.fragment_result(d, results, result)?;
        Ok(())
    }

    /// The `count` source registers of a fragment.
    fn fragment<const N: usize>(
        &mut self,
        operand: &Operand,
        count: usize,
        ty: Type,
    ) -> Result<[u32; N], Problem> {
        let parts = self.elements(operand);
        if parts.len() != count {
            return Err(self.problem("wrong number of registers in a fragment"));
        }
        let mut out = [0; N];
        for (slot, part) in out.iter_mut().zip(parts) {
            *slot = self.source(part, ty)?;
        }
        Ok(out)
    }

    /// The `count` registers that take a fragment.
    fn fragment_result(
        &mut self,
        operand: &Operand,
        count: usize,
        ty: Type,
    ) -> Result<[u32; 4], Problem> {
        let parts = self.elements(operand);
        if parts.len() != count {
            return Err(self.problem("wrong number of registers in a fragment"));
        }
        let mut out = [0; 4];
        for (slot, part) in out.iter_mut().zip(parts) {
            *slot = self.destination(part, ty)?;
        }
        Ok(out)
    }
}
