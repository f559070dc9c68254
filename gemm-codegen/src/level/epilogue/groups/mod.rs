//! The epilogue of warpgroups. Each stages by itself, in epilogue tiles of a few columns, so that they
//! have room beside a ring that is being filled for the next tile.

mod text;

use super::fetched::Fetched;
use super::stored::{STORE_BYTES, Stored, staged_load_passes};
use crate::element::Element;
use crate::hardware::WARP;
use crate::layout::bank_passes;
use crate::level::global_to_shared::{TensorBox, tensor};
use crate::level::mma::{BAND, Multiply, wgmma};
use crate::level::shared_tile::CHUNK_BYTES;
use crate::level::warps::Warps;
use crate::spec::Walk;

/// Bytes of an epilogue tile.
const TILE_BYTES: u32 = 8192;

/// Epilogue tiles of a warpgroup, which it fills in turn: while it waits for all of its warps to have read one,
/// they fill the other.
const TILES: u32 = 2;

/// Bytes of all epilogue tiles of this number of warpgroups.
pub(crate) fn tile_bytes(groups: u32) -> u32 {
    groups.saturating_mul(TILES * TILE_BYTES)
}

/// What an epilogue tile holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staging {
    /// Sums. The body is applied where they are stored: there threads load whole words of matrices.
    Sums,
    /// Results, rounded as they are stored, of a body that reads no matrix.
    Results,
    /// The same, over elements of matrices that tensor copies have brought ahead of time.
    Fetched(Fetched),
}

/// How a warpgroup stores its tile: in passes, each some bands of 8 columns of one atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupEpilogue {
    /// Warpgroups of a block that store.
    pub groups: u32,
    /// Whether the output's rows run along N; else along M.
    pub n_contiguous: bool,
    /// What is staged, and so where the body is applied.
    pub staging: Staging,
    /// Bytes of what is staged for an element.
    pub staged_bytes: u32,
    /// Blocks that store a part of the columns each: those of a cluster that share the K of a tile.
    pub splits: u32,
    /// Products, whose sums of an element the body takes.
    pub products: u32,
    /// Columns of an atom that a block stores.
    pub columns: u32,
    /// Bands of 8 columns in a pass.
    pub pass_bands: u32,
    /// Passes until the warpgroup's tile is stored.
    pub passes: u32,
    /// Passes of the banks that one staging store needs at most; 1 is free of conflicts.
    pub bank_passes: u32,
    /// Whether the epilogue tiles lie beside the ring, which is filled for the next tile meanwhile.
    pub apart: bool,
}

/// That which stages such elements.
pub(super) fn with(
    warps: &Warps,
    multiply: &Multiply,
    stored: Stored<'_>,
    (staging, element): (Staging, Element),
) -> GroupEpilogue {
    let staged_bytes = element.bytes();
    let columns = multiply.shape()[1] / stored.splits / stored.products;
    // Of sums an epilogue tile has those of all products.
    let each = if staging == Staging::Sums { stored.products } else { 1 };
    let pass_bands = TILE_BYTES / (wgmma::ROWS * BAND * staged_bytes) / each;
    let groups = GroupEpilogue {
        groups: warps.threads / (wgmma::WARPS * WARP) * Walk::tiles_at_a_time(stored.walk),
        n_contiguous: stored.n_contiguous,
        staging,
        staged_bytes,
        splits: stored.splits,
        products: stored.products,
        columns,
        pass_bands,
        passes: warps.tile[0] / wgmma::ROWS * (columns / BAND).div_ceil(pass_bands),
        bank_passes: 1,
        apart: stored.walk.is_some(),
    };
    GroupEpilogue { bank_passes: groups.stage_passes(), ..groups }
}

impl GroupEpilogue {
    /// Shared memory of all epilogue tiles.
    pub fn shared_bytes(&self) -> u32 {
        match self.staging {
            Staging::Sums | Staging::Results => tile_bytes(self.groups),
            Staging::Fetched(fetched) => self.groups * fetched.tiles() * TILE_BYTES,
        }
    }

    /// Shared memory of the barriers of what is fetched.
    pub(crate) fn barrier_bytes(&self) -> u32 {
        self.fetched().map_or(0, |fetched| self.groups * fetched.barrier_bytes())
    }

    /// Bytes of an epilogue tile.
    pub(super) fn tile_bytes(&self) -> u32 {
        TILE_BYTES
    }

