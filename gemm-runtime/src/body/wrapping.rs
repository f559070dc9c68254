//! The operators of a body that has integer arithmetic, as on the device: an `i32` wraps in every build,
//! the result of a division by zero is 0, and bounds of `clamp` may be in the wrong order.

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
    fn clamp(self, lo: Self, hi: Self) -> Self;
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

            // The formula of clamp.cuh: NaN stays NaN.
            fn clamp(self, lo: Self, hi: Self) -> Self {
                let raised = if self < lo { lo } else { self };
                if raised > hi { hi } else { raised }
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

    fn clamp(self, lo: i32, hi: i32) -> i32 {
        self.max(lo).min(hi)
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
    clamp(x, lo, hi), "x.clamp(lo, hi)";
}
