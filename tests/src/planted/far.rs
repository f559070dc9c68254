//! Offsets that are cut to 32 bits: each kind that the texts have, with rows so far apart that it matters.

use super::{BASE, Bug, Edit, Seen, violation};

const FAR: Bug = Bug { is_far: true, ..BASE };

/// B is stored by rows of K.
const ROWS_OF_K: Bug = Bug {
    golden: "km_kn_nm",
    shape: [128, 64, 96],
    violation: violation!(OutOfBounds { direction: Read, .. }),
    instruction: "cp.async",
    ..FAR
};

const BATCHED: Bug = Bug { golden: "batched_axpby", batch: 3, ..FAR };

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the offset of an output's row is cut",
        edits: &[Edit::once("(out + row * ld + col,", "(out + int(row * ld) + col,")],
        violation: violation!(OutOfBounds { direction: Write, .. }),
        instruction: "st.global",
        ..FAR
    },
    Bug {
        name: "the offset of a thread's first row is cut",
        edits: &[Edit::once("? at_mn * ld + at_k", "? int(at_mn * ld) + at_k")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "cp.async",
        seen: Seen::In("global_to_shared"),
        ..FAR
    },
    Bug {
        name: "the offset of a thread's first row of K is cut",
        edits: &[Edit::once(": at_k * ld + at_mn", ": int(at_k * ld) + at_mn")],
        seen: Seen::In("global_to_shared"),
        ..ROWS_OF_K
    },
    Bug {
        name: "the distance from a tile to the next is cut",
        edits: &[Edit::once(": BLK_K * ld;", ": int(BLK_K * ld);")],
        seen: Seen::In("global_to_shared"),
        ..ROWS_OF_K
    },
    Bug {
        name: "the distance from a thread's row to its next is cut",
        edits: &[Edit::once("S::THREAD_ROWS * source.ld;", "int(S::THREAD_ROWS * source.ld);")],
        ..ROWS_OF_K
    },
    Bug {
        name: "the offset of a part of a sum is cut",
        golden: "split_derived",
        edits: &[Edit::once("part.from : part.from * ld", "part.from : int(part.from * ld)")],
        seen: Seen::In("global_to_shared"),
        ..ROWS_OF_K
    },
    Bug {
        name: "the offset of a row that is updated in place is cut",
        golden: "axpby",
        edits: &[Edit::once("out + row * ld_out + col", "out + int(row * ld_out) + col")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "ld.global",
        seen: Seen::In("epilogue"),
        ..FAR
    },
    Bug {
        name: "the offset of a transposed residual is cut",
        golden: "both_nm",
        edits: &[Edit::once("(col + i) * ld_residual", "int((col + i) * ld_residual)")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "ld.global",
        seen: Seen::In("epilogue"),
        ..FAR
    },
    Bug {
        name: "the offset of a matrix of A is cut",
        edits: &[Edit::once("block.batch * stride_a", "int(block.batch * stride_a)")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "cp.async",
        seen: Seen::In("global_to_shared"),
        ..BATCHED
    },
    Bug {
        name: "the offset of a matrix of B is cut",
        edits: &[Edit::once("block.batch * stride_b;", "int(block.batch * stride_b);")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "cp.async",
        seen: Seen::In("global_to_shared"),
        ..BATCHED
    },
    Bug {
        name: "the offset of a vector is cut",
        edits: &[Edit::once("block.batch * stride_bias", "int(block.batch * stride_bias)")],
        violation: violation!(OutOfBounds { direction: Read, .. }),
        instruction: "ld.global",
        seen: Seen::In("epilogue"),
        ..BATCHED
    },
    Bug {
        name: "the offset of a matrix of the output is cut",
        edits: &[Edit::once("block.batch * stride_out", "int(block.batch * stride_out)")],
        violation: violation!(OutOfBounds { .. }),
        instruction: "ld.global",
        seen: Seen::In("epilogue"),
        ..BATCHED
    },
];
