//! Tensor copies: what a box is, and the laws of tiles that are copied as boxes.

use super::{CopyAtom, GlobalToShared};
use crate::contraction::Contraction;
use crate::field::Field;
use crate::layout::Swizzle;
use crate::level::mma::{Factors, Mma, Multiply};
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::level::warps::Warps;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Axis, PerSide, Side, Spec};

/// Bytes of a row of a box: those of all banks, through which its swizzle goes (CUDA Driver API,
/// "cuTensorMapEncodeTiled", `CU_TENSOR_MAP_SWIZZLE_128B`).
pub(crate) const ROW_BYTES: u32 = 128;

/// The most rows of a box (CUDA Driver API, "cuTensorMapEncodeTiled", `boxDim`).
pub(crate) const MAX_ROWS: u32 = 256;

/// What the start of each box in shared memory is aligned to, so that the swizzle begins there: eight
/// rows.
pub(crate) const ALIGN: u32 = 8 * ROW_BYTES;

/// Bytes of the two barriers of a stage.
pub(crate) const BARRIER_BYTES: u32 = 16;

/// Registers of a lane that one load fills, four matrices of `ldmatrix`.
const LOAD: u32 = 4;

/// The most loads of A of which a main loop holds the fragments.
const LOADS_HELD: u32 = 4;

/// How the copy unit of an SM reads a matrix: in boxes, whose rows it swizzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorBox {
    /// Rows of the matrix that one copy moves.
    pub rows: u32,
    /// Elements of each: 128 bytes.
    pub columns: u32,
    /// Whether the unit rounds them to tf32 on the way, to nearest with ties to even (CUDA Driver
    /// API, `CU_TENSOR_MAP_DATA_TYPE_TFLOAT32`): then they are f32. Else it copies bits.
    pub rounds_to_tf32: bool,
}

impl TensorBox {
    /// That of a tile, whose elements are multiplied so.
    pub(crate) fn new(tile: &SharedTile, factors: Factors) -> TensorBox {
        TensorBox {
            rows: tile.layout.rows,
            columns: tile.layout.cols,
            rounds_to_tf32: factors == Factors::Tf32TiesEven,
        }
    }
}

/// The struct that tensor copies read, of matrices whose elements are multiplied so.
pub(crate) fn cuda_map(factors: Factors) -> &'static str {
    match factors {
        Factors::Tf32TiesEven => include_str!("../../ptx/tensor_map_tf32.cuh"),
        Factors::Exact | Factors::Tf32TiesAway => include_str!("../../ptx/tensor_map.cuh"),
    }
}

/// The copies of one side.
pub(super) fn plan(tile: &SharedTile) -> GlobalToShared {
    GlobalToShared {
        side: tile.side,
        atom: CopyAtom::Tma,
        element_bytes: tile.element_bytes,
        copies: 1,
        row_threads: None,
        registers: 0,
        bank_passes: 1,
    }
}

/// The one swizzle of boxes of such elements: it xors the number of a row, of eight, into that of a
/// 16-byte chunk.
pub(crate) fn swizzle(element_bytes: u32) -> Swizzle {
    Swizzle { b: 3, m: (CHUNK_BYTES / element_bytes).ilog2() as u8, s: 3 }
}

/// Registers of a lane for the fragments that a main loop holds: of A those of a few loads, of B
/// those of two k-steps.
pub(crate) fn fragments([of_a, of_b]: [u32; 2]) -> u32 {
    of_a.min(LOADS_HELD * LOAD).saturating_add(of_b.saturating_mul(2))
}

/// Whether so many registers of A and of B are whole loads, of A two or more: those that take turns.
pub(crate) fn are_whole_loads([of_a, of_b]: [u32; 2]) -> bool {
    of_a >= 2 * LOAD && of_a.is_multiple_of(LOAD) && of_b.is_multiple_of(LOAD)
}

/// Whether `ldmatrix` loads what is multiplied: fragments of tensor cores, of up to 32 bits an element.
pub(crate) fn can_feed(multiply: &Multiply) -> bool {
    !matches!(multiply.atom, Mma::Fma { .. }) && multiply.elements.a.bytes() <= 4
}

/// What the laws of tensor copies look at.
pub(crate) struct Check<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) block: [u32; 3],
    pub(crate) contraction: &'a Contraction,
    pub(crate) multiply: &'a Multiply,
    pub(crate) warps: Option<&'a Warps>,
    pub(crate) swizzles: PerSide<Option<Swizzle>>,
}

