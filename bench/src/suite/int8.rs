//! M = N = K of 8-bit integers, summed in i32.

use clap::{Args, ValueEnum};
use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One, Tuned};
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Task};

/// Which products.
#[derive(Args)]
pub(crate) struct Int8 {
    /// M = N = K of each case.
    #[arg(long, value_delimiter = ',', default_value = "4096,8192")]
    sizes: Vec<usize>,
    /// Elements of the output: the sums, or the sums scaled as f32 and rounded. cuBLASLt has no f16.
    #[arg(long, value_enum, default_value_t = Out::I32)]
    out: Out,
}

/// Elements of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Out {
    I32,
    I8,
    F16,
}

/// The scale that brings sums of the random operands into the range of the output.
const SCALE: f32 = 1e-4;

/// The kernels for each output.
macro_rules! int8 {
    ($($module:ident: $out:ident, $sum:ident => $body:expr;)+) => {$(
        pub(in crate::suite) mod $module {
            use super::*;

            /// Everything derived.
            #[gemm(derived)]
            fn derived(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<$out, M, N> {
                let $sum = matmul(a, b);
                $body
            }

            /// Chosen by shape.
            #[gemm(auto)]
            fn auto(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<$out, M, N> {
                let $sum = matmul(a, b);
                $body
            }

            /// Eight warps of 64×64, as many bytes along K as f16 has at 64.
            #[gemm(tile = [128, 256, 128], warps = [2, 4], stages = 3, targets = [sm_90])]
            fn deep(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<$out, M, N> {
                let $sum = matmul(a, b);
                $body
            }

            /// Half the depth.
            #[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 4)]
            fn wide(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<$out, M, N> {
                let $sum = matmul(a, b);
                $body
            }

            /// Two blocks of four warps on an SM.
            #[gemm(tile = [128, 128, 128], warps = [2, 2], stages = 3)]
            fn square(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<$out, M, N> {
                let $sum = matmul(a, b);
                $body
            }

            pub(in crate::suite) fn kernels() -> [Named; 6] {
                [
                    ("auto", Chosen(&auto::KERNELS)), ("tuned", Tuned(&auto::KERNELS)),
                    ("derived", One(&derived::KERNEL)),
                    ("128×256×128, 3 stages", One(&deep::KERNEL)),
                    ("128×256×64, 4 stages", One(&wide::KERNEL)),
                    ("128×128×128, 3 stages", One(&square::KERNEL)),
                ]
            }
        }
    )+};
}

int8! {
    sums: i32, sum => sum;
    bytes: i8, sum => sum as f32 * 0.0001;
    halves: f16, sum => sum as f32 * 0.0001;
}

/// Each square by each kernel.
pub(super) fn run(arena: &Arena, int8: &Int8) -> Vec<Row> {
    let Int8 { sizes, out } = int8;
    let scale = (*out != Out::I32).then_some(SCALE);
    let tasks = sizes.iter().map(|size| Task { scale, ..Task::plain([*size; 3], Compute::I32) });
    let lineup = |kernels| Lineup { kernels, roof: Some(Unit::S8), floor: false };
    match out {
        Out::I32 => runner::all::<i8, i32>(arena, tasks, &lineup(&sums::kernels())),
        Out::I8 => runner::all::<i8, i8>(arena, tasks, &lineup(&bytes::kernels())),
        Out::F16 => runner::all::<i8, f16>(arena, tasks, &lineup(&halves::kernels())),
    }
}
