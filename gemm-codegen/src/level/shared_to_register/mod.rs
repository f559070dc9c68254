//! Shared memory → registers: the fragments of a k-step.

mod elements;
mod ldmatrix;
mod ldmatrix_bytes;
mod request;
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
        let bytes = multiply.elements.get(side).bytes();
        LoadPath::of(bytes, k_contiguous, multiply, warps.tile[usize::from(side == Side::B)])
    }

    /// Bands of fragments whose lines are interleaved in memory.
    pub const fn interleaved(self) -> u32 {
        match self {
            LoadPath::LdmatrixBytes => 2,
            LoadPath::Ldmatrix { .. } | LoadPath::Vectors(_) | LoadPath::Elements => 1,
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
        registers: fragment.words() * atoms,
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
            LoadPath::Elements => elements::cuda_members(self, tile),
            LoadPath::Vectors(lanes) => vectors::cuda_members(self, tile, lanes),
        }
    }

    /// What the start of shared memory has to be aligned to, in bytes.
    pub(crate) fn align(&self, tile: &SharedTile) -> u32 {
        match self.path {
            LoadPath::Vectors(lanes) => vectors::align(self, tile, lanes),
            LoadPath::Ldmatrix { .. } | LoadPath::LdmatrixBytes | LoadPath::Elements => CHUNK_BYTES,
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
mod tests {
    use super::*;
    use crate::element::Element;
    use crate::layout::{Swizzle, TileOrder};
    use crate::level::mma::Atom;
    use crate::spec::Mma;

    /// A tensor core's atom for elements of this many bytes.
    fn multiply(bytes: u32) -> Multiply {
        match bytes {
            1 => with(Mma::M16n8k32, Element::I8),
            8 => with(Mma::M8n8k4, Element::F64),
            _ => with(Mma::M16n8k16, Element::F16),
        }
    }

    fn with(shape: Mma, element: Element) -> Multiply {
        Multiply::of(Atom::find(shape, element, element).unwrap())
    }

    #[test]
    fn passes_of_a_narrow_and_a_wide_tile() {
        let passes = |k_contiguous, b, s| {
            let swizzle = Swizzle { b, m: 3, s };
            let tile =
                SharedTile::new(Side::A, [128, 128, 32], k_contiguous, 2, TileOrder::Rows(swizzle));
            load_passes(&tile, LoadPath::of(2, k_contiguous, &multiply(2), 64), u32::MAX)
        };
        assert_eq!(passes(true, 2, 3), 1);
        assert_eq!(passes(true, 3, 3), 1, "the published Swizzle<3, 3, 3> of a 128 x 32 tile");
        assert_eq!(passes(true, 0, 0), 4);
        assert_eq!(passes(false, 3, 4), 1);
        assert_eq!(passes(false, 3, 3), 2);
    }

    #[test]
    fn passes_of_doubles_in_both_orders() {
        let passes = |k_contiguous, b, m, s| {
            let swizzle = Swizzle { b, m, s };
            let tile =
                SharedTile::new(Side::B, [128, 128, 8], k_contiguous, 8, TileOrder::Rows(swizzle));
            load_passes(&tile, LoadPath::of(8, k_contiguous, &multiply(8), 64), u32::MAX)
        };
        // Half a warp reads 32 B of four rows; rows of 64 B begin in one of two places.
        assert_eq!(passes(true, 0, 1, 1), 2);
        assert_eq!(passes(true, 1, 2, 2), 1);
        // Rows of 1024 B all begin in the same bank.
        assert_eq!(passes(false, 0, 1, 1), 4);
        assert_eq!(passes(false, 2, 2, 5), 1);
        assert_eq!(passes(false, 2, 1, 6), 2, "chunks of 16 B: those of a lane pair change places");
    }

    #[test]
    fn passes_of_bytes_across_rows() {
        let passes = |lines, b, s| {
            let swizzle = Swizzle { b, m: 4, s };
            let tile = SharedTile::new(Side::A, [128, 128, 64], false, 1, TileOrder::Rows(swizzle));
            load_passes(&tile, LoadPath::of(1, false, &multiply(1), lines), u32::MAX)
        };
        // Eight rows that lie 2 apart, and a row is as long as the banks.
        assert_eq!(passes(64, 0, 0), 8);
        assert_eq!(passes(64, 3, 3), 2, "two of the three bits that tell the rows apart");
        assert_eq!(passes(64, 3, 4), 1);
        // Byte by byte: four rows that lie 4 apart.
        assert_eq!(passes(8, 0, 0), 4);
        assert_eq!(passes(8, 3, 3), 2, "one of the two bits that tell the rows apart");
        assert_eq!(passes(8, 2, 5), 1);
    }

    #[test]
    fn bytes_go_by_whole_loads_of_four_matrices() {
        let path = |atom, lines| LoadPath::of(1, false, &with(atom, Element::I8), lines);
        let (deep, shallow) = (Mma::M16n8k32, Mma::M16n8k16);
        assert_eq!([path(deep, 16), path(shallow, 32)], [LoadPath::LdmatrixBytes; 2]);
        let others = [path(deep, 8), path(shallow, 16), path(deep, 24)];
        assert_eq!(others, [LoadPath::Elements; 3]);
        let along_k = LoadPath::of(1, true, &multiply(1), 8);
        assert_eq!(along_k, LoadPath::Ldmatrix { transposed: false });
    }

    #[test]
    fn every_row_has_one_line() {
        let lines = |path: LoadPath| (0..64).map(|line| path.line(line)).collect::<Vec<u32>>();
        assert!(lines(LoadPath::Elements).into_iter().eq(0..64));
        let mut renamed = lines(LoadPath::LdmatrixBytes);
        assert_eq!(renamed[..10], [0, 2, 4, 6, 8, 10, 12, 14, 1, 3]);
        renamed.sort_unstable();
        assert!(renamed.into_iter().eq(0..64));
    }
}
