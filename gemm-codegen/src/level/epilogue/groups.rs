//! The epilogue of warpgroups. Each stages by itself, in slabs of a few columns, so that they
//! have room beside a ring that is being filled for the next tile.

use super::fetched::Fetched;
use super::{BodyOperand, STORE_BYTES, Stored, reads_together, staged_load_passes};
use crate::batch_text::select_rank;
use crate::element::Element;
use crate::hardware::WARP;
use crate::layout::bank_passes;
use crate::level::global_to_shared::{TensorBox, tensor};
use crate::level::mma::{BAND, Multiply, wgmma};
use crate::level::shared_tile::CHUNK_BYTES;
use crate::level::warps::Warps;
use crate::part::Part;
use crate::problem::ParameterKind;
use crate::spec::Walk;
use crate::text::Sections;

/// Bytes of a slab.
const SLAB_BYTES: u32 = 8192;

/// Slabs of a warpgroup, which it fills in turn: while it waits for all of its warps to have read one,
/// they fill the other.
const SLABS: u32 = 2;

/// Bytes of all slabs of this number of warpgroups.
pub(crate) fn slab_bytes(groups: u32) -> u32 {
    groups.saturating_mul(SLABS * SLAB_BYTES)
}

/// What a slab holds.
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
    /// Whether the slabs lie beside the ring, which is filled for the next tile meanwhile.
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
    // Of sums a slab has those of all products.
    let each = if staging == Staging::Sums { stored.products } else { 1 };
    let pass_bands = SLAB_BYTES / (wgmma::ROWS * BAND * staged_bytes) / each;
    let groups = GroupEpilogue {
        groups: warps.threads / (wgmma::WARPS * WARP) * Walk::turns(stored.walk),
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
    /// Shared memory of all slabs.
    pub fn shared_bytes(&self) -> u32 {
        match self.staging {
            Staging::Sums | Staging::Results => slab_bytes(self.groups),
            Staging::Fetched(fetched) => self.groups * fetched.slabs() * SLAB_BYTES,
        }
    }

    /// Shared memory of the barriers of what is fetched.
    pub(crate) fn barrier_bytes(&self) -> u32 {
        self.fetched().map_or(0, |fetched| self.groups * fetched.barrier_bytes())
    }

    /// Bytes of a slab.
    pub(super) fn slab_bytes(&self) -> u32 {
        SLAB_BYTES
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
    /// elements are neighbours in a slab.
    pub fn store_bytes(&self, element_bytes: u32) -> u32 {
        let row = if self.n_contiguous { self.columns } else { wgmma::ROWS };
        let neighbours = self.unit() * element_bytes;
        STORE_BYTES.min(neighbours).min(1 << (row * element_bytes).trailing_zeros())
    }

    /// The box as which the copy unit stores a slab: its rows have the bytes of one, an atom has the
    /// columns of a slab or more, and each tile begins at a multiple of 16 bytes, as the coordinate of a
    /// copy does (measured on an H200: others are an illegal instruction).
    pub(crate) fn stored_box(&self) -> Option<TensorBox> {
        let [rows, columns] = self.slab();
        let is_row = columns * self.staged_bytes == tensor::ROW_BYTES;
        let along = if self.n_contiguous { self.columns } else { wgmma::ROWS };
        let is_box = self.stages_results()
            && is_row
            && self.columns / BAND >= self.pass_bands
            && (along * self.staged_bytes).is_multiple_of(STORE_BYTES);
        is_box.then_some(TensorBox { rows, columns, rounds_to_tf32: false })
    }

    /// Rows and columns of a slab, as the output has them.
    fn slab(&self) -> [u32; 2] {
        let [m, n] = [wgmma::ROWS, SLAB_BYTES / self.staged_bytes / wgmma::ROWS];
        if self.n_contiguous { [m, n] } else { [n, m] }
    }

    /// Elements that change places together.
    fn unit(&self) -> u32 {
        match self.stored_box() {
            Some(_) => CHUNK_BYTES / self.staged_bytes,
            None => BAND.max(CHUNK_BYTES / self.staged_bytes),
        }
    }

    /// Index of an element in a slab, as `in_slab` of the text has it.
    fn in_slab(&self, row: u32, col: u32) -> u32 {
        let (cols, unit) = (self.slab()[1], self.unit());
        let turn = if self.turns_each_row() { row } else { row / 2 };
        row * cols + (col ^ (turn % (cols / unit) * unit))
    }

    /// Whether units change places from one row to the next, as those of boxes do, or from one pair of
    /// rows to the next: a lane has two columns, which are rows of a transposed slab.
    fn turns_each_row(&self) -> bool {
        self.n_contiguous || self.stored_box().is_some()
    }

    /// Passes of the banks for the first store of a warp.
    fn stage_passes(&self) -> u32 {
        let (bytes, lanes) = (self.staged_bytes, 0..WARP);
        let at = |lane: u32| match self.n_contiguous {
            true => self.in_slab(lane / 4, lane % 4 * 2),
            false => self.in_slab(lane % 4 * 2, lane / 4),
        };
        let neighbours = if self.n_contiguous { 2 } else { 1 };
        let addresses = lanes.map(|lane| at(lane) * bytes).collect::<Vec<u32>>();
        bank_passes(&addresses, neighbours * bytes)
    }

    /// Passes of the banks for a load of `vector` staged elements of a row, whose chunks lie on
    /// consecutive threads. Of a slab that is wider than the tile, lanes beyond it take no part.
    pub(super) fn load_passes(&self, vector: u32) -> u32 {
        let [rows, cols] = self.slab();
        // Of several products, the sums of the first one.
        let cols = if self.n_contiguous { cols.min(self.pass_bands * BAND) } else { cols };
        let of_row = (cols / vector).max(1);
        let place = |chunk| [chunk / of_row, chunk % of_row * vector];
        let is_inside =
            |[row, col]: [u32; 2]| (if self.n_contiguous { col } else { row }) < self.columns;
        let element = |at: [u32; 2]| is_inside(at).then(|| self.in_slab(at[0], at[1]));
        let chunks: Vec<_> = (0..rows * of_row).map(|chunk| element(place(chunk))).collect();
        staged_load_passes(&chunks, self.staged_bytes, vector)
    }

    /// The constants of the slabs.
    pub(super) fn cuda_constants(&self, types: &str, several: bool) -> String {
        let [rows, cols] = self.slab();
        let (along, across) = if self.n_contiguous { ("M", "N") } else { ("N", "M") };
        let (what, each) = if several { ("outputs", " each") } else { ("output", "") };
        let stored = match self.splits {
            1 if self.products > 1 => {
                "constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores\n\
                 constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product\n"
            }
            1 => "constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores\n",
            _ => {
                "constexpr int STORED_N = MMA_N / SPLITS;  // columns of an atom that a block stores\n\
                 static_assert(STORED_N % 8 == 0, \"each block of a cluster stores whole bands\");\n"
            }
        };
        let (staged, staged_as) =
            if self.stages_results() { ("Out", "as results") } else { ("Sum", "as sums") };
        let slabs = match self.staging {
            Staging::Sums | Staging::Results => format!(
                "constexpr int STAGED_ELEMENTS = {} * SLABS * SLAB_ROWS * SLAB_COLS;\n",
                self.groups
            ),
            Staging::Fetched(fetched) => fetched.cuda_constants(self.groups),
        };
        let in_turn =
            if self.fetched().is_some() { String::new() } else { format!(", SLABS = {SLABS}") };
        format!(
            "// The {what}: {along} rows of {across} elements{each}. A warpgroup stages PASS_BANDS bands of 8 columns\n\
             // of an atom at a time, {staged_as}, in slabs of its own that it fills in turn.\n\
             {types}\
             {stored}\
             typedef {staged} Staged;\n\
             constexpr int SLAB_ROWS = {rows}, SLAB_COLS = {cols}{in_turn};\n\
             constexpr int SLAB_UNIT = {unit};  // elements that keep together\n\
             constexpr int PASS_BANDS = {bands}, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;\n\
             constexpr int PASSES = ATOMS_M * ATOM_PASSES;\n\
             {slabs}",
            bands = self.pass_bands,
            unit = self.unit(),
        )
    }

    /// The device functions `stage` and `epilogue`, and what they call.
    pub(super) fn write(
        &self,
        text: &mut Sections,
        outputs: &[(&str, ParameterKind)],
        reads: &[BodyOperand],
        rank: usize,
    ) {
        let packed =
            |(_, kind): &(&str, ParameterKind)| kind.element().is_some_and(Element::is_packed);
        let results = self.stages_results();
        let parts = [
            ("N_CONTIGUOUS", self.n_contiguous),
            ("RESULTS", results),
            ("ROUNDED", results && outputs.iter().any(packed)),
            ("TOGETHER", self.staging == Staging::Sums && reads_together(reads)),
            ("FETCHED", self.fetched().is_some()),
            ("SEVERAL", outputs.len() > 1),
            ("APART", self.apart),
            ("BOXES", self.stored_box().is_some()),
            ("EACH_ROW", self.turns_each_row()),
            ("PARTS", self.products > 1),
            ("SUMS_OF_PARTS", self.products > 1 && !results),
        ];
        if results {
            text.add(include_str!("fetch.cuh"));
        }
        if self.stored_box().is_some() {
            let store = select_rank(include_str!("shared_to_global.cuh"), &[], rank);
            text.of(Part::Epilogue).add(store);
        }
        text.of(Part::Staging).add_file(include_str!("stage_groups.cuh"), &parts);
        match self.staging {
            Staging::Sums | Staging::Results => {
                let epilogue = select_rank(include_str!("epilogue_groups.cuh"), &parts, rank);
                text.of(Part::Epilogue).add(epilogue);
            }
            Staging::Fetched(_) => Fetched::write(text, outputs, reads, &parts, rank),
        }
    }
}
