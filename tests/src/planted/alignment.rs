//! Addresses that are no multiple of the access, for each width and kind of access.

use super::{BASE, Bug, Edit, Seen, violation};

/// What a launch defines where its operands are aligned to 16 bytes.
const ALIGN_OUT: &str = "#ifndef ALIGN_out\n#define ALIGN_out 16\n#endif\n";
const STORE: &str = "store<ALIGN_out>(out + row * ld + col, results, valid);";

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "copies of 16 B where rows are aligned to 8",
        edits: &[Edit::once("ALIGN_a < 16 ? ALIGN_a : 16", "16")],
        alignment: 8,
        violation: violation!(Misaligned { space: Global, bytes: 16, direction: Read, .. }),
        instruction: "cp.async.cg.shared.global",
        seen: Seen::In("cp_async_cg"),
        ..BASE
    },
    Bug {
        name: "copies of 8 B where rows are aligned to 4",
        golden: "copies_of_8_bytes",
        edits: &[Edit::once("ALIGN_b < 8 ? ALIGN_b : 8", "8")],
        alignment: 4,
        violation: violation!(Misaligned { space: Global, bytes: 8, direction: Read, .. }),
        instruction: "cp.async.ca.shared.global",
        seen: Seen::In("cp_async_ca"),
        ..BASE
    },
    Bug {
        name: "copies of 4 B where rows are aligned to 2",
        golden: "copies_of_4_bytes",
        edits: &[Edit::once("ALIGN_a < 4 ? ALIGN_a : 4", "4")],
        alignment: 2,
        violation: violation!(Misaligned { space: Global, bytes: 4, direction: Read, .. }),
        instruction: "cp.async.ca.shared.global",
        seen: Seen::In("cp_async_ca"),
        ..BASE
    },
    Bug {
        name: "copies of 16 B go to half a chunk",
        edits: &[Edit::once("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 8,")],
        violation: violation!(Misaligned { space: Shared, bytes: 16, direction: Write, .. }),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "copies of 8 B go to half a chunk",
        golden: "copies_of_8_bytes",
        edits: &[Edit::once("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 4,")],
        violation: violation!(Misaligned { space: Shared, bytes: 8, direction: Write, .. }),
        instruction: "cp.async.ca.shared.global",
        ..BASE
    },
    Bug {
        name: "copies of 4 B go to half a chunk",
        golden: "copies_of_4_bytes",
        edits: &[Edit::once("copy_async<Tile>(stage + to,", "copy_async<Tile>(stage + to + 2,")],
        violation: violation!(Misaligned { space: Shared, bytes: 4, direction: Write, .. }),
        instruction: "cp.async.ca.shared.global",
        ..BASE
    },
    Bug {
        name: "single elements go to half an element",
        edits: &[Edit::once("store_shared<Tile>(to, inside", "store_shared<Tile>(to + 1, inside")],
        alignment: 2,
        violation: violation!(Misaligned { space: Shared, bytes: 2, direction: Write, .. }),
        instruction: "st.shared.u16",
        ..BASE
    },
    Bug {
        name: "a row of a fragment begins in the middle of a chunk",
        edits: &[Edit::once("stage + Tile::matrix_row(", "stage + 8 + Tile::matrix_row(")],
        violation: violation!(Misaligned { space: Shared, bytes: 16, direction: Read, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "stores of 16 B where rows are aligned to 8",
        edits: &[Edit::once(ALIGN_OUT, "#undef ALIGN_out\n#define ALIGN_out 16\n")],
        alignment: 8,
        violation: violation!(Misaligned { space: Global, bytes: 16, direction: Write, .. }),
        instruction: "st.global.v4",
        seen: Seen::In("store"),
        ..BASE
    },
    Bug {
        name: "stores of 8 B where rows are aligned to 4",
        edits: &[Edit::once(ALIGN_OUT, "#undef ALIGN_out\n#define ALIGN_out 8\n")],
        alignment: 4,
        violation: violation!(Misaligned { space: Global, bytes: 8, direction: Write, .. }),
        instruction: "st.global",
        seen: Seen::In("store"),
        ..BASE
    },
    Bug {
        name: "stores of 4 B where rows are aligned to 2",
        edits: &[Edit::once(ALIGN_OUT, "#undef ALIGN_out\n#define ALIGN_out 4\n")],
        alignment: 2,
        violation: violation!(Misaligned { space: Global, bytes: 4, direction: Write, .. }),
        instruction: "st.global",
        seen: Seen::In("store"),
        ..BASE
    },
    Bug {
        name: "stores of 2 B to half an element",
        edits: &[Edit::once(
            STORE,
            "char* const to = reinterpret_cast<char*>(out + row * ld + col) + 1;
            store<ALIGN_out>(reinterpret_cast<Out*>(to), results, valid);",
        )],
        alignment: 2,
        violation: violation!(Misaligned { space: Global, bytes: 2, direction: Write, .. }),
        instruction: "st.global",
        ..BASE
    },
    Bug {
        name: "loads of 16 B from the middle of a chunk",
        golden: "residual",
        edits: &[Edit::once("ld_previous + col, valid", "ld_previous + (col + 4), valid")],
        violation: violation!(Misaligned { space: Global, bytes: 16, direction: Read, .. }),
        instruction: "ld.global.v4",
        ..BASE
    },
    Bug {
        name: "loads of 8 B from the middle of a chunk",
        golden: "residual",
        edits: &[Edit::once("ld_previous + col, valid", "ld_previous + (col + 2), valid")],
        alignment: 8,
        violation: violation!(Misaligned { space: Global, bytes: 8, direction: Read, .. }),
        instruction: "ld.global.v2",
        ..BASE
    },
    Bug {
        name: "loads of 4 B from the middle of a chunk",
        golden: "residual",
        edits: &[Edit::once("ld_previous + col, valid", "ld_previous + (col + 1), valid")],
        alignment: 4,
        violation: violation!(Misaligned { space: Global, bytes: 4, direction: Read, .. }),
        instruction: "ld.global",
        ..BASE
    },
    Bug {
        name: "loads of 2 B from half an element",
        golden: "residual",
        edits: &[Edit::once(
            "fetch<ALIGN_bias>(read.bias, bias + col,",
            "const char* const from = reinterpret_cast<const char*>(bias + col) + 1;
        fetch<ALIGN_bias>(read.bias, reinterpret_cast<const bf16*>(from),",
        )],
        alignment: 2,
        violation: violation!(Misaligned { space: Global, bytes: 2, direction: Read, .. }),
        instruction: "ld.global",
        ..BASE
    },
    Bug {
        name: "pairs are staged at odd columns",
        edits: &[Edit::once(
            "STAGED_PITCH + col0 + j * MMA_N",
            "STAGED_PITCH + col0 + 1 + j * MMA_N",
        )],
        violation: violation!(Misaligned { space: Shared, bytes: 8, direction: Write, .. }),
        instruction: "st.shared.v2",
        ..BASE
    },
    Bug {
        name: "the pitch of the staging is no multiple of a load",
        edits: &[Edit::once("STAGED_COLS + 8;", "STAGED_COLS + 2;")],
        violation: violation!(Misaligned { space: Shared, bytes: 16, direction: Read, .. }),
        instruction: "ld.shared.v4",
        seen: Seen::In("epilogue"),
        ..BASE
    },
    Bug {
        name: "single floats are staged between two",
        golden: "km_kn_nm",
        edits: &[Edit::once(
            "to[band * 8] = sums.first;",
            "reinterpret_cast<float*>(reinterpret_cast<char*>(to) + 2)[band * 8] = sums.first;",
        )],
        violation: violation!(Misaligned { space: Shared, bytes: 4, direction: Write, .. }),
        instruction: "st.shared",
        ..BASE
    },
];
