//! Factors of f32 as sums of two halves, `precision = f16x3`.

mod split;
mod thirds;
mod values;

use crate::common::hopper;
use gemm_runtime::prelude::*;

/// One tile of one warpgroup.
#[gemm(tile = [64, 32, 32], warpgroups = [1, 1], mma = wgmma, precision = f16x3, stages = 3)]
pub(crate) fn product(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same of factors whose rows run across K.
#[gemm(tile = [64, 32, 64], warpgroups = [1, 1], mma = wgmma, precision = f16x3, stages = 2)]
pub(crate) fn across(x: Mat<f32, K, M>, w: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Whatever a launch chooses.
#[gemm(precision = f16x3)]
fn chosen(x: Mat<f32, M, K>, w: Mat<f32, K, N>, bias: Vector<f32, N>) -> Mat<f32, N, M> {
    relu(matmul(x, w) + bias)
}

/// Matrices over two indices, of which each factor has one.
#[gemm(tile = [64, 32, 32], warpgroups = [1, 1], mma = wgmma, precision = f16x3, stages = 3)]
fn batched(x: Batched<f32, B, M, K>, w: Batched<f32, H, N, K>) -> Batched<f32, (B, H), M, N> {
    matmul(x, w)
}

/// The same by warps, which read the exponents of several columns at a time.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16, precision = f16x3, stages = 2)]
fn by_warps(x: Batched<f32, B, M, K>, w: Batched<f32, H, N, K>) -> Batched<f32, (B, H), M, N> {
    matmul(x, w)
}

/// Two sums in one thread, and what was there.
#[gemm(tile = [64, 64, 32], warpgroups = [1, 1], mma = wgmma, precision = f16x3, stages = 3)]
fn gated(x: Mat<f32, M, K>, gate: Mat<f32, N, K>, up: Mat<f32, N, K>, c: &mut Mat<f32, M, N>) {
    *c += silu(matmul(x, gate)) * matmul(x, up);
}

/// Sums, and their halves.
#[gemm(tile = [64, 32, 32], warpgroups = [1, 1], mma = wgmma, precision = f16x3, stages = 3)]
fn both(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let sum = matmul(x, w);
    (sum, sum)
}

/// Elements over this many binary orders of magnitude.
pub(crate) fn random(rng: &mut fastrand::Rng, count: usize, orders: i32) -> Vec<f32> {
    let orders = -orders / 2..orders / 2 + 1;
    let draw = |_| (rng.f32() * 2.0 - 1.0) * f32::exp2(rng.i32(orders.clone()) as f32);
    (0..count).map(draw).collect()
}

/// The rows of a matrix as columns.
pub(crate) fn transposed(elements: &[f32], columns: usize) -> Vec<f32> {
    let column = |at: usize| elements.iter().skip(at).step_by(columns).copied();
    (0..columns).flat_map(column).collect()
}

/// Compares each element with its sum in f64, within the bound of docs/support.md for sums that are
/// promoted every 64 of K.
#[track_caller]
pub(crate) fn check(Shape { m, n, k }: Shape, x: &[f32], w: &[f32], got: &[f32]) {
    let largest = |row: &[f32]| row.iter().fold(0.0, |most, x| x.abs().max(most));
    for (i, row) in got.chunks(n.max(1)).enumerate().take(m) {
        let x = &x[i * k..][..k];
        for (j, got) in row.iter().enumerate() {
            let w = &w[j * k..][..k];
            let terms = || x.iter().zip(w).map(|(x, w)| [*x, *w].map(f64::from));
            let sum: f64 = terms().map(|[x, w]| x * w).sum();
            let size: f64 = terms().map(|[x, w]| (x * w).abs()).sum();
            let [of_x, of_w] = [x, w].map(|row| f64::from(largest(row)));
            let rest: f64 = terms().map(|[x, w]| of_x * w.abs() + x.abs() * of_w).sum();
            let share = 64.0 * f64::exp2(-23.0)
                + k.div_ceil(64) as f64 * f64::exp2(-24.0)
                + f64::exp2(-21.0);
            let bound = share * size + f64::exp2(-38.0) * rest + f64::from(f32::from_bits(2));
            let error = (f64::from(*got) - sum).abs();
            assert!(error <= bound, "[{i}, {j}] of {m} × {n} × {k}: {got} for {sum}");
            // What the bound allows, random sums do not use.
            assert!(error <= 1e-6 * size + rest * f64::exp2(-38.0) + 3e-45, "{error} of {size}");
        }
    }
}

#[test]
fn any_shape_and_order_is_as_exact_as_f32() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(1));
    for [m, n, k] in [[64, 32, 32], [70, 45, 100], [1, 1, 1], [65, 3, 333], [3, 33, 0]] {
        let (x, w) = (random(&mut rng, m * k, 12), random(&mut rng, n * k, 12));
        let shape = Shape { m, n, k };
        let of_x = device.matrix(m, k, &x).expect("it fits");
        let of_w = device.matrix(n, k, &w).expect("it fits");
        let out = product(&device, &of_x, &of_w).expect("it runs");
        check(shape, &x, &w, &out.to_vec().expect("a copy"));
        let of_x = device.matrix(k, m, &transposed(&x, k.max(1))[..m * k]).expect("it fits");
        let of_w = device.matrix(k, n, &transposed(&w, k.max(1))[..n * k]).expect("it fits");
        let out = across(&device, &of_x, &of_w).expect("it runs");
        check(shape, &x, &w, &out.to_vec().expect("a copy"));
    }
}

