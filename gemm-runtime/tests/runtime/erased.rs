//! `FUNCTION`: launches and host values with the types erased, against those of the function.

use crate::common::{halves, numbers};
use gemm_runtime::erased::HostArgument;
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsBatched, AsBatchedMut, AsMatrix, AsMatrixMut, AsVector, Element};

const SHIFT: f32 = 0.5;

/// A written parameter before the operands, a constant, a scalar, and a list of element types.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, T = [bf16, f16])]
fn update<T>(
    c: &mut Mat<f32, M, N>,
    x: Mat<T, M, K>,
    w: Mat<T, N, K>,
    bias: Vector<f32, N>,
    alpha: f32,
) {
    *c += alpha * matmul(x, w) + bias + SHIFT
}

/// A batch over two indices.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn heads(x: Batched<f16, (B, H), M, K>, w: Batched<f16, H, N, K>) -> Batched<f32, (B, H), M, N> {
    matmul(x, w)
}

const SHAPE: Shape = Shape { m: 5, n: 6, k: 8 };
const M: usize = SHAPE.m;
const N: usize = SHAPE.n;
const K: usize = SHAPE.k;

#[test]
fn arguments_are_in_the_order_of_the_signature_with_the_written_one_last() -> Result<(), Error> {
    let device = Device::emulator();
    let (x, w, bias) = (halves(M * K, 0), halves(N * K, 1), numbers(N, 2));
    let old = numbers(M * N, 3);
    let expected = update::reference(SHAPE, &old, &x, &w, &bias, 2.0)?;

    let signature = update::FUNCTION.signature;
    let kernels = update::FUNCTION.kernels.iter();
    let [bf16, f16] = &kernels.collect::<Vec<_>>()[..] else { panic!("two are listed") };
    assert_eq!(bf16.element(signature, 0), Some(gemm_runtime::bf16::ELEMENT));
    assert_eq!(f16.element(signature, 0), Some(gemm_runtime::f16::ELEMENT));
    assert_eq!(
        [2, 3, 4].map(|number| f16.element(signature, number)),
        [Some(f32::ELEMENT), None, Some(f32::ELEMENT)]
    );

    let scalar = [2.0f32];
    let host = [HostArgument::new(&x), HostArgument::new(&w), HostArgument::new(&bias)];
    let host = [&host[..], &[HostArgument::new(&scalar), HostArgument::new(&old)]].concat();
    let got = f16.reference(&[], SHAPE, &host)?;
    assert_eq!(got, [expected.iter().copied().map(f64::from).collect::<Vec<_>>()]);
    let error = bf16.reference(&[], SHAPE, &host).expect_err("x has elements of f16");
    assert_eq!(error.to_string(), "x: expected elements of bf16, got f16");
    let error = f16.reference(&[], SHAPE, &host[1..]).expect_err("an operand is missing");
    assert!(matches!(error, Error::ArgumentCount { expected: 5, got: 4, .. }), "{error}");

    let (x, w) = (device.matrix(M, K, &x)?, device.matrix(N, K, &w)?);
    let (bias, mut c) = (device.vector(&bias)?, device.matrix(M, N, &old)?);
    let operands = vec![
        AsMatrix::argument(&x),
        AsMatrix::argument(&w),
        AsVector::argument(&bias),
        Argument::from(2.0f32),
    ];
    f16.launch(&device, operands, vec![AsMatrixMut::argument(&mut c)])?;
    let difference = |(got, expected): (f32, f32)| (got - expected).abs();
    let largest = c.to_vec()?.into_iter().zip(expected).map(difference).fold(0.0, f32::max);
    assert!(largest < 1e-4, "{largest}");
    Ok(())
}

#[test]
fn each_index_of_a_batch_has_its_values() -> Result<(), Error> {
    const COUNTS: [usize; 2] = [2, 3];
    let device = Device::emulator();
    let (x, w) = (halves(6 * M * K, 0), halves(3 * N * K, 1));
    let expected = heads::reference(COUNTS, SHAPE, &x, &w)?;
    let [kernel] = heads::FUNCTION.kernels else { panic!("there is one") };
    let host = [HostArgument::new(&x), HostArgument::new(&w)];
    let got = kernel.reference(&COUNTS, SHAPE, &host)?;
    assert_eq!(got, [expected.iter().copied().map(f64::from).collect::<Vec<_>>()]);
    assert!(kernel.reference(&[6], SHAPE, &host).is_err());

    let x = device.batched(COUNTS, M, K, &x)?;
    let w = device.batched(3, N, K, &w)?;
    let mut y = device.batched_zeros::<f32>(COUNTS, M, N)?;
    let operands = vec![AsBatched::argument(&x), AsBatched::argument(&w)];
    kernel.launch(&device, operands, vec![AsBatchedMut::argument(&mut y)])?;
    let typed = heads(&device, &x, &w)?;
    assert_eq!(y.to_vec()?, typed.to_vec()?);
    Ok(())
}
