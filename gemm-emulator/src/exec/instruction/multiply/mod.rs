//! `mma.sync` and `wgmma`.
//!
//! Floats of 32 bits and fewer are added as tensor cores add them, bit for bit; [`Summation`](crate::program::Summation)
//! has the rules. Of tf32 inputs the low 13 bits are ignored. On f64 each step is a fused multiply-add, in ascending
//! order of k. Integer sums are exact, then wrapped or clamped to s32.
//!
//! On an H200, random fragments gave the same bits for integers and f64, and for f16, bf16 and tf32 summed in f32, by
//! `mma.sync` and `wgmma`, in every layout of the factors of `wgmma`.
//!
//! For the fragment layouts see [`crate::fragment`].

mod double;
mod element;
mod float;
mod fragments;
mod integer;
mod summation;
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
