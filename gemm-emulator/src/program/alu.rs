//! Decoded arithmetic.
//!
//! `at` holds registers: the destination, then the sources in the order of the instruction.

use super::parts::*;

/// Integer arithmetic.
#[derive(Debug)]
pub(crate) enum IntegerOp {
    Integer1 { f: Integer1, ty: Scalar, at: [u32; 2] },
    Integer2 { f: Integer2, ty: Scalar, at: [u32; 3] },
    Integer3 { f: Integer3, ty: Scalar, at: [u32; 4] },
    DotProduct { f: DotProduct, signed: [bool; 2], at: [u32; 4] },
    MultiplyWide { ty: Scalar, at: [u32; 3] },
    MultiplyAddWide { ty: Scalar, at: [u32; 4] },
    ShiftLeft { ty: Scalar, at: [u32; 3] },
    ShiftRight { ty: Scalar, at: [u32; 3] },
    AddCarry { ty: Scalar, carry: Carry, at: [u32; 3] },
    MultiplyAddCarry { high: bool, ty: Scalar, carry: Carry, at: [u32; 4] },
    ExtractField { ty: Scalar, at: [u32; 4] },
    InsertField { long: bool, at: [u32; 5] },
    FunnelShift { left: bool, wrap: bool, at: [u32; 4] },
}

/// `add.cc`, `subc`, `mad.lo.cc` and the other forms that use the carry flag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    pub(crate) subtract: bool,
    /// Whether it reads the flag.
    pub(crate) reads: bool,
    /// Whether it writes the flag.
    pub(crate) writes: bool,
}

/// Floating-point arithmetic, and conversions and comparisons of any type.
///
/// A pair is two 16-bit floats in a word, bytes are two 8-bit floats in 16 bits. Where two f32 become one of them, the
/// first source goes to the upper half. `ConvertTf32` clears the low 13 bits of an f32.
#[derive(Debug)]
pub(crate) enum FloatOp {
    Float1 { f: Float1, ty: FloatType, style: Style, at: [u32; 2] },
    Float2 { f: Float2, ty: FloatType, style: Style, at: [u32; 3] },
    MultiplyAdd { ty: FloatType, style: Style, at: [u32; 4] },
    TestClass { class: FloatClass, ty: Scalar, at: [u32; 2] },
    Compare(Compare),
    Convert { how: Conversion, at: [u32; 2] },
    ConvertTf32 { style: Style, at: [u32; 2] },
    ConvertPair { to: PairFloat, style: Style, at: [u32; 3] },
    ConvertToBytes { to: ByteFloat, style: Style, at: [u32; 3] },
    ConvertPairToBytes { from: PairFloat, to: ByteFloat, style: Style, at: [u32; 2] },
    ConvertFromBytes { from: ByteFloat, to: PairFloat, style: Style, at: [u32; 2] },
}

/// The operands of floating-point arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatType {
    pub(crate) scalar: Scalar,
    /// Two of them in a word.
    pub(crate) packed: bool,
}

/// `setp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compare {
    pub(crate) f: Comparison,
    pub(crate) ty: Scalar,
    pub(crate) flush: bool,
    /// Registers for the result and for its inverse.
    pub(crate) d: [u32; 2],
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Combines both with another predicate.
    pub(crate) combine: Option<(Logic, PredicateUse)>,
}

/// `cvt` between types of registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    pub(crate) from: Scalar,
    pub(crate) to: Scalar,
    pub(crate) style: Style,
    /// Rounding to an integral value.
    pub(crate) to_integer: Option<Rounding>,
}
