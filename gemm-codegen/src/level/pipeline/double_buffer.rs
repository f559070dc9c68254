//! Copies through registers to two stages.

use super::Mainloop;
use crate::level::{global_to_shared, mma, shared_to_register};
use crate::part::Part;
use crate::text::Sections;

/// One stage is filled while the other is multiplied.
pub(super) const STAGES: u32 = 2;

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    global_to_shared::write_ld_global(text, mainloop.parts);
    shared_to_register::write(text, &mainloop.loads);
    mma::write_atom(text, mainloop.multiply);
    mainloop.factors().write_step(text);
    text.of(Part::Mainloop).add(include_str!("load_fragments.cuh"));
    text.of(Part::Mainloop).add(include_str!("double_buffer.cuh"));
}
