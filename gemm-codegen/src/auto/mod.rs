//! Several schedules of one spec, among which a launch chooses by its shape.
//!
//! No schedule suits every shape: a block of 128 × 256 is best for large products, few rows want
//! warps along K and much in flight, small ones many small blocks. [`plans`] proves a list of them
//! when the function is compiled; [`Footprint::seconds`] says at a launch which should be fastest.

mod cost;
mod fitted;

use std::num::NonZeroU16;

use crate::body::{Body, Node};
use crate::hardware::Target;
use crate::level::global_to_shared::{CachePolicy, CopyAtom};
use crate::level::grid::Raster;
use crate::level::split_k::Splits;
use crate::plan::Plan;
use crate::rule::Diagnostics;
use crate::spec::{PerSide, Schedule, Side, Spec};

pub use cost::{Footprint, Machine, Shares};

/// A schedule for any element of up to 4 bytes.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// BLK_M, BLK_N, and BLK_K in bytes.
    tile: [u16; 3],
    warps: [u16; 3],
    stages: u16,
    splits: Option<Splits>,
    /// Whether a unit of the SM copies the tiles, where that is legal.
    tensors: bool,
    /// What L2 does with the lines of the factor with the columns, which products of few rows read
    /// once; `None` leaves its copies as they are.
    streamed: Option<CachePolicy>,
    /// Blocks of a raster strip along M, where not those of the derived schedule.
    strip: Option<u16>,
    /// Whether it is for products without tensor cores alone.
    lanes: bool,
    /// Whether the factors change places, so that the second one has the rows of the atom: those are
    /// twice its columns, and fewer are left empty where the first factor has few rows.
    swapped: bool,
}

