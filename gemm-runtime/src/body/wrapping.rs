//! The operators of a body that has integer arithmetic, as on the device: an `i32` wraps in every build,
//! and the result of a division by zero is 0.

use gemm_codegen::body::{quotient, remainder};

/// A number of a body.
pub trait Arithmetic: Copy {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
}

macro_rules! floats {
    ($($ty:ident)+) => {
        $(impl Arithmetic for $ty {
            fn add(self, other: Self) -> Self {
                self + other
            }

            fn sub(self, other: Self) -> Self {
                self - other
            }

            fn mul(self, other: Self) -> Self {
                self * other
            }

            fn div(self, other: Self) -> Self {
                self / other
            }

            fn rem(self, other: Self) -> Self {
                self % other
            }

            fn neg(self) -> Self {
                -self
            }

            fn abs(self) -> Self {
                self.abs()
            }
        })+
    };
}

floats!(f32 f64);

impl Arithmetic for i32 {
    fn add(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }

    fn sub(self, other: i32) -> i32 {
        self.wrapping_sub(other)
    }

    fn mul(self, other: i32) -> i32 {
        self.wrapping_mul(other)
    }

    fn div(self, other: i32) -> i32 {
        quotient(self, other)
    }

    fn rem(self, other: i32) -> i32 {
        remainder(self, other)
    }

    fn neg(self) -> i32 {
        self.wrapping_neg()
    }

    fn abs(self) -> i32 {
        self.wrapping_abs()
    }
}

macro_rules! functions {
    ($($name:ident($($argument:ident),+), $operator:literal;)+) => {
        $(
            #[doc = concat!("`", $operator, "`")]
            #[inline]
            pub fn $name<T: Arithmetic>($($argument: T),+) -> T {
                Arithmetic::$name($($argument),+)
            }
        )+
    };
}

functions! {
    add(x, y), "x + y";
    sub(x, y), "x - y";
    mul(x, y), "x * y";
    div(x, y), "x / y";
    rem(x, y), "x % y";
    neg(x), "-x";
    abs(x), "x.abs()";
}
