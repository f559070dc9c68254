//! Tensor copies: what a box is, and which tiles and warps suit boxes.
//!
//! A box has rows of 128 bytes, of a factor that warpgroups convert of a half or a quarter of that as well. A tile
//! with longer rows consists of panels, each one box: where rows run
//! along M or N, of BLK_K rows, and where they run along K and BLK_K has the bytes of several boxes, of
//! BLK_M or BLK_N rows.

mod laws;

use crate::batch_text::select_rank;
use crate::element::Element;
use crate::layout::Swizzle;
use crate::level::global_to_shared::TensorCopies;
use crate::level::mma::{Conversion, Factors, Multiply, Unit};
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::spec::Planes;
use crate::text::Sections;

pub(crate) use laws::Check;

/// Bytes of a row of a box: those of all banks, through which its swizzle goes (CUDA Driver API,
/// "cuTensorMapEncodeTiled", `CU_TENSOR_MAP_SWIZZLE_128B`).
pub(crate) const ROW_BYTES: u32 = 128;

/// Columns of a panel of rows along M or N, whose elements have 2 bytes.
pub(crate) const PANEL_COLS: u32 = panel_cols(2);

/// Columns of a panel of elements of this size in bytes: those of a row of a box.
pub(crate) const fn panel_cols(element_bytes: u32) -> u32 {
    ROW_BYTES / element_bytes
}

/// The bytes that the row of a tile may have along K, for each of the warps along K: of warpgroups those of one box
/// or two, which then wait half as often, or those of three planes. Where they convert a factor, as many as have a
/// box of it at the most. These limits are the generator's own: more boxes leave too few stages, and `ldmatrix`
/// loads from one box along K.
pub(crate) fn row_bytes(
    of_warpgroups: bool,
    planes: Option<Planes>,
    stored: [Element; 2],
) -> Vec<u32> {
    let of_unit = planes.map_or(1, |planes| {
        whole_boxes(planes) * planes.count() * planes.element().bytes() / ROW_BYTES
    });
    let boxes = match Conversion::of(stored).filter(|_| of_warpgroups) {
        Some(Conversion { from, to, .. }) => {
            let most = to.bits() / from.bits();
            (0..=most.ilog2()).map(|doublings| 1 << doublings).collect()
        }
        None if of_warpgroups => (of_unit..=of_unit.max(2)).collect::<Vec<u32>>(),
        None => vec![1],
    };
    boxes.into_iter().map(|boxes| boxes * ROW_BYTES).collect()
}

/// The least K of planes that has whole boxes and whole units.
pub(crate) fn whole_boxes(planes: Planes) -> u32 {
    let bytes = planes.count() * planes.element().bytes();
    let is_whole = |k: &u32| (k * bytes).is_multiple_of(ROW_BYTES);
    (1..).map(|units| units * planes.unit()).find(is_whole).unwrap_or(planes.unit())
}

/// The most rows of a box (CUDA Driver API, "cuTensorMapEncodeTiled", `boxDim`).
pub(crate) const MAX_ROWS: u32 = 256;

/// What the start of each box in shared memory is aligned to, so that the swizzle begins there: eight
/// rows.
pub(crate) const ALIGN: u32 = 8 * ROW_BYTES;

/// Registers of a lane that one load fills, four matrices of `ldmatrix`.
pub(crate) const LOAD: u32 = 4;

/// How the copy unit of an SM reads a matrix: in boxes, whose rows it swizzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorBox {
    /// Rows of the matrix that one copy moves.
    pub rows: u32,
    /// Elements of each: 128 bytes, of a factor that warpgroups convert 32 or 64 as well, and more of a packed one.
    pub columns: u32,
    /// Whether the unit rounds them to tf32 on the way, to nearest with ties to even (CUDA Driver
    /// API, `CU_TENSOR_MAP_DATA_TYPE_TFLOAT32`): then they are f32. Else it copies bits.
    pub rounds_to_tf32: bool,
}

/// The largest type that the copy unit has, in bytes (CUDA Driver API, `CUtensorMapDataType`): elements that are larger
/// are several columns of a map.
const WORD_BYTES: u32 = 8;

