//! The functions that a body calls by name, each with the formula of its device function.

use super::real::{Constants, Real};

macro_rules! functions {
    (@of $ty:ident: $($name:ident($($x:ident),+) $formula:block)+) => {
        impl Formulas for $ty {
            $(fn $name($($x: Self),+) -> Self $formula)+
        }

        impl Real for $ty {
            fn call(function: &str, arguments: &[Self]) -> Option<Self> {
                match (function, arguments) {
                    $((stringify!($name), &[$($x),+]) => Some($name($($x),+)),)+
                    _ => None,
                }
            }
        }
    };
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) $formula:block)+) => {
        /// The functions for one type.
        pub(super) trait Formulas: Copy {
            $(fn $name($($x: Self),+) -> Self;)+
        }

        functions!(@of f32: $($name($($x),+) $formula)+);
        functions!(@of f64: $($name($($x),+) $formula)+);

        $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: Real>($($x: T),+) -> T {
                Formulas::$name($($x),+)
            }
        )+
    };
}

/// `x`, kept finite towards -∞: multiplied by a factor that vanishes there, it gives 0, not NaN.
macro_rules! above_infinity {
    ($x:expr) => {
        $x.max(Self::MIN)
    };
}

/// x · sigmoid(v) for an x of the sign of v. Below 0, x is multiplied by the root of e^v twice: e^v
/// would be subnormal where the product is not.
macro_rules! times_sigmoid {
    ($x:expr, $v:expr) => {{
        let v: Self = $v;
        let root = (-0.5 * v.abs()).exp();
        let finite = above_infinity!($x);
        let top = if v < 0.0 { finite * root * root } else { finite };
        top / root.mul_add(root, 1.0)
    }};
}

functions! {
    /// `max(x, 0)`.
    relu(x) {
        if x <= 0.0 { 0.0 } else { x }
    }

    /// `x / 2 · (1 + erf(x / √2))`, the exact GELU. See [`gelu_tanh`] for the approximation.
    gelu(x) {
        // The argument of erfc is y + rest: its relative error would be multiplied by x².
        let factor = Self::FRAC_1_SQRT_2;
        let z = x.abs().min(Self::NO_TAIL);
        let y = factor * z;
        let rest = factor.mul_add(z, -y) + Self::REST_OF_FACTOR * z;
        let tail = 0.5 * z * (-2.0 * y).mul_add(rest, 1.0) * Constants::erfc(y);
        let positive = if x.is_sign_negative() { -0.0 } else { x };
        if x.is_nan() { x } else { positive - tail }
    }

    /// `x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))`, the usual approximation of [`gelu`].
    gelu_tanh(x) {
        // (1 + tanh(u)) / 2 is sigmoid(2 u).
        times_sigmoid!(x, x * (Self::TWICE_SQRT_2_OVER_PI + Self::OF_CUBE * x * x))
    }

    /// `x · sigmoid(x)`, also called swish.
    silu(x) {
        times_sigmoid!(x, x)
    }

    /// `1 / (1 + e⁻ˣ)`.
    sigmoid(x) {
        let power = (-x.abs()).exp();
        (if x < 0.0 { power } else { 1.0 }) / (1.0 + power)
    }

    /// `ln(1 + eˣ)`, computed as `max(x, 0) + ln(1 + e^-|x|)`, which does not overflow.
    softplus(x) {
        x.max(0.0) + (-x.abs()).exp().ln_1p()
    }

    /// `x · hardsigmoid(x)`.
    hardswish(x) {
        above_infinity!(x) * Self::hardsigmoid(x)
    }

    /// `(x + 3) / 6`, clamped to `0..=1`.
    hardsigmoid(x) {
        (x + 3.0).clamp(0.0, 6.0) * (1.0 / 6.0)
    }

    /// `x · tanh(softplus(x))`.
    mish(x) {
        // Of e^x = p / q the tangent is p n / (p n + 2 q²) with n = p + 2 q.
        let root = (-0.5 * x.abs()).exp();
        let power = root * root;
        let (p, q) = if x < 0.0 { (power, 1.0) } else { (1.0, power) };
        let n = p + 2.0 * q;
        let finite = above_infinity!(x);
        let top = if x < 0.0 { finite * root * root } else { finite } * n;
        top / (p * n + 2.0 * q * q)
    }

    /// `x` where it is positive, else `slope · x`.
    leaky_relu(x, slope) {
        if x > 0.0 { x } else { slope * x }
    }

    /// `x` where it is positive, else `alpha · (eˣ - 1)`.
    elu(x, alpha) {
        if x > 0.0 { x } else { alpha * x.exp_m1() }
    }
}
