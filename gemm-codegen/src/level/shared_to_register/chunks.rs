//! The factor that warpgroups convert: chunks along K, each the same for the lanes of a line.
//!
//! A lane multiplies two neighbours of every eight along K, as the other factor lies in shared memory. Of integers of
//! 4 bits that is a byte of every word.

use super::Request;
use crate::hardware::WARP;
use crate::level::mma::{BAND, LANES_OF_LINE};
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::part::Part;
use crate::text::Sections;

/// How large what a lane loads at a time is.
pub(super) fn cuda_members(tile: &SharedTile) -> String {
    format!(
        "    static constexpr int NUMBERS = {};  // of an element\n    \
         static constexpr int VECTOR_BYTES = {CHUNK_BYTES};  // that the lanes of a line load\n",
        tile.numbers
    )
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections) {
    text.add(include_str!("../../ptx/load_shared_vector.cuh"));
    text.of(Part::Loads).add(include_str!("chunks.cuh"));
}

/// Each load: a chunk of each line of a band.
pub(super) fn requests(tile: &SharedTile) -> impl Iterator<Item = Request> {
    let (lines, numbers) = (tile.layout.rows, tile.numbers);
    let chunk = CHUNK_BYTES / tile.element_bytes;
    let bands = (0..lines).step_by(BAND as usize);
    let chunks = move |line| (0..tile.layout.cols).step_by(chunk as usize).map(move |k| (line, k));
    bands.flat_map(chunks).map(move |(line, column)| {
        let address = |lane| tile.address(line + lane / LANES_OF_LINE, column * numbers);
        Request::new(WARP, CHUNK_BYTES, address)
    })
}
