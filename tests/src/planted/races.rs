//! Two threads at one place in shared memory, with no barrier between.

use super::{BASE, Bug, Edit, Seen, violation};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "what is updated in place is read through the non-coherent cache",
        golden: "axpby",
        edits: &[Edit::once(
            "if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = reinterpret_cast<const Words*>(from)[i];",
            "if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = __ldg(reinterpret_cast<const Words*>(from) + i);",
        )],
        violation: violation!(NonCoherent { .. }),
        instruction: "st.global",
        seen: Seen::In("epilogue"),
        ..BASE
    },
    Bug {
        name: "no barrier in front of the epilogue",
        edits: &[Edit::once("cp_async_wait<0>();\n    __syncthreads();", "cp_async_wait<0>();")],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "st.shared",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "no barrier before the staging is used again",
        golden: "odd_tile",
        edits: &[
            Edit::once("if (pass > 0) consumers_sync();  // the", "// the"),
            Edit::once("PASS_ATOMS = 5", "PASS_ATOMS = 1"),
        ],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "st.shared",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "no barrier between staging and storing",
        edits: &[Edit::once(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);",
        )],
        violation: violation!(Race { direction: Read, other_direction: Write, .. }),
        instruction: "ld.shared.v4",
        ..BASE
    },
    Bug {
        name: "warps along k stage at the same place",
        golden: "along_k_gelu",
        edits: &[Edit::once("staged + warp.k / WARP_K * STAGED_SUMS", "staged")],
        violation: violation!(Race { direction: Write, other_direction: Write, .. }),
        instruction: "st.shared",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "a barrier of the warp between staging and storing",
        edits: &[Edit::once(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);\n        __syncwarp();",
        )],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "st.shared",
        ..BASE
    },
    Bug {
        name: "a barrier of each two warps between staging and storing",
        edits: &[Edit::once(
            "STAGED_SUMS, acc, warp, pass);\n        consumers_sync();",
            "STAGED_SUMS, acc, warp, pass);
        asm volatile(\"bar.sync %0, 64;\" :: \"r\"(1 + threadIdx.x / 64) : \"memory\");",
        )],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "st.shared",
        ..BASE
    },
    Bug {
        name: "all stages are filled before the first is read",
        edits: &[Edit::once(
            "tile < STAGES - 1; ++tile) copy_next_tile",
            "tile < STAGES; ++tile) copy_next_tile",
        )],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "cp.async.cg.shared.global",
        seen: Seen::In("mainloop"),
        ..BASE
    },
    Bug {
        name: "the stage that is read is filled",
        edits: &[Edit::once(
            "    // Double-buffered fragments:",
            "    write = ring;\n    // Double-buffered fragments:",
        )],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: "cp.async.cg.shared.global",
        ..BASE
    },
    Bug {
        name: "the swizzle maps two elements to one place",
        edits: &[Edit::times(
            2,
            "(col ^ ((linear & 0xc0) >> 3))",
            "(col & ~((linear & 0xc0) >> 3))",
        )],
        alignment: 2,
        violation: violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }),
        instruction: "st.shared.u16",
        seen: Seen::In("store_shared"),
        ..BASE
    },
    Bug {
        name: "two lanes stage the same columns",
        edits: &[Edit::once("col0 = warp.n + lane % 4 * 2;", "col0 = warp.n + lane % 2 * 2;")],
        violation: violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }),
        instruction: "st.shared",
        ..BASE
    },
    Bug {
        name: "two warps have the same rows",
        edits: &[Edit::once("Warp{number % WARPS_M * WARP_M, ", "Warp{0, ")],
        violation: violation!(Race {
            direction: Write,
            other_direction: Write,
            other: Some(_),
            ..
        }),
        instruction: "st.shared",
        seen: Seen::In("stage"),
        ..BASE
    },
    Bug {
        name: "an atomic beside a plain store",
        edits: &[Edit::once(
            "STAGED_SUMS, acc, warp, pass);\n",
            "STAGED_SUMS, acc, warp, pass);\n        atomicAdd(staged, 1.0f);\n",
        )],
        violation: violation!(Race { direction: Write, other_direction: Write, other: None, .. }),
        instruction: "st.shared",
        ..BASE
    },
];
