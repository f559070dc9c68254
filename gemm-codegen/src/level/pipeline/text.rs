//! The text of a pipeline: its map of shared memory, its functions and their call.

use super::{Mainloop, Pipeline, Roles, StageCounts, double_buffer, multistage, specialised, tma};
use crate::spec::Walk;
use crate::text::{Sections, select};

impl Pipeline {
    /// The map of shared memory, the struct `Shared`, with the `counts` of its barriers, if it has any;
    /// of a block that receives sums of others, with their place, and with barriers of the slabs that
    /// are `fetched`. What is staged lies `apart` from the ring or where that is.
    pub(crate) fn write_shared(
        &self,
        text: &mut Sections,
        receives: bool,
        [apart, fetched]: [bool; 2],
        counts: Option<&StageCounts>,
    ) {
        let roles = self.roles();
        let parts = [
            ("BARRIERS", matches!(self, Pipeline::Tma(_) | Pipeline::Specialised(..))),
            ("RINGS", self.rings() > 1),
            ("PLANES", roles.is_none()),
            ("RECEIVES", receives),
            ("APART", apart),
            ("FETCHED", fetched),
            ("CLUSTERED", roles.is_some_and(|roles| roles.cluster.is_some())),
        ];
        let counts = counts.map(StageCounts::cuda).unwrap_or_default();
        text.add(select(include_str!("shared.cuh"), &parts) + &counts);
    }

    /// The threads that multiply and their barriers; that of all is for those that stage where the ring
    /// is.
    pub(crate) fn write_consumers(&self, text: &mut Sections, apart: bool) {
        let walk = self.roles().and_then(|roles| roles.walk);
        let parts = [
            ("ROLES", self.roles().is_some()),
            ("APART", apart),
            ("TURNS", walk == Some(Walk::Pingpong)),
        ];
        text.add_file(include_str!("consumers.cuh"), &parts);
        if walk == Some(Walk::Pingpong) {
            text.add(include_str!("turns.cuh"));
        }
    }

    /// The device functions from the copies to the main loop.
    pub(crate) fn write(&self, text: &mut Sections, mainloop: &Mainloop<'_>) {
        match self {
            Pipeline::DoubleBuffer => double_buffer::write(text, mainloop),
            Pipeline::Multistage(_) => multistage::write(text, mainloop),
            Pipeline::Tma(_) => tma::write(text, mainloop),
            Pipeline::Specialised(_, roles) => specialised::write(text, mainloop, roles),
        }
    }

    /// The call of `mainloop` for the operands of these names, over all of K or over a part of it.
    pub(crate) fn cuda_call(&self, [a, b]: [&str; 2], has_part: bool) -> String {
        match (self, has_part) {
            (Pipeline::Specialised(_, Roles { walk: Some(Walk::Pingpong), .. }), false) => {
                "mainloop(acc, ring, place, warp, k, tiles.left() ? 1 - group : -1);".to_owned()
            }
            (Pipeline::Specialised(..), false) => "mainloop(acc, ring, place, warp, k);".to_owned(),
            (Pipeline::Specialised(..), true) => {
                "mainloop(acc, ring, place, warp, part.k);".to_owned()
            }
            (Pipeline::Tma(_), false) => {
                format!("mainloop(acc, shared, block, warp, {a}, {b}, 0, k);")
            }
            (Pipeline::Tma(_), true) => {
                format!("mainloop(acc, shared, block, warp, {a}, {b}, part.from, part.k);")
            }
            (_, false) => {
                format!("mainloop(acc, shared, block, warp, {a}, ld_{a}, {b}, ld_{b}, m, n, k);")
            }
            (_, true) => format!(
                "mainloop(\n    acc, shared, block, warp,\n    \
                 skip<TileA>({a}, ld_{a}, part), ld_{a},\n    \
                 skip<TileB>({b}, ld_{b}, part), ld_{b},\n    \
                 m, n, part.k);"
            ),
        }
    }
}
