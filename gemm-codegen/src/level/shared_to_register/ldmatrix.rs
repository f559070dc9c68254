//! Fragments by `ldmatrix`.

use super::{Request, SharedToRegister};
use crate::axis::Side;
use crate::level::mma::{BAND, LANES_OF_LINE};
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::part::Part;
use crate::text::Sections;

/// The eight rows of each matrix of the tile (PTX ISA, "ldmatrix"): one row is one 16-byte chunk.
pub(super) fn requests(tile: &SharedTile) -> impl Iterator<Item = Request> {
    let layout = &tile.layout;
    let chunk = CHUNK_BYTES / tile.element_bytes;
    let rows = (0..layout.rows).step_by(BAND as usize);
    rows.flat_map(move |row| (0..layout.cols).step_by(chunk as usize).map(move |col| (row, col)))
        .map(|(row, col)| {
            let address = |line| tile.layout.offset(row + line, col) * tile.element_bytes;
            Request::new(BAND, CHUNK_BYTES, address)
        })
}

/// The four matrices of an x4 load are four consecutive fragment registers. A's registers run
/// along m first, B's along k first (PTX ISA, "Matrix Fragments for mma.m16n8k16"); with the
/// other order ptxas would have to move each pair together.
pub(super) fn cuda_members(load: &SharedToRegister, transposed: bool) -> String {
    if is_deep(load) {
        return cuda_members_of_deep(load);
    }
    // Along k, one matrix and all of an atom.
    let chunk = LANES_OF_LINE * load.fragment.packed();
    let k_matrices = load.k / chunk;
    let k_first = load.side == Side::B;
    format!(
        "    static constexpr bool TRANSPOSED = {transposed}, K_FIRST = {k_first};\n    \
         static constexpr int X4_MN = {};  // extent of four matrices\n    \
         static constexpr int MATRICES_K = {k_matrices}, MATRIX_K = {chunk};  // matrices along k, extent of one\n",
        4 / k_matrices * BAND,
    )
}

/// Whether an atom has more matrices along k than an instruction: those of several.
fn is_deep(load: &SharedToRegister) -> bool {
    load.k / (LANES_OF_LINE * load.fragment.packed()) > 2
}

/// The same where four matrices are a part of an atom.
fn cuda_members_of_deep(load: &SharedToRegister) -> String {
    let chunk = LANES_OF_LINE * load.fragment.packed();
    format!(
        "    static constexpr bool TRANSPOSED = false;\n    \
         static constexpr int BANDS = {};  // of eight lines of an atom\n    \
         static constexpr int MATRICES_K = {}, MATRIX_K = {chunk};  // matrices along k, extent of one\n",
        load.fragment.bands(),
        load.k / chunk,
    )
}

/// The device function `shared_to_register` for these sides, and what it calls.
pub(super) fn write(text: &mut Sections, sides: &[&SharedToRegister]) {
    // Such sides are of a kernel that converts the other one.
    if sides.iter().any(|side| is_deep(side)) {
        text.add(include_str!("../../ptx/ldmatrix_x4.cuh"));
        text.of(Part::Loads).add(include_str!("ldmatrix_deep.cuh"));
        return;
    }
    let rest = !sides.iter().all(|side| side.registers.is_multiple_of(4));
    write_matrices(text);
    if rest {
        text.add(include_str!("../../ptx/ldmatrix_x2.cuh"));
        text.add(include_str!("../../ptx/ldmatrix_x1.cuh"));
    }
    text.of(Part::Loads).add_file(include_str!("ldmatrix.cuh"), &[("REST", rest)]);
}

/// The load of four matrices, and where each of them begins.
pub(super) fn write_matrices(text: &mut Sections) {
    text.add(include_str!("../../ptx/ldmatrix_x4.cuh"));
    text.of(Part::Loads).add(include_str!("ldmatrix_matrices.cuh"));
}
