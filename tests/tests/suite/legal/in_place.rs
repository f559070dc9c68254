//! The form in place: what is written stands anywhere among the parameters.
#![deny(warnings)]

use gemm_runtime::prelude::*;

#[gemm]
fn last(a: Mat<f16, M, K>, b: Mat<f16, N, K>, alpha: f32, beta: f32, c: &mut Mat<f32, M, N>) {
    *c = alpha * matmul(a, b) + beta * *c
}

/// With statements, a name that is a keyword, an output stored along M.
#[gemm]
pub fn first(r#in: &mut gemm_runtime::Mat<bf16, N, M>, a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) {
    let product = matmul(a, b);
    *r#in += if *r#in > 0.0 { product } else { -product };
}

#[rustfmt::skip]
#[gemm]
fn between(a: Mat<f16, M, K>, out: &mut Mat<f16, M, N>, b: Mat<f16, N, K>) { *out -= matmul(a, b); }

pub(super) fn check() {
    let (one, shape) = ([f16::ONE], Shape { m: 1, n: 1, k: 1 });
    assert_eq!(last::reference(shape, &one, &one, 2.0, 3.0, &[5.0]).unwrap(), [17.0]);
    assert_eq!(between::reference(shape, &one, &[f16::from_f32(4.0)], &one).unwrap(), [3.0]);
    let one = [bf16::ONE];
    assert_eq!(first::reference(shape, &[bf16::from_f32(-4.0)], &one, &one).unwrap(), [-5.0]);
    let uses = |device: &Device, a: &Matrix<f16>, b: &Matrix<bf16>, mut c: Matrix<f32>| {
        let _: Result<(), Error> = last(device, a, a, 1.0, 2.0, &mut c);
        let _: Result<(), Error> = last::into(device, a, a, 1.0, 2.0, c.view_mut());
        let _ = last::prepare(device, a, a, 1.0, 2.0, &mut c);
        let (mut d, mut e) = (device.zeros(1, 1)?, device.zeros(1, 1)?);
        first(device, &mut d, b, b)?;
        between(device, a, &mut e, a)
    };
    let _ = uses;
}
