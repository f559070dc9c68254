//! Copies that are not waited for as they have to be.

use super::{BASE, Bug, Edit, Seen, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
const FIRST_WAIT: &str = "cp_async_wait<STAGES - 2>();\n    __syncthreads();\n\n";
const LOOP_WAIT: &str = "cp_async_wait<STAGES - 2>();\n                __syncthreads();";

/// The copy of 16 bytes with the end of its statement, and one that is to read 17.
const COPY_OF_16: &str = r#"16, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(int(inside))"#;
const COPY_OF_17: &str = r#"16, %2;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(17)"#;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the first tile is not waited for",
        edits: &[Edit::once(FIRST_WAIT, "__syncthreads();\n\n")],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "no barrier after the wait for the first tile",
        edits: &[Edit::once(FIRST_WAIT, "cp_async_wait<STAGES - 2>();\n\n")],
        violation: violation!(CopyNotPublished { .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "the next tile is not waited for",
        edits: &[Edit::once(LOOP_WAIT, "__syncthreads();")],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "no barrier after the wait for the next tile",
        edits: &[Edit::once(LOOP_WAIT, "cp_async_wait<STAGES - 2>();")],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "a barrier of the warp after the wait for the next tile",
        edits: &[Edit::once(
            LOOP_WAIT,
            "cp_async_wait<STAGES - 2>();\n                __syncwarp();",
        )],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "one group too many stays in flight",
        edits: &[Edit::times(2, "cp_async_wait<STAGES - 2>();", "cp_async_wait<STAGES - 1>();")],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..BASE
    },
    Bug {
        name: "the copies of a tile are not committed",
        edits: &[Edit::once("        cp_async_commit();\n", "")],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        seen: Seen::In("mainloop"),
        ..BASE
    },
    Bug {
        name: "the copies of A are committed and those of B with the next tile",
        edits: &[
            Edit::once("        cp_async_commit();\n", ""),
            Edit::once(
                "global_to_shared(write, source_a);",
                "global_to_shared(write, source_a);\n        cp_async_commit();",
            ),
        ],
        violation: violation!(CopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        seen: Seen::In("mainloop"),
        ..BASE
    },
    Bug {
        name: "the last copies are still in flight when the output is staged",
        edits: &[Edit::once("cp_async_wait<0>();\n", "\n")],
        violation: violation!(CopyInFlight { direction: Write, .. }),
        instruction: "st.shared.v2",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "the swizzle sends two copies to one place",
        edits: &[Edit::times(
            2,
            "(col ^ ((linear & 0xc0) >> 3))",
            "(col & ~((linear & 0xc0) >> 3))",
        )],
        violation: violation!(CopyInFlight { direction: Write, .. }),
        instruction: "cp.async.cg.shared.global",
        seen: Seen::In("global_to_shared"),
        ..BASE
    },
    Bug {
        name: "a copy is to read more than it writes",
        edits: &[Edit::once(COPY_OF_16, COPY_OF_17)],
        violation: violation!(CopySize { bytes: 16, .. }),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
];
