//! `#[gemm]` alone, for every order of the operands and the output.
#![deny(warnings)]

use gemm_runtime::prelude::*;

macro_rules! orders {
    ($($name:ident: $a:ty, $b:ty => $c:ty;)+) => {$(
        #[gemm]
        fn $name(a: $a, b: $b) -> $c {
            matmul(a, b)
        }
    )+};
}

orders! {
    tn: Mat<f16, M, K>, Mat<f16, N, K> => Mat<f32, M, N>;
    tt: Mat<bf16, M, K>, Mat<bf16, K, N> => Mat<f32, M, N>;
    nn: Mat<f16, K, M>, Mat<f16, N, K> => Mat<f16, M, N>;
    nt: Mat<f16, K, M>, Mat<f16, K, N> => Mat<bf16, M, N>;
    tn_transposed: Mat<f16, Rows, Inner>, Mat<f16, Columns, Inner> => Mat<f16, Columns, Rows>;
}

pub(super) fn check() {
    let launches = [tn::SOURCE, tt::SOURCE, nn::SOURCE, nt::SOURCE, tn_transposed::SOURCE];
    assert!(launches.iter().all(|source| source.contains("__global__")));
    let (a, b) = ([1.0, 2.0].map(f16::from_f32), [3.0, 5.0, 7.0].map(f16::from_f32));
    let shape = Shape { m: 2, n: 3, k: 1 };
    assert_eq!(tn::reference(shape, &a, &b).unwrap(), [3.0, 5.0, 7.0, 6.0, 10.0, 14.0]);
    let transposed = tn_transposed::reference(shape, &a, &b).unwrap();
    assert_eq!(transposed, [3.0, 6.0, 5.0, 10.0, 7.0, 14.0]);
    let used = |device: &Device, a: &Matrix<f16>| {
        let _: Result<Matrix<f32>, Error> = tn(device, a, a);
        let _: Result<Matrix<f16>, Error> = nn(device, a, a);
        let _: Result<Matrix<bf16>, Error> = nt(device, a, a);
        let _: Result<Matrix<f16>, Error> = tn_transposed(device, a, a);
    };
    let other = |device: &Device, a: &Matrix<bf16>| tt(device, a, a).is_ok();
    let _ = (used, other);
}
