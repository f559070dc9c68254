//! Arguments that are not the batch of a kernel.

use gemm_runtime::{ArgumentKind, AsBatchedMut, BatchError, KernelFault};

use super::*;

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
fn one_matrix_and_a_batch_are_asked_for_differently() {
    let p = problem();
    let (a, b, bias) = (p.a(), p.b(), p.bias());
    let arguments =
        || vec![AsBatched::argument(&a), AsBatched::argument(&b), AsMatrix::argument(&bias)];
    let error = launch::run::<f32>(&p.device, &all::KERNEL, arguments()).expect_err("a batch");
    let what = KernelFault::OutputForm { form: launch::OutputForm::Batch };
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
