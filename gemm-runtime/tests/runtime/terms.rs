//! A term that is added to a product: what it sums over may be nothing, and is checked by its names.

use gemm_codegen::Target;
use gemm_runtime::EmulatorOptions;
use gemm_runtime::prelude::*;

/// By warps.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16, stages = 2)]
fn by_warps(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    alpha: f32,
) -> Mat<f32, M, N> {
    matmul(x, w) + alpha * matmul(t, b)
}

/// By warpgroups.
#[gemm(tile = [64, 32, 64], mma = wgmma, stages = 2)]
fn by_groups(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    alpha: f32,
) -> Mat<f32, M, N> {
    matmul(x, w) + alpha * matmul(t, b)
}

/// Small integers, whose sums are exact.
fn elements(count: usize, seed: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f32(((i * 7 + seed) % 5) as f32 - 2.0)).collect()
}

#[test]
fn either_term_may_have_no_elements() {
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let (m, n) = (9, 11);
    for (k, r) in [(40, 0), (0, 5), (0, 0), (33, 70)] {
        let operands = [(m, k), (n, k), (m, r), (n, r)];
        let host = operands.map(|(rows, columns)| elements(rows * columns, rows + columns));
        let on_device = |number: usize| {
            let (rows, columns) = operands[number];
            device.matrix(rows, columns, &host[number]).expect("it is small")
        };
        let [x, w, t, b] = [0, 1, 2, 3].map(on_device);
        let [hx, hw, ht, hb] = &host;
        let expected =
            by_warps::reference(Shape { m, n, k }, hx, hw, ht, hb, 0.5).expect("it fits");
        let outputs =
            [by_warps(&device, &x, &w, &t, &b, 0.5), by_groups(&device, &x, &w, &t, &b, 0.5)];
        for out in outputs {
            assert_eq!(out.expect("it runs").to_vec().expect("out"), expected, "{k}, {r}");
        }
        let direct = |i: usize| {
            let dot = |a: &[f16], b: &[f16], k: usize| -> f32 {
                let row = &a[i / n * k..][..k];
                row.iter().zip(&b[i % n * k..]).map(|(a, b)| a.to_f32() * b.to_f32()).sum()
            };
            dot(hx, hw, k) + 0.5 * dot(ht, hb, r)
        };
        assert_eq!(expected, (0..m * n).map(direct).collect::<Vec<f32>>());
    }
}

#[test]
fn extents_of_a_term_are_checked_by_name() {
    let device = Device::emulator();
    let of = |extents: [[usize; 2]; 4]| {
        let [x, w, t, b] = extents.map(|[rows, columns]| device.zeros::<f16>(rows, columns));
        let operands = (x.expect("x"), w.expect("w"), t.expect("t"), b.expect("b"));
        let out = by_warps(&device, &operands.0, &operands.1, &operands.2, &operands.3, 1.0);
        out.expect_err("it does not fit").to_string()
    };
    assert_eq!(
        of([[4, 8], [6, 8], [5, 3], [6, 3]]),
        "by_warps: t: expected 4 rows (M of x), got 5"
    );
    assert_eq!(
        of([[4, 8], [6, 8], [4, 3], [7, 3]]),
        "by_warps: b: expected 6 rows (N of w), got 7"
    );
    assert_eq!(
        of([[4, 8], [6, 8], [4, 3], [6, 2]]),
        "by_warps: b: expected 3 columns (R of t), got 2"
    );
}

#[test]
fn a_reference_takes_slices_of_whole_terms() {
    let shape = Shape { m: 2, n: 3, k: 4 };
    let [x, w, t] = [8, 12, 6].map(|count| elements(count, 1));
    let wrong = by_warps::reference(shape, &x, &w, &t, &elements(8, 1), 1.0);
    assert_eq!(
        wrong.expect_err("9 are needed").to_string(),
        "by_warps: b: expected 9 elements (3 × 3), got 8"
    );
}
