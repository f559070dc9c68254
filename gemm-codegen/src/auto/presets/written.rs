//! How the list writes a preset.

use std::num::NonZeroU16;

use super::groups::OfGroups;
use super::warps::OfWarps;
use super::{OfForm, Preset};
use crate::spec::{CachePolicy, Splits, Walk};

pub(super) const COOPERATIVE: Walk = Walk::Cooperative;
pub(super) const PINGPONG: Walk = Walk::Pingpong;

/// Bytes of a row of a box of tensor copies: those of BLK_K in most schedules of warpgroups.
const ROW_BYTES: u16 = 128;

pub(super) const fn by_warps(tile: [u16; 3], stages: u16, warps: OfWarps) -> Preset {
    Preset { tile, stages, strip: None, swapped: false, by: OfForm::Warps(warps) }
}

pub(super) const fn by_groups([m, n]: [u16; 2], stages: u16, grid: [u16; 2]) -> Preset {
    let by = OfForm::Groups(OfGroups { grid, walk: None, splits: None, cluster: None });
    Preset { tile: [m, n, ROW_BYTES], stages, strip: None, swapped: false, by }
}

pub(super) const fn warps(grid: [u16; 3]) -> OfWarps {
    OfWarps { grid, splits: None, tensors: false, streamed: None, lanes: false }
}

impl Preset {
    pub(super) const fn strips(self, blocks: u16) -> Preset {
        Preset { strip: Some(blocks), ..self }
    }

    /// A k-tile has two boxes along K: a block waits half as often.
    pub(super) const fn deep(self) -> Preset {
        let [m, n, _] = self.tile;
        Preset { tile: [m, n, 2 * ROW_BYTES], ..self }
    }

    /// A k-tile has these bytes of what is stored.
    pub(super) const fn of_k(self, bytes: u16) -> Preset {
        let [m, n, _] = self.tile;
        Preset { tile: [m, n, bytes], ..self }
    }

    /// Its blocks walk over tiles.
    pub(super) const fn walking(self, walk: Walk) -> Preset {
        self.with(OfGroups { walk: Some(walk), ..self.groups() })
    }

    /// This many blocks along M and N copy once what several of them multiply.
    pub(super) const fn clustered(self, [m, n]: [u16; 2]) -> Preset {
        let cluster = match [NonZeroU16::new(m), NonZeroU16::new(n)] {
            [Some(m), Some(n)] => Some([m, n]),
            _ => None,
        };
        self.with(OfGroups { cluster, ..self.groups() })
    }

    /// This many blocks share each tile, for few tiles of long sums.
    pub(super) const fn shared_by(self, blocks: u16) -> Preset {
        self.with(OfGroups { splits: NonZeroU16::new(blocks), ..self.groups() })
    }

    /// Its keys, where it is one of warpgroups: any other would not compile.
    const fn groups(self) -> OfGroups {
        match self.by {
            OfForm::Groups(of) => of,
            OfForm::Warps(_) => panic!("a preset of warpgroups"),
        }
    }

    const fn with(self, of: OfGroups) -> Preset {
        Preset { by: OfForm::Groups(of), ..self }
    }

    pub(super) const fn swap(self) -> Preset {
        Preset { swapped: true, ..self }
    }
}

impl OfWarps {
    pub(super) const fn split(self, splits: u16) -> OfWarps {
        let splits = match NonZeroU16::new(splits) {
            Some(splits) => Some(Splits::Every(splits)),
            None => None,
        };
        OfWarps { splits, ..self }
    }

    /// Up to `most` blocks share each tile of the last wave.
    pub(super) const fn split_tail(self, most: u16) -> OfWarps {
        let splits = match NonZeroU16::new(most) {
            Some(most) => Some(Splits::Tail(most)),
            None => None,
        };
        OfWarps { splits, ..self }
    }

    pub(super) const fn by_tensors(self) -> OfWarps {
        OfWarps { tensors: true, ..self }
    }

    /// The second factor is read once.
    pub(super) const fn stream(self) -> OfWarps {
        OfWarps { streamed: Some(CachePolicy::EvictFirst), ..self }
    }

    pub(super) const fn by_lanes(self) -> OfWarps {
        OfWarps { lanes: true, ..self }
    }
}