impl TensorBox {
    /// Columns of a map that an element of this size in bytes is.
    pub const fn columns_of(element_bytes: u32) -> u32 {
        element_bytes.div_ceil(WORD_BYTES)
    }

    /// That of a tile that this number of blocks copy, a part each, with elements that are multiplied so.
    pub(crate) fn new(tile: &SharedTile, parts: u32, factors: Factors) -> TensorBox {
        let rows = if tile.k_contiguous { tile.parts.extent } else { u32::MAX };
        TensorBox {
            rows: tile.layout.rows.min(rows) / parts,
            columns: tile.panels().map_or(tile.layout.cols, |panels| tile.layout.cols / panels),
            rounds_to_tf32: factors == Factors::Tf32TiesEven,
        }
    }
}

/// The struct that tensor copies read, of matrices whose elements are multiplied so, and where a box of
/// a factor begins.
pub(crate) fn write_map(
    text: &mut Sections,
    factors: Factors,
    copies: TensorCopies,
    several: Option<&str>,
) {
    let TensorCopies { batched, rank, .. } = copies;
    let parts = [
        ("TF32", factors == Factors::Tf32TiesEven),
        ("MATRICES", !(batched.a && batched.b)),
        ("BATCHES", batched.a || batched.b),
    ];
    text.add(select_rank(include_str!("../../ptx/tensor_map.cuh"), &parts, rank));
    if let Some(count) = several {
        text.add(format!(
            "// The factors of B, as the copy unit reads them.\n\
             struct MapsOfB {{ const TensorMap* of[{count}]; }};\n"
        ));
    }
}

/// The file that copies the tile of B, where that has parts of several factors, or is one of several in turn.
pub(crate) fn of_factors(parts: bool, in_turn: bool) -> Option<&'static str> {
    match (parts, in_turn) {
        (false, false) => None,
        (true, _) => Some(include_str!("tensor_factors.cuh")),
        (false, true) => Some(include_str!("tensor_segments.cuh")),
    }
}

/// The one swizzle of boxes of such elements with rows of these bytes: it xors the number of 128 bytes, of eight,
/// into that of a 16-byte chunk, as far as a row has chunks (CUDA Driver API, "cuTensorMapEncodeTiled"). Elements that are
/// chunks have rows of more bytes, which come as they are.
pub(crate) fn swizzle(element_bytes: u32, row_bytes: u32) -> Swizzle {
    if element_bytes == CHUNK_BYTES {
        return Swizzle { b: 0, m: 0, s: 0 };
    }
    let chunks = (row_bytes / CHUNK_BYTES).clamp(2, ROW_BYTES / CHUNK_BYTES);
    Swizzle { b: chunks.ilog2() as u8, m: (CHUNK_BYTES / element_bytes).ilog2() as u8, s: 3 }
}

/// Whether these numbers of registers are whole loads, of A two or more: those that take turns.
pub(crate) fn are_whole_loads([of_a, of_b]: [u32; 2]) -> bool {
    of_a >= 2 * LOAD && of_a.is_multiple_of(LOAD) && of_b.is_multiple_of(LOAD)
}

/// Whether `ldmatrix` loads what is multiplied: fragments of tensor cores, of up to 32 bits an element.
pub(crate) fn can_feed(multiply: &Multiply) -> bool {
    matches!(multiply.unit, Unit::TensorCore(_)) && multiply.elements.a.bytes() <= 4
}

/// Whether `ldmatrix` transposes elements of this size in bytes, so that their rows may run along M or N
/// (PTX ISA, "ldmatrix").
pub(crate) fn transposes(element_bytes: u32) -> bool {
    element_bytes == 2
}

/// Whether a row of this number of elements is that of whole panels.
pub(crate) fn are_panels(row: u32) -> bool {
    row.is_multiple_of(PANEL_COLS)
}

/// Whether warps with this number of columns have whole panels, or one of 2, 4, .. equal parts of
/// one: then the loads of a warp begin at chunks whose numbers differ in bits that are 0 in the
/// first.
pub(crate) fn share_panels(columns: u32) -> bool {
    columns > 0 && (columns.is_multiple_of(PANEL_COLS) || PANEL_COLS.is_multiple_of(columns))
}
