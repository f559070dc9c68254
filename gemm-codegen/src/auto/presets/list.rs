//! The list of presets.

use std::num::NonZeroU16;

use super::groups::OfGroups;
use super::warps::OfWarps;
use super::{OfForm, Preset};
use crate::spec::{CachePolicy, Splits, Walk};

/// Those of warps were each the fastest for some of 220 shapes, from large products to few rows. Of the
/// nine with tensor copies three have warps along K, for 48 to 256 rows. The five of lanes are for
/// products without tensor cores: an SM holds two blocks of the first and more of the second, and the
/// others have few rows or columns. The first was measured. Lanes also have those of warps, with the
/// register tile that fits.
///
/// Those of warpgroups were picked from 196 that were timed at 83 shapes: at 80 of these the fastest preset
/// is within 1 % of the fastest of all, at one 8 % slower. Eight of 176 or 224 columns and the like were
/// added for products whose rows begin within sectors of L2, some with the part of a warpgroup along N: cuBLASLt
/// has such tiles there. They have widths in steps of 16 or 32, so that one of
/// them fills the last wave, and most have the stages that fit. First come those of one tile and no
/// cluster, some with k-tiles of two boxes; then those whose clusters share the K of a tile, and those
/// whose clusters copy it together; the last ones walk over tiles, for more than one wave.
pub(in crate::auto) static PRESETS: [Preset; 150] = [
    by_warps([192, 256, 128], 4, warps([2, 4, 1]).by_tensors().split_tail(8)).strips(16),
    by_warps([128, 256, 128], 4, warps([2, 4, 1]).by_tensors().split_tail(8)).strips(16),
    by_warps([128, 192, 128], 5, warps([2, 4, 1]).by_tensors().split_tail(8)),
    by_warps([128, 128, 128], 6, warps([2, 4, 1]).by_tensors().split_tail(8)),
    by_warps([64, 128, 128], 8, warps([2, 4, 1]).by_tensors().split_tail(8)),
    by_warps([64, 64, 128], 6, warps([2, 2, 1]).by_tensors().split_tail(8)),
    by_warps([64, 128, 256], 4, warps([2, 2, 2]).by_tensors()),
    by_warps([32, 128, 256], 5, warps([1, 4, 2]).by_tensors()),
    by_warps([32, 64, 512], 4, warps([1, 2, 4]).by_tensors()),
    by_warps([128, 256, 64], 4, warps([2, 4, 1]).split_tail(8)),
    by_warps([128, 128, 128], 3, warps([2, 2, 1])),
    by_warps([128, 128, 128], 4, warps([2, 4, 1]).split(4)),
    by_warps([64, 64, 128], 5, warps([2, 2, 1])),
    by_warps([64, 64, 256], 4, warps([2, 2, 2])),
    by_warps([64, 64, 256], 4, warps([2, 2, 2]).split(4)),
    by_warps([64, 32, 256], 6, warps([2, 1, 4])),
    by_warps([32, 64, 256], 4, warps([1, 2, 2]).stream()),
    by_warps([32, 64, 256], 6, warps([1, 2, 4]).stream()),
    by_warps([32, 32, 512], 5, warps([1, 1, 8]).stream()),
    by_warps([16, 64, 256], 5, warps([1, 2, 4]).stream()),
    by_warps([16, 32, 256], 4, warps([1, 1, 4]).stream()),
    by_warps([16, 32, 512], 6, warps([1, 1, 8]).stream()),
    by_warps([16, 32, 512], 5, warps([1, 1, 8]).split(2).stream()),
    by_warps([128, 32, 256], 4, warps([4, 1, 2]).stream()).swap(),
    by_warps([128, 64, 256], 4, warps([4, 1, 2]).stream()).swap(),
    by_warps([128, 128, 64], 3, warps([4, 2, 1]).by_lanes()),
    by_warps([64, 128, 64], 4, warps([2, 2, 1]).by_lanes()),
    by_warps([8, 64, 256], 4, warps([1, 2, 4]).stream().by_lanes()),
    by_warps([8, 32, 512], 4, warps([1, 1, 8]).stream().by_lanes()),
    by_warps([8, 32, 512], 4, warps([1, 1, 8]).by_lanes()).swap(),
    by_groups([128, 256], 4, [2, 1]),
    by_groups([256, 128], 4, [2, 1]),
    by_groups([256, 192], 4, [2, 1]),
    by_groups([256, 160], 4, [2, 1]),
    by_groups([192, 192], 4, [3, 1]),
    by_groups([192, 128], 5, [3, 1]),
    by_groups([128, 224], 5, [2, 1]),
    by_groups([128, 192], 5, [2, 1]),
    by_groups([128, 176], 5, [2, 1]),
    by_groups([128, 160], 6, [2, 1]),
    by_groups([128, 144], 6, [2, 1]),
    by_groups([128, 128], 7, [2, 1]),
    by_groups([128, 112], 7, [2, 1]),
    by_groups([128, 96], 8, [2, 1]),
    by_groups([128, 64], 8, [2, 1]),
    by_groups([64, 256], 5, [1, 1]),
    by_groups([64, 224], 6, [1, 1]),
    by_groups([64, 192], 7, [1, 1]),
    by_groups([64, 128], 8, [1, 1]),
    by_groups([64, 112], 8, [1, 1]),
    by_groups([64, 96], 8, [1, 1]),
    by_groups([64, 64], 8, [1, 1]),
    by_groups([64, 128], 8, [1, 1]).swap(),
    by_groups([128, 32], 8, [2, 1]).swap(),
    by_groups([64, 32], 8, [1, 1]).swap(),
    by_groups([128, 16], 8, [2, 1]).swap(),
    by_groups([64, 64], 6, [1, 1]).deep(),
    by_groups([64, 112], 5, [1, 1]).deep(),
    by_groups([128, 32], 5, [2, 1]).deep().swap(),
    by_groups([64, 32], 6, [1, 1]).deep().swap(),
    by_groups([64, 64], 6, [1, 1]).deep().shared_by(2),
    by_groups([64, 64], 12, [1, 1]).shared_by(4),
    by_groups([64, 64], 12, [1, 1]).shared_by(8),
    by_groups([64, 96], 11, [1, 1]).shared_by(2),
    by_groups([64, 96], 11, [1, 1]).shared_by(4),
    by_groups([64, 128], 9, [1, 1]).shared_by(4),
    by_groups([64, 128], 9, [1, 1]).shared_by(8),
    by_groups([128, 128], 7, [2, 1]).shared_by(2),
    by_groups([128, 128], 7, [2, 1]).shared_by(4),
    by_groups([64, 32], 12, [1, 1]).shared_by(4).swap(),
    by_groups([64, 128], 9, [1, 1]).shared_by(2).swap(),
    by_groups([64, 128], 9, [1, 1]).shared_by(4).swap(),
    by_groups([64, 256], 5, [1, 1]).shared_by(2).swap(),
    by_groups([64, 64], 12, [1, 1]).clustered([1, 4]),
    by_groups([64, 64], 12, [1, 1]).clustered([4, 1]),
    by_groups([64, 64], 12, [1, 1]).clustered([2, 4]),
    by_groups([64, 72], 12, [1, 1]).clustered([1, 2]),
    by_groups([64, 72], 12, [1, 1]).clustered([4, 1]),
    by_groups([64, 80], 12, [1, 1]).clustered([1, 2]),
    by_groups([64, 80], 12, [1, 1]).clustered([4, 1]),
    by_groups([64, 80], 12, [1, 1]).clustered([1, 4]),
    by_groups([64, 80], 12, [1, 1]).clustered([4, 2]),
    by_groups([64, 96], 11, [1, 1]).clustered([1, 2]),
    by_groups([64, 96], 11, [1, 1]).clustered([2, 1]),
    by_groups([64, 96], 11, [1, 1]).clustered([4, 1]),
    by_groups([64, 96], 11, [1, 1]).clustered([2, 4]),
    by_groups([64, 104], 10, [1, 1]).clustered([1, 2]),
    by_groups([64, 104], 10, [1, 1]).clustered([4, 2]),
    by_groups([64, 112], 10, [1, 1]).clustered([1, 2]),
    by_groups([64, 112], 10, [1, 1]).clustered([4, 1]),
    by_groups([64, 128], 9, [1, 1]).clustered([2, 1]),
    by_groups([64, 128], 9, [1, 1]).clustered([1, 2]),
    by_groups([64, 128], 9, [1, 1]).clustered([4, 2]),
    by_groups([64, 144], 8, [1, 1]).clustered([4, 1]),
    by_groups([64, 144], 8, [1, 1]).clustered([2, 1]),
    by_groups([128, 80], 8, [2, 1]).clustered([2, 4]),
    by_groups([128, 104], 7, [2, 1]).clustered([1, 4]),
    by_groups([128, 104], 7, [2, 1]).clustered([2, 4]),
    by_groups([128, 112], 7, [2, 1]).clustered([1, 4]),
    by_groups([128, 112], 7, [2, 1]).clustered([2, 4]),
    by_groups([128, 128], 7, [2, 1]).clustered([1, 4]),
    by_groups([128, 128], 7, [2, 1]).clustered([4, 1]),
    by_groups([128, 128], 7, [2, 1]).clustered([2, 4]),
    by_groups([128, 144], 6, [2, 1]).clustered([2, 4]),
    by_groups([128, 144], 6, [2, 1]).clustered([2, 1]),
    by_groups([128, 160], 6, [2, 1]).clustered([2, 4]),
    by_groups([128, 160], 6, [2, 1]).clustered([2, 1]),
    by_groups([64, 64], 12, [1, 1]).clustered([2, 4]).swap(),
    by_groups([64, 80], 12, [1, 1]).clustered([4, 2]).swap(),
    by_groups([64, 80], 12, [1, 1]).clustered([2, 1]).swap(),
    by_groups([64, 112], 10, [1, 1]).clustered([4, 2]).swap(),
    by_groups([64, 128], 9, [1, 1]).clustered([1, 2]).swap(),
    by_groups([64, 128], 9, [1, 1]).clustered([4, 2]).swap(),
    by_groups([128, 256], 4, [2, 1]).walking(COOPERATIVE),
    by_groups([256, 128], 4, [2, 1]).walking(COOPERATIVE),
    by_groups([256, 192], 3, [2, 1]).walking(COOPERATIVE),
    by_groups([192, 192], 3, [3, 1]).walking(COOPERATIVE),
    by_groups([128, 224], 4, [2, 1]).walking(COOPERATIVE),
    by_groups([128, 208], 4, [2, 1]).walking(COOPERATIVE),
    by_groups([128, 192], 4, [2, 1]).walking(COOPERATIVE),
    by_groups([128, 160], 5, [2, 1]).walking(COOPERATIVE),
    by_groups([128, 128], 6, [2, 1]).walking(COOPERATIVE),
    by_groups([128, 256], 4, [2, 1]).walking(COOPERATIVE).clustered([2, 1]),
    by_groups([192, 192], 3, [3, 1]).walking(COOPERATIVE).clustered([2, 1]),
    by_groups([128, 224], 4, [2, 1]).walking(COOPERATIVE).clustered([2, 1]),
    by_groups([128, 192], 4, [2, 1]).walking(COOPERATIVE).clustered([2, 1]),
    by_groups([192, 128], 4, [3, 1]).walking(COOPERATIVE).clustered([1, 2]),
    by_groups([192, 160], 4, [3, 1]).walking(COOPERATIVE).clustered([1, 2]),
    by_groups([128, 240], 4, [2, 1]).walking(COOPERATIVE).clustered([1, 2]),
    by_groups([192, 176], 4, [1, 2]).walking(COOPERATIVE).clustered([1, 2]),
    by_groups([192, 176], 4, [1, 2]).walking(COOPERATIVE).clustered([1, 2]).swap(),
    by_groups([192, 176], 4, [1, 2]).walking(COOPERATIVE).clustered([2, 1]).swap(),
    by_groups([192, 160], 4, [1, 2]).walking(COOPERATIVE).clustered([1, 2]),
    by_groups([192, 144], 4, [1, 2]).walking(COOPERATIVE).clustered([2, 1]),
    by_groups([128, 224], 4, [2, 1]).walking(COOPERATIVE).clustered([2, 1]).swap(),
    by_groups([128, 176], 5, [2, 1]).walking(COOPERATIVE).clustered([2, 1]).swap(),
    by_groups([256, 112], 4, [2, 1]).walking(COOPERATIVE).clustered([1, 2]).swap(),
    by_groups([128, 176], 5, [1, 1]).walking(PINGPONG),
    by_groups([128, 160], 5, [1, 1]).walking(PINGPONG),
    by_groups([128, 144], 5, [1, 1]).walking(PINGPONG),
    by_groups([128, 128], 6, [1, 1]).walking(PINGPONG),
    by_groups([128, 112], 6, [1, 1]).walking(PINGPONG),
    by_groups([64, 256], 4, [1, 1]).walking(PINGPONG),
    by_groups([64, 192], 6, [1, 1]).walking(PINGPONG),
    by_groups([64, 128], 8, [1, 1]).walking(PINGPONG),
    by_groups([128, 176], 5, [1, 1]).walking(PINGPONG).clustered([2, 1]),
    by_groups([128, 160], 5, [1, 1]).walking(PINGPONG).clustered([2, 1]),
    by_groups([128, 128], 6, [1, 1]).walking(PINGPONG).clustered([2, 1]),
    by_groups([64, 128], 8, [1, 1]).walking(PINGPONG).clustered([2, 1]),
    by_groups([128, 176], 5, [1, 1]).walking(PINGPONG).clustered([1, 2]),
];

