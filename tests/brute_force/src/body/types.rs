//! The types of a body, as far as they are looked at, and the functions that bodies call.

use gemm_codegen::ScalarType::{self, F32, F64};

/// The functions of the prelude and how many floats they take.
pub(super) const FUNCTIONS: [(&str, usize); 11] = [
    ("relu", 1),
    ("gelu", 1),
    ("gelu_tanh", 1),
    ("silu", 1),
    ("sigmoid", 1),
    ("softplus", 1),
    ("hardswish", 1),
    ("hardsigmoid", 1),
    ("mish", 1),
    ("leaky_relu", 2),
    ("elu", 2),
];

/// The methods that the drawn bodies call on a float, and how many of its type they take.
pub(super) const METHODS: [(&str, usize); 5] =
    [("clamp", 2), ("mul_add", 2), ("max", 1), ("min", 1), ("tanh", 0)];

/// The same of an i32.
pub(super) const INTEGER_METHODS: [(&str, usize); 3] = [("abs", 0), ("max", 1), ("min", 1)];

/// A type as far as it is looked at.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Type {
    Is(ScalarType),
    /// That of a literal: an f32 or an f64, whichever is wanted.
    Float,
}

impl Type {
    /// Whether both can be one type.
    pub(super) fn meets(self, other: Type) -> bool {
        match (self, other) {
            (Type::Float, Type::Is(ty)) | (Type::Is(ty), Type::Float) => is_float(ty),
            (x, y) => x == y,
        }
    }

    pub(super) fn is_float(self) -> bool {
        self.meets(Type::Float)
    }

    /// Of two that meet the one that says more.
    pub(super) fn narrower(self, other: Type) -> Type {
        if self == Type::Float { other } else { self }
    }
}

pub(super) fn is_float(ty: ScalarType) -> bool {
    matches!(ty, F32 | F64)
}

/// The type of two values that should have the same; none where they have not.
pub(super) fn common(x: Option<Type>, y: Option<Type>) -> Option<Type> {
    match (x, y) {
        (Some(x), Some(y)) => x.meets(y).then(|| x.narrower(y)),
        (x, y) => x.or(y),
    }
}
