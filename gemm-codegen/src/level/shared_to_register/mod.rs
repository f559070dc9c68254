//! Shared memory → registers: the fragments of a k-step.

mod chunks;
mod elements;
mod ldmatrix;
mod ldmatrix_bytes;
mod packed;
mod request;
mod runs;
mod vectors;

use crate::axis::Side;
use crate::level::mma::{AtomMatrix, BAND, Fragment, Multiply, RegisterTile, Unit};
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::level::warps::Warps;
use crate::part::Part;
use crate::text::Sections;

pub use request::Request;

/// With which instructions a warp loads its fragments of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadPath {
    /// `ldmatrix`: 16 bytes along k are a row of its 8×8 matrices of 16-bit elements. What it
    /// transposes are 16-bit elements.
    Ldmatrix {
        /// Whether the rows in shared memory run along M or N.
        transposed: bool,
    },
    /// Vectors of a lane's register tile: neighbours along K, or along M or N.
    Vectors(RegisterTile),
    /// `ldmatrix` that transposes two bytes at a time, and a permutation of the bytes: the rows in
    /// shared memory run along M or N. Two bands of lines take turns ([`LoadPath::line`]).
    LdmatrixBytes,
    /// A vector of this many neighbours along K of each lane, of a line of each band: where a factor is converted,
    /// that and the other one.
    Runs(u32),
    /// Chunks of 16 bytes along K, each the same for the lanes of a line: where warpgroups convert a factor, each lane
    /// takes its neighbours along K out of it, as an instruction has them.
    Chunks,
    /// Elements of packed numbers, one of each lane or a part of one: what it multiplies of 16 lines, with a run of this
    /// length along K of each.
    Packed(u32),
    /// An element at a time: the rows in shared memory run along M or N and `ldmatrix` cannot
    /// transpose the elements, or an element takes more than a register of 32 bits.
    Elements,
}

impl LoadPath {
    /// The path of a side whose elements have these bytes, for warps with `lines` of its rows of M
    /// (columns of N).
    pub(crate) fn of(
        element_bytes: u32,
        k_contiguous: bool,
        multiply: &Multiply,
        lines: u32,
    ) -> LoadPath {
        if let Unit::Fma(lanes) = multiply.unit {
            return LoadPath::Vectors(lanes);
        }
        match (multiply.conversion(), multiply.unit) {
            (Some(of), _) if of.packs() && of.from.bytes() == element_bytes => {
                return LoadPath::Packed(multiply.run);
            }
            (Some(of), Unit::TensorCore(_)) if of.packs() => {
                return LoadPath::Ldmatrix { transposed: false };
            }
            (Some(_), Unit::Warpgroup(_)) => return LoadPath::Chunks,
            (Some(_), _) => return LoadPath::Runs(multiply.run),
            (None, _) => {}
        }
        // Bytes take whole loads of four matrices.
        let unit = ldmatrix_bytes::LINES * 2 * ldmatrix_bytes::K;
        let whole = (lines * multiply.shape()[2]).is_multiple_of(unit);
        match (element_bytes, k_contiguous) {
            (8, _) => LoadPath::Elements,
            (2, k_contiguous) => LoadPath::Ldmatrix { transposed: !k_contiguous },
            (_, true) => LoadPath::Ldmatrix { transposed: false },
            (1, false) if whole => LoadPath::LdmatrixBytes,
            (_, false) => LoadPath::Elements,
        }
    }

    /// The path of a side whose rows run along K, or do not, for the warps of a block.
    pub(crate) fn of_warps(
        side: Side,
        k_contiguous: bool,
        multiply: &Multiply,
        warps: &Warps,
    ) -> LoadPath {
        let bytes = multiply.stored.get(side).bytes();
        LoadPath::of(bytes, k_contiguous, multiply, warps.tile[usize::from(side == Side::B)])
    }

    /// Bands of fragments whose lines are interleaved in memory.
    pub const fn interleaved(self) -> u32 {
        match self {
            LoadPath::LdmatrixBytes => 2,
            LoadPath::Ldmatrix { .. }
            | LoadPath::Vectors(_)
            | LoadPath::Runs(_)
            | LoadPath::Chunks
            | LoadPath::Packed(_)
            | LoadPath::Elements => 1,
        }
    }

    /// The row of M (column of N) of a warp's tile for which a line of its fragments stands, a line
    /// of the accumulators then, too. An atom does not mind which lines it is given; the epilogue
    /// puts their sums where they belong.
    pub const fn line(self, of_fragments: u32) -> u32 {
        let (band, within, bands) = (of_fragments / BAND, of_fragments % BAND, self.interleaved());
        (band / bands * BAND + within) * bands + band % bands
    }
}

/// `line` in the emitted text.
pub(crate) const CUDA_LINE: &str = include_str!("line.cuh");

/// How a warp loads its fragments of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedToRegister {
    /// Which operand is loaded.
    pub side: Side,
    /// With which instructions.
    pub path: LoadPath,
    /// What a lane holds for one atom.
    pub fragment: Fragment,
    /// Extent of one atom along k.
    pub k: u32,
    /// 32-bit registers of one lane for one k-step.
    pub registers: u32,
    /// Passes of the banks that one load needs at most; 1 is conflict-free.
    pub bank_passes: u32,
}

/// `atoms` are the MMA atoms of a warp along the side's own dimension.
pub(crate) fn plan(
    tile: &SharedTile,
    path: LoadPath,
    multiply: &Multiply,
    atoms: u32,
) -> SharedToRegister {
    let fragment = multiply.fragment(AtomMatrix::of(tile.side));
    SharedToRegister {
        side: tile.side,
        path,
        fragment,
        k: multiply.shape()[2],
        // Of a packed factor an element has the lines of two atoms of B.
        registers: match path {
            LoadPath::Packed(_) if tile.side == Side::B => fragment.words() * atoms / 2,
            _ => fragment.words() * atoms,
        },
        bank_passes: load_passes(tile, path, u32::MAX),
    }
}