/// Those of a factor that warpgroups convert: 64 or more of its lines by the tokens of a block. Each was within 3 % of
/// the fastest of 65 for one of 30 products of weights of 4 and of 8 bits on an H200, or is like such a one; the others of
/// few tokens are among those of all products.
pub(in crate::auto) static CONVERTED: [Preset; 19] = [
    by_groups([64, 16], 8, [1, 1]).of_k(256).shared_by(2).swap(),
    by_groups([64, 16], 8, [1, 1]).shared_by(2).swap(),
    by_groups([64, 16], 4, [1, 1]).shared_by(4).swap(),
    by_groups([128, 16], 6, [2, 1]).of_k(256).shared_by(2).swap(),
    by_groups([128, 16], 8, [2, 1]).shared_by(2).swap(),
    by_groups([128, 32], 8, [2, 1]).shared_by(2).swap(),
    by_groups([128, 64], 8, [2, 1]).shared_by(2).swap(),
    by_groups([64, 32], 8, [1, 1]).shared_by(2).swap(),
    by_groups([64, 64], 8, [1, 1]).swap(),
    by_groups([64, 64], 8, [1, 1]).shared_by(2).swap(),
    by_groups([128, 64], 8, [2, 1]).swap(),
    by_groups([64, 128], 5, [1, 1]).swap(),
    by_groups([64, 128], 5, [1, 1]).shared_by(2).swap(),
    by_groups([128, 128], 5, [2, 1]).swap(),
    by_groups([128, 128], 8, [2, 1]).of_k(64).swap(),
    by_groups([128, 192], 6, [2, 1]).of_k(64).swap(),
    by_groups([128, 256], 5, [2, 1]).of_k(64).swap(),
    by_groups([128, 256], 5, [2, 1]).of_k(64).shared_by(2).swap(),
    by_groups([64, 256], 4, [1, 1]).of_k(64).walking(PINGPONG).swap(),
];

