//! The text of a pipeline: its map of shared memory, its functions and their call.

use super::{Mainloop, StageCounts, double_buffer, multistage, specialised, tma};
use crate::form::ByThreads::{CpAsync, LdGlobal};
use crate::form::Form;
use crate::level::scheduler::Scheduler;
use crate::spec::Walk;
use crate::text::Sections;
use crate::text::wrap::wrap_lines;

/// What is in shared memory beside the stages.
pub(crate) struct Beside<'a> {
    /// What the barriers of a stage count, if it has any.
    pub(crate) counts: Option<&'a StageCounts>,
    /// Whether what is staged lies apart from the ring, or where that is.
    pub(crate) apart: bool,
    /// Whether there are epilogue tiles, with barriers, that are filled before a tile is stored.
    pub(crate) fetched: bool,
    /// Whether a stage holds scales.
    pub(crate) scales: bool,
}

impl Form {
    /// The map of shared memory, the struct `Shared`.
    pub(crate) fn write_shared(
        self,
        text: &mut Sections,
        scheduler: Scheduler,
        beside: &Beside<'_>,
    ) {
        text.add(match beside.scales {
            true => include_str!("shared/stage_scaled.cuh"),
            false => include_str!("shared/stage.cuh"),
        });
        if beside.counts.is_some() {
            text.add(include_str!("shared/barriers.cuh"));
        }
        let received = scheduler.cluster_split_k().is_some();
        let shared = match (self, beside.fetched, beside.apart, received) {
            (Form::Warps(_) | Form::Lanes(_), ..) => include_str!("shared/threads.cuh"),
            (Form::WarpsByTensors, ..) => include_str!("shared/tensors.cuh"),
            (Form::Groups, true, ..) => include_str!("shared/groups_fetched.cuh"),
            (Form::Groups, false, true, _) => include_str!("shared/groups_apart.cuh"),
            (Form::Groups, false, false, true) => include_str!("shared/groups_split.cuh"),
            (Form::Groups, false, false, false) => include_str!("shared/groups.cuh"),
        };
        let size = "static_assert(sizeof(Shared) == SHARED_BYTES, \"what a launch provides\");\n";
        text.add(format!("{shared}{size}"));
        if let Some(counts) = beside.counts {
            text.add(wrap_lines(&counts.cuda(self.empty_arrivals(scheduler))));
        }
    }

    /// The arrivals that say that a stage is free, in the terms of the text.
    fn empty_arrivals(self, scheduler: Scheduler) -> &'static str {
        match (self, scheduler.cluster()) {
            (Form::Groups, Some(_)) => "(CLUSTER_M + CLUSTER_N - 1) * GROUPS_M * GROUPS_N * 4",
            (Form::Groups, None) => "GROUPS_M * GROUPS_N * 4",
            (Form::Warps(_) | Form::Lanes(_) | Form::WarpsByTensors, _) => "WARPS_M * WARPS_N",
        }
    }

    /// The threads that multiply and their barriers; that of all is for those that stage where the ring
    /// is, not apart from it.
    pub(crate) fn write_consumers(self, text: &mut Sections, walk: Option<Walk>, apart: bool) {
        if self != Form::Groups {
            return text.add(include_str!("consumers.cuh"));
        }
        let in_order = walk == Some(Walk::Pingpong);
        let groups = if in_order { "2 * 128" } else { "128 * GROUPS_M * GROUPS_N" };
        text.add(format!(
            "// The threads that multiply and store, the first of a block.\n\
             constexpr int CONSUMERS = {groups};\n"
        ));
        if !apart {
            text.add(include_str!("../../ptx/named_barrier_consumers.cuh"));
        }
        text.add(include_str!("../../ptx/named_barrier_warpgroup.cuh"));
        if in_order {
            text.add(include_str!("../../ptx/ordered_barrier.cuh"));
        }
    }

    /// The call of `mainloop` for what it takes of A and of B, over all of K or over a part of it: the
    /// last one of a tile, or one before. `sources` is where threads copy from, `scales` are arguments of warps.
    pub(crate) fn cuda_mainloop(
        self,
        walk: Option<Walk>,
        [a, b]: [&str; 2],
        [from, k]: [&str; 2],
        is_last: bool,
        [sources, scales]: [&str; 2],
    ) -> String {
        match self {
            Form::Groups => {
                let next = match (walk, is_last) {
                    (Some(Walk::Pingpong), true) => ", tiles.has_next() ? 1 - group : -1",
                    (Some(Walk::Pingpong), false) => ", -1",
                    (Some(Walk::Cooperative) | None, _) => "",
                };
                format!("mainloop(acc, ring, state, warpgroup, {scales}{k}{next});")
            }
            Form::WarpsByTensors => {
                format!("mainloop(acc, shared, block, warp, {a}, {b}, {from}, {k});")
            }
            Form::Warps(_) | Form::Lanes(_) => {
                format!("mainloop(acc, shared, warp, {{{sources}}}, {scales}{k});")
            }
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
