//! Batches of each kind of operand, and operands that are broadcast over the batch.
#![deny(warnings)]

use gemm_runtime::prelude::*;

#[gemm]
fn both(a: Batched<f16, B, M, K>, b: gemm_runtime::Batched<f16, B, N, K>) -> Batched<f32, B, M, N> {
    matmul(a, b)
}

/// Another name for the index, a batch of vectors, an elementwise matrix for all.
#[gemm]
pub fn first(
    a: Batched<bf16, Heads, K, M>,
    b: Mat<bf16, K, N>,
    bias: Batched<f32, Heads, M>,
    gate: Mat<bf16, M, N>,
) -> Batched<bf16, Heads, N, M> {
    (matmul(a, b) + bias) * gate
}

#[gemm]
fn in_place(a: Mat<f16, M, K>, b: Batched<f16, B, N, K>, beta: f32, c: &mut Batched<f32, B, M, N>) {
    *c = matmul(a, b) + beta * *c
}

pub(super) fn check() {
    let (one, shape) = ([f16::ONE; 2], Shape { m: 1, n: 1, k: 1 });
    assert_eq!(both::reference(2, shape, &one, &one).unwrap(), [1.0; 2]);
    let a = [2.0, 3.0].map(f16::from_f32);
    assert_eq!(
        in_place::reference(2, shape, &one[..1], &a, 2.0, &[5.0, 7.0]).unwrap(),
        [12.0, 17.0]
    );
    let b = [bf16::ONE; 2];
    assert_eq!(first::reference(2, shape, &b, &b[..1], &[1.0, 2.0], &b[..1]).unwrap(), [2.0, 3.0]);
    let uses = |device: &Device, a: &BatchedMatrix<f16>, b: &Matrix<f16>, c: BatchedRef<bf16>| {
        let mut out: BatchedMatrix<f32> = both(device, a, a.view())?;
        both::into(device, a, a, &mut out)?;
        in_place(device, b, a, 1.0, out.view_mut())?;
        let _ = in_place::prepare(device, b, a, 1.0, &mut out);
        let (w, bias) = (device.zeros(1, 1)?, device.zeros(1, 1)?);
        let d = first(device, &c, c.matrix(0)?, &bias, &w)?;
        d.to_vec().map(|_| ())
    };
    let _ = uses;
}