impl Check<'_> {
    /// Proves that both tiles are boxes, and that their fragments are whole loads.
    pub(crate) fn prove(&self) -> Result<(), Vec<Diagnostic>> {
        let mut broken: Vec<Diagnostic> =
            Side::BOTH.into_iter().flat_map(|s| self.a_box(s)).collect();
        broken.extend(self.row_of_a_box());
        broken.extend(self.loads());
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }

    /// The order, the rows, the swizzle and the batch of one side.
    fn a_box(&self, side: Side) -> Vec<Diagnostic> {
        let mut broken = Vec::new();
        let mut push = |at, message: String, help: String| {
            broken.push(Diagnostic::new(Rule::TensorCopy, at, message, help));
        };
        let (axis, number) = match side {
            Side::A => (Axis::M, 0),
            Side::B => (Axis::N, 1),
        };
        let (letter, along) = (side.letter().to_uppercase(), axis.letter());
        let operand = self.contraction.operand(side);
        if !self.contraction.k_contiguous(side) {
            push(
                Field::Copy(side),
                format!("tma copies rows that run along K, those of {letter} run along {along}"),
                format!("store {letter} as {along} x K, or copy it with cp_async(16, cg)"),
            );
        } else if self.block[number] > MAX_ROWS {
            push(
                Field::Tile(axis),
                format!(
                    "BLK_{along} = {} rows, a box of the copy unit has at most {MAX_ROWS}",
                    self.block[number]
                ),
                format!("{MAX_ROWS} is legal"),
            );
        }
        if self.spec.operands[operand].batch.is_some() {
            push(
                Field::OperandBatch(operand),
                "tma copies from one matrix, this is a batch".to_owned(),
                "copy it with cp_async(16, cg)".to_owned(),
            );
        }
        let only = swizzle(self.contraction.element(side).bytes());
        if let Some(written) = self.swizzles.get(side).filter(|written| *written != only) {
            let text = |Swizzle { b, m, s }| format!("[{b}, {m}, {s}]");
            push(
                Field::Swizzle(side),
                format!(
                    "the copy unit writes rows of {ROW_BYTES} B by {}, not by {}",
                    text(only),
                    text(written)
                ),
                format!("{} is legal; it is the default", text(only)),
            );
        }
        broken
    }

    /// A row of the tiles is one of a box.
    fn row_of_a_box(&self) -> Option<Diagnostic> {
        let bytes = self.contraction.element(Side::A).bytes();
        let (k, legal) = (self.block[2], ROW_BYTES / bytes);
        (k != legal).then(|| {
            Diagnostic::new(
                Rule::TensorCopy,
                Field::Tile(Axis::K),
                format!(
                    "BLK_K = {k} elements are {} B, a row of a box has {ROW_BYTES} B",
                    k.saturating_mul(bytes)
                ),
                format!("BLK_K = {legal} is legal"),
            )
        })
    }

    /// The main loop loads four matrices at a time, and two such of A or more in each k-step.
    fn loads(&self) -> Vec<Diagnostic> {
        let mut broken = Vec::new();
        let mut push = |at, message: String, help: &str| {
            broken.push(Diagnostic::new(Rule::TensorFragments, at, message, help));
        };
        let atom = self.multiply.atom;
        if !can_feed(self.multiply) {
            let message = format!(
                "tma feeds atoms whose fragments ldmatrix loads, {} has others",
                atom.name()
            );
            push(
                Field::Mma,
                message,
                "copy with cp_async(16, cg), or multiply with a tensor core's atom",
            );
            return broken;
        }
        let Some(warps) = self.warps else { return broken };
        if warps.grid[2] > 1 {
            let message =
                format!("{} warps along K, tma feeds warps that read all of BLK_K", warps.grid[2]);
            push(Field::Warps(Axis::K), message, "use 1, or copy with cp_async(16, cg)");
        }
        let [m, n, _] = warps.tile;
        let words = Side::BOTH.map(|side| self.multiply.fragment(side.matrix()).words());
        let [of_a, of_b] = [words[0] * warps.atoms[0], words[1] * warps.atoms[1]];
        let shape = self.multiply.shape();
        let [rows, columns] = [0, 1].map(|axis| LOAD / words[axis] * shape[axis]);
        if !are_whole_loads([of_a, LOAD]) {
            let message = format!(
                "{m} rows a warp take {of_a} registers of A, ldmatrix loads {LOAD} at a time and \
                 the main loop two such in turns"
            );
            let near = m.next_multiple_of(rows).max(2 * rows);
            push(Field::Warps(Axis::M), message, &format!("{near} rows a warp are legal"));
        }
        if !are_whole_loads([2 * LOAD, of_b]) {
            let message = format!(
                "{n} columns a warp take {of_b} registers of B, ldmatrix loads {LOAD} at a time"
            );
            let near = n.next_multiple_of(columns);
            push(Field::Warps(Axis::N), message, &format!("{near} columns a warp are legal"));
        }
        broken
    }
}
