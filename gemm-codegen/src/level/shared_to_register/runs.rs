//! Fragments of two factors where one is converted: neighbours along K, a vector of each lane at a time.

use super::Request;
use crate::hardware::WARP;
use crate::level::mma::{BAND, LANES_OF_LINE, step_of};
use crate::level::shared_tile::SharedTile;
use crate::part::Part;
use crate::text::Sections;

/// Each load: a run of this length of each lane, of a band of lines at one k-step.
pub(super) fn requests(tile: &SharedTile, length: u32) -> impl Iterator<Item = Request> {
    let (lines, k) = (tile.layout.rows, tile.layout.cols * tile.numbers);
    let bands = (0..lines).step_by(BAND as usize);
    bands
        .flat_map(move |line| (0..k).step_by(step_of(length) as usize).map(move |k| (line, k)))
        .map(move |(line, k)| {
            let run = move |lane| lane % LANES_OF_LINE * length;
            let address = |lane| tile.address(line + lane / LANES_OF_LINE, k + run(lane));
            Request::new(WARP, length / tile.numbers * tile.element_bytes, address)
        })
}

/// How large the vector of a lane is, a run of this length.
pub(super) fn cuda_members(tile: &SharedTile, length: u32) -> String {
    let bytes = length / tile.numbers * tile.element_bytes;
    format!(
        "    static constexpr int NUMBERS = {};  // of an element\n    \
         static constexpr int RUN = {length}, VECTOR_BYTES = {bytes};  // neighbours along k of a lane\n",
        tile.numbers
    )
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections) {
    text.add(include_str!("../../ptx/load_shared_vector.cuh"));
    text.of(Part::Loads).add(include_str!("runs.cuh"));
}
