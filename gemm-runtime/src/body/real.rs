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
    (
        $ty:ident, $erfc:path, $rest_of_factor:literal, $no_tail:literal,
        $twice_sqrt_2_over_pi:literal, $of_cube:literal
    ) => {
        impl Real for $ty {}

        impl Formulas for $ty {
            fn relu(x: Self) -> Self {
                if x <= 0.0 { 0.0 } else { x }
            }

            fn gelu(x: Self) -> Self {
                // The argument of erfc is y + rest: its relative error would be multiplied by x².
                let factor = std::$ty::consts::FRAC_1_SQRT_2;
                let z = x.abs().min($no_tail);
                let y = factor * z;
                let rest = factor.mul_add(z, -y) + $rest_of_factor * z;
                let tail = 0.5 * z * (-2.0 * y).mul_add(rest, 1.0) * $erfc(y);
                let positive = if x.is_sign_negative() { -0.0 } else { x };
                if x.is_nan() { x } else { positive - tail }
            }

            fn gelu_tanh(x: Self) -> Self {
                // (1 + tanh(u)) / 2 is sigmoid(2 u).
                times_sigmoid!(x, x * ($twice_sqrt_2_over_pi + $of_cube * x * x))
            }

            fn silu(x: Self) -> Self {
                times_sigmoid!(x, x)
            }

            fn sigmoid(x: Self) -> Self {
                let power = (-x.abs()).exp();
                (if x < 0.0 { power } else { 1.0 }) / (1.0 + power)
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
                // Of e^x = p / q the tangent is p n / (p n + 2 q²) with n = p + 2 q.
                let root = (-0.5 * x.abs()).exp();
                let power = root * root;
                let (p, q) = if x < 0.0 { (power, 1.0) } else { (1.0, power) };
                let n = p + 2.0 * q;
                let finite = above_infinity!(x);
                let top = if x < 0.0 { finite * root * root } else { finite } * n;
                top / (p * n + 2.0 * q * q)
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

real!(f32, libm::erfcf, 1.210_161_7e-8, 15.0, 1.595_769_2, 0.071_354_816);
real!(
    f64,
    libm::erfc,
    -4.833_646_656_726_457e-17,
    40.0,
    1.595_769_121_605_730_8,
    0.071_354_816_272_600_25
);
