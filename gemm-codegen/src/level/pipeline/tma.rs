//! Tensor copies to a ring of stages for the warps at each place along K.

use super::Mainloop;
use crate::level::{global_to_shared, shared_to_register};
use crate::text::Sections;

/// Bytes of the two barriers of a stage (PTX ISA, "mbarrier": 8 bytes each).
pub(super) const BARRIER_BYTES: u32 = 16;

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    global_to_shared::write_tensor(text, mainloop.copies);
    shared_to_register::write_each(text, mainloop.loads);
    mainloop.multiply.write_atom(text);
    text.add(include_str!("tma.cuh"));
}
