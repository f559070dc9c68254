//! Scalars in device memory and scalars by value.
#![deny(warnings)]

use gemm_runtime::prelude::*;

#[gemm]
fn f(
    a: Mat<f16, M, K>,
    b: Mat<f16, N, K>,
    s: Scalar<f32>,
    t: gemm_runtime::Scalar<i8>,
    u: f32,
) -> Mat<f32, M, N> {
    s * matmul(a, b) + t as f32 * u
}

pub(super) fn check() {
    let (one, shape) = ([f16::ONE], Shape { m: 1, n: 1, k: 1 });
    assert_eq!(f::reference(shape, &one, &one, 2.0, -3, 0.5).unwrap(), [0.5]);
    let uses = |device: &Device, a: &Matrix<f16>, s: &DeviceScalar<f32>, t: ScalarRef<i8>| {
        s.write(4.0)?;
        let _ = f(device, a, a, s, t.clone(), 1.0)?;
        f(device, a, a, s.view(), &t, 1.0)?.to_vec().map(|_| ())
    };
    let _ = uses;
}
