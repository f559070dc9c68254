//! Functions of a type: `#[gemm]` on an `impl`, and on its functions.

use gemm_runtime::prelude::*;

const SCALE: f32 = 0.5;

struct Layer<T> {
    device: Device,
    w: Matrix<T>,
}

#[gemm]
impl Layer<f16> {
    /// y = relu(x · wᵀ) / 2
    #[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2)]
    fn halved(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        SCALE * relu(matmul(x, w))
    }

    fn forward(&self, x: &Matrix<f16>) -> Result<Matrix<f16>, Error> {
        Self::halved(&self.device, x, &self.w)
    }
}

#[gemm]
impl<T> Layer<T> {
    #[gemm(E = [f16, f32], tile = [32, 16, 16], warps = [1, 1], stages = 2, mma = fma(2, 2))]
    pub(crate) fn of_elements<E>(x: Mat<E, M, K>, w: Mat<E, N, K>) -> Mat<E, M, N> {
        matmul(x, w)
    }
}

#[test]
fn a_function_of_a_type_launches_and_has_a_module() -> Result<(), Error> {
    let shape = Shape { m: 3, n: 5, k: 7 };
    let values = |length: usize| (0..length).map(|i| f16::from_f32(i as f32 / 8.0 - 1.0));
    let (x, w): (Vec<_>, Vec<_>) = (values(21).collect(), values(35).collect());
    let expected = halved::reference(shape, &x, &w)?;

    let device = Device::emulator();
    let x = device.matrix(3, 7, &x)?;
    let layer = Layer { w: device.matrix(5, 7, &w)?, device };
    let y = layer.forward(&x)?.to_vec()?;
    let got: Vec<f32> = y.iter().map(|y| y.to_f32()).collect();
    let rounded: Vec<f32> = expected.iter().map(|y| f16::from_f32(*y).to_f32()).collect();
    assert_eq!(got, rounded);

    let mut out = layer.device.zeros(3, 5)?;
    halved::into(&layer.device, &x, &layer.w, &mut out)?;
    assert_eq!(out.to_vec()?, y);
    Ok(())
}

#[test]
fn a_function_of_a_generic_type_has_its_own_type_parameters() -> Result<(), Error> {
    let device = Device::emulator();
    let x = device.matrix(2, 2, &[1.0f32, 2.0, 3.0, 4.0])?;
    let product = Layer::<()>::of_elements(&device, &x, &x)?.to_vec()?;
    assert_eq!(product, [5.0, 11.0, 11.0, 25.0]);
    assert!(of_elements::f16::SOURCE.contains("of_elements_f16"));
    Ok(())
}
