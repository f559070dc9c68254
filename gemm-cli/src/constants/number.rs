//! [`Number`]: a value of a constant, computed as rustc does.

use std::fmt;

use gemm_codegen::ScalarType;

/// A type of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    F32,
    F64,
    /// An integer: its name, the lowest and the highest value.
    Int(&'static str, i128, i128),
}

macro_rules! integers {
    ($($ty:ident)+) => {
        const INTEGERS: &[Type] = &[$(Type::Int(stringify!($ty), $ty::MIN as i128, $ty::MAX as i128)),+];
    };
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Type {
    /// The type of this name.
    pub(super) fn named(name: &str) -> Option<Type> {
        match name {
            "f32" => Some(Type::F32),
            "f64" => Some(Type::F64),
            _ => INTEGERS.iter().copied().find(|ty| ty.to_string() == name),
        }
    }

    /// That of a scalar of a kernel.
    pub(super) fn of(scalar: ScalarType) -> Option<Type> {
        Type::named(scalar.name())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::Int(name, ..) => name,
        })
    }
}

/// A number of one of the types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    F32(f32),
    F64(f64),
    Int(i128, Type),
}

impl Number {
    pub(super) fn ty(self) -> Type {
        match self {
            Number::F32(_) => Type::F32,
            Number::F64(_) => Type::F64,
            Number::Int(_, ty) => ty,
        }
    }

    /// The number as an f64; exact for the types of a scalar.
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Number::F32(x) => x.into(),
            Number::F64(x) => x,
            Number::Int(x, _) => x as f64,
        }
    }

    /// An integer, if it is in the range of its type.
    fn int(value: i128, ty: Type) -> Option<Number> {
        match ty {
            Type::Int(_, least, most) if (least..=most).contains(&value) => {
                Some(Number::Int(value, ty))
            }
            _ => None,
        }
    }

    /// The number that digits are of a type: those of a literal, or of the command line.
    pub(super) fn parse(digits: &str, ty: Type) -> Option<Number> {
        match ty {
            Type::F32 => digits.parse().ok().map(Number::F32),
            Type::F64 => digits.parse().ok().map(Number::F64),
            Type::Int(..) => digits.parse().ok().and_then(|value| Number::int(value, ty)),
        }
    }

    /// `-x`
    pub(super) fn negated(self) -> Option<Number> {
        match self {
            Number::F32(x) => Some(Number::F32(-x)),
            Number::F64(x) => Some(Number::F64(-x)),
            Number::Int(x, ty) => Number::int(-x, ty),
        }
    }

    /// `x as ty`
    pub(super) fn cast(self, ty: Type) -> Number {
        match (self, ty) {
            (Number::F32(x), Type::F32) => Number::F32(x),
            (Number::F32(x), Type::F64) => Number::F64(x.into()),
            (Number::F64(x), Type::F32) => Number::F32(x as f32),
            (Number::F64(x), Type::F64) => Number::F64(x),
            (Number::Int(x, _), Type::F32) => Number::F32(x as f32),
            (Number::Int(x, _), Type::F64) => Number::F64(x as f64),
            // Saturates, and NaN is 0.
            (Number::F32(_) | Number::F64(_), Type::Int(_, least, most)) => {
                Number::Int((self.to_f64() as i128).clamp(least, most), ty)
            }
            // Keeps the low bits: the ranges are powers of 2.
            (Number::Int(x, _), Type::Int(_, least, most)) => {
                Number::Int((x - least).rem_euclid(most - least + 1) + least, ty)
            }
        }
    }

    /// The result of an operator; `None` where rustc refuses it.
    pub(super) fn binary(self, op: &syn::BinOp, other: Number) -> Option<Number> {
        match (self, other) {
            (Number::F32(x), Number::F32(y)) => floats(op, x, y).map(Number::F32),
            (Number::F64(x), Number::F64(y)) => floats(op, x, y).map(Number::F64),
            (Number::Int(x, ty), Number::Int(y, of)) if ty == of => {
                let value = match op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    syn::BinOp::Div(_) => x.checked_div(y),
                    syn::BinOp::Rem(_) => x.checked_rem(y),
                    _ => None,
                };
                value.and_then(|value| Number::int(value, ty))
            }
            _ => None,
        }
    }
}

fn floats<T>(op: &syn::BinOp, x: T, y: T) -> Option<T>
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>
        + std::ops::Rem<Output = T>,
{
    Some(match op {
        syn::BinOp::Add(_) => x + y,
        syn::BinOp::Sub(_) => x - y,
        syn::BinOp::Mul(_) => x * y,
        syn::BinOp::Div(_) => x / y,
        syn::BinOp::Rem(_) => x % y,
        _ => return None,
    })
}