const COOPERATIVE: Walk = Walk::Cooperative;
const PINGPONG: Walk = Walk::Pingpong;

/// Bytes of a row of a box of tensor copies: those of BLK_K in most schedules of warpgroups.
const ROW_BYTES: u16 = 128;

const fn by_warps(tile: [u16; 3], stages: u16, warps: OfWarps) -> Preset {
    Preset { tile, stages, strip: None, swapped: false, by: OfForm::Warps(warps) }
}

const fn by_groups([m, n]: [u16; 2], stages: u16, grid: [u16; 2]) -> Preset {
    let by = OfForm::Groups(OfGroups { grid, walk: None, splits: None, cluster: None });
    Preset { tile: [m, n, ROW_BYTES], stages, strip: None, swapped: false, by }
}

const fn warps(grid: [u16; 3]) -> OfWarps {
    OfWarps { grid, splits: None, tensors: false, streamed: None, lanes: false }
}

impl Preset {
    const fn strips(self, blocks: u16) -> Preset {
        Preset { strip: Some(blocks), ..self }
    }

    /// A k-tile has two boxes along K: a block waits half as often.
    const fn deep(self) -> Preset {
        let [m, n, _] = self.tile;
        Preset { tile: [m, n, 2 * ROW_BYTES], ..self }
    }

