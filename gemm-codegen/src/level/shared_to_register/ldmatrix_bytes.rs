//! Fragments of bytes that run along M or N, by `ldmatrix`, which transposes two at a time.

use super::{Request, SharedToRegister};
use crate::axis::Side;
use crate::level::mma::BAND;
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::part::Part;
use crate::text::Sections;

/// Extent along k of two matrices, of even and of odd rows.
pub(super) const K: u32 = 2 * BAND;

/// Lines that lie in a chunk: of two bands.
pub(super) const LINES: u32 = 2 * BAND;

/// The eight rows of each matrix of the tile, every other row.
pub(super) fn requests(tile: &SharedTile) -> impl Iterator<Item = Request> {
    let layout = &tile.layout;
    let rows = (0..layout.rows).step_by(K as usize).flat_map(|row| [row, row + 1]);
    rows.flat_map(move |row| (0..layout.cols).step_by(CHUNK_BYTES as usize).map(move |c| (row, c)))
        .map(|(row, col)| {
            Request::new(BAND, CHUNK_BYTES, |line| tile.layout.offset(row + 2 * line, col))
        })
}

/// Matrices 0, 1 and 2, 3 of an x4 load are the even and odd rows of two parts of the tile: of both
/// halves of an atom's k, or of two chunks where an atom has no more k than one.
pub(super) fn cuda_members(load: &SharedToRegister) -> String {
    let deep = load.k > K;
    let extent = if deep { LINES } else { 2 * LINES };
    // The registers of an atom run along m first for A, along k first for B, whose bands are atoms.
    let bands_first = deep && load.side == Side::B;
    format!(
        "    static constexpr int X4_BYTES_MN = {extent};  // extent of four matrices\n    \
         static constexpr bool HALVES_OF_K = {deep}, BANDS_FIRST = {bands_first};\n"
    )
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections) {
    text.add(include_str!("../../ptx/ldmatrix_x4_trans.cuh"));
    text.of(Part::Loads).add(include_str!("ldmatrix_bytes.cuh"));
}
