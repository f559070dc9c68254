//! Barriers that not all threads reach, or with wrong operands.

use gemm_emulator::WarpProblem;

use super::{BASE, Bug, violation};

const FIRST: &str = "__syncthreads();\n    }\n\n    // Refills";
const BLOCK: &str = "const Block block = raster(m, n, int(blockIdx.x));";

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("a barrier for some warps only")
        .edit(
            "block.m, block.n, m, n);",
            "block.m, block.n, m, n);\n    if (threadIdx.x < 64) __syncthreads();",
        )
        .finds(violation!(BarrierNotReached {
            barrier: 0,
            waiting: 64,
            expected: 128,
            missing: Some(64),
            ..
        }))
        .at("bar"),
    BASE.bug("a barrier for some lanes only")
        .edit(
            FIRST,
            "if (threadIdx.x % 32 < 16) __syncthreads();\n    }\n\n    // Refills",
        )
        .finds(violation!(Warp(WarpProblem::InactiveLanes { needed: u32::MAX, active: 0xffff })))
        .at("bar"),
    BASE.bug("some warps return before a barrier")
        .edit(
            BLOCK,
            "if (threadIdx.x >= 64) return;\n    const Block block = raster(m, n, int(blockIdx.x));",
        )
        .finds(violation!(BarrierNotReached {
            barrier: 0,
            waiting: 64,
            expected: 128,
            missing: Some(64),
            exited: true
        }))
        .at_in("bar", "mainloop"),
    BASE.bug("a named barrier for more threads than come")
        .edit(FIRST, "asm volatile(\"bar.sync 1, 160;\");\n    }\n\n    // Refills")
        .finds(violation!(BarrierNotReached {
            barrier: 1,
            waiting: 128,
            expected: 160,
            missing: None,
            ..
        }))
        .at("bar.sync 1, 160"),
    BASE.bug("a named barrier for fewer threads than come")
        .edit(FIRST, "asm volatile(\"bar.sync 1, 96;\");\n    }\n\n    // Refills")
        .finds(violation!(Uninitialized { space: Shared, bytes: 16, .. }))
        .at_in("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "load_fragments"),
    BASE.bug("a named barrier for a part of a warp")
        .edit(
            FIRST,
            "asm volatile(\"bar.sync 1, %0;\" :: \"r\"(blockDim.x - 28));\n    }\n\n    // Refills",
        )
        .finds(violation!(BadBarrier { barrier: 1, threads: 100, .. }))
        .at("bar"),
    BASE.bug("a barrier of a number that there is not")
        .edit(
            FIRST,
            "asm volatile(\"bar.sync %0;\" :: \"r\"(STAGES * 4));\n    }\n\n    // Refills",
        )
        .finds(violation!(BadBarrier { barrier: 16, .. }))
        .at("bar"),
    BASE.bug("lanes wait at different barriers")
        .edit(
            FIRST,
            "asm volatile(\"bar.sync %0;\" :: \"r\"(threadIdx.x % 2));\n    }\n\n    // Refills",
        )
        .finds(violation!(BadOperand { what: "barriers differ in a warp", value: 1 }))
        .at("bar"),
    BASE.bug("lanes whose rows are outside return at once")
        .edit(
            "const Warp warp = warps();",
            "const Warp warp = warps();
    if (block.m + warp.m + int(threadIdx.x) % 32 >= m) return;",
        )
        .shape([70, 64, 32])
        .finds(violation!(BarrierNotReached { barrier: 0, missing: Some(6), exited: true, .. }))
        .at_in("bar", "mainloop"),
];
