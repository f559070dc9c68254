//! Schedules whose warps multiply: by `mma.sync`, or without tensor cores.

use std::fmt;
use std::num::NonZeroU16;

use super::Preset;
use crate::axis::{PerSide, Side};
use crate::hardware::Target;
use crate::level::mma::Unit;
use crate::plan::Plan;
use crate::resources;
use crate::spec::{CachePolicy, CopyAtom, Schedule, Spec, Splits};

/// The keys of such a schedule.
#[derive(Clone, Copy, Debug)]
pub(in crate::auto) struct OfWarps {
    /// Along M, N and K.
    pub(super) grid: [u16; 3],
    pub(super) splits: Option<Splits>,
    /// Whether tensor copies bring the tiles, where that is legal.
    pub(super) tensors: bool,
    /// What L2 does with the lines of the second factor, which products of few rows read once; `None`
    /// leaves its copies as they are.
    pub(in crate::auto) streamed: Option<CachePolicy>,
    /// Whether it is only for products without tensor cores.
    pub(super) lanes: bool,
}

impl OfWarps {
    /// The schedule of a spec with these keys, for the targets that have the shared memory; `None` if
    /// none has. Without tensor cores also `None` for tensor copies, which lanes cannot load from, and for
    /// the derived tile: sharing its last tiles takes more registers than its warps have.
    pub(super) fn schedule(self, of: Preset, spec: &Spec, derived: &Plan) -> Option<Schedule> {
        let bytes = super::bytes_along_k(derived);
        let [m, n, k_bytes] = of.tile.map(u32::from);
        let tile = [m, n, k_bytes / bytes];
        let by_lanes = matches!(derived.mma.unit, Unit::Fma(_));
        let is_derived = derived.warps.block == tile;
        if by_lanes && (is_derived || self.tensors) || self.lanes && !by_lanes {
            return None;
        }
        let [a, b] = if of.swapped { [Side::B, Side::A] } else { Side::BOTH };
        let transposed = |side| derived.shared_tile(side).is_transposed();
        let transposed = PerSide { a: transposed(a), b: transposed(b) };
        let bits = [a, b].map(|side| derived.mma.stored.get(side).bits());
        let scales = derived.scaling.map_or(0, |scaling| scaling.scale_bytes(tile, of.swapped));
        let stage = resources::stage_bytes(tile, bits, transposed) + scales;
        let ring = u64::from(of.stages) * stage;
        let holds = |target: &&Target| {
            ring <= target.limits().shared_bytes_per_block.into()
                && (!self.tensors || CopyAtom::TMA.on().includes(**target))
        };
        let targets: Vec<Target> = derived.targets.iter().filter(holds).copied().collect();
        let [warps_m, warps_n, warps_k] = self.grid.map(NonZeroU16::new);
        (!targets.is_empty()).then_some(Schedule {
            warps: Some([warps_m?, warps_n?, warps_k?]),
            split_k: self.splits,
            targets: Some(targets),
            copy: self.copies(of, &spec.schedule, derived),
            ..spec.schedule.clone()
        })
    }

    /// The named copies, each for the factor that it was named for; otherwise those of the derived
    /// plan with the cache policy of this preset.
    fn copies(self, of: Preset, schedule: &Schedule, derived: &Plan) -> PerSide<Option<CopyAtom>> {
        let PerSide { a, mut b } = schedule.copy;
        if self.tensors && (a, b) == (None, None) {
            return PerSide::both(Some(CopyAtom::TMA));
        }
        let streams = self.streamed.filter(|_| b.is_none());
        if let (Some(policy), CopyAtom::CpAsync { bytes, cache, .. }) =
            (streams, derived.global_to_shared(Side::B).atom)
        {
            b = Some(CopyAtom::CpAsync { bytes, cache, policy: Some(policy) });
        }
        if of.swapped { PerSide { a: b, b: a } } else { PerSide { a, b } }
    }

    pub(super) fn id(self, stages: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.grid;
        write!(f, "{m}x{n}x{k}-{stages}")?;
        match self.splits {
            None => {}
            Some(Splits::Every(splits)) => write!(f, "-split{splits}")?,
            Some(Splits::Tail(most)) => write!(f, "-tail{most}")?,
        }
        let flags =
            [(self.tensors, "-tma"), (self.streamed.is_some(), "-stream"), (self.lanes, "-fma")];
        flags.into_iter().filter(|(on, _)| *on).try_for_each(|(_, flag)| f.write_str(flag))
    }
}