#[test]
fn factors_may_lie_anywhere() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(2));
    let shape = Shape { m: 9, n: 35, k: 71 };
    let Shape { m, n, k } = shape;
    let (x, w) = (random(&mut rng, m * k, 12), random(&mut rng, n * k, 12));
    let spread = |elements: &[f32], rows: usize, before: usize, ld: usize| -> Vec<f32> {
        let mut all = vec![f32::NAN; before + rows * ld];
        for (row, elements) in elements.chunks(k).enumerate() {
            all[before + row * ld..][..k].copy_from_slice(elements);
        }
        all
    };
    for (before, ld) in [(0, 71), (1, 73), (3, 80), (2, 71)] {
        let of_x = device.vector(&spread(&x, m, before, ld)).expect("it fits");
        let of_w = device.vector(&spread(&w, n, before, ld)).expect("it fits");
        let of_x = of_x.slice(before..of_x.len()).expect("it begins there");
        let of_w = of_w.slice(before..of_w.len()).expect("it begins there");
        let [of_x, of_w] = [(of_x, m), (of_w, n)].map(|(part, rows)| {
            BatchedRef::strided(part, [1, rows, k], [0, ld as isize, 1])
                .and_then(|batch| batch.matrix(0))
                .expect("it fits")
        });
        let out = product(&device, &of_x, &of_w).expect("it runs");
        check(shape, &x, &w, &out.to_vec().expect("a copy"));
    }
}

#[test]
fn a_launch_chooses_and_applies_a_body() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(3));
    let shape = Shape { m: 70, n: 50, k: 96 };
    let Shape { m, n, k } = shape;
    let (x, w) = (random(&mut rng, m * k, 4), random(&mut rng, k * n, 4));
    let bias = random(&mut rng, n, 4);
    let expected = chosen::reference(shape, &x, &w, &bias).expect("it fits");
    let of_x = device.matrix(m, k, &x).expect("it fits");
    let of_w = device.matrix(k, n, &w).expect("it fits");
    let of_bias = device.vector(&bias).expect("it fits");
    let out = chosen(&device, &of_x, &of_w, &of_bias).expect("it runs").to_vec().expect("a copy");
    for (got, expected) in out.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-4, "{got} for {expected}");
    }
}

