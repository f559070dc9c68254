//! Blocks that share a tile: what one of them reads, others wrote.

use super::{BASE, Bug, Edit, Seen, violation};

/// What these bugs share.
const SPLIT: Bug = Bug {
    golden: "split_gelu",
    violation: violation!(BlockRace { direction: Read, .. }),
    instruction: "ld.global.cg.v4",
    seen: Seen::In("split_k"),
    ..BASE
};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "no fence in front of the count",
        edits: &[Edit::once(
            "        __threadfence();\n        // atomicInc",
            "        // atomicInc",
        )],
        ..SPLIT
    },
    Bug {
        name: "no fence behind the count",
        edits: &[Edit::once("== last;\n        __threadfence();", "== last;")],
        ..SPLIT
    },
    Bug {
        name: "fences for threads of the block alone",
        edits: &[Edit::times(2, "__threadfence();", "__threadfence_block();")],
        ..SPLIT
    },
    Bug {
        name: "no barrier in front of the count",
        edits: &[Edit::once("    __syncthreads();\n    bool is_last", "    bool is_last")],
        ..SPLIT
    },
    Bug {
        name: "all leave their sums in one place",
        edits: &[Edit::once("of_tile + share.split * REGISTERS * THREADS", "of_tile")],
        violation: violation!(BlockRace { direction: Write, .. }),
        instruction: "st.global.v4",
        ..SPLIT
    },
    Bug {
        name: "every block stores the output",
        edits: &[Edit::once(
            "if (!split_k(acc, share, partials, arrivals)) return;",
            "split_k(acc, share, partials, arrivals);",
        )],
        violation: violation!(BlockRace { direction: Write, .. }),
        instruction: "st.global",
        seen: Seen::In("epilogue"),
        ..SPLIT
    },
    Bug {
        golden: "split_tail",
        name: "tiles of the tail leave their sums as if all tiles were shared",
        edits: &[Edit::once(
            "whole + in_tail / splits, in_tail / splits,",
            "whole + in_tail / splits, 1 + block / splits,",
        )],
        shape: [13 * 64, 64, 128],
        violation: violation!(OutOfBounds { direction: Write, .. }),
        instruction: "st.global",
        ..SPLIT
    },
];