/// What [`plans`] tries beside the derived schedule: those that were fastest for some of 220 shapes,
/// from large products to few rows, nine that tensor copies made faster, three of them by warps along K
/// for some 48 to 256 rows, one that streams the second factor by eight warps for some 32 to 64, and one
/// of eight warps without tensor cores, of which an SM has two blocks.
const CANDIDATES: [Candidate; 26] = [
    candidate([192, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8).strips(16),
    candidate([128, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8).strips(16),
    candidate([128, 192, 128], [2, 4, 1], 5).by_tensors().split_tail(8),
    candidate([128, 128, 128], [2, 4, 1], 6).by_tensors().split_tail(8),
    candidate([64, 128, 128], [2, 4, 1], 8).by_tensors().split_tail(8),
    candidate([64, 64, 128], [2, 2, 1], 6).by_tensors().split_tail(8),
    candidate([64, 128, 256], [2, 2, 2], 4).by_tensors(),
    candidate([32, 128, 256], [1, 4, 2], 5).by_tensors(),
    candidate([32, 64, 512], [1, 2, 4], 4).by_tensors(),
    candidate([128, 256, 64], [2, 4, 1], 4).split_tail(8),
    candidate([128, 128, 128], [2, 2, 1], 3),
    candidate([128, 128, 128], [2, 4, 1], 4).split(4),
    candidate([64, 64, 128], [2, 2, 1], 5),
    candidate([64, 64, 256], [2, 2, 2], 4),
    candidate([64, 64, 256], [2, 2, 2], 4).split(4),
    candidate([64, 32, 256], [2, 1, 4], 6),
    candidate([32, 64, 256], [1, 2, 2], 4).stream(),
    candidate([32, 64, 256], [1, 2, 4], 6).stream(),
    candidate([32, 32, 512], [1, 1, 8], 5).stream(),
    candidate([16, 64, 256], [1, 2, 4], 5).stream(),
    candidate([16, 32, 256], [1, 1, 4], 4).stream(),
    candidate([16, 32, 512], [1, 1, 8], 6).stream(),
    candidate([16, 32, 512], [1, 1, 8], 5).split(2).stream(),
    candidate([128, 32, 256], [4, 1, 2], 4).swap().stream(),
    candidate([128, 64, 256], [4, 1, 2], 4).swap().stream(),
    candidate([128, 128, 64], [4, 2, 1], 3).by_lanes(),
];

const fn candidate(tile: [u16; 3], warps: [u16; 3], stages: u16) -> Candidate {
    let (splits, tensors, streamed, strip) = (None, false, None, None);
    let (lanes, swapped) = (false, false);
    Candidate { tile, warps, stages, splits, tensors, streamed, strip, lanes, swapped }
}

/// The plan that `spec` derives, and behind it those of other schedules that are legal: on all
/// targets, or on those whose shared memory holds them. The first is legal on all.
///
/// # Errors
/// What is wrong with the spec itself.
pub fn plans(spec: &Spec) -> Result<Vec<Plan>, Diagnostics> {
    let derived = Plan::new(spec)?;
    let others = CANDIDATES.iter().filter_map(|candidate| {
        let other = candidate.spec(spec, &derived)?;
        Plan::new(&other).ok()
    });
    let others: Vec<Plan> = others.collect();
    Ok(std::iter::once(derived).chain(others).collect())
}

impl Candidate {
    const fn split(self, splits: u16) -> Candidate {
        let splits = match NonZeroU16::new(splits) {
            Some(splits) => Some(Splits::Every(splits)),
            None => None,
        };
        Candidate { splits, ..self }
    }

    /// Shares the tiles of the last wave, each by at most so many blocks.
    const fn split_tail(self, most: u16) -> Candidate {
        let splits = match NonZeroU16::new(most) {
            Some(most) => Some(Splits::Tail(most)),
            None => None,
        };
        Candidate { splits, ..self }
    }

    const fn by_tensors(self) -> Candidate {
        Candidate { tensors: true, ..self }
    }

    const fn strips(self, blocks: u16) -> Candidate {
        Candidate { strip: Some(blocks), ..self }
    }

    /// The second factor is read once.
    const fn stream(self) -> Candidate {
        Candidate { streamed: Some(CachePolicy::EvictFirst), ..self }
    }

    const fn by_lanes(self) -> Candidate {
        Candidate { lanes: true, ..self }
    }

    const fn swap(self) -> Candidate {
        Candidate { swapped: true, ..self }
    }

    /// `spec` with this schedule, for the targets that have the shared memory; `None` if none has, and
    /// where lanes multiply by the tile that they derive: to share its last tiles takes more registers
    /// than its warps have.
    fn spec(self, spec: &Spec, derived: &Plan) -> Option<Spec> {
        let (element, targets) = (derived.contraction.element(Side::A), &derived.targets);
        let [m, n, k_bytes] = self.tile.map(u32::from);
        let by_lanes = derived.mma.tile.is_some();
        let is_derived = derived.warps.block == [m, n, k_bytes / element.bytes()];
        if by_lanes && is_derived || self.lanes && !by_lanes {
            return None;
        }
        let holds = |target: &&Target| {
            u32::from(self.stages) * (m + n) * k_bytes <= target.limits().shared_bytes_per_block
                && (!self.tensors || **target >= CopyAtom::Tma.oldest())
        };
        let targets: Vec<Target> = targets.iter().filter(holds).copied().collect();
        let tile = [m, n, k_bytes / element.bytes()].map(|extent| u16::try_from(extent).ok());
        let [m, n, k] = tile.map(|extent| extent.and_then(NonZeroU16::new));
        let [warps_m, warps_n, warps_k] = self.warps.map(NonZeroU16::new);
        let strip = self.strip.and_then(NonZeroU16::new);
        let schedule = Schedule {
            tile: Some([m?, n?, k?]),
            warps: Some([warps_m?, warps_n?, warps_k?]),
            stages: NonZeroU16::new(self.stages),
            split_k: self.splits,
            raster: spec.schedule.raster.or(strip.map(Raster::AlongM)),
            targets: (!targets.is_empty()).then_some(targets),
            copy: self.copies(&spec.schedule, derived),
            ..spec.schedule.clone()
        };
        schedule.targets.as_ref()?;
        let body = if self.swapped { swapped(&spec.body) } else { spec.body.clone() };
        Some(Spec { schedule, body, ..spec.clone() })
    }
}

impl Candidate {
    /// The copies that are named, each of the factor that it was named for; else those of the derived
    /// plan, with the policy of this schedule.
    fn copies(self, schedule: &Schedule, derived: &Plan) -> PerSide<Option<CopyAtom>> {
        let PerSide { a, mut b } = schedule.copy;
        if self.tensors && (a, b) == (None, None) {
            return PerSide::both(Some(CopyAtom::Tma));
        }
        let streams = self.streamed.filter(|_| b.is_none());
        if let (Some(policy), CopyAtom::CpAsync { bytes, cache, .. }) =
            (streams, derived.global_to_shared(Side::B).atom)
        {
            b = Some(CopyAtom::CpAsync { bytes, cache, policy: Some(policy) });
        }
        if self.swapped { PerSide { a: b, b: a } } else { PerSide { a, b } }
    }
}

/// The body with the factors of its product in the other order: the product is the same, its
/// transpose is what is multiplied.
fn swapped(body: &Body) -> Body {
    let mut body = body.clone();
    for node in &mut body.nodes {
        if let Node::Call { function, arguments } = node
            && function == "matmul"
        {
            arguments.reverse();
        }
    }
    body
}

#[cfg(test)]
mod tests;
