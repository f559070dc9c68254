//! Batches: the same numbers as matrix by matrix, and arguments that do not fit.

use crate::common::{halves, numbers, violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    ArgumentKind, AsBatched, AsBatchedMut, AsMatrix, BatchError, Kernel, KernelFault, launch,
};

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
fn batches_that_differ_name_the_operand_and_both_values() {
    let p = problem();
    let (a, b, bias) = (p.a(), p.b(), p.bias());
    let fewer = p.device.batched(BATCH - 1, N, K, &p.b[N * K..]).expect("b");
    let error = all(&p.device, &a, &fewer, &bias).expect_err("one is missing");
    assert_eq!(error.to_string(), "all: b: expected a batch of 5 (that of a), got 4");
    let rows = p.device.matrix(BATCH - 1, N, &p.bias[N..]).expect("bias");
    let error = all(&p.device, &a, &b, &rows).expect_err("one is missing");
    assert_eq!(error.to_string(), "all: bias: expected a batch of 5 (that of a), got 4");

    let mut out = p.device.batched(BATCH - 1, M, N, &vec![9.0; (BATCH - 1) * M * N]).expect("out");
    let error = all::into(&p.device, &a, &b, &bias, &mut out).expect_err("one is missing");
    assert_eq!(error.to_string(), "all: out: expected a batch of 5 (that of a), got 4");
    assert!(matches!(error, Error::Batch(BatchError::Count { expected: 5, got: 4, .. })));
    assert!(out.to_vec().expect("out").iter().all(|value| *value == 9.0));

    let wide = p.device.matrix(BATCH, N + 1, &numbers(BATCH * (N + 1), 2)).expect("bias");
    let error = all(&p.device, &a, &b, &wide).expect_err("it is too long");
    assert_eq!(error.to_string(), "all: bias: expected 21 columns (N of b), got 22");
}

#[test]
fn an_argument_that_is_not_the_batch_is_refused_by_name() {
    let device = Device::emulator();
    let kernel = Kernel::clone(&accumulate::KERNEL);
    assert!(kernel.parameters.iter().map(|p| p.batch.is_batched()).eq([false, true, true]));
    let mut c = device.batched::<f32>(2, 3, 4, &numbers(24, 2)).expect("c");
    let a = device.matrix(4, 2, &halves(8, 0)).expect("a");
    let b = device.batched(2, 3, 2, &halves(12, 0)).expect("b");
    let wrong = device.batched::<f32>(2, 3, 2, &numbers(12, 2)).expect("floats");
    let mut into = |b: gemm_runtime::Argument<'_>| {
        let arguments = vec![AsMatrix::argument(&a), b, AsBatchedMut::argument(&mut c)];
        launch::into(&device, &kernel, arguments)
    };
    into(AsBatched::argument(&b)).expect("it fits");
    let error = into(AsBatched::argument(&wrong)).expect_err("b has halves");
    assert!(matches!(error, Error::ElementMismatch { operand, .. } if operand == "b"));
    let error = into(AsMatrix::argument(&a)).expect_err("b is a batch");
    let (expected, got) = (ArgumentKind::Batch, ArgumentKind::Matrix);
    assert!(
        matches!(&error, Error::KindMismatch { operand, expected: e, got: g }
            if operand == "b" && *e == expected && *g == got),
        "{error}"
    );
    assert_eq!(error.to_string(), "accumulate: b: expected a batch of matrices, got a matrix");
}

#[test]
fn more_tiles_than_a_grid_has_blocks_are_refused() {
    let device = Device::emulator();
    // Each of the matrices is one tile, and all are the same one.
    let (one, bias) = (device.vector(&halves(2, 0)).expect("one"), device.vector(&[0.0f32]));
    let b = device.matrix(1, 1, &halves(1, 0)).expect("b");
    let matrices = |batch: usize| BatchedRef::strided(&one, [batch, 1, 1], [0, 1, 1]).expect("it");
    let bias = bias.expect("bias");
    for batch in [1 << 31, usize::MAX] {
        let error = broadcast(&device, matrices(batch), &b, &bias).expect_err("too many");
        let limit = (1 << 31) - 1;
        assert!(
            matches!(error, Error::GridTooLarge { blocks, limit: l, .. }
                if blocks == batch as u64 && l == limit),
            "{error}"
        );
    }
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

#[test]
fn one_matrix_and_a_batch_are_asked_for_differently() {
    let p = problem();
    let (a, b, bias) = (p.a(), p.b(), p.bias());
    let arguments =
        || vec![AsBatched::argument(&a), AsBatched::argument(&b), AsMatrix::argument(&bias)];
    let error = launch::run::<f32>(&p.device, &all::KERNEL, arguments()).expect_err("a batch");
    let what = KernelFault::OutputBatched { batched: true };
    assert!(matches!(error, Error::Kernel { what: found, .. } if found == what), "{error}");

    let mut alone = Kernel::clone(&all::KERNEL);
    alone
        .parameters
        .to_mut()
        .iter_mut()
        .take(3)
        .for_each(|parameter| parameter.batch = gemm_codegen::Batching::NONE);
    let (a, b) = (a.matrix(0).expect("a"), b.matrix(0).expect("b"));
    let vector = p.device.vector(&p.bias[..N]).expect("bias");
    let arguments = vec![a.argument(), b.argument(), gemm_runtime::AsVector::argument(&vector)];
    let error = launch::run_batched::<f32>(&p.device, &alone, arguments).expect_err("no batch");
    assert!(matches!(error, Error::Kernel { what: KernelFault::UnboundBatch, .. }), "{error}");
}
