//! The text of the epilogue of warpgroups: its constants and its device functions.

use super::{GroupEpilogue, Staging, TILES};
use crate::batch_text::select_rank;
use crate::level::epilogue::fetched::Fetched;
use crate::level::epilogue::operand::{BodyOperand, reads_together};
use crate::level::epilogue::reduced::Reductions;
use crate::part::Part;
use crate::problem::ParameterKind;
use crate::text::{Sections, select};

impl GroupEpilogue {
    /// The swizzle of its elements: units change places within their row.
    fn cuda_swizzle(&self) -> String {
        let (cols, unit) = (self.tile()[1], self.unit());
        let bits = (cols / unit).ilog2();
        let shift = if self.swizzles_each_row() { bits } else { bits + 1 };
        format!("Swizzle<{bits}, {}, {shift}>", unit.ilog2())
    }

    /// The constants of the epilogue tiles.
    pub(in crate::level::epilogue) fn cuda_constants(&self, types: &str, several: bool) -> String {
        let [rows, cols] = self.tile();
        let (along, across) = if self.n_contiguous { ("M", "N") } else { ("N", "M") };
        let (what, each) = if several { ("outputs", " each") } else { ("output", "") };
        let (staged, staged_as) =
            if self.stages_results() { ("Out", "as results") } else { ("Sum", "as sums") };
        let elements = match self.staging {
            Staging::Sums | Staging::Results => format!(
                "constexpr int STAGED_ELEMENTS = {} * EPILOGUE_TILES * EPILOGUE_TILE;\n",
                self.groups
            ),
            Staging::Fetched(fetched) => fetched.cuda_constants(self.groups),
        };
        let in_turn = if self.fetched().is_some() {
            String::new()
        } else {
            format!(", EPILOGUE_TILES = {TILES}")
        };
        format!(
            "// The {what}: {along} rows of {across} elements{each}. A warpgroup stages PASS_BANDS bands of 8 columns\n\
             // of an atom at a time, {staged_as}, in epilogue tiles of its own.\n\
             {types}\
             {stored}\
             typedef {staged} Staged;\n\
             constexpr int EPILOGUE_ROWS = {rows}, EPILOGUE_COLS = {cols};\n\
             constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS{in_turn};\n\
             typedef {swizzle} EpilogueSwizzle;\n\
             constexpr int PASS_BANDS = {bands}, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;\n\
             constexpr int PASSES = ATOMS_M * ATOM_PASSES;\n\
             constexpr int ROW_CHUNKS = {stored_cols} / OUT_VECTOR;  // stores of a row\n\
             constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;\n\
             {elements}",
            stored = self.cuda_stored(),
            bands = self.pass_bands,
            swizzle = self.cuda_swizzle(),
            stored_cols = match (self.staging, self.products) {
                (Staging::Sums, 2..) => "PASS_BANDS * 8",
                _ => "EPILOGUE_COLS",
            },
        )
    }