    /// What tensor copies bring for the body, if they do.
    pub(crate) fn fetched(&self) -> Option<Fetched> {
        match self.staging {
            Staging::Sums | Staging::Results => None,
            Staging::Fetched(fetched) => Some(fetched),
        }
    }

    /// Whether results are staged.
    pub(super) fn stages_results(&self) -> bool {
        match self.staging {
            Staging::Sums => false,
            Staging::Results | Staging::Fetched(_) => true,
        }
    }

    /// Bytes of the widest store of elements of this size in bytes. It divides a row of the tile, and its
    /// elements are neighbours in an epilogue tile.
    pub fn store_bytes(&self, element_bytes: u32) -> u32 {
        let row = if self.n_contiguous { self.columns } else { wgmma::ROWS };
        let neighbours = self.unit() * element_bytes;
        STORE_BYTES.min(neighbours).min(1 << (row * element_bytes).trailing_zeros())
    }

    /// The box as which the copy unit stores a epilogue_box: its rows have the bytes of one, an atom has the
    /// columns of an epilogue tile or more, and each tile begins at a multiple of 16 bytes, as the coordinate of a
    /// copy does (measured on an H200: others are an illegal instruction).
    pub(crate) fn stored_box(&self) -> Option<TensorBox> {
        let [rows, columns] = self.tile();
        let is_row = columns * self.staged_bytes == tensor::ROW_BYTES;
        let along = if self.n_contiguous { self.columns } else { wgmma::ROWS };
        let is_box = self.stages_results()
            && is_row
            && self.columns / BAND >= self.pass_bands
            && (along * self.staged_bytes).is_multiple_of(STORE_BYTES);
        is_box.then_some(TensorBox { rows, columns, rounds_to_tf32: false })
    }

    /// Rows and columns of an epilogue tile, as the output has them.
    fn tile(&self) -> [u32; 2] {
        let [m, n] = [wgmma::ROWS, TILE_BYTES / self.staged_bytes / wgmma::ROWS];
        if self.n_contiguous { [m, n] } else { [n, m] }
    }

    /// Elements that change places together.
    fn unit(&self) -> u32 {
        match self.stored_box() {
            Some(_) => CHUNK_BYTES / self.staged_bytes,
            None => BAND.max(CHUNK_BYTES / self.staged_bytes),
        }
    }

    /// Index of an element in an epilogue tile, as `in_epilogue_tile` of the text has it.
    fn in_tile(&self, row: u32, col: u32) -> u32 {
        let (cols, unit) = (self.tile()[1], self.unit());
        let turn = if self.swizzles_each_row() { row } else { row / 2 };
        row * cols + (col ^ (turn % (cols / unit) * unit))
    }

    /// Whether units change places from one row to the next, as those of boxes do, or from one pair of
    /// rows to the next: a lane has two columns, which are rows of a transposed epilogue tile.
    fn swizzles_each_row(&self) -> bool {
        self.n_contiguous || self.stored_box().is_some()
    }

    /// Passes of the banks for the first store of a warp.
    fn stage_passes(&self) -> u32 {
        let (bytes, lanes) = (self.staged_bytes, 0..WARP);
        let at = |lane: u32| match self.n_contiguous {
            true => self.in_tile(lane / 4, lane % 4 * 2),
            false => self.in_tile(lane % 4 * 2, lane / 4),
        };
        let neighbours = if self.n_contiguous { 2 } else { 1 };
        let addresses = lanes.map(|lane| at(lane) * bytes).collect::<Vec<u32>>();
        bank_passes(&addresses, neighbours * bytes)
    }

    /// Passes of the banks for a load of `vector` staged elements of a row, whose chunks lie on
    /// consecutive threads. Of an epilogue tile that is wider than the tile, lanes beyond it take no part.
    pub(super) fn load_passes(&self, vector: u32) -> u32 {
        let [rows, cols] = self.tile();
        // Of several products, the sums of the first one.
        let cols = if self.n_contiguous { cols.min(self.pass_bands * BAND) } else { cols };
        let of_row = (cols / vector).max(1);
        let place = |chunk| [chunk / of_row, chunk % of_row * vector];
        let is_inside =
            |[row, col]: [u32; 2]| (if self.n_contiguous { col } else { row }) < self.columns;
        let element = |at: [u32; 2]| is_inside(at).then(|| self.in_tile(at[0], at[1]));
        let chunks: Vec<_> = (0..rows * of_row).map(|chunk| element(place(chunk))).collect();
        staged_load_passes(&chunks, self.staged_bytes, vector)
    }
}
