//! Grid → block: the order in which blocks walk the output.

use std::num::NonZeroU16;

/// What the text of a raster calls the number of a tile where each has a block of its own, and its
/// parameters there.
const OWN_BLOCK: [&str; 2] = ["int(blockIdx.x)", "Block grid(int m, int n)"];
/// The same where blocks share tiles.
const SHARED: [&str; 2] = ["tile", "Block grid(int m, int n, int tile)"];

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

    /// The device function `grid`, for one matrix or for a batch. Where blocks share
    /// tiles it is told which.
    pub(crate) fn cuda(self, batched: bool, shares_tiles: bool) -> String {
        let text = match (self, batched) {
            (Raster::AlongM(_), false) => include_str!("along_m.cuh"),
            (Raster::AlongN(_), false) => include_str!("along_n.cuh"),
            (Raster::AlongM(_), true) => include_str!("along_m_batched.cuh"),
            (Raster::AlongN(_), true) => include_str!("along_n_batched.cuh"),
        };
        if !shares_tiles {
            return text.to_owned();
        }
        let pairs = OWN_BLOCK.into_iter().zip(SHARED);
        pairs.fold(text.to_owned(), |text, (own, shared)| text.replace(own, shared))
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
