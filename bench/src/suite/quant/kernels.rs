//! The kernels of each format.

use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;
use half::bf16;

use super::super::runner::Named;
use crate::arena::Selection::{Chosen, One, Tuned};

/// The kernels of a type of weights.
macro_rules! kernels {
    ($module:ident: $weight:ident, $count:literal, $($kernel:ident: $name:literal, ($($key:tt)*);)*) => {
        pub(super) mod $module {
            use super::*;

            /// Chosen by shape.
            #[gemm]
            fn auto(
                x: Mat<bf16, M, K>,
                w: Mat<$weight, N, K>,
                s: Tiled<bf16, N, K, 1, 128>,
            ) -> Mat<bf16, M, N> {
                matmul(x, w * s)
            }

            /// Chosen by shape, and begun before its predecessor ends.
            #[gemm(pdl = [w, s])]
            fn early(
                x: Mat<bf16, M, K>,
                w: Mat<$weight, N, K>,
                s: Tiled<bf16, N, K, 1, 128>,
            ) -> Mat<bf16, M, N> {
                matmul(x, w * s)
            }

            $(
                #[gemm($($key)*)]
                fn $kernel(
                    x: Mat<bf16, M, K>,
                    w: Mat<$weight, N, K>,
                    s: Tiled<bf16, N, K, 1, 128>,
                ) -> Mat<bf16, M, N> {
                    matmul(x, w * s)
                }
            )*

            pub(in crate::suite::quant) const AUTO: &Kernels<'static> = &auto::KERNELS;

            pub(in crate::suite::quant) const ALL: [Named; $count] = [
                ("auto", Chosen(&auto::KERNELS)),
                ("with PDL", Chosen(&early::KERNELS)),
                ("tuned", Tuned(&auto::KERNELS)),
                $(($name, One(&$kernel::KERNEL)),)*
            ];
        }
    };
}

kernels! {
    of_pairs: i4x2, 7,
    few: "16×64×128, 8 stages", (tile = [16, 64, 128], warps = [1, 4], stages = 8);
    deep: "16×32×256, 6 stages", (tile = [16, 32, 256], warps = [1, 1, 4], stages = 6);
    wide: "16×64×256, 5 stages", (tile = [16, 64, 256], warps = [1, 2, 4], stages = 5);
    split: "16×64×256, 4 splits", (tile = [16, 64, 256], warps = [1, 2, 4], stages = 5, split_k = 4);
}

kernels! {
    of_bytes: i8, 6,
    few: "16×64×128, 6 stages", (tile = [16, 64, 128], warps = [1, 4], stages = 6);
    deep: "16×32×256, 5 stages", (tile = [16, 32, 256], warps = [1, 1, 4], stages = 5);
    split: "16×64×256, 4 splits", (tile = [16, 64, 256], warps = [1, 2, 4], stages = 4, split_k = 4);
}

kernels! {
    packed_4: i4x32, 3,
}

kernels! {
    packed_8: i8x16, 3,
}

pub(super) mod blocks {
    use super::*;

    /// Chosen by shape.
    #[gemm]
    fn auto(
        x: Mat<bf16, M, K>,
        w: Mat<u4x32, N, K>,
        s: Tiled<f32, N, K, 1, 32>,
        c: Tiled<f32, N, K, 1, 32>,
    ) -> Mat<bf16, M, N> {
        matmul(x, w * s + c)
    }

    /// Chosen by shape, and begun before its predecessor ends.
    #[gemm(pdl = [w, s, c])]
    fn early(
        x: Mat<bf16, M, K>,
        w: Mat<u4x32, N, K>,
        s: Tiled<f32, N, K, 1, 32>,
        c: Tiled<f32, N, K, 1, 32>,
    ) -> Mat<bf16, M, N> {
        matmul(x, w * s + c)
    }

    pub(in crate::suite::quant) const AUTO: &Kernels<'static> = &auto::KERNELS;

    pub(in crate::suite::quant) const ALL: [Named; 3] = [
        ("auto", Chosen(&auto::KERNELS)),
        ("with PDL", Chosen(&early::KERNELS)),
        ("tuned", Tuned(&auto::KERNELS)),
    ];
}
