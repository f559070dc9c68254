//! Schedules whose warpgroups multiply, by `wgmma`.

use std::fmt;
use std::num::NonZeroU16;

use super::Preset;
use crate::axis::PerSide;
use crate::hardware::{Availability, Target};
use crate::level::mma::Unit;
use crate::plan::Plan;
use crate::spec::{CachePolicy, CopyAtom, Mma, Schedule, Splits, Walk};

/// The most rows of the first factor for which policies of L2 are faster, as measured on an H200: by 2
/// to 4 % up to this number, by nothing for 256.
const FEW_ROWS: u16 = 128;

/// The most bytes along K of what is stored where a factor is converted: with twice as many all were slower (H200).
const CONVERTED_BYTES: u16 = 128;

/// The keys of such a schedule.
#[derive(Clone, Copy, Debug)]
pub(in crate::auto) struct OfGroups {
    /// Warpgroups that multiply, along M and N.
    pub(super) grid: [u16; 2],
    /// How blocks walk over tiles, if they do.
    pub(super) walk: Option<Walk>,
    /// Blocks of a cluster that share a tile, if they do.
    pub(super) splits: Option<NonZeroU16>,
    /// Blocks of a cluster along M and N, which copy once what several multiply, if they do.
    pub(super) cluster: Option<[NonZeroU16; 2]>,
}

impl OfGroups {
    /// What is written of a schedule with these keys, for the one architecture that has `wgmma`; `None` if
    /// no target has its compute capability, if a key is written otherwise, or without tensor cores.
    pub(super) fn schedule(
        self,
        of: Preset,
        written: &Schedule,
        derived: &Plan,
    ) -> Option<Schedule> {
        let deepens = derived.mma.conversion().is_some() && of.tile[2] > CONVERTED_BYTES;
        if matches!(derived.mma.unit, Unit::Fma(_)) || deepens {
            return None;
        }
        let architecture = architecture()?;
        let is_target = |target: &Target| target.capability() == architecture.capability();
        let named = (written.mma, [written.copy.a, written.copy.b]);
        let agrees = named.0.is_none_or(|mma| matches!(mma, Mma::Wgmma(_)))
            && named.1.into_iter().flatten().all(CopyAtom::is_tma);
        let [along_m, along_n] = self.grid.map(NonZeroU16::new);
        (agrees && derived.targets.iter().any(is_target)).then_some(Schedule {
            mma: written.mma.or(Some(Mma::Wgmma(None))),
            warps: None,
            warpgroups: Some([along_m?, along_n?]),
            walk: self.walk,
            split_k: self.splits.map(Splits::Every),
            cluster: self.cluster,
            targets: Some(vec![architecture]),
            copy: self.copies(of, written),
            ..written.clone()
        })
    }

    /// The named copies, each for the factor that it was named for, or tensor copies. Where the first
    /// factor has few rows, L2 is to keep it, as every block reads it, and to give up the second one
    /// first, which is read once.
    fn copies(self, of: Preset, written: &Schedule) -> PerSide<Option<CopyAtom>> {
        let policies = match self.is_for_few_rows(of) {
            true => [CachePolicy::EvictLast, CachePolicy::EvictFirst].map(Some),
            false => [None; 2],
        };
        let [a, b] = policies.map(|policy| CopyAtom::Tma { policy });
        let [a, b] = [written.copy.a.or(Some(a)), written.copy.b.or(Some(b))];
        if of.swapped { PerSide { a: b, b: a } } else { PerSide { a, b } }
    }

    /// Whether a block has one tile, which has all rows of a first factor of few rows.
    fn is_for_few_rows(self, of: Preset) -> bool {
        let [rows, _, _] = of.tile;
        self.walk.is_none() && (of.swapped || rows <= FEW_ROWS)
    }

    pub(super) fn id(self, stages: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n] = self.grid;
        write!(f, "wg{m}x{n}-{stages}")?;
        if let Some([m, n]) = self.cluster {
            write!(f, "-cluster{m}x{n}")?;
        }
        match (self.walk, self.splits) {
            (Some(walk), _) => write!(f, "-{}", walk.name()),
            (None, Some(splits)) => write!(f, "-split{splits}"),
            (None, None) => Ok(()),
        }
    }
}

/// The architecture that has `wgmma`.
fn architecture() -> Option<Target> {
    match Mma::Wgmma(None).on()? {
        Availability::Only(target) => Some(target),
        Availability::Since(_) => None,
    }
}
