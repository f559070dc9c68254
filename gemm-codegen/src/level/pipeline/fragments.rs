//! What main loops share whose warps hold fragments: how these are loaded, and how sums are promoted.

use super::Mainloop;
use crate::axis::{PerSide, Side};
use crate::level::mma;
use crate::part::Part;
use crate::text::{Sections, select};

/// The functions that a main loop calls, then its text.
pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>, file: &str) {
    let of_loop = |text: &mut Sections, file: &str| text.of(Part::Mainloop).add(file);
    if let Some(planes) = mainloop.planes {
        text.of(Part::Mainloop).add(mma::steps_of(planes, mainloop.multiply));
    }
    of_loop(
        text,
        match (mainloop.planes, mainloop.multiply.first()) {
            (Some(_), _) => include_str!("load_fragments_of_planes.cuh"),
            (None, Side::A) => include_str!("load_fragments.cuh"),
            (None, Side::B) => include_str!("load_fragments_b_first.cuh"),
        },
    );
    if mainloop.promotes {
        of_loop(text, include_str!("promote_sums.cuh"));
    }
    if let Some(scaling) = mainloop.scaling {
        let of = |side| mainloop.loads.iter().find(|loads| loads.side == side);
        let interleaved = |side| of(side).map_or(1, |loads| loads.path.interleaved());
        scaling.write(text, mainloop.multiply, PerSide::of(interleaved));
    }
    let (promotes, scales) = (mainloop.promotes, mainloop.scaling.is_some());
    let offsets = mainloop.scaling.is_some_and(|scaling| scaling.offset().is_some());
    let sums = promotes || scales;
    let products = ("SUMS_OF_PRODUCTS", sums && !offsets);
    let flags = [
        ("PROMOTES", promotes),
        ("SCALES", scales),
        ("SUMS", sums),
        products,
        ("OFFSETS", offsets),
    ];
    text.of(Part::Mainloop).add(select(file, &flags));
}
