//! Blocks that share a tile: what one of them reads, others wrote.

use super::{BASE, Bug, violation};

/// What these bugs share.
const SPLIT: Bug = BASE
    .golden("split_gelu")
    .finds(violation!(BlockRace { direction: Read, .. }))
    .at_in("ld.global.cg.v4", "split_k");

pub(super) const BUGS: &[Bug] = &[
    SPLIT.bug("the count releases nothing").edit("atom.acq_rel.gpu", "atom.acquire.gpu"),
    SPLIT.bug("the count acquires nothing").edit("atom.acq_rel.gpu", "atom.release.gpu"),
    SPLIT
        .bug("the count is ordered in the block alone")
        .edit("atom.acq_rel.gpu", "atom.acq_rel.cta"),
    SPLIT
        .bug("no barrier before the count")
        .edit("    __syncthreads();\n    const unsigned last", "    const unsigned last"),
    SPLIT
        .bug("all leave their sums in one place")
        .edit("of_tile + share.split * REGISTERS * THREADS", "of_tile")
        .finds(violation!(BlockRace { direction: Write, .. }))
        .at("st.global.v4"),
    SPLIT
        .bug("every block stores the output")
        .edit(
            "if (!split_k(acc, share, partials, arrivals)) return;",
            "split_k(acc, share, partials, arrivals);",
        )
        .finds(violation!(BlockRace { direction: Write, .. }))
        .at_in("st.global", "epilogue"),
    SPLIT
        .bug("tiles of the tail leave their sums as if all tiles were shared")
        .golden("split_tail")
        .edit(
            "whole + in_tail / splits, in_tail / splits,",
            "whole + in_tail / splits, 1 + block / splits,",
        )
        .shape([13 * 64, 64, 128])
        .finds(violation!(OutOfBounds { direction: Write, .. }))
        .at("st.global"),
];
