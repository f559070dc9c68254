//! Batches: the same numbers as matrix by matrix.

mod arguments;

use crate::common::{halves, numbers, violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsBatched, AsMatrix, Kernel, launch};

/// One matrix, for comparison.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn one(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(a, b) + bias
}

/// Both factors and the vector are batches.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn all(
    a: Batched<f16, B, M, K>,
    b: Batched<f16, B, N, K>,
    bias: Batched<f32, B, N>,
) -> Batched<f32, B, M, N> {
    matmul(a, b) + bias
}

/// One weight for the whole batch.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn broadcast(
    a: Batched<f16, B, M, K>,
    b: Mat<f16, N, K>,
    bias: Vector<f32, N>,
) -> Batched<f32, B, M, N> {
    matmul(a, b) + bias
}

/// `c += a · bᵀ`, each matrix in its place.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn accumulate(a: Mat<f16, M, K>, b: Batched<f16, B, N, K>, c: &mut Batched<f32, B, N, M>) {
    *c += matmul(a, b)
}

const BATCH: usize = 5;
const SHAPE: Shape = Shape { m: 35, n: 21, k: 19 };
const M: usize = SHAPE.m;
const N: usize = SHAPE.n;
const K: usize = SHAPE.k;

struct Problem {
    device: Device,
    a: Vec<f16>,
    b: Vec<f16>,
    bias: Vec<f32>,
}

fn problem() -> Problem {
    let (a, b) = (halves(BATCH * M * K, 0), halves(BATCH * N * K, 0));
    Problem { device: Device::emulator(), a, b, bias: numbers(BATCH * N, 2) }
}

impl Problem {
    fn a(&self) -> BatchedMatrix<f16> {
        self.device.batched(BATCH, M, K, &self.a).expect("a")
    }

    fn b(&self) -> BatchedMatrix<f16> {
        self.device.batched(BATCH, N, K, &self.b).expect("b")
    }

    fn bias(&self) -> Matrix<f32> {
        self.device.matrix(BATCH, N, &self.bias).expect("bias")
    }

    /// What the matrices of a number give alone.
    fn of(&self, a: MatrixRef<'_, f16>, b: MatrixRef<'_, f16>, number: usize) -> Vec<f32> {
        let bias = self.device.vector(&self.bias[number * N..][..N]).expect("bias");
        one(&self.device, a, b, &bias).expect("it runs").to_vec().expect("one")
    }

    /// All matrices, one launch for each.
    fn expected(&self) -> Vec<f32> {
        let (a, b) = (self.a(), self.b());
        let of = |n| self.of(a.matrix(n).expect("one"), b.matrix(n).expect("one"), n);
        (0..BATCH).flat_map(of).collect()
    }
}

#[test]
fn a_batch_is_its_matrices_one_by_one() {
    let p = problem();
    let (a, b, bias) = (p.a(), p.b(), p.bias());
    let expected = p.expected();
    let out = all(&p.device, &a, &b, &bias).expect("it runs");
    assert_eq!((out.batch(), out.rows(), out.columns()), (BATCH, M, N));
    assert_eq!(out.to_vec().expect("out"), expected);
    assert_eq!(all::reference(BATCH, SHAPE, &p.a, &p.b, &p.bias).expect("it fits"), expected);
    let third = out.matrix(3).expect("one").to_vec().expect("it");
    assert_eq!(third, expected[3 * M * N..][..M * N]);

    let mut again = p.device.batched_zeros(BATCH, M, N).expect("out");
    all::into(&p.device, a.view(), b.view(), bias.view(), again.view_mut()).expect("it runs");
    assert_eq!(again.to_vec().expect("out"), expected);
    let mut prepared = all::prepare(&p.device, &a, &b, &bias, &mut again).expect("it fits");
    prepared.launch().expect("it runs");
}

#[test]
fn unbatched_operands_are_broadcast_over_the_batch() {
    let p = problem();
    let (weight, bias) = (&p.b[..N * K], &p.bias[..N]);
    let b = p.device.matrix(N, K, weight).expect("b");
    let vector = p.device.vector(bias).expect("bias");
    let out = broadcast(&p.device, &p.a(), &b, &vector).expect("it runs");
    let expected = broadcast::reference(BATCH, SHAPE, &p.a, weight, bias).expect("it fits");
    assert_eq!(out.to_vec().expect("out"), expected);

    // So is a batch whose matrices are all the same one.
    let buffer = p.device.vector(weight).expect("b");
    let extents = [BATCH, N, K];
    let same = BatchedRef::strided(&buffer, extents, [0, K as isize, 1]).expect("it fits");
    let row = p.device.matrix_strided(BATCH, N, [N as isize, 1], &bias.repeat(BATCH));
    let out = all(&p.device, &p.a(), &same, &row.expect("bias")).expect("it runs");
    assert_eq!(out.to_vec().expect("out"), expected);
}

