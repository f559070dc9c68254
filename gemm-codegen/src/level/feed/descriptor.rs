//! How a factor reaches `wgmma`: a descriptor of its tile in shared memory.

use crate::level::global_to_shared::tensor;
use crate::level::shared_tile::SharedTile;

/// Rows that the swizzle of 128 bytes permutes, a core matrix of the layouts that `wgmma` reads (PTX ISA,
/// "Shared memory layout for wgmma", "Strides").
const CORE_ROWS: u32 = 8;

/// The distances that a descriptor holds, in bytes (PTX ISA, "Matrix descriptor format"); the tile is
/// swizzled in rows of 128 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// From one panel of rows along M or N to the next; an instruction reads one panel of rows along K.
    pub leading_bytes: u32,
    /// From eight rows to the next eight.
    pub stride_bytes: u32,
    /// Whether rows lie along M or N.
    pub transposed: bool,
}

impl Descriptor {
    /// That of a tile, which tensor copies write.
    pub(crate) fn new(tile: &SharedTile) -> Descriptor {
        let panel_bytes = tile.layout.rows * tensor::ROW_BYTES;
        Descriptor {
            leading_bytes: if tile.k_contiguous { 0 } else { panel_bytes },
            stride_bytes: CORE_ROWS * tensor::ROW_BYTES,
            transposed: !tile.k_contiguous,
        }
    }

    /// The members of the tile's struct that `descriptor` reads.
    pub(crate) fn cuda_members(&self) -> String {
        let Descriptor { leading_bytes, stride_bytes, .. } = *self;
        format!(
            "    static constexpr int LEADING = {leading_bytes}, STRIDE = {stride_bytes};  // bytes, of a \
             descriptor\n"
        )
    }
}
