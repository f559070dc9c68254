//! Products of floats by integers, which a warp converts.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// `y = x · wᵀ` with a scale for each row of `w`.
#[gemm(T = [f16, bf16], W = [i8, u8])]
fn of_weights<T, W>(x: Mat<T, M, K>, w: Mat<W, N, K>, s: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) * s
}

/// The same with the factors exchanged.
#[gemm(W = [i8, u8], tile = [32, 32, 64], warps = [2, 2], stages = 3)]
fn of_tokens<W>(w: Mat<W, M, K>, x: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(w, x)
}

/// What threads load by way of registers.
#[gemm(W = [i8, u8], tile = [32, 16, 32], warps = [1, 1], mma = m16n8k8, copy = ld_global(16), stages = 2)]
fn by_registers<W>(x: Mat<f16, M, K>, w: Mat<W, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Multiples of 1/16, whose products with 8 bits have exact sums.
fn tokens<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 37 % 19) as f64 / 16.0 - 0.5)).collect()
}

/// Every value of 8 bits.
fn weights<W: Element>(count: usize) -> Vec<W> {
    let least = if W::from_f64(-1.0) == W::from_f64(0.0) { 0.0 } else { -128.0 };
    (0..count).map(|i| W::from_f64((i * 89 % 256) as f64 + least)).collect()
}

const SHAPES: [Shape; 3] =
    [Shape { m: 1, n: 33, k: 257 }, Shape { m: 17, n: 40, k: 96 }, Shape { m: 133, n: 139, k: 80 }];

/// Compares a function of two factors on the emulator with its reference, bit by bit.
macro_rules! check {
    ($function:ident, $a:ident::<$A:ty>, $b:ident::<$B:ty>, $($more:ident)?) => {
        let device = Device::emulator();
        for shape @ Shape { m, n, k } in SHAPES {
            let (a, b) = ($a::<$A>(m * k), $b::<$B>(n * k));
            let expected = $function::reference(shape, &a, &b $(, &$more(n))?).expect("it fits");
            let a = device.matrix(m, k, &a).expect("it fits");
            let b = device.matrix(n, k, &b).expect("it fits");
            let y = $function(&device, &a, &b $(, &device.vector(&$more(n)).expect("it fits"))?);
            let y = y.expect("it runs");
            assert_eq!(y.to_vec().expect("y"), expected, "{shape:?}");
        }
    };
}

/// Powers of two.
fn scales(count: usize) -> Vec<f32> {
    (0..count).map(|i| 0.5f32.powi(i as i32 % 5)).collect()
}

#[test]
fn weights_are_multiplied_as_what_the_tokens_are() {
    check!(of_weights, tokens::<f16>, weights::<i8>, scales);
    check!(of_weights, tokens::<f16>, weights::<u8>, scales);
    check!(of_weights, tokens::<bf16>, weights::<i8>, scales);
    check!(of_weights, tokens::<bf16>, weights::<u8>, scales);
}

#[test]
fn either_factor_may_be_the_one_of_integers() {
    check!(of_tokens, weights::<i8>, tokens::<bf16>,);
    check!(of_tokens, weights::<u8>, tokens::<bf16>,);
}

#[test]
fn threads_load_weights_by_way_of_registers() {
    check!(by_registers, tokens::<f16>, weights::<i8>,);
    check!(by_registers, tokens::<f16>, weights::<u8>,);
}