    /// A k-tile has these bytes of what is stored.
    const fn of_k(self, bytes: u16) -> Preset {
        let [m, n, _] = self.tile;
        Preset { tile: [m, n, bytes], ..self }
    }

    /// Its blocks walk over tiles.
    const fn walking(self, walk: Walk) -> Preset {
        self.with(OfGroups { walk: Some(walk), ..self.groups() })
    }

    /// This many blocks along M and N copy once what several of them multiply.
    const fn clustered(self, [m, n]: [u16; 2]) -> Preset {
        let cluster = match [NonZeroU16::new(m), NonZeroU16::new(n)] {
            [Some(m), Some(n)] => Some([m, n]),
            _ => None,
        };
        self.with(OfGroups { cluster, ..self.groups() })
    }

    /// This many blocks share each tile, for few tiles of long sums.
    const fn shared_by(self, blocks: u16) -> Preset {
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

    const fn swap(self) -> Preset {
        Preset { swapped: true, ..self }
    }
}

impl OfWarps {
    const fn split(self, splits: u16) -> OfWarps {
        let splits = match NonZeroU16::new(splits) {
            Some(splits) => Some(Splits::Every(splits)),
            None => None,
        };
        OfWarps { splits, ..self }
    }

    /// Up to `most` blocks share each tile of the last wave.
    const fn split_tail(self, most: u16) -> OfWarps {
        let splits = match NonZeroU16::new(most) {
            Some(most) => Some(Splits::Tail(most)),
            None => None,
        };
        OfWarps { splits, ..self }
    }

    const fn by_tensors(self) -> OfWarps {
        OfWarps { tensors: true, ..self }
    }

    /// The second factor is read once.
    const fn stream(self) -> OfWarps {
        OfWarps { streamed: Some(CachePolicy::EvictFirst), ..self }
    }

    const fn by_lanes(self) -> OfWarps {
        OfWarps { lanes: true, ..self }
    }
}
