//! Matrices that the body reads, which tensor copies bring to the epilogue tiles of warpgroups.
//!
//! A warpgroup has some stages, each with an epilogue tile for every such matrix. A thread of the
//! producer's warpgroup has the copy unit bring the part of a pass to a stage, from the beginning of the
//! tile on. The warpgroup waits for it, applies the body in registers and writes its results over the
//! elements of the first matrix. Then that thread has the copy unit store them, and bring the part of a
//! later pass to the same stage. Each stage has two barriers, `loaded` and `written`.
//!
//! Where the copy unit cannot copy the rows of a launch, the threads of the warpgroup fill the epilogue
//! tiles, and store them.

use super::operand::BodyOperand;
use super::stored::STORE_BYTES;
use crate::axis::Axis;
use crate::batch_text::{matrix_type, select_rank};
use crate::element::Element;
use crate::part::Part;
use crate::problem::{Axes, ParameterKind};
use crate::text::Sections;
use crate::text::wrap::wrap_lines;

/// Bytes of the barriers of a stage.
const BARRIER_BYTES: u32 = 16;

/// A matrix that the body reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadMatrix {
    /// The type of its elements.
    pub(crate) element: Element,
    /// The axis along which its rows run.
    pub(crate) columns: Axis,
    /// Whether it is the output, whose old elements are read.
    pub(crate) is_output: bool,
}

impl ReadMatrix {
    /// The matrices among these operands of the body, and the output where its old elements are read.
    pub(crate) fn all(axes: &Axes, values: &[usize], reads_output: bool) -> Vec<ReadMatrix> {
        let old = axes.stores.iter().take(usize::from(reads_output));
        let read = values.iter().map(|number| (axes.operands[*number], false));
        read.chain(old.map(|store| (store.kind(), true)))
            .filter_map(|(kind, is_output)| match kind {
                ParameterKind::Matrix { element, columns, .. } => {
                    Some(ReadMatrix { element, columns, is_output })
                }
                _ => None,
            })
            .collect()
    }
}

/// What tensor copies bring for the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Matrices, one or more.
    pub matrices: u32,
    /// Stages of a warpgroup.
    pub stages: u32,
}

impl Fetched {
    /// Epilogue tiles of a warpgroup.
    pub(super) fn tiles(&self) -> u32 {
        self.stages.saturating_mul(self.matrices)
    }

    /// Bytes of the barriers of a warpgroup.
    pub(super) fn barrier_bytes(&self) -> u32 {
        self.stages * BARRIER_BYTES
    }

    /// The constants of the stages of this number of warpgroups, after those of an epilogue tile.
    pub(super) fn cuda_constants(&self, groups: u32) -> String {
        let Fetched { matrices, stages } = self;
        format!(
            "constexpr int EPILOGUE_STAGES = {stages};\n\
             constexpr int EPILOGUE_STAGE = {matrices} * EPILOGUE_TILE;  // one for each matrix that is read\n\
             constexpr int STORERS = {groups};  // warpgroups that store, each with a thread that copies\n\
             constexpr int STAGED_ELEMENTS = STORERS * EPILOGUE_STAGES * EPILOGUE_STAGE;\n"
        )
    }

    /// The device functions that copy epilogue tiles, and the epilogue.
    pub(super) fn write(
        text: &mut Sections,
        outputs: &[(&str, ParameterKind)],
        reads: &[BodyOperand],
        rank: usize,
    ) {
        let matrices = || reads.iter().filter(|read| read.is_matrix());
        let (batched, single) =
            (matrices().any(|read| read.batched), matrices().any(|read| !read.batched));
        for rank in single.then_some(0).into_iter().chain(batched.then_some(rank)) {
            let copy = select_rank(include_str!("global_to_tile.cuh"), &[], rank);
            text.of(Part::Epilogue).add(copy);
        }
        text.of(Part::Epilogue).add(are_copied(outputs, reads));
        text.add(maps(outputs, reads, matrix_type(rank)));
        text.of(Part::Epilogue).add(include_str!("epilogue_ring.cuh"));
        text.of(Part::Epilogue).add(select_rank(include_str!("load_and_store.cuh"), &[], rank));
        text.of(Part::Epilogue).add(include_str!("chunk.cuh"));
        text.of(Part::Epilogue).add(include_str!("epilogue.cuh"));
    }
}

