//! Layers of few tokens by kernels whose blocks share the K of a tile in clusters, bf16, next to
//! the same tiles by one block each.

use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One};
use crate::report::Row;
use crate::task::{Compute, Task};

/// Features of a layer, out and in, of few columns: their tiles leave SMs idle.
const LAYERS: [[usize; 2]; 3] = [[4096, 4096], [4096, 14336], [8192, 28672]];

/// Chosen by shape.
#[gemm]
fn auto(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Kernels with this number of blocks a tile, and rings as deep as fit.
macro_rules! splits {
    ($($name:ident: $tile:tt, $stages:literal, $splits:literal;)+) => {
        $(
            #[gemm(tile = $tile, mma = wgmma, stages = $stages, split_k = $splits)]
            fn $name(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
                matmul(a, b)
            }
        )+

        fn kernels() -> Vec<Named> {
            vec![("auto", Chosen(&auto::KERNELS)), $((stringify!($name), One(&$name::KERNEL)),)+]
        }
    };
}

splits! {
    one_64x64: [64, 64, 64], 12, 1;
    two_64x64: [64, 64, 64], 12, 2;
    one_128x64: [128, 64, 64], 9, 1;
    two_128x64: [128, 64, 64], 9, 2;
    one_128x128: [128, 128, 64], 6, 1;
    two_128x128: [128, 128, 64], 6, 2;
    four_128x128: [128, 128, 64], 6, 4;
}

/// Each layer for each number of tokens.
pub(super) fn run(arena: &Arena, tokens: &[usize]) -> Vec<Row> {
    let products = tokens.iter().flat_map(|tokens| LAYERS.map(|[n, k]| [*tokens, n, k]));
    let tasks = products.map(|shape| Task::plain(shape, Compute::F32));
    let lineup = Lineup { kernels: &kernels(), roof: None, floor: false };
    runner::all::<bf16, bf16>(arena, tasks, &lineup)
}
