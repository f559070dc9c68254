//! Who has what of a product without tensor cores: the register tiles of a warp's lanes.

use crate::axis::{PerSide, Side};
use crate::hardware::WARP;
use crate::level::mma::{AtomMatrix, Fragment};
use crate::spec::Mma;

/// Lanes of a warp along m and n.
pub(crate) const LANES: [u32; 2] = [4, 8];

/// The deepest k-step. Two products of an 8×8 register tile take as many wavefronts of shared memory
/// each as four would, whose fragments would need twice the registers.
const MOST_K: u32 = 2;

/// Bytes of the widest access to shared memory (PTX ISA, "ld", "st").
const ACCESS_BYTES: u32 = 16;

/// The register tiles of a warp: who has what of `C(4·m × 8·n) += A · B`, one k-step of `k`.
///
/// The lanes lie 4 along m and 8 along n. Each has m rows and n columns, in runs of up to four
/// neighbours, of two where a sum has 8 bytes; the runs of the lanes take turns, so that those that
/// are loaded together lie side by side. Row `i` of a lane is, of the atom,
///
/// ```text
/// (i div run)·(4·run) + lane·run + i mod run
/// ```
///
/// and a column likewise, of 8 lanes. A lane holds an element of A for each of its rows and an
/// element of B for each of its columns: lanes that lie beside each other hold the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterTile {
    /// Rows and columns of a lane.
    pub extents: [u32; 2],
    /// Extent of a k-step: that of a load where a side's rows run along K, else 1.
    pub k: u32,
    /// Whether the rows of a side in shared memory run along K.
    pub k_contiguous: PerSide<bool>,
    /// Whether the rows of the output run along N: eight lanes in a row then lie 2×4, else 4×2, so
    /// that the rows that they stage meet no bank twice.
    pub n_contiguous: bool,
    /// Bytes of a sum, which has no fewer than a factor: as many neighbours are a run as are staged
    /// together.
    pub sum_bytes: u32,
}

impl RegisterTile {
    /// The register tiles of `mma = fma(m, n)`, with the deepest k-step that BLK_K allows; none for
    /// a tensor core's atom. `k_contiguous` is said of shared memory.
    pub(crate) fn new(
        mma: Mma,
        block_k: u32,
        sum_bytes: u32,
        k_contiguous: PerSide<bool>,
        n_contiguous: bool,
    ) -> Option<RegisterTile> {
        let Mma::Fma { m, n } = mma else { return None };
        let deepest = match k_contiguous {
            PerSide { a: false, b: false } => 1,
            _ => MOST_K.min(ACCESS_BYTES / sum_bytes),
        };
        let k = 1 << block_k.trailing_zeros().min(deepest.ilog2());
        let extents = [m, n].map(|extent| u32::from(extent.get()));
        Some(RegisterTile { extents, k, k_contiguous, n_contiguous, sum_bytes })
    }

    /// m, n, k of a k-step of a warp.
    pub fn shape(&self) -> [u32; 3] {
        let [m, n] = self.extents;
        [LANES[0] * m, LANES[1] * n, self.k]
    }

    /// Neighbours along m and n that a lane has together.
    pub fn runs(&self) -> [u32; 2] {
        let most = ACCESS_BYTES / self.sum_bytes;
        self.extents.map(|extent| 1 << extent.trailing_zeros().min(most.ilog2()))
    }

    /// Where a lane lies along m and n.
    pub fn place(&self, lane: u32) -> [u32; 2] {
        let bit = |at: u32| lane >> at & 1;
        match self.n_contiguous {
            true => [bit(0) + 2 * bit(4), lane / 2 % 8],
            false => [bit(0) + 2 * bit(2), bit(1) + 2 * (lane / 8)],
        }
    }

    /// The lane that lies there.
    fn lane(&self, [m, n]: [u32; 2]) -> u32 {
        (0..WARP).find(|lane| self.place(*lane) == [m, n]).unwrap_or(0)
    }

    /// Elements of a side that one load brings.
    pub fn vector(&self, side: Side) -> u32 {
        match (self.k_contiguous.get(side), side) {
            (true, _) => self.k,
            (false, Side::A) => self.runs()[0],
            (false, Side::B) => self.runs()[1],
        }
    }

    /// The ownership map of a matrix whose elements have `bits` bits.
    pub fn fragment(&self, matrix: AtomMatrix, bits: u32) -> Fragment {
        let vector = match matrix {
            AtomMatrix::A => self.vector(Side::A),
            AtomMatrix::B => self.vector(Side::B),
            AtomMatrix::C => 1,
        };
        // What is narrower than a register has one of its own.
        let packed = if vector * bits >= 32 { (32 / bits).max(1) } else { 1 };
        Fragment::of_tile(*self, matrix, bits, packed)
    }

    /// Elements of a matrix that a lane holds.
    pub(crate) fn held(&self, matrix: AtomMatrix) -> u32 {
        let [m, n] = self.extents;
        match matrix {
            AtomMatrix::A => m * self.k,
            AtomMatrix::B => n * self.k,
            AtomMatrix::C => m * n,
        }
    }

    /// Row and column of the element number `at` that a lane holds.
    pub(crate) fn position(&self, matrix: AtomMatrix, lane: u32, at: u32) -> [u32; 2] {
        let [of_m, of_n] = self.place(lane);
        let [rows, columns] = self.extents;
        let row = |i| self.along(0, of_m, i);
        let column = |i| self.along(1, of_n, i);
        // The elements of a load lie side by side.
        let of_side = |side, extent: u32| match self.k_contiguous.get(side) {
            true => [at / self.k, at % self.k],
            false => [at % extent, at / extent],
        };
        match matrix {
            AtomMatrix::A => {
                let [i, k] = of_side(Side::A, rows);
                [row(i), k]
            }
            AtomMatrix::B => {
                let [i, k] = of_side(Side::B, columns);
                [k, column(i)]
            }
            AtomMatrix::C => [row(at / columns), column(at % columns)],
        }
    }

