//! Functions of an `impl` that bodies call: by `Self::`, in an annotated `impl`, and expressions over their parameters.

use gemm_runtime::prelude::*;

struct Layer {
    limit: f32,
}

#[gemm]
impl Layer {
    fn scaled(z: f32, by: f32) -> f32 {
        z * by
    }

    fn limited(&self, z: f32) -> f32 {
        z.min(self.limit)
    }

    fn even(i: i32) -> bool {
        i == 0 || Self::odd(i - 1)
    }

    fn odd(i: i32) -> bool {
        i != 0 && Self::even(i - 1)
    }

    fn any(values: &[f32]) -> f32 {
        values[0]
    }

    #[gemm]
    fn wrong(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::limited(if Self::even(row()) { matmul(x, w) } else { 0.0 })
    }
}

#[gemm]
impl Layer {
    fn halved(z: f32) -> f32 {
        0.5 * z
    }

    #[gemm]
    fn bare(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        halved(matmul(x, w))
    }

    #[gemm]
    fn misspelt(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::halfed(matmul(x, w))
    }

    #[gemm]
    fn of_the_language(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::gelu(matmul(x, w))
    }

    #[gemm]
    fn counted(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::halved(matmul(x, w), 2.0)
    }

    #[gemm]
    fn legal(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::halved(matmul(x, w))
    }
}

impl Layer {
    #[gemm]
    fn alone(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::halved(matmul(x, w))
    }
}

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let x = device.matrix(1, 1, &[f16::ONE])?;
    println!("{} {:?}", legal::PLAN, Layer::legal(&device, &x, &x)?);
    println!("{:?} {:?}", Layer::wrong(&device, &x, &x)?, Layer::bare(&device, &x, &x)?);
    println!("{:?} {:?}", Layer::misspelt(&device, &x, &x)?, Layer::counted(&device, &x, &x)?);
    println!("{:?} {}", Layer::of_the_language(&device, &x, &x)?, Layer::any(&[1.0]));
    Ok(())
}
