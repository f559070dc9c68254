//! The order in which blocks walk the tiles of the output.

use std::num::NonZeroU16;

use crate::text::Sections;

/// The order of the tiles: blocks walk a strip of some tiles' width along one axis before they step
/// along the other, so that blocks running together share panels in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raster {
    /// Strips of this many tiles along M: consecutive tiles differ in M first.
    AlongM(NonZeroU16),
    /// Strips of this many tiles along N: consecutive tiles differ in N first.
    AlongN(NonZeroU16),
}

impl Raster {
    /// Width of a strip in tiles.
    pub fn width(self) -> u32 {
        match self {
            Raster::AlongM(width) | Raster::AlongN(width) => u32::from(width.get()),
        }
    }

    /// As written in `raster = ..`.
    pub fn name(self) -> &'static str {
        match self {
            Raster::AlongM(_) => "along_m",
            Raster::AlongN(_) => "along_n",
        }
    }

    /// The device function `raster`, for one matrix or for a batch, of tiles of blocks or of clusters.
    pub(super) fn write(self, text: &mut Sections, batched: bool, clustered: bool) {
        let along_m = matches!(self, Raster::AlongM(_));
        let parts = [("ALONG_M", along_m), ("BATCHED", batched), ("CLUSTERED", clustered)];
        text.add_file(include_str!("raster.cuh"), &parts);
    }
}

/// The struct `Block` that `raster` returns.
pub(crate) fn cuda_block(batched: bool) -> &'static str {
    match batched {
        false => {
            "struct Block { int m, n; };  // first row and column of a block tile in the output\n"
        }
        true => {
            "struct Block { int batch, m, n; };  // matrix of a block tile, its first row and column\n"
        }
    }
}
