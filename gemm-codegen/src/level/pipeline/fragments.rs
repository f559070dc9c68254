//! The main loops whose warps hold fragments: how these are loaded and multiplied, whichever pipeline brings k-tiles.

use super::Mainloop;
use crate::axis::{PerSide, Side};
use crate::level::mma::{self, ScalesIn, Scaling};
use crate::part::Part;
use crate::text::Sections;

/// The functions that the main loop calls, then its text. Those of its pipeline come before.
pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
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
    if mainloop.odd_steps {
        of_loop(text, include_str!("restart_fragments.cuh"));
    }
    if mainloop.promotes {
        of_loop(text, include_str!("promote_sums.cuh"));
    }
    if let Some(scaling) = mainloop.scaling {
        let of = |side| mainloop.loads.iter().find(|loads| loads.side == side);
        let interleaved = |side| of(side).map_or(1, |loads| loads.path.interleaved());
        scaling.write(text, mainloop.multiply, PerSide::of(interleaved));
    }
    let file = match mainloop.scaling {
        Some(Scaling { place: ScalesIn::Tile, .. }) => include_str!("mainloop_staged_scales.cuh"),
        Some(_) => include_str!("mainloop_scaled.cuh"),
        None if mainloop.promotes => include_str!("mainloop_promoted.cuh"),
        None => include_str!("mainloop.cuh"),
    };
    text.of(Part::Mainloop).add_file(file, &[("ODD_STEPS", mainloop.odd_steps)]);
}
