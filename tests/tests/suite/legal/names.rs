//! Names that the expansion could meet: of the operands, of the function, and where no import of
//! the module is seen.
#![deny(warnings)]

mod imports {
    use gemm_runtime::prelude::{Mat, Vector, bf16, f16, gemm};

    // Functions of a body need no import.
    #[rustfmt::skip]
    #[gemm(targets = [sm_80])]
    pub(crate) fn imported(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> { relu(matmul(a, b)) }

    #[gemm]
    pub(super) fn core(
        device: Mat<f16, M, K>,
        out: Mat<f16, N, K>,
        shape: Vector<f32, M>,
        accumulator: Mat<f16, M, N>,
        m: f32,
        r#type: i32,
    ) -> Mat<f16, M, N> {
        let gelu = gelu(matmul(device, out));
        let body = gelu * shape + accumulator;
        body * m + r#type as f32
    }
}

pub(super) fn check() {
    use gemm_runtime::prelude::*;

    /// Declared inside a function.
    #[gemm]
    #[expect(clippy::let_and_return, unused_variables)]
    fn r#in(a: gemm_runtime::Mat<f16, M, K>, b: Mat<f16, N, K>, c: f32) -> Mat<f16, M, N> {
        let product = matmul(a, b);
        product
    }

    #[gemm]
    #[cfg(any())]
    fn absent(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    let (one, shape) = ([f16::ONE], Shape { m: 1, n: 1, k: 1 });
    assert_eq!(r#in::reference(shape, &one, &one, 1.0).unwrap(), [1.0]);
    let y = imports::core::reference(shape, &one, &one, &[0.0], &one, 2.0, 3).unwrap();
    assert_eq!(y, [5.0]);
    let one = [bf16::ONE];
    assert_eq!(imports::imported::reference(shape, &one, &one).unwrap(), [1.0]);
    let uses = |device: &Device, a: &Matrix<f16>, b: &Matrix<bf16>, v: &DeviceVector<f32>| {
        let _ = r#in(device, a, a, 1.0);
        let _ = imports::core(device, a, a, v, a, 2.0, 3);
        let _ = imports::imported(device, b, b);
    };
    let _ = uses;
}
