//! The projections of attention in one launch, x · q, x · k and x · v, bf16: of as many columns each, and of grouped
//! heads, whose k and v are narrower.

use gemm_runtime::prelude::*;

use super::products::{self, Products, Stored};
use super::runner::Named;
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One, Tuned};
use crate::report::Row;

/// Features out of each projection: of grouped heads, and of as many heads each.
const OUT: [&[usize]; 2] = [&[4096, 1024, 1024], &[4096; 3]];

/// Features in.
const IN: usize = 4096;

/// Kernels of the three projections, each by what its attribute says.
macro_rules! projections {
    ($($(#[$attribute:meta])+ $name:ident;)+) => {$(
        $(#[$attribute])+
        fn $name(
            x: Mat<bf16, M, K>,
            q: Mat<bf16, Q, K>,
            k: Mat<bf16, N, K>,
            v: Mat<bf16, N, K>,
        ) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>, Mat<bf16, M, N>) {
            (matmul(x, q), matmul(x, k), matmul(x, v))
        }
    )+};
}

projections! {
    /// Chosen by shape.
    #[gemm]
    auto;

    /// Chosen by shape, and begun before its predecessor ends.
    #[gemm(pdl = [])]
    early;

    /// Everything derived.
    #[gemm(derived)]
    derived;
}

/// The layer for each number of tokens.
pub(super) fn run(arena: &Arena, tokens: &[usize]) -> Vec<Row> {
    let of = |columns: &'static [usize]| {
        tokens.iter().map(move |m| Products { m: *m, columns, k: IN, stored: Stored::Sums })
    };
    let kernels: [Named; 4] = [
        ("auto", Chosen(&auto::KERNELS)),
        ("with PDL", Chosen(&early::KERNELS)),
        ("tuned", Tuned(&auto::KERNELS)),
        ("derived", One(&derived::KERNEL)),
    ];
    products::run(arena, OUT.into_iter().flat_map(of).collect(), &kernels)
}
