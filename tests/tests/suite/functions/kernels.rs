//! A kernel for each four functions of a body, in each type of float.

use gemm_runtime::prelude::*;

use super::measure::{Arguments, EXTENT};

/// Computes a group of functions of each element of `x`, and of that of `y` at the same place.
pub(super) type Run<T> = fn(&Device, &Factors, &Matrix<T>, &Matrix<T>) -> Vec<Matrix<T>>;

/// A function on the host, in f64.
pub(super) type Exact = fn(f64, f64) -> f64;

/// Factors whose product is 1 everywhere: it multiplies `x`, so that a zero keeps its sign.
pub(super) struct Factors {
    pub(super) singles: Matrix<f32>,
    pub(super) doubles: Matrix<f64>,
}

impl Factors {
    pub(super) fn ones(device: &Device) -> Factors {
        let singles = device.matrix(EXTENT, 1, &[1.0; EXTENT]).expect("it fits the memory");
        let doubles = device.matrix(EXTENT, 1, &[1.0; EXTENT]).expect("it fits the memory");
        Factors { singles, doubles }
    }
}

/// Functions that one kernel computes.
pub(super) struct Group {
    pub(super) functions: [(&'static str, Exact); 4],
    /// Whether they have a form of their own for results of 16 bits.
    pub(super) has_short_form: bool,
    pub(super) f16: Run<f16>,
    pub(super) bf16: Run<bf16>,
    pub(super) f32: Run<f32>,
    pub(super) f64: Run<f64>,
}

/// A type of float that a group has kernels for.
pub(super) trait Swept: Arguments {
    fn run(group: &Group) -> Run<Self>;
}

macro_rules! swept {
    ($($ty:ident)+) => {
        $(impl Swept for $ty {
            fn run(group: &Group) -> Run<Self> {
                group.$ty
            }
        })+
    };
}

swept!(f16 bf16 f32 f64);

macro_rules! run {
    ($kernel:ident, $factors:ident) => {
        |device, factors, x, y| {
            let ones = &factors.$factors;
            let results = $kernel(device, ones, ones, x, y).expect("a launch");
            vec![results.0, results.1, results.2, results.3]
        }
    };
}

macro_rules! groups {
    ($($group:ident, $short:literal, $single:ident, $double:ident, ($x:ident, $y:ident) => {
        $([$($text:tt)+])+
    })+) => {
        $(
            #[gemm(T = [f16, bf16, f32], tile = [64, 64, 16], warps = [2, 2])]
            fn $single<T>(
                a: Mat<f32, M, K>,
                b: Mat<f32, N, K>,
                $x: Mat<T, M, N>,
                $y: Mat<T, M, N>,
            ) -> (Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>) {
                let $x = $x * matmul(a, b);
                ($($($text)+),+)
            }

            #[gemm(tile = [64, 64, 16], warps = [2, 2], mma = fma(4, 4))]
            fn $double(
                a: Mat<f64, M, K>,
                b: Mat<f64, N, K>,
                $x: Mat<f64, M, N>,
                $y: Mat<f64, M, N>,
            ) -> (Mat<f64, M, N>, Mat<f64, M, N>, Mat<f64, M, N>, Mat<f64, M, N>) {
                let $x = $x * matmul(a, b);
                ($($($text)+),+)
            }

            const $group: Group = Group {
                functions: [$((stringify!($($text)+), |$x: f64, $y: f64| {
                    let _ = $y;
                    $($text)+
                })),+],
                has_short_form: $short,
                f16: run!($single, singles),
                bf16: run!($single, singles),
                f32: run!($single, singles),
                f64: run!($double, doubles),
            };
        )+

        /// All functions of floats.
        pub(super) const GROUPS: &[Group] = &[$($group),+];
    };
}

groups! {
    GATES, true, gates, gates_f64, (x, y) => { [gelu(x)] [gelu_tanh(x)] [silu(x)] [sigmoid(x)] }
    SMOOTH, false, smooth, smooth_f64, (x, y) => { [softplus(x)] [mish(x)] [elu(x, y)] [x.tanh()] }
    KINKS, false, kinks, kinks_f64, (x, y) => {
        [relu(x)] [leaky_relu(x, y)] [hardswish(x)] [hardsigmoid(x)]
    }
    LIMITS, false, limits, limits_f64, (x, y) => { [x.abs()] [x.max(y)] [x.min(y)] [x.clamp(-1.5, 2.5)] }
    ROOTS, false, roots, roots_f64, (x, y) => { [x.mul_add(y, 0.75)] [x.recip()] [x.sqrt()] [x.signum()] }
    POWERS, false, powers, powers_f64, (x, y) => { [x.exp()] [x.exp2()] [x.powf(y)] [x.powi(3)] }
    WAVES, false, waves, waves_f64, (x, y) => { [x.ln()] [x.log2()] [x.sin()] [x.cos()] }
    STEPS, false, steps, steps_f64, (x, y) => { [x.floor()] [x.ceil()] [x.round()] [x.trunc()] }
}
