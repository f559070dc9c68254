//! The schedules that [`candidates`](super::candidates) tries after the derived one.

use std::fmt;
use std::num::NonZeroU16;

use crate::axis::{PerSide, Side};
use crate::body::{Body, Node};
use crate::hardware::Target;
use crate::level::global_to_shared::{CachePolicy, CopyAtom};
use crate::level::mma::Unit;
use crate::level::scheduler::{Raster, Splits};
use crate::plan::Plan;
use crate::spec::{Schedule, Spec};

/// A schedule for any element of up to 4 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preset {
    /// BLK_M, BLK_N, and BLK_K in bytes.
    pub(super) tile: [u16; 3],
    warps: [u16; 3],
    stages: u16,
    splits: Option<Splits>,
    /// Whether tensor copies bring the tiles, where that is legal.
    pub(super) tensors: bool,
    /// What L2 does with the lines of the second factor, which products of few rows read once; `None`
    /// leaves its copies as they are.
    pub(super) streamed: Option<CachePolicy>,
    /// Blocks of a raster strip along M; `None` takes those of the derived schedule.
    strip: Option<u16>,
    /// Whether it is only for products without tensor cores.
    pub(super) lanes: bool,
    /// Whether the factors are exchanged, so that the second one has the rows of the atom: an atom
    /// has twice as many rows as columns, so fewer are empty if the first factor has few rows.
    pub(super) swapped: bool,
}

/// Each was the fastest for some of 220 shapes, from large products to few rows. Of the nine with
/// tensor copies three have warps along K, for 48 to 256 rows. The last one has no tensor cores, and
/// an SM holds two of its blocks.
pub(super) static PRESETS: [Preset; 26] = [
    preset([192, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8).strips(16),
    preset([128, 256, 128], [2, 4, 1], 4).by_tensors().split_tail(8).strips(16),
    preset([128, 192, 128], [2, 4, 1], 5).by_tensors().split_tail(8),
    preset([128, 128, 128], [2, 4, 1], 6).by_tensors().split_tail(8),
    preset([64, 128, 128], [2, 4, 1], 8).by_tensors().split_tail(8),
    preset([64, 64, 128], [2, 2, 1], 6).by_tensors().split_tail(8),
    preset([64, 128, 256], [2, 2, 2], 4).by_tensors(),
    preset([32, 128, 256], [1, 4, 2], 5).by_tensors(),
    preset([32, 64, 512], [1, 2, 4], 4).by_tensors(),
    preset([128, 256, 64], [2, 4, 1], 4).split_tail(8),
    preset([128, 128, 128], [2, 2, 1], 3),
    preset([128, 128, 128], [2, 4, 1], 4).split(4),
    preset([64, 64, 128], [2, 2, 1], 5),
    preset([64, 64, 256], [2, 2, 2], 4),
    preset([64, 64, 256], [2, 2, 2], 4).split(4),
    preset([64, 32, 256], [2, 1, 4], 6),
    preset([32, 64, 256], [1, 2, 2], 4).stream(),
    preset([32, 64, 256], [1, 2, 4], 6).stream(),
    preset([32, 32, 512], [1, 1, 8], 5).stream(),
    preset([16, 64, 256], [1, 2, 4], 5).stream(),
    preset([16, 32, 256], [1, 1, 4], 4).stream(),
    preset([16, 32, 512], [1, 1, 8], 6).stream(),
    preset([16, 32, 512], [1, 1, 8], 5).split(2).stream(),
    preset([128, 32, 256], [4, 1, 2], 4).swap().stream(),
    preset([128, 64, 256], [4, 1, 2], 4).swap().stream(),
    preset([128, 128, 64], [4, 2, 1], 3).by_lanes(),
];

const fn preset(tile: [u16; 3], warps: [u16; 3], stages: u16) -> Preset {
    let (splits, tensors, streamed, strip) = (None, false, None, None);
    let (lanes, swapped) = (false, false);
    Preset { tile, warps, stages, splits, tensors, streamed, strip, lanes, swapped }
}

impl Preset {
    const fn split(self, splits: u16) -> Preset {
        let splits = match NonZeroU16::new(splits) {
            Some(splits) => Some(Splits::Every(splits)),
            None => None,
        };
        Preset { splits, ..self }
    }

    /// Up to `most` blocks share each tile of the last wave.
    const fn split_tail(self, most: u16) -> Preset {
        let splits = match NonZeroU16::new(most) {
            Some(most) => Some(Splits::Tail(most)),
            None => None,
        };
        Preset { splits, ..self }
    }

    const fn by_tensors(self) -> Preset {
        Preset { tensors: true, ..self }
    }

    const fn strips(self, blocks: u16) -> Preset {
        Preset { strip: Some(blocks), ..self }
    }

    /// The second factor is read once.
    const fn stream(self) -> Preset {
        Preset { streamed: Some(CachePolicy::EvictFirst), ..self }
    }

    const fn by_lanes(self) -> Preset {
        Preset { lanes: true, ..self }
    }

    const fn swap(self) -> Preset {
        Preset { swapped: true, ..self }
    }

    /// `spec` with this schedule, for the targets that have the shared memory; `None` if none has.
    /// Without tensor cores also `None` for the derived tile: sharing its last tiles takes more
    /// registers than its warps have.
    pub(super) fn spec(self, spec: &Spec, derived: &Plan) -> Option<Spec> {
        let (element, targets) = (derived.contraction.element(Side::A), &derived.targets);
        let [m, n, k_bytes] = self.tile.map(u32::from);
        let by_lanes = matches!(derived.mma.unit, Unit::Fma(_));
        let is_derived = derived.warps.block == [m, n, k_bytes / element.bytes()];
        if by_lanes && is_derived || self.lanes && !by_lanes {
            return None;
        }
        let holds = |target: &&Target| {
            u32::from(self.stages) * (m + n) * k_bytes <= target.limits().shared_bytes_per_block
                && (!self.tensors || CopyAtom::Tma.on().includes(**target))
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

impl Preset {
    /// The named copies, each for the factor that it was named for; otherwise those of the derived
    /// plan with the cache policy of this preset.
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

/// Its id: tile, warps and stages, and what else it fixes.
impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.tile;
        let [warps_m, warps_n, warps_k] = self.warps;
        write!(f, "{m}x{n}x{k}B-{warps_m}x{warps_n}x{warps_k}-{}", self.stages)?;
        match self.splits {
            None => {}
            Some(Splits::Every(splits)) => write!(f, "-split{splits}")?,
            Some(Splits::Tail(most)) => write!(f, "-tail{most}")?,
        }
        let flags = [
            (self.tensors, "-tma"),
            (self.streamed.is_some(), "-stream"),
            (self.lanes, "-fma"),
            (self.swapped, "-swap"),
        ];
        flags.into_iter().filter(|(on, _)| *on).try_for_each(|(_, flag)| f.write_str(flag))
    }
}

/// The body with the arguments of `matmul` exchanged, so that the transpose is multiplied.
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
