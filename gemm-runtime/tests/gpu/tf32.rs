//! What the copy unit makes of each kind of f32 that it rounds to tf32.

use crate::common::tf32::{product, random, specials, wrong};
use gemm_runtime::prelude::*;

use super::gpu;

/// Values of one launch.
const COUNT: usize = 1 << 18;

fn assert_rounded(device: &Device, values: &[f32]) {
    match wrong(device, &product::KERNEL, values) {
        Ok(wrong) => assert!(
            wrong.is_empty(),
            "{} of {} are wrong: {:#?}",
            wrong.len(),
            values.len(),
            &wrong[..wrong.len().min(40)]
        ),
        Err(error @ Error::UnsupportedArchitecture { .. }) => eprintln!("skipped: {error}"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn numbers_are_rounded_to_even() {
    let Some(device) = gpu() else { return };
    for seed in 0..8 {
        let mut values = random(COUNT, seed);
        values.retain(|value| value.is_normal() && value.abs() < 2f32.powi(127));
        assert_rounded(&device, &values);
    }
}

#[test]
fn the_smallest_numbers_are_rounded_to_even() {
    let Some(device) = gpu() else { return };
    let mut values = [specials(), random(COUNT, 9)].concat();
    values.retain(|value| value.is_subnormal() || value.abs() < 2f32.powi(-120));
    assert_rounded(&device, &values);
}

#[test]
fn the_largest_numbers_become_infinite_beyond_those_of_tf32() {
    let Some(device) = gpu() else { return };
    let mut values = [specials(), random(COUNT, 10)].concat();
    values.retain(|value| value.is_infinite() || value.abs() >= 2f32.powi(127));
    assert_rounded(&device, &values);
}

#[test]
fn nan_stays_nan() {
    let Some(device) = gpu() else { return };
    let mut values = [specials(), random(1 << 20, 11)].concat();
    values.retain(|value| value.is_nan());
    assert_rounded(&device, &values);
}
