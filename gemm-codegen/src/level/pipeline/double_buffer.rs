//! Copies through registers to two stages.

use super::{Mainloop, fragments};
use crate::level::{global_to_shared, mma, shared_to_register};
use crate::part::Part;
use crate::text::Sections;

/// One stage is filled while the other is multiplied.
pub(super) const STAGES: u32 = 2;

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    global_to_shared::write_ld_global(text, mainloop.copies, mainloop.parts);
    shared_to_register::write(text, &mainloop.loads);
    mma::write_atom(text, mainloop.multiply, mainloop.promoting);
    mainloop.write_step(text);
    text.of(Part::Copies).add(include_str!("sources.cuh"));
    text.of(Part::Mainloop).add(include_str!("double_buffer.cuh"));
    fragments::write(text, mainloop);
}
