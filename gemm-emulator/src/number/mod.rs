//! Floating-point arithmetic with every rounding and format of PTX.
//!
//! Results of the narrow formats go through an f64 that is *rounded to odd*: truncated, its last bit set if anything
//! was cut off. An f64 has more than twice the bits of f32, so that rounding such a value once more, in any direction,
//! gives what rounding the exact result would have given.
//!
//! `rustc_apfloat` 0.2 gives the same bits for sums, products, quotients, fused multiply-adds and conversions in all
//! five roundings, but it has no square root, no tf32 and no saturating conversions, and a fused multiply-add takes 8
//! times as long.

mod exact;
mod format;

pub(crate) use exact::{
    add_odd, add_towards_zero, div_odd, fma_odd, from_integer, from_integer_odd, mul_odd, sqrt_odd,
};
pub(crate) use format::{
    BF16, ByteFloat, F16, F32, Format, Rounding, TF32, TF32_UNUSED, nearest_tf32,
};
