//! Float literals have the types that rustc infers: host and kernel agree to the last bit.

use gemm_runtime::prelude::*;

/// What one of several literals gives, by the value of `which`.
#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2)]
fn literals(a: Mat<f16, M, K>, b: Mat<f16, N, K>, which: Vector<f32, N>) -> Mat<f64, M, N> {
    let third = 1.0 / 3.0;
    let said: f32 = 0.1;
    if which < 1.0 {
        // Alone, so f64, where these differ.
        if 0.1 + 0.2 == 0.3 { 1.0 } else { 2.0 }
    } else if which < 2.0 {
        // An f32, since `which` is one.
        (third * which) as f64
    } else if which < 3.0 {
        // Added as f64, then rounded.
        (0.1 + 0.7) as f32 as f64
    } else if which < 4.0 {
        said as f64
    } else if which < 5.0 {
        0.1 + 0.2 + matmul(a, b) as f64
    } else {
        // Truncated as f64; the nearest f32 is 3.
        2.9999999999 as i32 as f64
    }
}

#[test]
fn literals_have_the_types_that_rustc_infers() {
    let device = Device::emulator();
    let (a, b) = ([f16::ZERO], [f16::ZERO; 6]);
    let which = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let shape = Shape { m: 1, n: 6, k: 1 };
    let expected = literals::reference(shape, &a, &b, &which).expect("the lengths are right");
    let third = f64::from(1.0f32 / 3.0);
    assert_eq!(expected, [2.0, third, f64::from(0.8f32), f64::from(0.1f32), 0.1 + 0.2, 2.0]);

    let (a, b) = (device.matrix(1, 1, &a).expect("a"), device.matrix(6, 1, &b).expect("b"));
    let which = device.vector(&which).expect("a vector");
    let got = literals(&device, &a, &b, &which).expect("a launch").to_vec().expect("a copy");
    assert_eq!(got, expected);
}