/// The most passes that the banks need for any load of a part of the tile, or those of the first
/// that needs `enough`.
pub(crate) fn load_passes(tile: &SharedTile, path: LoadPath, enough: u32) -> u32 {
    let mut most = 1;
    for request in each_load(tile, path) {
        most = most.max(request.bank_passes());
        if most >= enough {
            break;
        }
    }
    most
}

/// The passes for the first load alone: 1 wherever the whole tile is free of conflicts.
pub(crate) fn first_load_passes(tile: &SharedTile, path: LoadPath) -> u32 {
    each_load(tile, path).next().map_or(1, |request| request.bank_passes())
}

/// Each load of the tile, but for those that meet the same banks as others.
fn each_load(tile: &SharedTile, path: LoadPath) -> Box<dyn Iterator<Item = Request> + '_> {
    match path {
        LoadPath::Ldmatrix { .. } => Box::new(ldmatrix::requests(tile)),
        LoadPath::LdmatrixBytes => Box::new(ldmatrix_bytes::requests(tile)),
        LoadPath::Vectors(lanes) => Box::new(vectors::requests(tile, lanes)),
        LoadPath::Runs(length) => Box::new(runs::requests(tile, length)),
        LoadPath::Chunks => Box::new(chunks::requests(tile)),
        LoadPath::Packed(run) => Box::new(packed::requests(tile, run)),
        LoadPath::Elements => Box::new(elements::requests(tile)),
    }
}

impl SharedToRegister {
    /// The loads of a tile, for which [`bank_passes`](SharedToRegister::bank_passes) is the most. Loads
    /// that meet the same banks as one of these are left out.
    pub fn requests<'a>(&self, tile: &'a SharedTile) -> impl Iterator<Item = Request> + 'a {
        each_load(tile, self.path)
    }

    /// The members of the tile's struct that `shared_to_register` reads.
    pub(crate) fn cuda_members(&self, tile: &SharedTile) -> String {
        match self.path {
            LoadPath::Ldmatrix { transposed } => ldmatrix::cuda_members(self, transposed),
            LoadPath::LdmatrixBytes => ldmatrix_bytes::cuda_members(self),
            LoadPath::Runs(length) => runs::cuda_members(tile, length),
            LoadPath::Chunks => chunks::cuda_members(tile),
            LoadPath::Packed(run) => packed::cuda_members(tile, run),
            LoadPath::Elements => elements::cuda_members(self, tile),
            LoadPath::Vectors(lanes) => vectors::cuda_members(self, tile, lanes),
        }
    }

    /// Whether a load takes a part of each packed element.
    pub(crate) fn is_part_of_packed(&self, tile: &SharedTile) -> bool {
        self.registers_of_load(tile).is_some_and(|registers| registers * 4 < tile.element_bytes)
    }

    /// Registers that a load of packed elements fills, where a load is one of them.
    pub(crate) fn registers_of_load(&self, tile: &SharedTile) -> Option<u32> {
        match self.path {
            LoadPath::Packed(run) => Some(packed::vector_bytes(tile, run) / 4),
            _ => None,
        }
    }

    /// What the start of shared memory has to be aligned to, in bytes.
    pub(crate) fn align(&self, tile: &SharedTile) -> u32 {
        match self.path {
            LoadPath::Vectors(lanes) => vectors::align(self, tile, lanes),
            LoadPath::Ldmatrix { .. }
            | LoadPath::LdmatrixBytes
            | LoadPath::Runs(_)
            | LoadPath::Chunks
            | LoadPath::Packed(_)
            | LoadPath::Elements => CHUNK_BYTES,
        }
    }
}

/// The device function `shared_to_register` of each path, and what it calls.
///
/// The wrappers of instructions take the tile: PTX names the call that a line was inlined from by
/// function and line, and those of A and B must differ in one.
pub(crate) fn write(text: &mut Sections, sides: &[&SharedToRegister]) {
    let of = |is: fn(LoadPath) -> bool| sides.iter().copied().filter(move |side| is(side.path));
    let by_matrix: Vec<_> = of(|path| matches!(path, LoadPath::Ldmatrix { .. })).collect();
    if !by_matrix.is_empty() {
        ldmatrix::write(text, &by_matrix);
    }
    if of(|path| path == LoadPath::LdmatrixBytes).next().is_some() {
        ldmatrix_bytes::write(text);
    }
    // Both sides have elements of one size.
    if let Some(side) = of(|path| path == LoadPath::Elements).next() {
        elements::write(text, side);
    }
    if of(|path| matches!(path, LoadPath::Runs(_))).next().is_some() {
        runs::write(text);
    }
    if of(|path| path == LoadPath::Chunks).next().is_some() {
        chunks::write(text);
    }
    if of(|path| matches!(path, LoadPath::Packed(_))).next().is_some() {
        packed::write(text);
    }
    if of(|path| matches!(path, LoadPath::Vectors(_))).next().is_some() {
        vectors::write(text);
    }
}

/// The device functions that load a part of the fragments of a k-step at a time.
pub(crate) fn write_each(text: &mut Sections, sides: &[&SharedToRegister]) {
    let panels = sides.iter().any(|side| side.path == LoadPath::Ldmatrix { transposed: true });
    ldmatrix::write_matrices(text);
    text.of(Part::Loads).add_file(include_str!("ldmatrix_each.cuh"), &[("PANELS", panels)]);
}

#[cfg(test)]
mod tests;
