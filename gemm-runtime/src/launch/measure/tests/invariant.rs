//! Measured choices of a function that is `invariant`.

use std::sync::atomic::{AtomicU32, Ordering};

use gemm_codegen::Target;

use super::*;

#[gemm(invariant)]
fn rows(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// N and K: K is split on Hopper.
const LAYER: [usize; 2] = [72, 1160];

/// Numbers whose sums depend on their order.
fn fractions(count: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f32((i * 7919 % 1009) as f32 / 1009.0 - 0.3)).collect()
}

fn bits(y: &Matrix<f32>) -> Vec<u32> {
    y.to_vec().expect("y").into_iter().map(f32::to_bits).collect()
}

/// A clock by which each kernel is faster than those that were timed before it.
fn later_is_faster() -> impl Fn(&Kernel) -> Result<f64, Error> + Clone {
    let timed = Arc::new(AtomicU32::new(1));
    move |_| Ok(1e-3 / f64::from(timed.fetch_add(1, Ordering::Relaxed)))
}

#[test]
fn a_measurement_chooses_among_kernels_that_give_the_same_bits() {
    let hopper = || Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let (plain, [n, k], most) = (hopper(), LAYER, 140);
    let (_folder, cache) = cache();
    let (tuning, timed) = tuning(cache, later_is_faster());
    let device = hopper().with_tuning(tuning);
    let (host, weights) = (fractions(most * k), fractions(n * k));
    let of = |device: &Device, m: usize| {
        let x = device.matrix(m, k, &host[(most - m) * k..]).expect("it fits");
        let w = device.matrix(n, k, &weights).expect("it fits");
        let kernel = choose(device, &rows::KERNELS, &[x.argument(), w.argument()]);
        (kernel, bits(&rows(device, &x, &w).expect("it runs")))
    };
    let (_, all) = of(&plain, most);
    for m in [3, 37, most] {
        let ((estimated, _), (measured, bits)) = (of(&plain, m), of(&device, m));
        assert_ne!(estimated, measured, "{m}");
        let launch = &measured.launch;
        assert!(launch.split_k.is_some() || launch.cluster[2] > 1, "K is split");
        assert!(bits == all[(most - m) * n..], "{m}");
    }
    let kernels = timed.lock().expect("not poisoned").clone();
    let choice = |entry: &String| rows::KERNELS.choices().find(|one| one.kernel().entry == *entry);
    let classes: Vec<_> = kernels.iter().filter_map(choice).map(Choice::class).collect();
    assert!(classes.len() > 3 && classes.iter().all(|class| *class == classes[0]), "{classes:?}");
}