/// The device function that says who copies epilogue tiles.
fn are_copied(outputs: &[(&str, ParameterKind)], reads: &[BodyOperand]) -> String {
    let names = names(outputs, reads);
    let aligned: Vec<String> =
        names.iter().map(|name| format!("ALIGN_{name} == {STORE_BYTES}")).collect();
    format!(
        "// Whether the copy unit copies epilogue tiles, which stores rows of whole multiples of 16 bytes;\n\
         // else the threads of their warpgroup do.\n\
         __device__ __forceinline__ bool are_copied(int cols) {{\n    \
         return {} && cols % OUT_VECTOR == 0;\n}}\n",
        aligned.join(" && ")
    )
}

/// The struct of the maps by which it moves them.
fn maps(outputs: &[(&str, ParameterKind)], reads: &[BodyOperand], matrix: Option<&str>) -> String {
    let members: Vec<String> =
        names(outputs, reads).iter().map(|name| format!("&{name}")).collect();
    let matrices = reads.iter().filter(|read| read.is_matrix()).enumerate();
    let copies: String = matrices
        .map(|(number, read)| {
            let tile = match number {
                0 => "stage".to_owned(),
                1 => "stage + EPILOGUE_TILE * sizeof(Staged)".to_owned(),
                _ => format!("stage + {number} * EPILOGUE_TILE * sizeof(Staged)"),
            };
            let matrix = if read.batched { "matrix, " } else { "" };
            let (name, copied) = (&read.name, copied(read));
            let call = format!("global_to_tile({name}, {tile}, {matrix}row, col, barrier);");
            wrap_lines(&format!("        {copied}{call}\n"))
        })
        .collect();
    let guarded: Vec<&str> = guarded(reads).map(|read| read.name.as_str()).collect();
    let matrix = matrix.map_or(String::new(), |ty| format!("{ty} matrix, "));
    format!(
        "// What the body reads and the output, as the copy unit copies them.\n\
         struct Maps {{\n    \
         const TensorMap {members};\n\
         {copied}    \
         // Issues the copies of the part of each matrix from (row, col) on to a stage.\n    \
         __device__ __forceinline__ void load(\n        \
         unsigned stage, {matrix}int row, int col, unsigned barrier) const {{\n\
         {copies}    }}\n}};\n",
        members = members.join(", "),
        copied = bytes(reads, &guarded),
    )
}

/// The matrices that not every launch reads.
fn guarded(reads: &[BodyOperand]) -> impl Iterator<Item = &BodyOperand> {
    reads.iter().filter(|read| read.is_matrix() && read.guard.is_some())
}

/// The condition under which a matrix is copied, if not every launch reads it.
fn copied(read: &BodyOperand) -> String {
    read.guard.as_ref().map_or(String::new(), |_| format!("if (reads_{}) ", read.name))
}

/// The members of `Maps` that say which of the matrices `guarded` a launch reads, and the bytes of a stage
/// that are copied.
fn bytes(reads: &[BodyOperand], guarded: &[&str]) -> String {
    let members: Vec<String> = guarded.iter().map(|name| format!("reads_{name}")).collect();
    let always = reads.iter().filter(|read| read.is_matrix()).count() - guarded.len();
    let always = if always == 0 { None } else { Some(always.to_string()) };
    let tiles: Vec<String> = always.into_iter().chain(members.iter().cloned()).collect();
    let declared = match guarded {
        [] => String::new(),
        _ => format!("    const bool {};  // whether a launch does\n", members.join(", ")),
    };
    format!(
        "{declared}    \
         // Bytes of a stage that are copied.\n    \
         __device__ __forceinline__ unsigned bytes() const {{\n        \
         return ({tiles}) * EPILOGUE_TILE * sizeof(Staged);\n    \
         }}\n",
        tiles = tiles.join(" + ")
    )
}

/// The names of what the copy unit moves, in the order of the members of `Maps`.
pub(crate) fn names<'a>(
    outputs: &[(&'a str, ParameterKind)],
    reads: &'a [BodyOperand],
) -> Vec<&'a str> {
    let read = reads.iter().filter(|read| read.is_matrix()).map(|read| read.name.as_str());
    let mut names: Vec<&str> = read.collect();
    let written = outputs.iter().map(|(name, _)| *name);
    names.extend(written.filter(|name| !names.contains(name)).collect::<Vec<_>>());
    names
}
