//! [`Real`]: the float types of a body, and its functions.

/// A float of a body: `f32` or `f64`.
///
/// Sealed: each has its own device text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float of a body",
    label = "expected `f32` or `f64`"
)]
#[allow(private_bounds)]
pub trait Real: Formulas {}

/// The functions of a body, each with the formula of its device function.
pub(super) trait Formulas: Copy {
    fn relu(x: Self) -> Self;
    fn gelu(x: Self) -> Self;
    fn gelu_tanh(x: Self) -> Self;
    fn silu(x: Self) -> Self;
    fn sigmoid(x: Self) -> Self;
    fn softplus(x: Self) -> Self;
    fn hardswish(x: Self) -> Self;
    fn hardsigmoid(x: Self) -> Self;
    fn mish(x: Self) -> Self;
    fn leaky_relu(x: Self, slope: Self) -> Self;
    fn elu(x: Self, alpha: Self) -> Self;
}

macro_rules! real {
    ($ty:ident, $erfc:path, $sqrt_2_over_pi:literal) => {
        impl Real for $ty {}

        impl Formulas for $ty {
            fn relu(x: Self) -> Self {
                if x <= 0.0 { 0.0 } else { x }
            }

            fn gelu(x: Self) -> Self {
                // 1 + erf(y) is erfc(-y), which cancels nothing where x is far below 0.
                0.5 * above_infinity!(x) * $erfc(-x * std::$ty::consts::FRAC_1_SQRT_2)
            }

            fn gelu_tanh(x: Self) -> Self {
                // (1 + tanh(u)) / 2 is sigmoid(2 u).
                let u = $sqrt_2_over_pi * x * (1.0 + 0.044_715 * x * x);
                above_infinity!(x) * Self::sigmoid(2.0 * u)
            }

            fn silu(x: Self) -> Self {
                above_infinity!(x) * Self::sigmoid(x)
            }

            fn sigmoid(x: Self) -> Self {
                1.0 / (1.0 + (-x).exp())
            }

            fn softplus(x: Self) -> Self {
                x.max(0.0) + (-x.abs()).exp().ln_1p()
            }

            fn hardswish(x: Self) -> Self {
                above_infinity!(x) * Self::hardsigmoid(x)
            }

            fn hardsigmoid(x: Self) -> Self {
                (x + 3.0).clamp(0.0, 6.0) * (1.0 / 6.0)
            }

            fn mish(x: Self) -> Self {
                above_infinity!(x) * Self::softplus(x).tanh()
            }

            fn leaky_relu(x: Self, slope: Self) -> Self {
                if x > 0.0 { x } else { slope * x }
            }

            fn elu(x: Self, alpha: Self) -> Self {
                if x > 0.0 { x } else { alpha * x.exp_m1() }
            }
        }
    };
}

/// `x`, kept finite towards -∞: multiplied by a factor that vanishes there, it gives 0, not NaN.
macro_rules! above_infinity {
    ($x:ident) => {
        $x.max(Self::MIN)
    };
}

real!(f32, libm::erfcf, 0.797_884_6);
real!(f64, libm::erfc, 0.797_884_560_802_865_4);
