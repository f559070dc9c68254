use super::*;

/// Name, function, its definition in f64, its limits at -∞ and ∞.
type Case = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f32, f32);

const CASES: [Case; 11] = [
    ("relu", relu, |x| x.max(0.0), 0.0, f32::INFINITY),
    ("gelu", gelu, |x| x / 2.0 * (1.0 + libm::erf(x / 2f64.sqrt())), 0.0, f32::INFINITY),
    ("gelu_tanh", gelu_tanh, wide_gelu_tanh, 0.0, f32::INFINITY),
    ("silu", silu, |x| x / (1.0 + (-x).exp()), 0.0, f32::INFINITY),
    ("sigmoid", sigmoid, |x| 1.0 / (1.0 + (-x).exp()), 0.0, 1.0),
    ("softplus", softplus, wide_softplus, 0.0, f32::INFINITY),
    ("hardswish", hardswish, |x| x * ((x + 3.0) / 6.0).clamp(0.0, 1.0), 0.0, f32::INFINITY),
    ("hardsigmoid", hardsigmoid, |x| ((x + 3.0) / 6.0).clamp(0.0, 1.0), 0.0, 1.0),
    ("mish", mish, |x| x * wide_softplus(x).tanh(), 0.0, f32::INFINITY),
    ("leaky_relu", |x| leaky_relu(x, 0.1), |x| x.max(0.1 * x), f32::NEG_INFINITY, f32::INFINITY),
    ("elu", |x| elu(x, 1.5), |x| if x > 0.0 { x } else { 1.5 * x.exp_m1() }, -1.5, f32::INFINITY),
];

/// The same functions of f64, in the same order.
const DOUBLES: [fn(f64) -> f64; 11] = [
    relu,
    gelu,
    gelu_tanh,
    silu,
    sigmoid,
    softplus,
    hardswish,
    hardsigmoid,
    mish,
    |x| leaky_relu(x, 0.1),
    |x| elu(x, 1.5),
];

fn wide_gelu_tanh(x: f64) -> f64 {
    let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
    x / 2.0 * (1.0 + u.tanh())
}

fn wide_softplus(x: f64) -> f64 {
    // e^x is finite in f64 wherever the tests look, but 1 + e^x is not exact.
    x.exp().ln_1p()
}

#[test]
fn formulas_agree_with_their_definitions() {
    for (name, f, wide, ..) in CASES {
        for step in -4000..=4000 {
            let x = step as f32 / 40.0;
            let (found, expected) = (f64::from(f(x)), wide(f64::from(x)));
            let error = (found - expected).abs();
            assert!(error <= 5e-7 * expected.abs() + 1e-6, "{name}({x}): {found}, {expected}");
        }
    }
}

#[test]
fn doubles_agree_with_their_definitions() {
    for ((name, _, wide, ..), f) in CASES.into_iter().zip(DOUBLES) {
        for step in -4000..=4000 {
            let x = f64::from(step) / 39.7;
            let (found, expected) = (f(x), wide(x));
            let error = (found - expected).abs();
            assert!(error <= 1e-15 * (1.0 + x.abs()), "{name}({x}): {found}, {expected}");
        }
        assert!(f(f64::NAN).is_nan(), "{name}");
    }
}

/// `x / 2 · erfc(-x / √2)` of 40 digits, rounded to f64.
#[test]
fn gelu_keeps_its_digits_far_below_zero() {
    for (x, expected) in [
        (-10.0, -7.619_853_024_160_526e-23),
        (-8.0, -4.976_768_459_417_427e-15),
        (-6.5, -2.610_400_379_508_426_7e-10),
        (-4.0, -1.266_849_673_324_797e-4),
        (-2.0, -4.550_026_389_635_842e-2),
        (-0.5, -1.542_687_693_629_934_4e-1),
        (3.0, 2.995_950_305_905_11),
    ] {
        let found: f64 = gelu(x);
        assert!((found - expected).abs() <= 1e-12 * f64::abs(expected), "gelu({x}): {found}");
        let single = f64::from(gelu(x as f32));
        assert!((single - expected).abs() <= 2e-5 * f64::abs(expected), "gelu({x}): {single}");
    }
}

#[test]
fn large_doubles_give_the_limits() {
    for ((name, _, _, low, high), f) in CASES.into_iter().zip(DOUBLES) {
        assert_eq!(f(f64::NEG_INFINITY), f64::from(low), "{name}");
        assert_eq!(f(f64::INFINITY), f64::from(high), "{name}");
        for x in [1e4, 1e30, 1e300, f64::MAX] {
            assert_eq!(f(x), if high.is_finite() { 1.0 } else { x }, "{name}({x})");
        }
    }
}

#[test]
fn large_arguments_give_the_limits() {
    for (name, f, _, low, high) in CASES {
        assert_eq!(f(f32::NEG_INFINITY), low, "{name}");
        assert_eq!(f(f32::INFINITY), high, "{name}");
        for x in [1e4, 1e10, 1e30, f32::MAX] {
            let up = if high.is_finite() { high } else { x };
            let down = if low.is_finite() { low } else { -0.1 * x };
            assert_eq!(f(x), up, "{name}({x})");
            assert!((f(-x) - down).abs() <= 1e-6 * down.abs(), "{name}(-{x}): {}", f(-x));
        }
    }
}

#[test]
fn nan_stays_nan() {
    for (name, f, ..) in CASES {
        assert!(f(f32::NAN).is_nan(), "{name}");
    }
}

#[test]
fn zeros_are_exact() {
    for (name, f, ..) in CASES {
        let expected = match name {
            "sigmoid" | "hardsigmoid" => 0.5,
            "softplus" => std::f32::consts::LN_2,
            _ => 0.0,
        };
        assert_eq!(f(0.0), expected, "{name}");
    }
}

#[test]
fn matmul_is_the_accumulator() {
    assert_eq!(matmul(Factor(2.5), Factor(2.5)), 2.5);
    assert_eq!(matmul(Factor(7), Factor(8)), 8, "that of the second factor");
}