#[test]
fn matrices_of_a_batch_are_split_once_each() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(4));
    let (b, h, [m, n, k]) = (3, 2, [5, 35, 50]);
    let shape = Shape { m, n, k };
    let (x, w) = (random(&mut rng, b * m * k, 8), random(&mut rng, h * n * k, 8));
    let of_x = device.batched(b, m, k, &x).expect("it fits");
    let of_w = device.batched(h, n, k, &w).expect("it fits");
    for multiply in [batched, by_warps] {
        let out = multiply(&device, &of_x, &of_w).expect("it runs").to_vec().expect("a copy");
        for (number, got) in out.chunks(m * n).enumerate() {
            let (x, w) = (&x[number / h * m * k..][..m * k], &w[number % h * n * k..][..n * k]);
            check(shape, x, w, got);
        }
    }
}

/// Rows of 16-byte words let a thread read the exponents of four columns, also where those of a matrix begin at
/// no multiple of 16 bytes.
#[test]
fn exponents_of_a_batch_are_read_wherever_they_lie() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(6));
    let (b, h, pitch) = (3, 2, 40);
    for n in [35, 34, 33, 36] {
        let shape = Shape { m: 5, n, k: 50 };
        let Shape { m, n, k } = shape;
        let (x, w) = (random(&mut rng, b * m * k, 8), random(&mut rng, h * n * k, 8));
        let of_x = device.batched(b, m, k, &x).expect("it fits");
        let of_w = device.batched(h, n, k, &w).expect("it fits");
        let mut memory = device.vector(&vec![9.0f32; b * h * m * pitch]).expect("it fits");
        let strides = [h * m * pitch, m * pitch, pitch, 1].map(|stride| stride as isize);
        let out = BatchedMut::strided(&mut memory, [b, h, m, n], strides).expect("it fits");
        by_warps::into(&device, &of_x, &of_w, out).expect("it runs");
        for (number, got) in memory.to_vec().expect("a copy").chunks(m * pitch).enumerate() {
            let got: Vec<f32> = got.chunks(pitch).flat_map(|row| &row[..n]).copied().collect();
            let (x, w) = (&x[number / h * m * k..][..m * k], &w[number % h * n * k..][..n * k]);
            check(shape, x, w, &got);
        }
    }
}

#[test]
fn several_products_and_outputs_and_in_place() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(5));
    let shape = Shape { m: 66, n: 40, k: 64 };
    let Shape { m, n, k } = shape;
    let [x, gate, up] = [m, n, n].map(|rows| random(&mut rng, rows * k, 4));
    let old = random(&mut rng, m * n, 4);
    let of = |rows, elements: &[f32]| device.matrix(rows, k, elements).expect("it fits");
    let (of_x, of_gate, of_up) = (of(m, &x), of(n, &gate), of(n, &up));
    let mut c = device.matrix(m, n, &old).expect("it fits");
    gated(&device, &of_x, &of_gate, &of_up, &mut c).expect("it runs");
    let expected = gated::reference(shape, &x, &gate, &up, &old).expect("it fits");
    for (got, expected) in c.to_vec().expect("a copy").iter().zip(expected) {
        assert!((got - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{got} for {expected}");
    }
    let (sums, halves) = both(&device, &of_x, &of_gate).expect("it runs");
    let (sums, halves) = (sums.to_vec().expect("a copy"), halves.to_vec().expect("a copy"));
    check(shape, &x, &gate, &sums);
    assert!(sums.iter().zip(&halves).all(|(sum, half)| f16::from_f32(*sum) == *half));
}

#[test]
fn plan_and_reports_name_the_precision_and_the_copies() {
    let device = hopper();
    let says = "f32 factors as sums of two f16, scaled by rows; three products";
    assert!(product::PLAN.lines().nth(2).is_some_and(|line| line.contains(says)));
    let report = product::report(&device).expect("it compiles").to_string();
    assert!(report.contains(says), "{report}");
    let ones = device.matrix(1, 33, &[1.0f32; 33]).expect("it fits");
    let mut out = device.zeros(1, 1).expect("it fits");
    let prepared = product::prepare(&device, &ones, &ones, &mut out).expect("it is legal");
    let report = prepared.report().to_string();
    let copied = "x is split into high and low halves, in rows 256 B apart, 256 B";
    assert!(report.contains(says) && report.contains(copied), "{report}");
}
