//! Schedules whose warpgroups multiply, by `wgmma`.

use std::fmt;
use std::num::NonZeroU16;

use super::Preset;
use crate::axis::PerSide;
use crate::hardware::{Availability, Target};
use crate::level::global_to_shared::CopyAtom;
use crate::level::mma::Mma;
use crate::level::scheduler::{Splits, Walk};
use crate::plan::Plan;
use crate::spec::Schedule;

/// The keys of such a schedule.
#[derive(Clone, Copy, Debug)]
pub(in crate::auto) struct OfGroups {
    /// Warpgroups that multiply, along M and N.
    pub(super) grid: [u16; 2],
    /// How blocks walk over tiles, if they do.
    pub(super) walk: Option<Walk>,
    /// Blocks of a cluster that share a tile, if they do.
    pub(super) splits: Option<NonZeroU16>,
}

impl OfGroups {
    /// What is written of a schedule with these keys, for the one architecture that has `wgmma`; `None` if
    /// no target has its compute capability, or if a key is written otherwise.
    pub(super) fn schedule(
        self,
        of: Preset,
        written: &Schedule,
        derived: &Plan,
    ) -> Option<Schedule> {
        let architecture = architecture()?;
        let is_target = |target: &Target| target.capability() == architecture.capability();
        let named = (written.mma, [written.copy.a, written.copy.b]);
        let agrees = named.0.is_none_or(Mma::is_wgmma)
            && named.1.into_iter().flatten().all(CopyAtom::is_tma);
        let [along_m, along_n] = self.grid.map(NonZeroU16::new);
        (agrees && derived.targets.iter().any(is_target)).then_some(Schedule {
            mma: written.mma.or(Some(Mma::Wgmma(None))),
            warps: None,
            warpgroups: Some([along_m?, along_n?]),
            walk: self.walk,
            split_k: self.splits.map(Splits::Every),
            targets: Some(vec![architecture]),
            copy: copies(of, written),
            ..written.clone()
        })
    }

    pub(super) fn id(self, stages: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n] = self.grid;
        write!(f, "wg{m}x{n}-{stages}")?;
        match (self.walk, self.splits) {
            (Some(walk), _) => write!(f, "-{}", walk.name()),
            (None, Some(splits)) => write!(f, "-split{splits}"),
            (None, None) => Ok(()),
        }
    }
}

/// The named copies, each for the factor that it was named for, or tensor copies.
fn copies(of: Preset, written: &Schedule) -> PerSide<Option<CopyAtom>> {
    let [a, b] = [written.copy.a, written.copy.b].map(|copy| copy.or(Some(CopyAtom::TMA)));
    if of.swapped { PerSide { a: b, b: a } } else { PerSide { a, b } }
}

/// The architecture that has `wgmma`.
fn architecture() -> Option<Target> {
    match Mma::Wgmma(None).on()? {
        Availability::Only(target) => Some(target),
        Availability::Since(_) => None,
    }
}
