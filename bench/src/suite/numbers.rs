//! M = N = K of elements of four and eight bytes.

use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One, Tuned};
use crate::operands::Sample;
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Order, Task};

/// Everything derived, for tensor cores.
#[gemm(derived, precision = tf32)]
fn derived_tf32(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Chosen by shape.
#[gemm(auto, precision = tf32)]
fn auto_tf32(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Everything derived.
#[gemm(derived)]
fn derived_f64(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// Chosen by shape.
#[gemm(auto)]
fn auto_f64(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// The kernels of exact f32 for each order of B.
macro_rules! exact {
    ($($order:ident: $rows:ident, $columns:ident;)+) => {$(
        pub(in crate::suite) mod $order {
            use super::*;

            /// Chosen by shape.
            #[gemm(auto)]
            fn auto(a: Mat<f32, M, K>, b: Mat<f32, $rows, $columns>) -> Mat<f32, M, N> {
                matmul(a, b)
            }

            /// Everything derived.
            #[gemm(derived)]
            fn derived(a: Mat<f32, M, K>, b: Mat<f32, $rows, $columns>) -> Mat<f32, M, N> {
                matmul(a, b)
            }

            /// Two blocks of eight warps on an SM.
            #[gemm(tile = [128, 128, 16], warps = [4, 2], stages = 3, mma = fma(8, 8))]
            fn square(a: Mat<f32, M, K>, b: Mat<f32, $rows, $columns>) -> Mat<f32, M, N> {
                matmul(a, b)
            }

            /// Copies of 16 bytes, which keep rows along K.
            #[gemm(derived, mma = fma(8, 8), copy = cp_async(16, cg))]
            fn rows(a: Mat<f32, M, K>, b: Mat<f32, $rows, $columns>) -> Mat<f32, M, N> {
                matmul(a, b)
            }

            pub(in crate::suite) fn kernels() -> [Named; 5] {
                [
                    ("auto", Chosen(&auto::KERNELS)),
                    ("tuned", Tuned(&auto::KERNELS)),
                    ("derived", One(&derived::KERNEL)),
                    ("128×128×16", One(&square::KERNEL)),
                    ("rows kept", One(&rows::KERNEL)),
                ]
            }
        }
    )+};
}

exact! {
    rc: N, K;
    rr: K, N;
}

/// f32 by tf32.
pub(super) fn tf32(arena: &Arena, sizes: &[usize]) -> Vec<Row> {
    squares::<f32>(arena, sizes, Compute::Tf32, Order::Rc, &tf32_kernels(), Unit::Tf32)
}

/// Each rounds its factors.
pub(super) fn tf32_kernels() -> [Named; 3] {
    [
        ("auto", Chosen(&auto_tf32::KERNELS)),
        ("tuned", Tuned(&auto_tf32::KERNELS)),
        ("derived", One(&derived_tf32::KERNEL)),
    ]
}

/// f32 without a rounding, by fused multiply-adds.
pub(super) fn f32(arena: &Arena, sizes: &[usize], order: Order) -> Vec<Row> {
    let kernels = match order {
        Order::Rc => rc::kernels(),
        Order::Rr => rr::kernels(),
    };
    squares::<f32>(arena, sizes, Compute::F32, order, &kernels, Unit::Fma)
}

/// f64 by tensor cores.
pub(super) fn f64(arena: &Arena, sizes: &[usize]) -> Vec<Row> {
    let kernels: [Named; 3] = [
        ("auto", Chosen(&auto_f64::KERNELS)),
        ("tuned", Tuned(&auto_f64::KERNELS)),
        ("derived", One(&derived_f64::KERNEL)),
    ];
    squares::<f64>(arena, sizes, Compute::F64, Order::Rc, &kernels, Unit::F64)
}

fn squares<T: Sample>(
    arena: &Arena,
    sizes: &[usize],
    compute: Compute,
    order: Order,
    kernels: &[Named],
    roof: Unit,
) -> Vec<Row> {
    let tasks = sizes.iter().map(|size| Task { order, ..Task::plain([*size; 3], compute) });
    runner::all::<T, T>(arena, tasks, &Lineup { kernels, roof: Some(roof), floor: false })
}
