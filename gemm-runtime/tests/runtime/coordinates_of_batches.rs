//! `batch()` of a body: the number of a matrix in row-major order of the batch indices, in the kernels of
//! each form and in `reference`.

use crate::common::{hopper, one_in};
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsBatched, AsBatchedMut, launch};

const SHAPE: Shape = Shape { m: 35, n: 21, k: 19 };
const B: usize = 3;
const H: usize = 5;

/// What the launches of a kernel give, and its reference, for matrices of ones and `old` ones.
type Found = [Vec<f32>; 2];

/// Kernels of one signature, and a launch of each with its reference.
macro_rules! kernels {
    ($($name:ident[$($key:tt)*];)*) => {
        $(
            #[gemm($($key)*)]
            fn $name(
                a: Batched<f16, (B, H), M, K>,
                b: Batched<f16, H, N, K>,
                old: Batched<f16, B, M, N>,
            ) -> Batched<f32, (B, H), M, N> {
                matmul(a, b) + old + (1000 * batch() + 16 * row() + column()) as f32
            }
        )*
        const KERNELS: &[(&str, fn(&Device) -> Found)] = &[$((stringify!($name), |device| {
            let Shape { m, n, k } = SHAPE;
            let [a, b, old] = [B * H * m * k, H * n * k, B * m * n].map(|count| vec![f16::ONE; count]);
            let da = device.batched([B, H], m, k, &a).expect("a");
            let db = device.batched(H, n, k, &b).expect("b");
            let dold = device.batched(B, m, n, &old).expect("old");
            let y = $name(device, &da, &db, &dold).expect("it runs").to_vec().expect("y");
            [y, $name::reference([B, H], SHAPE, &a, &b, &old).expect("it fits")]
        })),*];
    };
}

kernels! {
    derived[];
    warps[tile = [32, 16, 16], warps = [2, 1], stages = 2];
    split[tile = [16, 16, 16], warps = [1, 1], stages = 2, split_k = 2];
    tensors[tile = [64, 64, 64], warps = [2, 1], stages = 2, copy = tma];
    lanes[tile = [16, 32, 16], warps = [1, 1], mma = fma(4, 4), copy = ld_global(4)];
    groups[tile = [64, 32, 64], mma = wgmma, stages = 2];
    clusters[tile = [64, 32, 64], mma = wgmma, stages = 2, cluster = [1, 2]];
    cooperative[tile = [64, 32, 64], mma = wgmma, stages = 2, schedule = cooperative];
    pingpong[tile = [64, 32, 64], mma = wgmma, stages = 2, schedule = pingpong];
    split_groups[tile = [64, 32, 64], mma = wgmma, stages = 2, split_k = 2];
}

/// The element of each matrix, row and column.
fn of_each<T>(
    [matrices, rows, columns]: [usize; 3],
    element: impl Fn(usize, usize, usize) -> T,
) -> Vec<T> {
    let all = 0..matrices * rows * columns;
    all.map(|at| element(at / columns / rows, at / columns % rows, at % columns)).collect()
}

/// What a body of [`KERNELS`] gives.
fn expected(Shape { m, n, k }: Shape) -> Vec<f32> {
    let number = |b: usize, h: usize| b * H + h;
    of_each([B * H, m, n], |matrix, row, column| {
        (k + 1 + 1000 * number(matrix / H, matrix % H) + 16 * row + column) as f32
    })
}

#[test]
fn matrices_are_numbered_in_row_major_order_of_the_indices() {
    let expected = expected(SHAPE);
    // The second generation is for Hopper; what is derived for other devices is of the first.
    let of_others = KERNELS[..1].iter().map(|kernel| (Device::emulator(), kernel));
    for (device, (name, run)) in KERNELS.iter().map(|kernel| (hopper(), kernel)).chain(of_others) {
        let [found, reference] = run(&device);
        assert_eq!(found, expected, "{name}");
        assert_eq!(reference, expected, "{name}");
    }
}

