//! Offsets that are cut to 32 bits: each kind that the texts have, with rows so far apart that it matters.

use super::{BASE, Bug, violation};

const FAR: Bug = BASE.far();

/// B is stored by rows of K.
const ROWS_OF_K: Bug = FAR
    .golden("km_kn_nm")
    .shape([128, 64, 96])
    .finds(violation!(OutOfBounds { direction: Read, .. }))
    .at("cp.async");

const BATCHED: Bug = FAR.golden("batched_axpby").batch(3);

pub(super) const BUGS: &[Bug] = &[
    FAR.bug("the offset of an output's row is cut")
        .edit("(to + row * ld + col,", "(to + int(row * ld) + col,")
        .finds(violation!(OutOfBounds { direction: Write, .. }))
        .at("st.global"),
    FAR.bug("the offset of a thread's first row is cut")
        .edit("? at_mn * ld + at_k", "? int(at_mn * ld) + at_k")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("cp.async", "global_to_shared"),
    ROWS_OF_K
        .bug("the offset of a thread's first row of K is cut")
        .edit(": at_k * ld + at_mn", ": int(at_k * ld) + at_mn")
        .seen_in("global_to_shared"),
    ROWS_OF_K
        .bug("the distance from a tile to the next is cut")
        .edit(": BLK_K * ld;", ": int(BLK_K * ld);")
        .seen_in("global_to_shared"),
    ROWS_OF_K
        .bug("the distance from a thread's row to its next is cut")
        .edit("S::THREAD_ROWS * source.ld;", "int(S::THREAD_ROWS * source.ld);"),
    ROWS_OF_K
        .bug("the offset of a part of a sum is cut")
        .golden("split_derived")
        .edit("part.from : part.from * ld", "part.from : int(part.from * ld)")
        .seen_in("global_to_shared"),
    FAR.bug("the offset of a row that is updated in place is cut")
        .golden("axpby")
        .edit("from + row * ld + col", "from + int(row * ld) + col")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("ld.global", "epilogue"),
    FAR.bug("the offset of a transposed residual is cut")
        .golden("both_nm")
        .edit("(col + i) * ld ", "int((col + i) * ld) ")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("ld.global", "epilogue"),
    BATCHED
        .bug("the offset of a matrix of A is cut")
        .edit("block.batch * stride_a", "int(block.batch * stride_a)")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("cp.async", "global_to_shared"),
    BATCHED
        .bug("the offset of a matrix of B is cut")
        .edit("block.batch * stride_b;", "int(block.batch * stride_b);")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("cp.async", "global_to_shared"),
    BATCHED
        .bug("the offset of a vector is cut")
        .edit("block.batch * stride_bias", "int(block.batch * stride_bias)")
        .finds(violation!(OutOfBounds { direction: Read, .. }))
        .at_in("ld.global", "epilogue"),
    BATCHED
        .bug("the offset of a matrix of the output is cut")
        .edit("block.batch * stride_out", "int(block.batch * stride_out)")
        .finds(violation!(OutOfBounds { .. }))
        .at_in("ld.global", "epilogue"),
];
