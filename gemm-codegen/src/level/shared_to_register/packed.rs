//! A factor that is stored as lanes multiply it: elements of 16 bytes, one or a part of one for each lane of a warp.
//!
//! An element has the numbers that a lane multiplies of 16 lines: of the fragments of A of `m16n8k16`, or of two of B, of
//! as many k-steps as 16 bytes hold, one after the other (PTX ISA, "Matrix Fragments for mma.m16n8k16").

use super::Request;
use crate::hardware::WARP;
use crate::level::mma::step_of;
use crate::level::shared_tile::SharedTile;
use crate::part::Part;
use crate::text::Sections;

/// How large what a lane loads at a time is: its numbers of a k-step of this run, of an element at the most.
pub(super) fn cuda_members(tile: &SharedTile, run: u32) -> String {
    format!(
        "    static constexpr int LINES = {}, NUMBERS = {};  // of an element, along k in the mean\n    \
         static constexpr int PACKED_K = {};  // of the elements of 32 lanes\n    \
         static constexpr int LOADED_K = {}, VECTOR_BYTES = {};  // of a lane's load\n    \
         typedef unsigned Words[VECTOR_BYTES / 4];\n",
        tile.lines,
        tile.numbers,
        tile.numbers * tile.in_turn,
        step_of(run),
        vector_bytes(tile, run)
    )
}

/// Bytes of a lane's numbers of a k-step of this run.
pub(super) fn vector_bytes(tile: &SharedTile, run: u32) -> u32 {
    tile.element_bytes * step_of(run) / (WARP * tile.numbers)
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections) {
    text.add(include_str!("../../ptx/load_shared_vector.cuh"));
    text.of(Part::Loads).add(include_str!("packed.cuh"));
}

/// Each load of these bytes: of one lane after the other an element, or a part of it.
pub(super) fn requests(tile: &SharedTile, run: u32) -> impl Iterator<Item = Request> {
    let (rows, bytes) = (tile.layout.rows, vector_bytes(tile, run));
    let columns =
        move |row| (0..tile.layout.cols).step_by(WARP as usize).map(move |col| (row, col));
    (0..rows).flat_map(columns).map(move |(row, col)| {
        let address = |lane| tile.layout.offset(row, col + lane) * tile.element_bytes;
        Request::new(WARP, bytes, address)
    })
}