#[test]
fn every_candidate_numbers_them_alike() {
    let device = hopper();
    // Rows begin at multiples of 16 bytes, as tensor copies need it.
    let shape = Shape { m: 37, n: 24, k: 72 };
    let Shape { m, n, k } = shape;
    let ones = |count: usize| vec![f16::ONE; count];
    let a = device.batched([B, H], m, k, &ones(B * H * m * k)).expect("a");
    let b = device.batched(H, n, k, &ones(H * n * k)).expect("b");
    let old = device.batched(B, m, n, &ones(B * m * n)).expect("old");
    let all = || derived::KERNELS.choices();
    let swapped = all().find(|one| one.is_swapped()).expect("one whose M is N of the function");
    for choice in one_in(96, all()).chain([swapped]) {
        let mut y = device.batched([B, H], m, n, &vec![f32::NAN; B * H * m * n]).expect("y");
        let arguments: [Argument<'_>; 4] =
            [a.argument(), b.argument(), old.argument(), AsBatchedMut::argument(&mut y)];
        launch::into(&device, choice.kernel(), arguments).expect("it runs");
        assert!(y.to_vec().expect("y") == expected(shape), "{}", choice.id());
    }
}

/// Floats that are multiplied as planes of halves.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, precision = f16x3)]
fn planes(a: Batched<f32, B, M, K>, b: Mat<f32, N, K>) -> Batched<f32, B, M, N> {
    matmul(a, b) + (64 * batch()) as f32
}

#[test]
fn a_product_of_planes_has_the_number() {
    let device = Device::emulator();
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (vec![1.0; B * m * k], vec![1.0; n * k]);
    let da = device.batched(B, m, k, &a).expect("a");
    let db = device.matrix(n, k, &b).expect("b");
    let y = planes(&device, &da, &db).expect("it runs").to_vec().expect("y");
    assert_eq!(y, of_each([B, m, n], |matrix, _, _| (k + 64 * matrix) as f32));
    assert_eq!(y, planes::reference(B, SHAPE, &a, &b).expect("it fits"));
}

/// Two outputs: a matrix, and a vector for each matrix.
#[gemm(tile = [16, 32, 16], warps = [1, 1], stages = 2)]
fn largest(
    a: Batched<f16, B, M, K>,
    b: Mat<f16, N, K>,
) -> (Batched<i32, B, M, N>, Batched<f32, B, M>) {
    let y = matmul(a, b) * (batch() + 1) as f32;
    (10 * batch() + row() % 10, max(y + column() as f32))
}

#[gemm(tile = [64, 32, 64], mma = wgmma, stages = 2)]
fn largest_of_groups(a: Batched<f16, B, M, K>, b: Mat<f16, N, K>) -> Batched<f32, B, N> {
    max(matmul(a, b) * (batch() + 1) as f32 + row() as f32)
}

/// Written along N, in place; a matrix with an even number is kept.
#[gemm(tile = [16, 16, 16], warps = [1, 1], stages = 2)]
fn every_other(c: &mut Batched<f32, B, N, M>, a: Batched<f16, B, M, K>, b: Mat<f16, N, K>) {
    let batch = batch();
    *c = if batch % 2 == 0 { *c } else { matmul(a, b) * row() as f32 }
}

#[test]
fn outputs_that_are_reduced_transposed_or_in_place_have_the_number() {
    let (device, hopper) = (Device::emulator(), hopper());
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (vec![f16::ONE; B * m * k], vec![f16::ONE; n * k]);
    let on = |device: &Device| {
        let da = device.batched(B, m, k, &a).expect("a");
        (da, device.matrix(n, k, &b).expect("b"))
    };
    let (da, db) = on(&device);
    let (places, rows) = largest(&device, &da, &db).expect("it runs");
    let found = (places.to_vec().expect("places"), rows.to_vec().expect("rows"));
    let of_all = of_each([B, m, n], |matrix, row, _| (10 * matrix + row % 10) as i32);
    let of_rows = of_each([B, m, 1], |matrix, _, _| (k * (matrix + 1) + n - 1) as f32);
    assert_eq!(found, (of_all, of_rows));
    assert_eq!(found, largest::reference(B, SHAPE, &a, &b).expect("it fits"));

    let mut c = device.batched(B, n, m, &vec![7.0; B * n * m]).expect("c");
    every_other(&device, &mut c, &da, &db).expect("it runs");
    let chosen =
        of_each([B, n, m], |matrix, row, _| if matrix % 2 == 0 { 7.0 } else { (k * row) as f32 });
    assert_eq!(c.to_vec().expect("c"), chosen);
    let old = vec![7.0; B * n * m];
    assert_eq!(every_other::reference(B, SHAPE, &old, &a, &b).expect("it fits"), chosen);

    let (da, db) = on(&hopper);
    let found = largest_of_groups(&hopper, &da, &db).expect("it runs").to_vec().expect("columns");
    let of_columns = of_each([B, n, 1], |matrix, _, _| (k * (matrix + 1) + m - 1) as f32);
    assert_eq!(found, of_columns);
    assert_eq!(found, largest_of_groups::reference(B, SHAPE, &a, &b).expect("it fits"));
}
