//! Asynchronous copies by all threads to a ring of stages.

use super::{Mainloop, fragments};
use crate::axis::Side;
use crate::level::{global_to_shared, mma, shared_to_register};
use crate::part::Part;
use crate::text::Sections;

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    let scaling = mainloop.scaling.filter(|scaling| scaling.place == mma::ScalesIn::Tile);
    let staged = scaling.is_some();
    let scales = scaling.and_then(|scaling| scaling.least_staged());
    global_to_shared::write_cp_async(text, mainloop.copies, mainloop.parts, scales);
    scaling.iter().for_each(|scaling| scaling.write_copies(text));
    shared_to_register::write(text, &mainloop.loads);
    mma::write_atom(text, mainloop.multiply, mainloop.promoting);
    mainloop.write_step(text);
    let of_loop = |text: &mut Sections, file: &str| text.of(Part::Mainloop).add(file);
    let of_copies = |text: &mut Sections, file: &str| text.of(Part::Copies).add(file);
    if staged {
        of_copies(text, include_str!("sources_with_scales.cuh"));
    } else {
        of_copies(text, include_str!("sources.cuh"));
        of_copies(text, include_str!("sources_to_shared.cuh"));
    }
    match mainloop.pdl.early_side() {
        Some(side) => {
            let file = match side {
                Side::A => include_str!("prologue_early_a.cuh"),
                Side::B => include_str!("prologue_early_b.cuh"),
            };
            text.of(Part::Mainloop).add_file(file, &[("SCALES", staged)]);
        }
        None => of_loop(text, include_str!("prologue.cuh")),
    }
    of_loop(text, include_str!("multistage.cuh"));
    fragments::write(text, mainloop);
}
