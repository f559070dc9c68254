//! Blocks that walk over tiles of the output: as many as run at a time.

use crate::axis::Axis;
use crate::batch_text::select_rank;
use crate::field::Field;
use crate::form::Form;
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Walk;
use crate::text::Sections;

/// Registers of a thread for its tile and its place in the ring, which it keeps from one tile to the
/// next, measured on emitted kernels.
const REGISTERS: u32 = 12;

impl Walk {
    /// How many tiles a block has in hand at a time, each with warpgroups of its own.
    pub const fn tiles_at_a_time(walk: Option<Walk>) -> u32 {
        match walk {
            Some(Walk::Pingpong) => 2,
            Some(Walk::Cooperative) | None => 1,
        }
    }

    /// Registers of a thread for what it keeps from one tile to the next.
    pub(crate) const fn registers(walk: Option<Walk>) -> u32 {
        match walk {
            Some(_) => REGISTERS,
            None => 0,
        }
    }

    /// The struct `Tiles`, for one matrix or for a batch, of tiles of blocks or of clusters.
    pub(super) fn write(text: &mut Sections, rank: usize) {
        let parts = [("BATCHED", rank > 0)];
        text.of(Part::Tiles).add(select_rank(include_str!("tiles.cuh"), &parts, rank));
    }
}

/// Proves that blocks of warpgroups walk, `written` as it is, and that in a pingpong each has a tile.
pub(crate) fn check(
    written: Option<Walk>,
    form: Form,
    [groups_m, groups_n, _]: [u32; 3],
) -> Result<Option<Walk>, Vec<Diagnostic>> {
    let (rule, at, message, help) = match written {
        Some(_) if form != Form::Groups => (
            Rule::WalkOfWarpgroups,
            Field::Walk,
            "`schedule` requires `mma = wgmma`: other kernels compute one tile per block",
            "write `mma = wgmma`, or remove `schedule`",
        ),
        Some(Walk::Pingpong) if [groups_m, groups_n] != [1, 1] => (
            Rule::PingpongWarpgroups,
            Field::Warpgroups(Axis::M),
            "`schedule = pingpong` requires `warpgroups = [1, 1]`: each of its two computes a whole tile",
            "write `warpgroups = [1, 1]`, or `schedule = cooperative`",
        ),
        _ => return Ok(written),
    };
    Err(vec![Diagnostic::new(rule, at, message, help)])
}
