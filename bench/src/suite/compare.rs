//! What a bare `#[gemm]` chooses against cuBLASLt: groups of products, each with its own means.
//! Two groups say more in the attribute: `pdl`, and what tuning finds.

use gemm_runtime::e4m3;
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;

use super::layers::{self, Side};
use super::runner::{self, Lineup, Named};
use super::squares::{brains, brains_rr, halves, halves_f32, halves_f32_rr, halves_rr};
use super::{choice, int8, numbers, odd};
use crate::arena::{Arena, Selection};
use crate::operands::Sample;
use crate::report::Row;
use crate::task::{Compute, Order, Task};

/// M = N = K of the mixed products.
const SQUARES: [usize; 12] = [256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 16384];

/// Tokens of the mixed products: every second layer of each.
const TOKENS: [usize; 8] = [1, 16, 64, 128, 256, 512, 2048, 8192];

/// Products whose extents are multiples of 8 and of little else.
const RAGGED: [[usize; 3]; 8] = [
    [1000, 1000, 1000],
    [1336, 8072, 2264],
    [2056, 3992, 5144],
    [3000, 3000, 3000],
    [4104, 1560, 8952],
    [5208, 6664, 1192],
    [7240, 2472, 4744],
    [8840, 5912, 3368],
];

/// Batches of products, of a layer and of the scores of attention.
const BATCHES: [(usize, [usize; 3]); 2] = [(32, [1024, 1024, 1024]), (256, [128, 128, 64])];

/// Chosen by shape.
#[gemm]
fn floats_of_8_bits(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// The kernels whose schedules `choice` lists.
pub(super) static FLOATS_OF_8_BITS: &Kernels<'static> = &floats_of_8_bits::KERNELS;

/// The same with the sums of the tensor cores alone, as cuBLASLt's fast accumulation has them.
#[gemm(promote = never)]
fn fast_floats_of_8_bits(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Rows whose kernel is the name of their group.
pub(super) fn run(arena: &Arena) -> Vec<Row> {
    let mut rows = mixed(arena, "mixed", 0);
    rows.extend(mixed(arena, "mixed by tuning", 1));
    rows.extend(of_brains(arena, "64 to 512 tokens", layers(&[64, 128, 256, 512])));
    rows.extend(of_brains(arena, "1 to 32 tokens", layers(&[1, 8, 16, 32])));
    let chain = ("auto", Selection::Chosen(&layers::chained::KERNELS));
    rows.extend(one::<bf16, bf16>(
        arena,
        "1 to 32 tokens with PDL",
        chain,
        layers(&[1, 8, 16, 32]),
    ));
    rows.extend(of_halves(arena, "512 and 1024", squares(&[512, 1024])));
    rows.extend(of_halves(arena, "odd rows", products(&odd::SHAPES)));
    rows.extend(large(arena));
    let of = |compute| [4096, 8192].map(|size| Task::plain([size; 3], compute)).to_vec();
    rows.extend(one::<i8, i32>(arena, "s8", int8::sums::kernels()[0], of(Compute::I32)));
    rows.extend(one::<f32, f32>(arena, "tf32", numbers::tf32_kernels()[0], of(Compute::Tf32)));
    let floats = ("auto", Selection::Chosen(&floats_of_8_bits::KERNELS));
    rows.extend(one::<e4m3, bf16>(arena, "e4m3", floats, of(Compute::F32)));
    let fast = ("auto", Selection::Chosen(&fast_floats_of_8_bits::KERNELS));
    rows.extend(one::<e4m3, bf16>(arena, "fast e4m3", fast, of(Compute::Fast)));
    let batch = |(count, shape)| Task { batch: Some(count), ..Task::plain(shape, Compute::F32) };
    let named = ("auto", Selection::Chosen(&choice::batches::KERNELS));
    rows.extend(one::<f16, f16>(arena, "batches", named, BATCHES.map(batch).to_vec()));
    rows
}

/// Of the kernels of `squares`, one by its place.
fn mixed(arena: &Arena, name: &'static str, place: usize) -> Vec<Row> {
    let every_second = layers(&TOKENS).into_iter().step_by(2).collect();
    let [halves, brains] = [halves::kernels()[place], brains::kernels()[place]];
    let mut rows = one::<f16, f16>(arena, name, halves, squares(&SQUARES));
    rows.extend(one::<bf16, bf16>(arena, name, brains, every_second));
    rows.extend(one::<f16, f16>(arena, name, halves, products(&RAGGED)));
    rows
}

/// Large squares of each type of output and order of B.
fn large(arena: &Arena) -> Vec<Row> {
    const SIZES: [usize; 4] = [2048, 4096, 8192, 16384];
    let rr = || squares(&SIZES).into_iter().map(|task| Task { order: Order::Rr, ..task }).collect();
    let rc = || squares(&SIZES);
    let mut rows = of_halves(arena, "f16 N×K", rc());
    rows.extend(one::<f16, f16>(arena, "f16 K×N", halves_rr::kernels()[0], rr()));
    rows.extend(of_brains(arena, "bf16 N×K", rc()));
    rows.extend(one::<bf16, bf16>(arena, "bf16 K×N", brains_rr::kernels()[0], rr()));
    rows.extend(one::<f16, f32>(arena, "f16 → f32 N×K", halves_f32::kernels()[0], rc()));
    rows.extend(one::<f16, f32>(arena, "f16 → f32 K×N", halves_f32_rr::kernels()[0], rr()));
    rows
}

fn layers(tokens: &[usize]) -> Vec<Task> {
    layers::tasks(tokens, Side::M).collect()
}

fn squares(sizes: &[usize]) -> Vec<Task> {
    sizes.iter().map(|size| Task::plain([*size; 3], Compute::F32)).collect()
}

fn products(shapes: &[[usize; 3]]) -> Vec<Task> {
    shapes.iter().map(|shape| Task::plain(*shape, Compute::F32)).collect()
}

fn of_halves(arena: &Arena, name: &'static str, tasks: Vec<Task>) -> Vec<Row> {
    one::<f16, f16>(arena, name, halves::kernels()[0], tasks)
}

fn of_brains(arena: &Arena, name: &'static str, tasks: Vec<Task>) -> Vec<Row> {
    one::<bf16, bf16>(arena, name, brains::kernels()[0], tasks)
}

/// The tasks of a group by one kernel.
fn one<T: Sample, U: Sample>(
    arena: &Arena,
    name: &'static str,
    (_, kernel): Named,
    tasks: Vec<Task>,
) -> Vec<Row> {
    let lineup = Lineup { kernels: &[(name, kernel)], roof: None, floor: false };
    if arena.takes(name) { runner::all::<T, U>(arena, tasks, &lineup) } else { Vec::new() }
}
