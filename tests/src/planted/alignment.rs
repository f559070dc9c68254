//! Addresses that are not a multiple of the access, for each width and kind of access.

use super::{BASE, Bug, violation};

/// The line that an alignment variant rewrites. With another type, no variant finds it.
const ALIGN_OUT: &str = "constexpr int ALIGN_out = 16;";
const STORE: &str = "::store<ALIGN>(to + row * ld + col, values, valid);";

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("copies of 16 B where rows are aligned to 8")
        .edit("ALIGN_a < 16 ? ALIGN_a : 16", "16")
        .alignment(8)
        .finds(violation!(Misaligned { space: Global, bytes: 16, direction: Read, .. }))
        .at_in("cp.async.cg.shared.global", "cp_async_cg"),
    BASE.bug("copies of 8 B where rows are aligned to 4")
        .golden("copies_of_8_bytes")
        .edit("ALIGN_b < 8 ? ALIGN_b : 8", "8")
        .alignment(4)
        .finds(violation!(Misaligned { space: Global, bytes: 8, direction: Read, .. }))
        .at_in("cp.async.ca.shared.global", "cp_async_ca"),
    BASE.bug("copies of 4 B where rows are aligned to 2")
        .golden("copies_of_4_bytes")
        .edit("ALIGN_a < 4 ? ALIGN_a : 4", "4")
        .alignment(2)
        .finds(violation!(Misaligned { space: Global, bytes: 4, direction: Read, .. }))
        .at_in("cp.async.ca.shared.global", "cp_async_ca"),
    BASE.bug("copies of 16 B go to half a chunk")
        .edit("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 8,")
        .finds(violation!(Misaligned { space: Shared, bytes: 16, direction: Write, .. }))
        .at("cp.async.cg.shared.global"),
    BASE.bug("copies of 8 B go to half a chunk")
        .golden("copies_of_8_bytes")
        .edit("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 4,")
        .finds(violation!(Misaligned { space: Shared, bytes: 8, direction: Write, .. }))
        .at("cp.async.ca.shared.global"),
    BASE.bug("copies of 4 B go to half a chunk")
        .golden("copies_of_4_bytes")
        .edit("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 2,")
        .finds(violation!(Misaligned { space: Shared, bytes: 4, direction: Write, .. }))
        .at("cp.async.ca.shared.global"),
    BASE.bug("single elements go to half an element")
        .edit("store_shared<Tile>(to, inside", "store_shared<Tile>(to + 1, inside")
        .alignment(2)
        .finds(violation!(Misaligned { space: Shared, bytes: 2, direction: Write, .. }))
        .at("st.shared.u16"),
    BASE.bug("a row of a fragment begins in the middle of a chunk")
        .edit("stage + matrix_row<Tile>(", "stage + 8 + matrix_row<Tile>(")
        .finds(violation!(Misaligned { space: Shared, bytes: 16, direction: Read, .. }))
        .at("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    BASE.bug("stores of 16 B where rows are aligned to 8")
        .edit(ALIGN_OUT, "constexpr auto ALIGN_out = 16;")
        .alignment(8)
        .finds(violation!(Misaligned { space: Global, bytes: 16, direction: Write, .. }))
        .at_in("st.global.v4", "store"),
    BASE.bug("stores of 8 B where rows are aligned to 4")
        .edit(ALIGN_OUT, "constexpr auto ALIGN_out = 8;")
        .alignment(4)
        .finds(violation!(Misaligned { space: Global, bytes: 8, direction: Write, .. }))
        .at_in("st.global", "store"),
    BASE.bug("stores of 4 B where rows are aligned to 2")
        .edit(ALIGN_OUT, "constexpr auto ALIGN_out = 4;")
        .alignment(2)
        .finds(violation!(Misaligned { space: Global, bytes: 4, direction: Write, .. }))
        .at_in("st.global", "store"),
    BASE.bug("stores of 2 B to half an element")
        .edit(
            STORE,
            "char* const half = reinterpret_cast<char*>(to + row * ld + col) + 1;
        ::store<ALIGN>(reinterpret_cast<T*>(half), values, valid);",
        )
        .alignment(2)
        .finds(violation!(Misaligned { space: Global, bytes: 2, direction: Write, .. }))
        .at("st.global"),
    BASE.bug("loads of 16 B from the middle of a chunk")
        .golden("residual")
        .edit(
            "previous.read(read.previous, row, col,",
            "previous.read(read.previous, row, col + 4,",
        )
        .finds(violation!(Misaligned { space: Global, bytes: 16, direction: Read, .. }))
        .at("ld.global.v4"),
    BASE.bug("loads of 8 B from the middle of a chunk")
        .golden("residual")
        .edit(
            "previous.read(read.previous, row, col,",
            "previous.read(read.previous, row, col + 2,",
        )
        .alignment(8)
        .finds(violation!(Misaligned { space: Global, bytes: 8, direction: Read, .. }))
        .at("ld.global.v2"),
    BASE.bug("loads of 4 B from the middle of a chunk")
        .golden("residual")
        .edit(
            "previous.read(read.previous, row, col,",
            "previous.read(read.previous, row, col + 1,",
        )
        .alignment(4)
        .finds(violation!(Misaligned { space: Global, bytes: 4, direction: Read, .. }))
        .at("ld.global"),
    BASE.bug("loads of 2 B from half an element")
        .golden("residual")
        .edit(
            "fetch<ALIGN>(elements.of, from + col,",
            "const char* const half = reinterpret_cast<const char*>(from + col) + 1;
        fetch<ALIGN>(elements.of, reinterpret_cast<const T*>(half),",
        )
        .alignment(2)
        .finds(violation!(Misaligned { space: Global, bytes: 2, direction: Read, .. }))
        .at("ld.global"),
    BASE.bug("pairs are staged at odd columns")
        .edit("STAGED_PITCH + col0 + j * MMA_N", "STAGED_PITCH + col0 + 1 + j * MMA_N")
        .finds(violation!(Misaligned { space: Shared, bytes: 8, direction: Write, .. }))
        .at("st.shared.v2"),
    BASE.bug("the pitch of the staging is not a multiple of a load")
        .edit("STAGED_COLS + 8;", "STAGED_COLS + 2;")
        .finds(violation!(Misaligned { space: Shared, bytes: 16, direction: Read, .. }))
        .at_in("ld.shared.v4", "epilogue"),
    BASE.bug("single floats are staged between two")
        .golden("km_kn_nm")
        .edit(
            "to[band * 8] = sums.first;",
            "reinterpret_cast<float*>(reinterpret_cast<char*>(to) + 2)[band * 8] = sums.first;",
        )
        .finds(violation!(Misaligned { space: Shared, bytes: 4, direction: Write, .. }))
        .at("st.shared"),
];
