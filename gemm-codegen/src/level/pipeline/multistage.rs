//! Asynchronous copies by all threads to a ring of stages.

use super::Mainloop;
use crate::axis::Side;
use crate::level::{global_to_shared, mma, shared_to_register};
use crate::part::Part;
use crate::text::Sections;

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    global_to_shared::write_cp_async(text, mainloop.copies, mainloop.parts);
    shared_to_register::write(text, &mainloop.loads);
    mma::write_atom(text, mainloop.multiply);
    mainloop.factors().write_step(text);
    let early = mainloop.pdl.and_then(|pdl| pdl.early_side());
    if let Some(early) = early {
        text.of(Part::Mainloop).add_file(
            include_str!("prologue.cuh"),
            &[("A_EARLY", early == Side::A), ("PARTS", mainloop.parts)],
        );
    }
    text.of(Part::Mainloop).add_file(
        include_str!("multistage.cuh"),
        &[
            ("PROLOGUE", early.is_some()),
            ("B_FIRST", mainloop.multiply.first() == Side::B),
            ("PARTS", mainloop.parts),
        ],
    );
}
