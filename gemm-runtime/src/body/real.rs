//! [`Real`]: the float types of a body.

use super::functions::Formulas;

/// A float of a body: `f32` or `f64`.
///
/// Sealed: each has its own device text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float of a body",
    label = "expected `f32` or `f64`"
)]
#[allow(private_bounds)]
pub trait Real: Formulas {
    /// The function of this name; `None` if there is none of so many arguments.
    #[doc(hidden)]
    fn call(function: &str, arguments: &[Self]) -> Option<Self>;
}

/// What formulas need of a type.
pub(super) trait Constants: Sized {
    const FRAC_1_SQRT_2: Self;
    /// 1 / √2 less [`FRAC_1_SQRT_2`](Self::FRAC_1_SQRT_2).
    const REST_OF_FACTOR: Self;
    /// From here on `gelu` is its argument.
    const NO_TAIL: Self;
    const TWICE_SQRT_2_OVER_PI: Self;
    /// The factor of x³ in twice the argument of the tangent of `gelu_tanh`.
    const OF_CUBE: Self;

    fn erfc(x: Self) -> Self;
}

macro_rules! constants {
    (
        $ty:ident, $erfc:path, $rest_of_factor:literal, $no_tail:literal,
        $twice_sqrt_2_over_pi:literal, $of_cube:literal
    ) => {
        impl Constants for $ty {
            const FRAC_1_SQRT_2: Self = std::$ty::consts::FRAC_1_SQRT_2;
            const REST_OF_FACTOR: Self = $rest_of_factor;
            const NO_TAIL: Self = $no_tail;
            const TWICE_SQRT_2_OVER_PI: Self = $twice_sqrt_2_over_pi;
            const OF_CUBE: Self = $of_cube;

            fn erfc(x: Self) -> Self {
                $erfc(x)
            }
        }
    };
}

constants!(f32, libm::erfcf, 1.210_161_7e-8, 15.0, 1.595_769_2, 0.071_354_816);
constants!(
    f64,
    libm::erfc,
    -4.833_646_656_726_457e-17,
    40.0,
    1.595_769_121_605_730_8,
    0.071_354_816_272_600_25
);