    /// The first of the lanes that hold an element, and its number there.
    pub(crate) fn owner(&self, matrix: AtomMatrix, row: u32, column: u32) -> (u32, u32) {
        let number = |side, i: u32, k: u32, extent: u32| match self.k_contiguous.get(side) {
            true => i * self.k + k,
            false => k * extent + i,
        };
        let [rows, columns] = self.extents;
        match matrix {
            AtomMatrix::A => {
                let [lane, i] = self.of(0, row);
                (self.lane([lane, 0]), number(Side::A, i, column, rows))
            }
            AtomMatrix::B => {
                let [lane, i] = self.of(1, column);
                (self.lane([0, lane]), number(Side::B, i, row, columns))
            }
            AtomMatrix::C => {
                let ([of_m, i], [of_n, j]) = (self.of(0, row), self.of(1, column));
                (self.lane([of_m, of_n]), i * columns + j)
            }
        }
    }

    /// Row (or column) `i` of a lane, of the atom.
    fn along(&self, axis: usize, lane: u32, i: u32) -> u32 {
        let run = self.runs()[axis];
        i / run * (LANES[axis] * run) + lane * run + i % run
    }

    /// The lane of a row (or column), and which of the lane's it is.
    fn of(&self, axis: usize, at: u32) -> [u32; 2] {
        let run = self.runs()[axis];
        let of_lanes = LANES[axis] * run;
        [at % of_lanes / run, at / of_lanes * run + at % run]
    }

    /// The constants and the function that say where a lane lies.
    pub(crate) fn cuda(&self) -> String {
        let ([m, n], [run_m, run_n]) = (self.extents, self.runs());
        let lane = match self.n_contiguous {
            true => include_str!("lane_n_contiguous.cuh"),
            false => include_str!("lane_m_contiguous.cuh"),
        };
        format!(
            "// The lanes of a warp: each has LANE_M x LANE_N sums of an atom, in runs of neighbours. The\n\
             // runs of the lanes are interleaved.\n\
             constexpr int LANES_M = {}, LANES_N = {};\n\
             constexpr int LANE_M = {m}, LANE_N = {n}, RUN_M = {run_m}, RUN_N = {run_n};\n\
             constexpr int RUNS_M = WARP_M / (LANES_M * RUN_M), RUNS_N = WARP_N / (LANES_N * RUN_N);\n\
             static_assert(LANES_M * LANE_M == MMA_M && LANES_N * LANE_N == MMA_N, \"lanes tile an atom\");\n\
             static_assert(LANE_M % RUN_M == 0 && LANE_N % RUN_N == 0, \"runs tile a lane\");\n\
             \n\
             {lane}",
            LANES[0], LANES[1],
        )
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::level::mma::Owner;

    fn fma(m: u16, n: u16) -> Mma {
        let [m, n] = [m, n].map(|extent| NonZeroU16::new(extent).unwrap());
        Mma::Fma { m, n }
    }

    fn tiles() -> impl Iterator<Item = RegisterTile> {
        let extents = [(8, 8), (4, 8), (6, 3), (1, 1), (5, 12), (16, 2)];
        extents.into_iter().flat_map(|(m, n)| {
            (0..16).map(move |orders: u32| {
                let [a, b, out, double] = [0, 1, 2, 3].map(|bit| orders >> bit & 1 == 1);
                let sum_bytes = if double { 8 } else { 4 };
                RegisterTile::new(fma(m, n), 32, sum_bytes, PerSide { a, b }, out).unwrap()
            })
        })
    }

    #[test]
    fn sums_have_one_owner_and_factors_as_many_as_lanes_beside_each_other() {
        let of_bits = |tile: RegisterTile| match tile.sum_bytes {
            8 => [(tile, 64); 2],
            _ => [(tile, 16), (tile, 32)],
        };
        for (tile, bits) in tiles().flat_map(of_bits) {
            for (matrix, times) in AtomMatrix::ALL.into_iter().zip([LANES[1], LANES[0], 1]) {
                let map = tile.fragment(matrix, bits);
                let mut seen = vec![0; (map.rows() * map.columns()) as usize];
                for (owner, [row, column]) in map.iter() {
                    seen[(row * map.columns() + column) as usize] += 1;
                    let first = map.owner(row, column).unwrap();
                    assert!(first.lane <= owner.lane, "{map:?}");
                    assert_eq!(Owner { lane: owner.lane, ..first }, owner, "{map:?}");
                }
                assert!(seen.iter().all(|seen| *seen == times), "{map:?}");
            }
        }
    }

    #[test]
    fn lanes_beside_each_other_share_a_side_so_that_half_a_load_is_the_same() {
        for tile in tiles() {
            for lane in 0..WARP {
                let [here, along_m, along_n] = [lane, lane ^ 1, lane ^ 2].map(|l| tile.place(l));
                assert_eq!((here[1], here[0]), (along_m[1], along_n[0]));
            }
        }
    }

    #[test]
    fn a_k_step_is_a_load_along_k_or_one_product() {
        let k = |block_k, bytes, a, b| {
            let orders = PerSide { a, b };
            RegisterTile::new(fma(8, 8), block_k, bytes, orders, true).unwrap().k
        };
        assert_eq!(
            [k(16, 4, true, true), k(64, 8, true, false), k(16, 4, false, false)],
            [2, 2, 1]
        );
        assert_eq!([k(12, 4, false, true), k(6, 8, true, true), k(7, 4, true, true)], [2, 2, 1]);
    }
}
