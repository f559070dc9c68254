//! Arithmetic on the formats narrower than f64, by way of f64.

use half::{bf16, f16};

use crate::number::{self, Format, add_odd, div_odd, fma_odd, mul_odd, sqrt_odd};
use crate::program::{Float1, Float2, Rounding, Style};

/// A format whose values an f64 holds exactly.
pub(crate) trait Narrow: Copy {
    const FORMAT: Format;
    fn wide(self) -> f64;
    /// From the low bits of a word.
    fn from_low(bits: u32) -> Self;
    /// The bits, if there are 16.
    fn low(self) -> u16;
}

macro_rules! narrow {
    ($($ty:ty, $bits:ty, $format:expr, |$x:ident| $wide:expr;)*) => {$(
        impl Narrow for $ty {
            const FORMAT: Format = $format;
            fn wide(self) -> f64 {
                let $x = self;
                $wide
            }
            fn from_low(bits: u32) -> Self {
                <$ty>::from_bits(bits as $bits)
            }
            fn low(self) -> u16 {
                self.to_bits() as u16
            }
        }
    )*};
}

narrow! {
    f32, u32, number::F32, |x| x.into();
    f16, u16, number::F16, |x| x.to_f64();
    bf16, u16, number::BF16, |x| x.to_f32().into();
}

/// A source as the style takes it.
fn input<T: Narrow>(style: Style, x: T) -> f64 {
    flushed::<T>(style, x.wide())
}

fn flushed<T: Narrow>(style: Style, x: f64) -> f64 {
    if style.flush && x.abs() < T::FORMAT.min_normal() { 0f64.copysign(x) } else { x }
}

/// A result rounded, flushed and clamped as the style says.
pub(crate) fn output<T: Narrow>(style: Style, x: f64) -> T {
    let format = if style.finite { T::FORMAT.finite() } else { T::FORMAT };
    let rounded = T::from_low(format.round(x, style.rounding));
    let mut value = flushed::<T>(style, rounded.wide());
    if style.saturate {
        // NaN becomes 0 as well.
        value = if value > 0.0 { value.min(1.0) } else { 0.0 };
    }
    if style.relu && !value.is_nan() && value.is_sign_negative() {
        value = 0.0;
    }
    T::from_low(T::FORMAT.round(value, Rounding::Nearest))
}

/// a op b.
pub(crate) fn binary<T: Narrow>(f: Float2, style: Style, a: T, b: T) -> T {
    let (a, b) = (input(style, a), input(style, b));
    let exact = match f {
        Float2::Add => add_zero(a, b, style, add_odd(a, b)),
        Float2::Sub => add_zero(a, -b, style, add_odd(a, -b)),
        Float2::Mul => mul_odd(a, b),
        Float2::Div => div_odd(a, b),
        _ => double(f, a, b),
    };
    output(style, exact)
}

/// A sum that is exactly zero is -0 when rounding down, unless both terms are +0.
fn add_zero(a: f64, b: f64, style: Style, sum: f64) -> f64 {
    if sum == 0.0 && style.rounding == Rounding::Down && !(a.to_bits() == 0 && b.to_bits() == 0) {
        -0.0
    } else {
        sum
    }
}

/// a * b + c with one rounding.
pub(crate) fn multiply_add<T: Narrow>(style: Style, a: T, b: T, c: T) -> T {
    let (a, b, c) = (input(style, a), input(style, b), input(style, c));
    output(style, add_zero(a * b, c, style, fma_odd(a, b, c)))
}

/// A function of one number.
pub(crate) fn unary<T: Narrow>(f: Float1, style: Style, a: T) -> T {
    let x = input(style, a);
    let exact = match f {
        Float1::Sqrt => sqrt_odd(x),
        Float1::Reciprocal => div_odd(1.0, x),
        _ => function(f, x),
    };
    output(style, exact)
}

/// A function in f64.
pub(crate) fn function(f: Float1, x: f64) -> f64 {
    match f {
        Float1::Neg => -x,
        Float1::Abs => x.abs(),
        Float1::Sqrt => x.sqrt(),
        Float1::Reciprocal => 1.0 / x,
        Float1::ReciprocalRoot => 1.0 / x.sqrt(),
        Float1::Exp2 => x.exp2(),
        Float1::Log2 => x.log2(),
        Float1::Sin => x.sin(),
        Float1::Cos => x.cos(),
        Float1::Tanh => x.tanh(),
    }
}

/// An operation in f64.
pub(crate) fn double(f: Float2, a: f64, b: f64) -> f64 {
    match f {
        Float2::Add => a + b,
        Float2::Sub => a - b,
        Float2::Mul => a * b,
        Float2::Div => a / b,
        Float2::MinNan | Float2::MaxNan if a.is_nan() || b.is_nan() => f64::NAN,
        Float2::Min | Float2::Max if a.is_nan() => b,
        Float2::Min | Float2::Max if b.is_nan() => a,
        // Of two zeros the negative one is the smaller.
        Float2::Min | Float2::MinNan if a == b => f64::from_bits(a.to_bits() | b.to_bits()),
        Float2::Max | Float2::MaxNan if a == b => f64::from_bits(a.to_bits() & b.to_bits()),
        Float2::Min | Float2::MinNan => a.min(b),
        Float2::Max | Float2::MaxNan => a.max(b),
        Float2::CopySign => a.copysign(b),
    }
}
