//! The math functions of CUDA, as NVRTC compiles them, against f64 on the host.

use std::sync::OnceLock;

use gemm_emulator::{Launch, Memory, Module};

use crate::device::{Random, Value, download, upload};
use crate::nvrtc::{TARGETS, module};

const TEXT: &str = include_str!("../kernels/functions.cu");

/// Inputs: specials, all exponents, and numbers of everyday size.
fn inputs() -> Vec<f32> {
    let mut inputs = vec![0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f32::INFINITY, f32::NEG_INFINITY];
    inputs.extend([f32::NAN, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, 105_615.0, 1e22]);
    let mut random = Random(3);
    for _ in 0..600 {
        inputs.push(f32::from_bits(random.next() as u32));
        inputs.push((random.unit() * 10.0) as f32);
        inputs.push((random.unit() * 100.0) as f32);
    }
    inputs
}

struct Functions {
    modules: [&'static Module; 2],
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Functions {
    /// Compiled once for all tests.
    fn shared() -> &'static Functions {
        static SHARED: OnceLock<Functions> = OnceLock::new();
        SHARED.get_or_init(Functions::new)
    }

    fn new() -> Functions {
        let x = inputs();
        // The same numbers in another order, so that specials meet everyday numbers.
        let y = x.iter().cycle().skip(x.len() / 3).take(x.len()).copied().collect();
        let modules = TARGETS.map(|target| module(TEXT, target, &[]));
        Functions { modules, x, y }
    }

    fn run(&self, module: &Module, name: &str) -> Vec<f32> {
        let memory = Memory::new();
        let (x, y) = (upload(&memory, &self.x), upload(&memory, &self.y));
        let out = memory.allocate(4 * self.x.len() as u64).expect("allocates");
        let count = self.x.len() as u32;
        let arguments = [x.bytes(), y.bytes(), out.bytes(), count.bytes()];
        let entry = format!("f_{name}");
        let grid = [count.div_ceil(128), 1, 1];
        let launch = Launch { arguments: &arguments, ..Launch::new(&entry, grid, [128, 1, 1]) };
        module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        download(&memory, out, self.x.len())
    }

    /// Compares with `exact`, within `ulps` units in the last place.
    fn near(&self, name: &str, ulps: f64, exact: impl Fn(f64, f64) -> f64) {
        for module in self.modules {
            let out = self.run(module, name);
            for ((x, y), got) in self.x.iter().zip(&self.y).zip(out) {
                let want = exact(f64::from(*x), f64::from(*y));
                let error = distance(got, want);
                assert!(error <= ulps, "{name}({x:e}, {y:e}) = {got:e}, {want:e}: {error} ulp");
            }
        }
    }

    /// Compares with `exact` bit by bit, NaN with NaN.
    fn same(&self, name: &str, exact: impl Fn(f32, f32) -> f32) {
        for module in self.modules {
            let out = self.run(module, name);
            for ((x, y), got) in self.x.iter().zip(&self.y).zip(out) {
                let want = exact(*x, *y);
                let equal = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(equal, "{name}({x:e}, {y:e}) = {got:e}, not {want:e}");
            }
        }
    }
}

/// |got - want| in units in the last place of an f32.
fn distance(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == rounded {
        return 0.0;
    }
    if got.is_infinite() || rounded.is_infinite() {
        // One of them may have just passed the largest number.
        let (a, b) = (got.clamp(f32::MIN, f32::MAX), rounded.clamp(f32::MIN, f32::MAX));
        return if a == b { 1.0 } else { f64::INFINITY };
    }
    let exponent = want.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor();
    (f64::from(got) - want).abs() / 2f64.powf(exponent - 23.0)
}

#[test]
fn exponentials_and_logarithms() {
    let functions = Functions::shared();
    functions.near("expf", 2.0, |x, _| x.exp());
    functions.near("exp2f", 2.0, |x, _| x.exp2());
    functions.near("expm1f", 2.0, |x, _| x.exp_m1());
    functions.near("logf", 2.0, |x, _| x.ln());
    functions.near("log2f", 2.0, |x, _| x.log2());
    functions.near("log1pf", 2.0, |x, _| x.ln_1p());
    functions.near("powf", 8.0, libm::pow);
}

#[test]
fn trigonometric_functions_reduce_large_arguments_too() {
    let functions = Functions::shared();
    functions.near("sinf", 2.0, |x, _| x.sin());
    functions.near("cosf", 2.0, |x, _| x.cos());
    functions.near("tanf", 4.0, |x, _| x.tan());
    functions.near("atan2f", 3.0, f64::atan2);
}

#[test]
fn functions_of_activations() {
    let functions = Functions::shared();
    functions.near("erff", 2.0, |x, _| libm::erf(x));
    functions.near("erfcf", 4.0, |x, _| libm::erfc(x));
    functions.near("tanhf", 2.0, |x, _| x.tanh());
    functions.near("sinhf", 3.0, |x, _| x.sinh());
}

#[test]
fn roots_and_quotients() {
    let functions = Functions::shared();
    functions.near("cbrtf", 2.0, |x, _| x.cbrt());
    functions.near("rsqrtf", 2.0, |x, _| 1.0 / x.sqrt());
    functions.near("hypotf", 3.0, f64::hypot);
    functions.near("through_double", 0.5, |x, _| x.sqrt() / 3.0);
    functions.same("sqrtf", |x, _| x.sqrt());
    functions.same("reciprocal", |x, _| 1.0 / x);
    functions.same("divide", |x, y| x / y);
    functions.same("fmodf", |x, y| x % y);
}

#[test]
fn plain_arithmetic_is_exactly_ieee() {
    let functions = Functions::shared();
    functions.same("add", |x, y| x + y);
    functions.same("subtract", |x, y| x - y);
    functions.same("multiply", |x, y| x * y);
    functions.same("fmaf", |x, y| x.mul_add(y, 0.75));
    functions.same("copysignf", f32::copysign);
    functions.same("fabsf", |x, _| x.abs());
    functions.same("saturate", |x, _| if x > 0.0 { x.min(1.0) } else { 0.0 });
}

#[test]
fn minimum_and_maximum_skip_nan_and_order_zeros() {
    let functions = Functions::shared();
    let pick = |x: f32, y: f32, least: bool| {
        if x.is_nan() || y.is_nan() {
            return if x.is_nan() { y } else { x };
        }
        let x_first = x < y || (x == y && x.is_sign_negative());
        if x_first == least { x } else { y }
    };
    functions.same("fminf", |x, y| pick(x, y, true));
    functions.same("fmaxf", |x, y| pick(x, y, false));
}

#[test]
fn rounding_to_integral_values() {
    let functions = Functions::shared();
    functions.same("roundf", |x, _| x.round());
    functions.same("rintf", |x, _| x.round_ties_even());
    functions.same("floorf", |x, _| x.floor());
    functions.same("ceilf", |x, _| x.ceil());
    functions.same("truncf", |x, _| x.trunc());
}

#[test]
fn directed_rounding_is_on_its_side_and_next_to_the_exact_result() {
    let functions = Functions::shared();
    functions.near("add_down", 1.0, |x, y| x + y);
    functions.near("multiply_up", 1.0, |x, y| x * y);
    functions.near("divide_zero", 1.0, |x, y| x / y);
    functions.near("fma_down", 1.0, |x, y| x.mul_add(y, 0.75));
    functions.near("sqrt_up", 1.0, |x, _| x.sqrt());
    let module = functions.modules[0];
    let (products, roots) =
        (functions.run(module, "multiply_up"), functions.run(module, "sqrt_up"));
    for (at, (x, y)) in functions.x.iter().zip(&functions.y).enumerate() {
        let (x, y) = (f64::from(*x), f64::from(*y));
        assert!(f64::from(products[at]) >= x * y || (x * y).is_nan());
        assert!(f64::from(roots[at]) >= x.sqrt() * (1.0 - 1e-15) || x.sqrt().is_nan());
    }
}

#[test]
fn fast_functions_are_close_where_they_are_meant_to_be() {
    let functions = Functions::shared();
    for (name, exact) in [
        ("fast_exp", f64::exp as fn(f64) -> f64),
        ("fast_log", f64::ln as fn(f64) -> f64),
        ("fast_sin", f64::sin as fn(f64) -> f64),
    ] {
        let out = functions.run(functions.modules[0], name);
        for (x, got) in functions.x.iter().zip(out) {
            if (0.1..10.0).contains(x) {
                let want = exact(f64::from(*x));
                let error = (f64::from(got) - want).abs();
                assert!(error <= 4e-6 * want.abs().max(1.0), "{name}({x}) = {got}, {want}");
            }
        }
    }
}
