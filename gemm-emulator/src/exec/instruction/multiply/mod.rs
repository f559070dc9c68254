//! `mma.sync` and `wgmma`.
//!
//! The rounding of floats of 32 bits and fewer is more exact than the hardware's: products are exact, they are added to
//! c in f64 in ascending order of k, and the sum is rounded once, to nearest. The hardware adds in steps with a few
//! bits beyond f32 and truncates. Of tf32 inputs the low 13 bits are ignored. On f64 each step is a fused
//! multiply-add, again in ascending order of k. Integer sums are exact, then wrapped or clamped to s32.
//!
//! On an H200, random fragments gave the same bits for integers, f64, and 8-bit floats summed in f32; the
//! last bits differed for 16-bit floats and tf32 summed in f32, and for 8-bit floats summed in f16.
//!
//! `wgmma` gave the same integers there and the same floats but for the last bits, in every layout of its factors. Of
//! 8-bit floats it drops more, up to 2^-13 of the largest sum, which [`truncated`] models.
//!
//! For the fragment layouts see [`crate::fragment`].

mod double;
mod element;
mod float;
mod fragments;
mod integer;
mod truncated;
mod warpgroup;

pub(in crate::exec) use warpgroup::multiply_by_warpgroup;

use crate::exec::registers::Registers;
use crate::program::{MatrixElement, Multiply};

/// d = a * b + c.
pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    use MatrixElement::{Bf16, Byte, F16, F64, S4, S8, Tf32, U4, U8};
    match op.a_element {
        F16 | Bf16 | Tf32 | Byte(_) => float::multiply(r, op),
        F64 => double::multiply(r, op),
        S8 | U8 | S4 | U4 => integer::multiply(r, op),
    }
}
