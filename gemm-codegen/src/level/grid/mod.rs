//! Grid → block: the order in which blocks walk the output.

use std::num::NonZeroU16;

use crate::level::split_k::SplitK;

/// What the text of a raster calls the number of a tile where each has a block of its own.
const TILE_NUMBER: &str = "int(blockIdx.x)";

/// The order of the blocks in a grid: they walk a strip of some blocks' width along one axis
/// before they step along the other, so that blocks running together share panels in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raster {
    /// Strips of this many blocks along M: consecutive blocks differ in M first.
    AlongM(NonZeroU16),
    /// Strips of this many blocks along N: consecutive blocks differ in N first.
    AlongN(NonZeroU16),
}

impl Raster {
    /// Width of a strip in blocks.
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

    /// The device function `grid`, for one matrix or for a batch. Where blocks share a tile, `split_k`
    /// knows its number.
    pub(crate) fn cuda(self, batched: bool, split_k: Option<SplitK>) -> String {
        let text = match (self, batched) {
            (Raster::AlongM(_), false) => include_str!("along_m.cuh"),
            (Raster::AlongN(_), false) => include_str!("along_n.cuh"),
            (Raster::AlongM(_), true) => include_str!("along_m_batched.cuh"),
            (Raster::AlongN(_), true) => include_str!("along_n_batched.cuh"),
        };
        match split_k {
            None => text.to_owned(),
            Some(_) => text.replace(TILE_NUMBER, "tile_number()"),
        }
    }

    /// The struct `Block` that `grid` returns.
    pub(crate) fn cuda_block(self, batched: bool) -> &'static str {
        match batched {
            false => {
                "struct Block { int m, n; };  // first row and column of a block's tile in the output\n"
            }
            true => {
                "struct Block { int batch, m, n; };  // number of a block's matrix, first row and column\n"
            }
        }
    }
}
