//! A `#[gemm]` function of a type needs the attribute on the `impl` as well: the module of the function
//! cannot stand in it.

use gemm_runtime::prelude::*;

struct Layer;

#[gemm]
impl Layer {
    #[gemm]
    fn legal(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }

    #[gemm]
    fn method(&self, x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }

    #[gemm]
    fn mistaken(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, x)
    }

    #[gemm = 4]
    fn value(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }
}

trait Linear {
    fn linear(device: &Device, x: &Matrix<f16>, w: &Matrix<f16>) -> Result<Matrix<f16>, Error>;
}

#[gemm(stages = 4)]
impl Linear for Layer {
    #[gemm]
    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }
}

#[gemm]
impl Layer {
    fn plain() {}
}

impl Layer {
    #[gemm]
    fn alone(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }
}

fn main() -> Result<(), Error> {
    Layer::plain();
    let device = Device::auto()?;
    let x = device.matrix(1, 1, &[f16::ONE])?;
    println!("{} {:?}", legal::PLAN, Layer::legal(&device, &x, &x)?);
    println!("{:?} {:?}", Layer::mistaken(&device, &x, &x)?, Layer::value(&device, &x, &x)?);
    println!("{:?}", Layer.method(&device, &x, &x)?);
    Ok(())
}
