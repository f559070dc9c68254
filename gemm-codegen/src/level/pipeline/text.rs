//! The text of a pipeline: its map of shared memory, its functions and their call.

use super::{Mainloop, StageCounts, double_buffer, multistage, specialised, tma};
use crate::form::ByThreads::{CpAsync, LdGlobal};
use crate::form::Form;
use crate::level::scheduler::Scheduler;
use crate::spec::Walk;
use crate::text::{Sections, select};

/// What is in shared memory beside the stages.
pub(crate) struct Beside<'a> {
    /// Rings of a block.
    pub(crate) rings: u32,
    /// What the barriers of a stage count, if it has any.
    pub(crate) counts: Option<&'a StageCounts>,
    /// Whether what is staged lies apart from the ring, or where that is.
    pub(crate) apart: bool,
    /// Whether there are slabs, with barriers, that are filled before a tile is stored.
    pub(crate) fetched: bool,
}

impl Form {
    /// The map of shared memory, the struct `Shared`.
    pub(crate) fn write_shared(
        self,
        text: &mut Sections,
        scheduler: Scheduler,
        beside: &Beside<'_>,
    ) {
        let parts = [
            ("BARRIERS", beside.counts.is_some()),
            ("RINGS", beside.rings > 1),
            ("PLANES", self != Form::Groups),
            ("RECEIVES", scheduler.cluster_split_k().is_some()),
            ("APART", beside.apart),
            ("FETCHED", beside.fetched),
            ("CLUSTERED", scheduler.cluster().is_some()),
        ];
        let counts = beside.counts.map(StageCounts::cuda).unwrap_or_default();
        text.add(select(include_str!("shared.cuh"), &parts) + &counts);
    }

    /// The threads that multiply and their barriers; that of all is for those that stage where the ring
    /// is, not apart from it.
    pub(crate) fn write_consumers(self, text: &mut Sections, walk: Option<Walk>, apart: bool) {
        let turns = walk == Some(Walk::Pingpong);
        let parts = [("ROLES", self == Form::Groups), ("APART", apart), ("TURNS", turns)];
        text.add_file(include_str!("consumers.cuh"), &parts);
        if turns {
            text.add(include_str!("turns.cuh"));
        }
    }

    /// The call of `mainloop` for what it takes of A and of B, over all of K or over a part of it.
    pub(crate) fn cuda_mainloop(self, scheduler: Scheduler, [a, b]: [&str; 2]) -> String {
        let has_part = scheduler.has_part();
        let [from, k] = if has_part { ["part.from", "part.k"] } else { ["0", "k"] };
        match (self, has_part) {
            (Form::Groups, _) => {
                let turn = match scheduler.walk() {
                    Some(Walk::Pingpong) => ", tiles.left() ? 1 - group : -1",
                    Some(Walk::Cooperative) | None => "",
                };
                format!("mainloop(acc, ring, place, warp, {k}{turn});")
            }
            (Form::WarpsByTensors, _) => {
                format!("mainloop(acc, shared, block, warp, {a}, {b}, {from}, {k});")
            }
            (Form::Warps(_) | Form::Lanes(_), false) => {
                format!("mainloop(acc, shared, block, warp, {a}, {b}, m, n, k);")
            }
            (Form::Warps(_) | Form::Lanes(_), true) => format!(
                "mainloop(\n    acc, shared, block, warp,\n    {a},\n    {b},\n    m, n, part.k);"
            ),
        }
    }
}

impl Mainloop<'_> {
    /// The device functions from the copies to the main loop.
    pub(crate) fn write(&self, text: &mut Sections) {
        match self.form {
            Form::Warps(LdGlobal) | Form::Lanes(LdGlobal) => double_buffer::write(text, self),
            Form::Warps(CpAsync) | Form::Lanes(CpAsync) => multistage::write(text, self),
            Form::WarpsByTensors => tma::write(text, self),
            Form::Groups => specialised::write(text, self),
        }
    }
}
