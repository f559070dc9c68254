//! The table "Bounds that always hold" of docs/support.md: kernels on the emulator, with factors built to
//! come near each bound. A test fails if an error exceeds its bound, and if the largest error is below a
//! stated share of it, as a bound that is stated too large would have it.
//!
//! The emulator rounds the sums of an instruction to nearest; tensor cores truncate them. [`truncating`]
//! has their rule, so that the bounds are held for both.

mod doubles;
mod factors;
mod float8;
mod fma;
mod halves;
mod integers;
mod planes;
mod scaled;
mod singles;
mod truncating;

use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Target};

use self::doubles::sums_of_doubles_err_by_no_more_than_the_bound;
use self::float8::{
    float8_sums_of_mma_sync_are_those_of_halves,
    promoted_sums_of_float8_keep_what_truncated_ones_drop,
    truncated_sums_err_by_no_more_than_their_bound_and_more_than_others,
    truncated_sums_lose_the_last_bits_of_each_product,
};
use self::fma::sums_by_fma_round_once_a_product;
use self::halves::{
    promoted_sums_of_halves_round_once_a_promotion, sums_in_f16_round_once_an_atom,
    sums_of_halves_round_once_an_atom,
};
use self::integers::sums_of_bytes_are_exact_modulo_2_to_the_32;
use self::planes::{
    low_by_low_is_all_that_three_products_leave_out, promoted_sums_of_planes_are_more_exact,
    small_elements_lose_what_the_scale_of_their_row_does_not_hold, sums_of_planes_hold_their_bound,
};
use self::scaled::{
    factors_that_are_scaled_are_rounded_twice,
    subnormal_scales_of_f16_are_off_by_half_their_distance, sums_that_are_scaled_round_no_scale,
};
use self::singles::{factors_are_rounded_to_tf32, sums_of_tf32_round_once_an_atom};
use self::truncating::{
    float8_sums_on_sm_89_hold_the_bound_of_truncated_ones,
    planes_on_tensor_cores_that_truncate_hold_their_bound, subnormal_factors_have_a_larger_bound,
    tensor_cores_that_truncate_hold_the_bounds,
};
use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    tests![
        factors_are_rounded_to_tf32,
        factors_that_are_scaled_are_rounded_twice,
        float8_sums_of_mma_sync_are_those_of_halves,
        float8_sums_on_sm_89_hold_the_bound_of_truncated_ones,
        low_by_low_is_all_that_three_products_leave_out,
        planes_on_tensor_cores_that_truncate_hold_their_bound,
        promoted_sums_of_float8_keep_what_truncated_ones_drop,
        promoted_sums_of_halves_round_once_a_promotion,
        promoted_sums_of_planes_are_more_exact,
        small_elements_lose_what_the_scale_of_their_row_does_not_hold,
        subnormal_factors_have_a_larger_bound,
        subnormal_scales_of_f16_are_off_by_half_their_distance,
        sums_by_fma_round_once_a_product,
        sums_in_f16_round_once_an_atom,
        sums_of_bytes_are_exact_modulo_2_to_the_32,
        sums_of_doubles_err_by_no_more_than_the_bound,
        sums_of_halves_round_once_an_atom,
        sums_of_planes_hold_their_bound,
        sums_of_tf32_round_once_an_atom,
        sums_that_are_scaled_round_no_scale,
        tensor_cores_that_truncate_hold_the_bounds,
        truncated_sums_err_by_no_more_than_their_bound_and_more_than_others,
        truncated_sums_lose_the_last_bits_of_each_product,
    ]
}

fn hopper() -> Device {
    Device::emulator_with(EmulatorOptions::default().target(Target::Sm90))
}

/// 2^power.
fn two(power: i32) -> f64 {
    f64::exp2(f64::from(power))
}
