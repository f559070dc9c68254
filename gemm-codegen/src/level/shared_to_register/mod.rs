//! Shared memory → registers: `ldmatrix` and the fragments of a k-step.

use crate::layout::bank_passes;
use crate::level::mma::Mma;
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::spec::Side;

/// Rows and columns of the 16-bit matrix that `ldmatrix` distributes over a warp (PTX ISA,
/// "ldmatrix"): one row is one 16-byte chunk.
const MATRIX: u32 = 8;

/// How a warp loads its fragments of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedToRegister {
    /// Which operand is loaded.
    pub side: Side,
    /// Whether the rows in shared memory run along M or N, so that `ldmatrix` has to transpose.
    pub transposed: bool,
    /// 32-bit registers of one lane for one k-step.
    pub registers: u32,
    /// 8×8 matrices of one atom along k.
    pub k_matrices: u32,
    /// Passes of the banks that one matrix needs at most; 1 is conflict-free.
    pub bank_passes: u32,
}

/// `atoms` are the MMA atoms of a warp along the side's own dimension.
pub(crate) fn plan(tile: &SharedTile, mma: Mma, atoms: u32) -> SharedToRegister {
    SharedToRegister {
        side: tile.side,
        transposed: !tile.k_contiguous,
        registers: mma.registers(tile.side) * atoms,
        k_matrices: mma.shape()[2] / MATRIX,
        bank_passes: load_passes(tile, u32::MAX),
    }
}

/// The most passes that the banks need for the eight rows of any matrix of the tile, or those of
/// the first matrix that needs `enough`.
pub(crate) fn load_passes(tile: &SharedTile, enough: u32) -> u32 {
    let layout = &tile.layout;
    let chunk = CHUNK_BYTES / tile.element_bytes;
    let mut most = 1;
    for row in (0..layout.rows).step_by(MATRIX as usize) {
        for col in (0..layout.cols).step_by(chunk as usize) {
            most = most.max(matrix_passes(tile, row, col));
            if most >= enough {
                return most;
            }
        }
    }
    most
}

/// The passes for the first matrix alone: 1 wherever the whole tile is free of conflicts.
pub(crate) fn first_matrix_passes(tile: &SharedTile) -> u32 {
    matrix_passes(tile, 0, 0)
}

/// The passes for the matrix that begins at (row, col) of the tile.
fn matrix_passes(tile: &SharedTile, row: u32, col: u32) -> u32 {
    let mut addresses = [0; MATRIX as usize];
    for (line, address) in (row..).zip(&mut addresses) {
        *address = tile.layout.offset(line, col) * tile.element_bytes;
    }
    bank_passes(&addresses, CHUNK_BYTES)
}

impl SharedToRegister {
    /// Matrices of one `ldmatrix.x4` along the side's own dimension, in elements.
    fn x4_extent(&self) -> u32 {
        4 / self.k_matrices * MATRIX
    }

    /// The members of the tile's struct that `shared_to_register` reads.
    ///
    /// The four matrices of an x4 load are four consecutive fragment registers. A's registers run
    /// along m first, B's along k first (PTX ISA, "Matrix Fragments for mma.m16n8k16"); with the
    /// other order ptxas would have to move each pair together.
    pub(crate) fn cuda_members(&self) -> String {
        let (mn, k) = match (self.k_matrices, self.side) {
            (1, _) => ("matrix * 8", "0"),
            (_, Side::A) => ("matrix % 2 * 8", "matrix / 2 * 8"),
            (_, Side::B) => ("matrix / 2 * 8", "matrix % 2 * 8"),
        };
        // Matrices further along m or n lie in rows below, or in columns beside.
        let row = if self.transposed {
            "offset(k + line, mn + further)"
        } else {
            "below(offset(mn + line, k), mn + line, k, further)"
        };
        let silence = if self.k_matrices == 1 { "/*matrix*/" } else { "matrix" };
        format!(
            "    static constexpr bool TRANSPOSED = {};\n    \
             static constexpr int X4_MN = {};  // extent of four matrices\n    \
             // Where matrix 0..4 of an x4 load begins, and the offset of its row number `line`, for\n    \
             // the load `further` elements along m (or n).\n    \
             static __device__ __forceinline__ int matrix_mn(int matrix) {{ return {mn}; }}\n    \
             static __device__ __forceinline__ int matrix_k(int {silence}) {{ return {k}; }}\n    \
             static __device__ __forceinline__ int matrix_row(\n            \
             int mn, int k, int line, int further) {{\n        \
             return {row};\n    }}\n",
            self.transposed,
            self.x4_extent()
        )
    }
}

/// The device function `shared_to_register` and what it calls.
///
/// The wrappers of instructions take the tile: PTX names the call that a line was inlined from by
/// function and line, and those of A and B must differ in one.
pub(crate) fn cuda(sides: [&SharedToRegister; 2]) -> Vec<&'static str> {
    let whole = sides.iter().all(|side| side.registers.is_multiple_of(4));
    let x4 = include_str!("../../ptx/ldmatrix_x4.cuh");
    if whole {
        return vec![x4, include_str!("ldmatrix.cuh")];
    }
    vec![
        x4,
        include_str!("../../ptx/ldmatrix_x2.cuh"),
        include_str!("../../ptx/ldmatrix_x1.cuh"),
        include_str!("ldmatrix_rest.cuh"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Swizzle;

    #[test]
    fn passes_of_a_narrow_and_a_wide_tile() {
        let passes = |k_contiguous, b, s| {
            let swizzle = Swizzle { b, m: 3, s };
            load_passes(
                &SharedTile::new(Side::A, [128, 128, 32], k_contiguous, 2, swizzle),
                u32::MAX,
            )
        };
        assert_eq!(passes(true, 2, 3), 1);
        assert_eq!(passes(true, 3, 3), 1, "the published Swizzle<3, 3, 3> of a 128 x 32 tile");
        assert_eq!(passes(true, 0, 0), 4);
        assert_eq!(passes(false, 3, 4), 1);
        assert_eq!(passes(false, 3, 3), 2);
    }
}
