//! [`Stored`]: what a kernel stores, and the widest stores and loads by which it does.

use super::fetched::ReadMatrix;
use crate::element::Element;
use crate::layout::{bank_passes, lanes_per_group};
use crate::problem::Reduces;
use crate::spec::Walk;

/// Bytes of the widest store.
pub(super) const STORE_BYTES: u32 = 16;

/// What a kernel stores: it decides what is staged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored<'a> {
    /// Whether the output's rows run along N; else along M.
    pub(crate) n_contiguous: bool,
    /// The elements of the outputs that are matrices.
    pub(crate) outputs: &'a [Element],
    /// The matrices that the body reads.
    pub(crate) matrices: &'a [ReadMatrix],
    /// Bytes of shared memory that the ring leaves.
    pub(crate) room: u32,
    /// How a block walks over several tiles, if it does.
    pub(crate) walk: Option<Walk>,
    /// Blocks that store a part of the columns each, of a cluster that shares the K of a tile.
    pub(crate) splits: u32,
    /// What is reduced.
    pub(crate) reduces: Reduces,
    /// Whether products are computed in turn, each with an output of its own columns.
    pub(crate) in_turn: bool,
    /// Products, whose sums of an element the body takes.
    pub(crate) products: u32,
}

/// Passes of the banks at most, where thread `i` loads `vector` elements of `bytes` bytes from the one
/// at `chunks[i]` on, if any, in words of at most [`STORE_BYTES`].
pub(super) fn staged_load_passes(chunks: &[Option<u32>], bytes: u32, vector: u32) -> u32 {
    let word = STORE_BYTES.min(vector * bytes);
    let of_group = |group: &[Option<u32>]| {
        let addresses = group.iter().flatten().map(|element| element * bytes);
        bank_passes(&addresses.collect::<Vec<u32>>(), word)
    };
    chunks.chunks(lanes_per_group(word)).map(of_group).max().unwrap_or(1)
}
