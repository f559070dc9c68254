//! Decoded arithmetic.

use super::op::Op;
use super::parts::*;

impl From<IntegerOp> for Op {
    fn from(op: IntegerOp) -> Op {
        Op::Integer(op)
    }
}

/// Integer arithmetic.
#[derive(Debug)]
pub(crate) enum IntegerOp {
    Integer1 {
        f: Integer1,
        ty: Scalar,
        d: u32,
        a: u32,
    },
    Integer2 {
        f: Integer2,
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
    },
    Integer3 {
        f: Integer3,
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    MultiplyWide {
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
    },
    MultiplyAddWide {
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    ShiftLeft {
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
    },
    ShiftRight {
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
    },
    /// `add.cc` and its relatives: `carry_in` reads the carry flag, `carry_out` writes it.
    AddCarry {
        ty: Scalar,
        d: u32,
        a: u32,
        b: u32,
        subtract: bool,
        carry_in: bool,
        carry_out: bool,
    },
    ExtractField {
        ty: Scalar,
        d: u32,
        a: u32,
        start: u32,
        length: u32,
    },
    InsertField {
        long: bool,
        d: u32,
        a: u32,
        b: u32,
        start: u32,
        length: u32,
    },
    FunnelShift {
        left: bool,
        wrap: bool,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
}

impl From<FloatOp> for Op {
    fn from(op: FloatOp) -> Op {
        Op::Float(op)
    }
}

/// Floating-point arithmetic, conversions and comparisons of any type.
#[derive(Debug)]
pub(crate) enum FloatOp {
    Float1 {
        f: Float1,
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
    },
    Float2 {
        f: Float2,
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
    },
    MultiplyAdd {
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    /// [`FloatOp::Float1`] on both halves of a word.
    Packed1 {
        f: Float1,
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
    },
    Packed2 {
        f: Float2,
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
    },
    PackedMultiplyAdd {
        ty: Scalar,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
        c: u32,
    },
    TestClass {
        class: FloatClass,
        ty: Scalar,
        d: u32,
        a: u32,
    },
    Compare {
        f: Comparison,
        ty: Scalar,
        flush: bool,
        d: u32,
        /// Takes the inverse of the comparison.
        inverse: u32,
        a: u32,
        b: u32,
        combine: Option<(Logic, PredicateUse)>,
    },
    Convert {
        from: Scalar,
        to: Scalar,
        style: Style,
        to_integer: Option<Rounding>,
        d: u32,
        a: u32,
    },
    /// f32 to the f32 whose low 13 bits are zero.
    ConvertTf32 {
        style: Style,
        d: u32,
        a: u32,
    },
    /// Two f32 into a packed word, `a` in the upper half.
    ConvertPair {
        to: PairFloat,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
    },
    /// Two f32 into two bytes, `a` in the upper one.
    ConvertToBytes {
        to: ByteFloat,
        style: Style,
        d: u32,
        a: u32,
        b: u32,
    },
    /// A packed word into two bytes.
    ConvertPairToBytes {
        from: PairFloat,
        to: ByteFloat,
        style: Style,
        d: u32,
        a: u32,
    },
    /// Two bytes into a packed word.
    ConvertFromBytes {
        from: ByteFloat,
        to: PairFloat,
        style: Style,
        d: u32,
        a: u32,
    },
}