#[test]
fn each_matrix_of_a_batch_is_written_in_its_place() {
    let p = problem();
    let a = p.device.matrix(M, K, &p.a[..M * K]).expect("a");
    let old = numbers(BATCH * N * M, 2);
    let mut c = p.device.batched(BATCH, N, M, &old).expect("c");
    accumulate(&p.device, &a, &p.b(), &mut c).expect("it runs");
    let once = accumulate::reference(BATCH, SHAPE, &p.a[..M * K], &p.b, &old).expect("it fits");
    assert_eq!(c.to_vec().expect("c"), once);
    accumulate::into(&p.device, &a, &p.b(), c.view_mut()).expect("it runs");
    let twice = accumulate::reference(BATCH, SHAPE, &p.a[..M * K], &p.b, &once).expect("it fits");
    assert_eq!(c.to_vec().expect("c"), twice);
}

/// The heads of an attention lie side by side in the rows of one matrix.
#[test]
fn matrices_may_lie_in_each_others_gaps() {
    let p = problem();
    let side_by_side = |columns: usize| [columns, BATCH * columns, 1].map(|stride| stride as isize);
    let (a, bias) = (p.device.vector(&p.a).expect("a"), p.bias());
    let a = BatchedRef::strided(&a, [BATCH, M, K], side_by_side(K)).expect("it fits");
    assert_eq!((a.leading_dimension(), a.batch_strides()), (BATCH * K, vec![K]));
    let mut out = p.device.vector(&vec![9.0f32; BATCH * M * N]).expect("out");
    let view = BatchedMut::strided(&mut out, [BATCH, M, N], side_by_side(N)).expect("it fits");
    all::into(&p.device, &a, &p.b(), &bias, view).expect("it runs");

    let (all, dense) = (out.to_vec().expect("out"), a.to_vec().expect("a"));
    let expected = all::reference(BATCH, SHAPE, &dense, &p.b, &p.bias).expect("it fits");
    for (i, value) in all.into_iter().enumerate() {
        let (row, number, column) = (i / (BATCH * N), i / N % BATCH, i % N);
        assert_eq!(
            value,
            expected[number * M * N + row * N + column],
            "{number} ({row}, {column})"
        );
    }
}

#[test]
fn parts_of_a_batch() {
    let p = problem();
    let a = p.a();
    let part = a.view().submatrices(2..7, 3..9).expect("a part");
    let one = part.matrix(4).expect("one").to_vec().expect("it");
    let expected = a.matrix(4).and_then(|a| a.submatrix(2..7, 3..9)).expect("a part");
    assert_eq!(one, expected.to_vec().expect("it"));
    assert_eq!(part.to_vec().expect("all")[4 * 30..], one);
    for error in [a.matrix(BATCH).expect_err("none"), a.matrix(usize::MAX).expect_err("none")] {
        assert!(error.to_string().ends_with("are out of range, the limit is 5"), "{error}");
    }
    assert!(a.view().submatrices(0..M + 1, 0..K).is_err());
    let text = format!("{:?}", part);
    assert!(text.starts_with("BatchedRef<f16> 5 of 5×6 (leading dimension 19, stride 665) on"));
}

#[test]
fn a_batch_of_nothing_launches_nothing() {
    let p = problem();
    let (bias, none) = (p.bias(), p.device.matrix::<f32>(0, N, &[]).expect("nothing"));
    let a = p.device.batched::<f16>(0, M, K, &[]).expect("nothing");
    let b = p.device.batched::<f16>(0, N, K, &[]).expect("nothing");
    let out = all(&p.device, &a, &b, &none).expect("nothing to do");
    assert_eq!((out.batch(), out.to_vec().expect("out")), (0, Vec::new()));
    let a = p.device.batched::<f16>(BATCH, 0, K, &[]).expect("nothing");
    let out = all(&p.device, &a, &p.b(), &bias).expect("nothing to do");
    assert_eq!((out.rows(), out.to_vec().expect("out")), (0, Vec::new()));
    let empty = p.device.batched::<f32>(2, 3, 0, &[]).expect("nothing");
    assert_eq!(empty.to_vec().expect("it"), []);
}

#[test]
fn the_gap_between_two_matrices_is_not_part_of_a_batch() {
    let p = problem();
    let mut kernel = Kernel::clone(&broadcast::KERNEL);
    let step = "a += block.batch * stride_a;";
    assert_eq!(kernel.text.matches(step).count(), 1);
    kernel.text =
        kernel.text.replace(step, "a += block.batch * stride_a + block.batch / 2 * ld_a;").into();
    let buffer = p.device.vector(&halves(BATCH * (M + 2) * K, 0)).expect("a");
    let a = BatchedRef::new(&buffer, BATCH, M, K).and_then(|a| a.with_strides(K, (M + 2) * K));
    let (a, b) = (a.expect("it fits"), p.device.matrix(N, K, &p.b[..N * K]).expect("b"));
    let bias = p.device.vector(&p.bias[..N]).expect("bias");
    let arguments = || {
        vec![
            AsBatched::argument(&a),
            AsMatrix::argument(&b),
            gemm_runtime::AsVector::argument(&bias),
        ]
    };
    let run = |kernel: &Kernel| launch::run_batched::<f32>(&p.device, kernel, arguments());
    run(&broadcast::KERNEL).expect("it stays inside");
    let text = violation(run(&kernel)).to_string();
    assert!(text.ends_with("at byte 38 of row 34 of a[2], which has 35 rows of 38 B"), "{text}");
}
