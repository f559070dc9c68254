//! Copies that are not waited for as they have to be.

use super::{BASE, Bug, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
const FIRST_WAIT: &str =
    "cp_async_wait<STAGES - 2>();\n        __syncthreads();\n    }\n\n    // Refills";
const LOOP_WAIT: &str = "cp_async_wait<STAGES - 2>();\n        __syncthreads();\n        read =";

/// The copy of 16 bytes with the end of its statement, and one that is to read 17.
const COPY_OF_16: &str = r#"16, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(int(inside))"#;
const COPY_OF_17: &str = r#"16, %2;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(17)"#;

const SCALED: Bug = BASE.golden("packed_wgmma_blocks").shape([64, 128, 512]);
const SCALES_WAIT: &str = "        cp_async_wait<STAGES - 2>();\n        __syncwarp();\n";

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("the first tile is not waited for")
        .edit(FIRST_WAIT, "__syncthreads();\n    }\n\n    // Refills")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("no barrier after the wait for the first tile")
        .edit(FIRST_WAIT, "cp_async_wait<STAGES - 2>();\n    }\n\n    // Refills")
        .finds(violation!(CopyNotPublished { .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("the next tile is not waited for")
        .edit(LOOP_WAIT, "__syncthreads();\n        read =")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("no barrier after the wait for the next tile")
        .edit(LOOP_WAIT, "cp_async_wait<STAGES - 2>();\n        read =")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("a barrier of the warp after the wait for the next tile")
        .edit(LOOP_WAIT, "cp_async_wait<STAGES - 2>();\n        __syncwarp();\n        read =")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("one group too many stays in flight")
        .edit_all(2, "cp_async_wait<STAGES - 2>();", "cp_async_wait<STAGES - 1>();")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("the copies of a tile are not committed")
        .edit_all(2, "        cp_async_commit();\n", "")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("the copies of A are committed and those of B with the next tile")
        .edit_all(2, "        cp_async_commit();\n", "")
        .edit(
            "global_to_shared(stage, from.a);",
            "global_to_shared(stage, from.a);\n    cp_async_commit();",
        )
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in(LDMATRIX, "load_fragments"),
    BASE.bug("the last copies are still in flight when the output is staged")
        .edit("cp_async_wait<0>();\n", "\n")
        .finds(violation!(CopyInFlight { direction: Write, .. }))
        .at_in("st.shared.v2", "stage"),
    BASE.bug("the swizzle sends two copies to one place")
        .edit("(col ^ S::bits(linear))", "(col & ~S::bits(linear))")
        .finds(violation!(CopyInFlight { direction: Write, .. }))
        .at_in("cp.async.cg.shared.global", "global_to_shared"),
    BASE.bug("a copy is to read more than it writes")
        .edit(COPY_OF_16, COPY_OF_17)
        .finds(violation!(CopySize { bytes: 16, .. }))
        .at("cp.async.cg.shared.global"),
    SCALED
        .bug("a warp does not wait for its scales")
        .edit(SCALES_WAIT, "        __syncwarp();\n")
        .finds(violation!(CopyInFlight { direction: Read, .. }))
        .at_in("ld.shared.v4.u32", "load_shared"),
    SCALED
        .bug("no barrier of the warp after the wait for its scales")
        .edit(SCALES_WAIT, "        cp_async_wait<STAGES - 2>();\n")
        .finds(violation!(CopyNotPublished { .. }))
        .at_in("ld.shared.v4.u32", "load_shared"),
];
