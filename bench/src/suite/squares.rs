//! M = N = K, f16 and bf16.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One, Tuned};
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Order, Task};

/// Which squares.
#[derive(Args)]
pub(crate) struct Squares {
    /// M = N = K of each case.
    #[arg(long, value_delimiter = ',', default_value = "1024,2048,4096,8192")]
    sizes: Vec<usize>,
    /// Elements of both factors.
    #[arg(long, value_enum, default_value_t = Float::F16)]
    dtype: Float,
    /// Elements of the output; those of the factors if left out.
    #[arg(long, value_enum)]
    out: Option<Float>,
    /// How B is stored: `rc` by columns, N×K, `rr` by rows, K×N.
    #[arg(long, value_enum, default_value_t = Order::Rc)]
    layout: Order,
}

/// Elements of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Float {
    F16,
    Bf16,
    F32,
}

/// The kernels for each pair of elements and order of B.
macro_rules! squares {
    ($($order:ident: $factor:ident, $rows:ident, $columns:ident => $out:ident;)+) => {$(
        pub(in crate::suite) mod $order {
            use super::*;

            /// Everything derived.
            #[gemm(derived)]
            fn derived(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// Chosen by shape.
            #[gemm(auto)]
            fn auto(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// Eight warps of 64×64, in shared memory that every default target has.
            #[gemm(tile = [128, 256, 32], warps = [2, 4], stages = 4)]
            fn wide(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// The same with twice the depth, for sm_80 and sm_90.
            #[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 3, targets = [sm_80, sm_90])]
            fn deep(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// Two warpgroups of 64×256.
            #[gemm(tile = [128, 256, 64], mma = wgmma, stages = 4)]
            fn groups(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// Two of 128×128: the ring reads fewer bytes of B.
            #[gemm(tile = [256, 128, 64], mma = wgmma, stages = 4)]
            fn groups_tall(
                a: Mat<$factor, M, K>,
                b: Mat<$factor, $rows, $columns>,
            ) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// The first, in blocks that walk over tiles.
            #[gemm(tile = [128, 256, 64], schedule = cooperative, mma = wgmma, stages = 4)]
            fn cooperative(
                a: Mat<$factor, M, K>,
                b: Mat<$factor, $rows, $columns>,
            ) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// The second.
            #[gemm(tile = [256, 128, 64], schedule = cooperative, mma = wgmma, stages = 4)]
            fn cooperative_tall(
                a: Mat<$factor, M, K>,
                b: Mat<$factor, $rows, $columns>,
            ) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// The same, every second tile of a block from its last k-tile to its first.
            #[gemm(
                tile = [128, 256, 64], schedule = cooperative, k_order = serpentine, mma = wgmma,
                stages = 4
            )]
            fn cooperative_serpentine(
                a: Mat<$factor, M, K>,
                b: Mat<$factor, $rows, $columns>,
            ) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// The first, in clusters of two blocks that copy B once.
            #[gemm(
                tile = [128, 256, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 4
            )]
            fn cluster(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            /// Two that take turns.
            #[gemm(tile = [128, 192, 64], schedule = pingpong, mma = wgmma, stages = 4)]
            fn pingpong(a: Mat<$factor, M, K>, b: Mat<$factor, $rows, $columns>) -> Mat<$out, M, N> {
                matmul(a, b)
            }

            pub(in crate::suite) fn kernels() -> [Named; 12] {
                [
                    ("auto", Chosen(&auto::KERNELS)), ("tuned", Tuned(&auto::KERNELS)),
                    ("derived", One(&derived::KERNEL)),
                    ("wide", One(&wide::KERNEL)),
                    ("deep", One(&deep::KERNEL)),
                    ("groups", One(&groups::KERNEL)),
                    ("groups_tall", One(&groups_tall::KERNEL)),
                    ("cooperative", One(&cooperative::KERNEL)),
                    ("cooperative_tall", One(&cooperative_tall::KERNEL)),
                    ("cooperative_serpentine", One(&cooperative_serpentine::KERNEL)),
                    ("cluster", One(&cluster::KERNEL)),
                    ("pingpong", One(&pingpong::KERNEL)),
                ]
            }
        }
    )+};
}

squares! {
    halves: f16, N, K => f16;
    halves_rr: f16, K, N => f16;
    halves_f32: f16, N, K => f32;
    halves_f32_rr: f16, K, N => f32;
    brains: bf16, N, K => bf16;
    brains_rr: bf16, K, N => bf16;
    brains_f32: bf16, N, K => f32;
    brains_f32_rr: bf16, K, N => f32;
}

/// Each square by each kernel.
pub(super) fn run(arena: &Arena, squares: &Squares) -> Result<Vec<Row>> {
    use Float::{Bf16, F16, F32};
    use Order::{Rc, Rr};
    let Squares { sizes, dtype, out, layout } = squares;
    let roof = Some(if *dtype == F16 { Unit::F16 } else { Unit::Bf16 });
    let tasks =
        sizes.iter().map(|size| Task { order: *layout, ..Task::plain([*size; 3], Compute::F32) });
    let lineup = |kernels| Lineup { kernels, roof, floor: false };
    let (halves, brains) = (runner::all::<f16, f16>, runner::all::<bf16, bf16>);
    let (halves_f32, brains_f32) = (runner::all::<f16, f32>, runner::all::<bf16, f32>);
    Ok(match (dtype, out.unwrap_or(*dtype), layout) {
        (F16, F16, Rc) => halves(arena, tasks, &lineup(&halves::kernels())),
        (F16, F16, Rr) => halves(arena, tasks, &lineup(&halves_rr::kernels())),
        (F16, F32, Rc) => halves_f32(arena, tasks, &lineup(&halves_f32::kernels())),
        (F16, F32, Rr) => halves_f32(arena, tasks, &lineup(&halves_f32_rr::kernels())),
        (Bf16, Bf16, Rc) => brains(arena, tasks, &lineup(&brains::kernels())),
        (Bf16, Bf16, Rr) => brains(arena, tasks, &lineup(&brains_rr::kernels())),
        (Bf16, F32, Rc) => brains_f32(arena, tasks, &lineup(&brains_f32::kernels())),
        (Bf16, F32, Rr) => brains_f32(arena, tasks, &lineup(&brains_f32_rr::kernels())),
        (dtype, out, _) => bail!("no squares of {dtype:?} with an output of {out:?}"),
    })
}
