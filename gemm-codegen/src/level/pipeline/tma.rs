//! Tensor copies to a ring of stages for the warps at each place along K.

use super::Mainloop;
use crate::level::global_to_shared::{self, tensor};
use crate::level::{mma, shared_to_register};
use crate::part::Part;
use crate::registers::Registers;
use crate::text::Sections;

/// Bytes of the two barriers of a stage (PTX ISA, "mbarrier": 8 bytes each).
pub(super) const BARRIER_BYTES: u32 = 16;

/// Registers for addresses, bounds and counters where one thread issues the copies, measured on emitted
/// kernels.
const ADDRESS_REGISTERS: u32 = 12;

/// The most loads of A whose fragments the main loop holds.
const LOADS_HELD: u32 = 4;

/// The registers of a thread. The main loop holds the fragments of a few loads of A and of two k-steps of
/// B, and no others.
pub(super) fn registers(warp_accumulators: u32, [of_a, of_b]: [u32; 2], threads: u32) -> Registers {
    let held = of_a.min(LOADS_HELD * tensor::LOAD).saturating_add(of_b.saturating_mul(2));
    Registers {
        next_fragments: 0,
        addresses: ADDRESS_REGISTERS,
        ..Registers::new(warp_accumulators, held, 0, threads)
    }
}

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    let of_factors = tensor::of_factors(mainloop.parts, mainloop.in_turn);
    global_to_shared::write_tensor(text, mainloop.copies, mainloop.tensors, of_factors);
    shared_to_register::write_each(text, &mainloop.loads);
    mma::write_atom(text, mainloop.multiply, mainloop.promoting);
    if mainloop.terms {
        text.add(include_str!("../../ptx/mbarrier_invalidate.cuh"));
    }
    text.of(Part::Mainloop).add_file(include_str!("tma.cuh"), &[("TERMS", mainloop.terms)]);
}
