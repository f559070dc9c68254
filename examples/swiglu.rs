//! The SwiGLU layer of a transformer: forward in one launch, backward from the same two products, and quantised
//! to 8-bit floats with a scale for each token. Each result is compared with a plain loop in f64.
//!
//! `cargo run --release --example swiglu`; 8-bit floats need a GPU of compute capability 8.9, or the emulator.

mod plain;

use gemm_runtime::prelude::*;
use plain::{doubles, error, product, random, report};

/// h = silu(x · gateᵀ) * (x · upᵀ)
#[gemm]
fn forward(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

/// The gradients by x · gateᵀ and by x · upᵀ. Both products are computed again rather than stored by the forward
/// pass and read.
#[gemm]
fn backward(
    x: Mat<f16, M, K>,
    gate: Mat<f16, N, K>,
    up: Mat<f16, N, K>,
    dh: Mat<f16, M, N>,
) -> (Mat<f16, M, N>, Mat<f16, M, N>) {
    let g = matmul(x, gate);
    let s = sigmoid(g);
    let dgate = dh * matmul(x, up) * s * (1.0 + g * (1.0 - s));
    (dgate, dh * g * s)
}

/// The largest finite e4m3.
const E4M3_MAX: f32 = 448.0;

/// Divides the row of a padding token, whose elements are 0.
const LEAST: f32 = 1e-12;

/// The largest magnitude in each row of h, which is not stored.
#[gemm]
fn largest(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Vector<f32, M> {
    abs_max(silu(matmul(x, gate)) * matmul(x, up))
}

/// h by 8 bits: each row is scaled to the range of e4m3.
#[gemm]
fn quantised(
    x: Mat<f16, M, K>,
    gate: Mat<f16, N, K>,
    up: Mat<f16, N, K>,
    largest: Vector<f32, M>,
) -> Mat<e4m3, M, N> {
    silu(matmul(x, gate)) * matmul(x, up) * (E4M3_MAX / largest.max(LEAST))
}

/// The next layer, whose rows are scaled back.
#[gemm]
fn down(h: Mat<e4m3, M, K>, w: Mat<e4m3, N, K>, largest: Vector<f32, M>) -> Mat<f32, M, N> {
    matmul(h, w) * (largest.max(LEAST) / E4M3_MAX)
}

/// Tokens, their features, and the features of h.
const SHAPE: [usize; 3] = [100, 72, 200];

/// The operands on a device, and the products by the plain loop.
struct Layer {
    x: Matrix<f16>,
    gate: Matrix<f16>,
    up: Matrix<f16>,
    /// x · gateᵀ and x · upᵀ.
    products: [Vec<f64>; 2],
}

impl Layer {
    fn new(device: &Device, rng: &mut fastrand::Rng) -> Result<Layer, Error> {
        let [tokens, features, inner] = SHAPE;
        let mut x = random(rng, tokens * features);
        x[..features].fill(f16::ZERO); // a padding token
        let [gate, up] = [(); 2].map(|()| random(rng, inner * features));
        Ok(Layer {
            products: [&gate, &up].map(|w| product(&doubles(&x), &doubles(w), features)),
            x: device.matrix(tokens, features, &x)?,
            gate: device.matrix(inner, features, &gate)?,
            up: device.matrix(inner, features, &up)?,
        })
    }

    /// The elements of h: `f` of those of both products.
    fn map(&self, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let [gate, up] = &self.products;
        gate.iter().zip(up).map(|(gate, up)| f(*gate, *up)).collect()
    }

    fn forward(&self, device: &Device) -> Result<f64, Error> {
        let h = forward(device, &self.x, &self.gate, &self.up)?.to_vec()?;
        Ok(error(&doubles(&h), &self.map(swiglu)))
    }

    /// The errors of both gradients, against central differences.
    fn backward(&self, device: &Device, rng: &mut fastrand::Rng) -> Result<[f64; 2], Error> {
        let [tokens, _, inner] = SHAPE;
        let dh = random(rng, tokens * inner);
        let of_dh = device.matrix(tokens, inner, &dh)?;
        let (dgate, dup) = backward(device, &self.x, &self.gate, &self.up, &of_dh)?;

        const STEP: f64 = 1e-5;
        let slopes = [
            self.map(|g, u| (swiglu(g + STEP, u) - swiglu(g - STEP, u)) / (2.0 * STEP)),
            self.map(|g, u| (swiglu(g, u + STEP) - swiglu(g, u - STEP)) / (2.0 * STEP)),
        ];
        let [by_gate, by_up] = slopes.map(|slopes| -> Vec<f64> {
            slopes.iter().zip(&dh).map(|(slope, dh)| slope * dh.to_f64()).collect()
        });
        Ok([error(&doubles(&dgate.to_vec()?), &by_gate), error(&doubles(&dup.to_vec()?), &by_up)])
    }

    /// The error of the next layer, whose plain loop rounds the same numbers to 8 bits.
    fn quantised(&self, device: &Device, rng: &mut fastrand::Rng) -> Result<f64, Error> {
        let [_, features, inner] = SHAPE;
        let w = random(rng, features * inner).into_iter().map(|w| e4m3::from_f32(w.to_f32()));
        let w: Vec<e4m3> = w.collect();
        let rows = largest(device, &self.x, &self.gate, &self.up)?;
        let h = quantised(device, &self.x, &self.gate, &self.up, &rows)?;
        let of_w = device.matrix(features, inner, &w)?;
        let y = down(device, &h, &of_w, &rows)?.to_vec()?;
        let y: Vec<f64> = y.into_iter().map(f64::from).collect();

        let mut h = self.map(swiglu);
        for row in h.chunks_mut(inner) {
            let largest = row.iter().fold(1e-12, |largest: f64, h| largest.max(h.abs()));
            let scale = 448.0 / largest;
            row.iter_mut().for_each(|h| *h = e4m3::from_f64(*h * scale).to_f64() / scale);
        }
        let w: Vec<f64> = w.into_iter().map(e4m3::to_f64).collect();
        Ok(error(&y, &product(&h, &w, inner)))
    }
}

/// silu(gate) * up
fn swiglu(gate: f64, up: f64) -> f64 {
    gate / (1.0 + (-gate).exp()) * up
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto()?;
    println!("{device}");
    let mut rng = fastrand::Rng::with_seed(1);
    let layer = Layer::new(&device, &mut rng)?;
    report("h", layer.forward(&device)?)?;
    let [gate, up] = layer.backward(&device, &mut rng)?;
    report("the gradient by the gate", gate)?;
    report("the gradient by the other product", up)?;
    report("the next layer of h in 8 bits", layer.quantised(&device, &mut rng)?)
}
