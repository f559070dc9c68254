//! Every use of a function with a mistake compiles.

use gemm_runtime::prelude::*;

#[gemm(stages = 1)]
pub fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

fn uses(
    device: &Device,
    x: &Matrix<f16>,
    bias: &DeviceVector<f16>,
    out: &mut Matrix<f16>,
) -> Result<(), Error> {
    let y: Matrix<f16> = f(device, x, x, bias)?;
    f::into(device, &y, x, bias, &mut *out)?;
    f::prepare(device, &y, x, bias, &mut *out)?;
    f::report(device)?;
    let one = [f16::ONE];
    let host: Vec<f32> = f::reference(Shape { m: 1, n: 1, k: 1 }, &one, &one, &one)?;
    println!("{host:?} {} {} {}", f::SOURCE, f::PLAN, f::KERNEL.entry);
    Ok(())
}

fn main() {
    let _ = uses;
}