    /// The constants of the columns of an atom.
    fn cuda_stored(&self) -> &'static str {
        match self.splits {
            1 if self.products > 1 => {
                "constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores\n\
                 constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product\n"
            }
            1 => "constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores\n",
            _ => {
                "constexpr int STORED_N = MMA_N / SPLITS;  // columns of an atom that a block stores\n\
                 static_assert(STORED_N % 8 == 0, \"each block of a cluster stores whole bands\");\n"
            }
        }
    }

    /// The device functions of the epilogue where rows are reduced as results are staged.
    pub(in crate::level::epilogue) fn write_reduced(
        &self,
        text: &mut Sections,
        (outputs, reductions): (&[(&str, ParameterKind)], &Reductions),
        rank: usize,
    ) {
        self.write_of_results(text, outputs, rank);
        self.write_tile(text);
        reductions.write_rows_of_lanes(text);
        self.write_stage(text, include_str!("../reduced/put_results.cuh"));
        self.write_chunk(text);
        self.write_epilogue(text, (false, true), rank);
    }

    /// The device functions by which sums are staged and loaded again, where outputs are reduced.
    pub(in crate::level::epilogue) fn write_staging(&self, text: &mut Sections) {
        self.write_tile(text);
        self.write_stage(text, include_str!("put_results.cuh"));
        self.write_chunk(text);
    }

    /// The struct of what a pass has staged, where outputs are reduced.
    pub(in crate::level::epilogue) fn staged_tile(&self) -> Vec<String> {
        let file = include_str!("../reduced/staged_tile_of_groups.cuh");
        vec![select(file, &[("N_CONTIGUOUS", self.n_contiguous)])]
    }

    /// The device functions `stage` and `epilogue`, and what they call.
    pub(in crate::level::epilogue) fn write(
        &self,
        text: &mut Sections,
        outputs: &[(&str, ParameterKind)],
        reads: &[BodyOperand],
        rank: usize,
    ) {
        self.write_of_results(text, outputs, rank);
        self.write_tile(text);
        self.write_stage(text, include_str!("put_results.cuh"));
        if let Staging::Fetched(_) = self.staging {
            return Fetched::write(text, outputs, reads, rank);
        }
        self.write_chunk(text);
        self.write_epilogue(text, (reads_together(reads), false), rank);
    }

    /// What stores results.
    fn write_of_results(
        &self,
        text: &mut Sections,
        outputs: &[(&str, ParameterKind)],
        rank: usize,
    ) {
        let results = self.stages_results();
        let packed = |(_, kind): &(&str, ParameterKind)| matches!(kind, ParameterKind::Matrix { element, .. } if element.is_narrow());
        if results {
            text.add(include_str!("../fetch.cuh"));
        }
        if self.stored_box().is_some() {
            let store = select_rank(include_str!("shared_to_global.cuh"), &[], rank);
            text.add(include_str!("../../../ptx/fence_proxy_async.cuh"));
            text.of(Part::Epilogue).add(store);
        }
        if results && outputs.iter().any(packed) {
            text.add(include_str!("rounded.cuh"));
        }
    }

    /// The device function `epilogue`: what the body reads for several chunks is read `together`, or rows are
    /// reduced as results are staged, or neither.
    fn write_epilogue(&self, text: &mut Sections, (together, reduces): (bool, bool), rank: usize) {
        let file = match (self.staging, together, self.stored_box()) {
            (Staging::Sums, true, _) => include_str!("epilogue_sums_together.cuh"),
            (Staging::Sums, false, _) => include_str!("epilogue_sums.cuh"),
            (_, _, Some(_)) => include_str!("epilogue_boxes.cuh"),
            (_, _, None) => include_str!("epilogue_results.cuh"),
        };
        text.of(Part::Epilogue).add(select_rank(file, &[("REDUCES", reduces)], rank));
    }

    /// Where the epilogue tile of a pass lies in the output, and an element of it in shared memory.
    fn write_tile(&self, text: &mut Sections) {
        let of_tile = |text: &mut Sections, file: &str| text.of(Part::Staging).add(file);
        of_tile(text, include_str!("in_epilogue_tile.cuh"));
        of_tile(
            text,
            match self.stored_box() {
                Some(_) => include_str!("first_band_of_box.cuh"),
                None => include_str!("first_band.cuh"),
            },
        );
        of_tile(
            text,
            match (self.fetched(), self.n_contiguous) {
                (None, true) => include_str!("epilogue_tile_n_contiguous.cuh"),
                (None, false) => include_str!("epilogue_tile_m_contiguous.cuh"),
                (Some(_), true) => include_str!("../fetched/epilogue_tile_n_contiguous.cuh"),
                (Some(_), false) => include_str!("../fetched/epilogue_tile_m_contiguous.cuh"),
            },
        );
    }

    /// What an epilogue tile is filled with; `put_results` makes results of sums.
    fn write_stage(&self, text: &mut Sections, put_results: &str) {
        let of_stage = |text: &mut Sections, file: &str| text.of(Part::Staging).add(file);
        if self.staging == Staging::Sums && self.products > 1 {
            return of_stage(text, include_str!("stage_products.cuh"));
        }
        of_stage(
            text,
            match self.n_contiguous {
                true => include_str!("stage_n_contiguous.cuh"),
                false => include_str!("stage_m_contiguous.cuh"),
            },
        );
        let put = match self.staging {
            Staging::Sums => return of_stage(text, include_str!("stage_sums.cuh")),
            Staging::Results => put_results,
            Staging::Fetched(_) => include_str!("../fetched/put_results.cuh"),
        };
        of_stage(
            text,
            match self.products {
                1 => include_str!("take_sums.cuh"),
                _ => include_str!("take_sums_of_products.cuh"),
            },
        );
        of_stage(text, put);
    }

    /// What a thread stores of an epilogue tile at a time.
    fn write_chunk(&self, text: &mut Sections) {
        let of_epilogue = |text: &mut Sections, file: &str| text.of(Part::Epilogue).add(file);
        match (self.staging, self.products) {
            (Staging::Sums, 2..) => {
                of_epilogue(text, include_str!("chunk_of_products.cuh"));
                of_epilogue(text, include_str!("load_sums_of_products.cuh"));
            }
            (Staging::Sums, _) => {
                of_epilogue(text, include_str!("chunk.cuh"));
                of_epilogue(text, include_str!("load_sums.cuh"));
            }
            (Staging::Results | Staging::Fetched(_), _) => {
                of_epilogue(text, include_str!("chunk.cuh"));
            }
        }
    }

    /// For what the threads of a warpgroup wait before they stage, if not for each epilogue tile.
    pub(in crate::level::epilogue) fn cuda_wait(&self) -> Option<&'static str> {
        match (self.apart, self.stored_box()) {
            (false, _) => Some("consumers_sync();  // the ring has been read"),
            (true, Some(_)) => None,
            (true, None) => Some("warpgroup_sync();  // the epilogue tiles have been read"),
        }
    }
}
