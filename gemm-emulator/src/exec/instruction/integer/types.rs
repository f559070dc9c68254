//! The common operations of the integer types.

use crate::exec::registers::Lane;

/// An integer type of registers.
pub(crate) trait Integer: Lane + Ord {
    const BITS: u32;
    const SIGNED: bool;
    /// Sign- or zero-extended.
    fn wide(self) -> i128;
    /// The low bits.
    fn narrow(value: i128) -> Self;
    /// Clamped to the type's range.
    fn clamped(value: i128) -> Self;
    fn wrapping(self, f: Wrapping, other: Self) -> Self;
    /// Amounts beyond the width shift everything out.
    fn left(self, by: u32) -> Self;
    /// As [`Integer::left`]; the sign fills from above.
    fn right(self, by: u32) -> Self;
}

/// The operations that every width has natively.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
}

macro_rules! integer {
    ($($ty:ty, $signed:literal;)*) => {$(
        impl Integer for $ty {
            const BITS: u32 = <$ty>::BITS;
            const SIGNED: bool = $signed;
            #[inline]
            fn wide(self) -> i128 { self as i128 }
            #[inline]
            fn narrow(value: i128) -> Self { value as $ty }
            #[inline]
            fn clamped(value: i128) -> Self {
                value.clamp(<$ty>::MIN as i128, <$ty>::MAX as i128) as $ty
            }
            #[inline(always)]
            fn wrapping(self, f: Wrapping, other: Self) -> Self {
                match f {
                    Wrapping::Add => self.wrapping_add(other),
                    Wrapping::Sub => self.wrapping_sub(other),
                    Wrapping::Mul => self.wrapping_mul(other),
                    Wrapping::And => self & other,
                    Wrapping::Or => self | other,
                    Wrapping::Xor => self ^ other,
                }
            }
            #[inline(always)]
            fn left(self, by: u32) -> Self {
                if by < <$ty>::BITS { self << by } else { 0 }
            }
            #[inline(always)]
            fn right(self, by: u32) -> Self {
                if by < <$ty>::BITS {
                    self >> by
                } else if $signed {
                    self >> (<$ty>::BITS - 1)
                } else {
                    0
                }
            }
        }
    )*};
}

integer! { u8, false; i8, true; u16, false; i16, true; u32, false; i32, true; u64, false; i64, true; }

/// Calls a function generic over an [`Integer`] with the type that a [`Scalar`] names.
macro_rules! with_integer {
    ($ty:expr, $f:ident($($argument:expr),*)) => {
        match $ty {
            Scalar::S8 => $f::<i8>($($argument),*),
            Scalar::U8 => $f::<u8>($($argument),*),
            Scalar::S16 => $f::<i16>($($argument),*),
            Scalar::U16 | Scalar::F16 | Scalar::Bf16 => $f::<u16>($($argument),*),
            Scalar::S32 => $f::<i32>($($argument),*),
            Scalar::U32 | Scalar::F32 => $f::<u32>($($argument),*),
            Scalar::S64 => $f::<i64>($($argument),*),
            Scalar::U64 | Scalar::F64 => $f::<u64>($($argument),*),
        }
    };
}
pub(crate) use with_integer;
