//! Parts of `mma.sync`, `ldmatrix` and `stmatrix`.

use super::parts::{Address, ByteFloat};
use super::summation::Summation;
use crate::fragment::accumulator_registers;
use crate::ptx::Space;

/// The element type of a multiplicand of `mma.sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatrixElement {
    F16,
    Bf16,
    /// The upper 19 bits of an f32.
    Tf32,
    F64,
    Byte(ByteFloat),
    S8,
    U8,
    S4,
    U4,
}

impl MatrixElement {
    /// Size in bits.
    pub(crate) fn bits(self) -> usize {
        match self {
            MatrixElement::F64 => 64,
            MatrixElement::Tf32 => 32,
            MatrixElement::F16 | MatrixElement::Bf16 => 16,
            MatrixElement::Byte(_) | MatrixElement::S8 | MatrixElement::U8 => 8,
            MatrixElement::S4 | MatrixElement::U4 => 4,
        }
    }

    /// The exponent of the smallest normal float of at most 32 bits.
    pub(crate) fn least_exponent(self) -> i16 {
        match self {
            MatrixElement::F16 => -14,
            MatrixElement::Byte(ty) => ty.format().min_exponent() as i16,
            _ => -126,
        }
    }
}

/// The type of the accumulators c and d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accumulator {
    F16,
    F32,
    F64,
    S32,
}

impl Accumulator {
    /// Elements that a register holds.
    pub(crate) fn per_register(self) -> usize {
        if self == Accumulator::F16 { 2 } else { 1 }
    }
}

/// `mma.sync`: d = a * b + c of one warp, with b of 8 columns.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    /// Rows of a, c and d: 8 or 16.
    pub(crate) rows: usize,
    /// Extent of the contraction in elements.
    pub(crate) k: usize,
    pub(crate) a_element: MatrixElement,
    pub(crate) b_element: MatrixElement,
    pub(crate) accumulator: Accumulator,
    /// Of floats of at most 32 bits.
    pub(crate) summation: Summation,
    /// Integer results are clamped to their type instead of wrapped.
    pub(crate) saturate: bool,
    pub(crate) d: [u32; 4],
    pub(crate) a: [u32; 8],
    pub(crate) b: [u32; 4],
    pub(crate) c: [u32; 4],
}

/// The registers of c and d of an `mma.sync`, or of 16 rows and 8 columns of a `wgmma`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<'o> {
    pub(crate) accumulator: Accumulator,
    pub(crate) summation: Summation,
    pub(crate) saturate: bool,
    /// Zeros if there is none.
    pub(crate) c: Option<&'o [u32]>,
    pub(crate) d: &'o [u32],
}

impl Multiply {
    pub(crate) fn sums(&self) -> Sums<'_> {
        let Multiply { accumulator, summation, saturate, c, d, .. } = self;
        let count = accumulator_registers(self.rows, accumulator.per_register());
        let (accumulator, summation, saturate) = (*accumulator, *summation, *saturate);
        Sums { accumulator, summation, saturate, c: Some(&c[..count]), d: &d[..count] }
    }
}

/// `ldmatrix` or `stmatrix` of 8x8 matrices of 16-bit elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatrixMove {
    pub(crate) count: u8,
    pub(crate) transposed: bool,
    /// Shared, or generic.
    pub(crate) space: Space,
    pub(crate) address: Address,
    pub(crate) registers: [u32; 4],
}
