//! Barriers that not all threads reach, or with wrong operands.

use super::{BASE, Bug, Edit, Seen, violation};

const FIRST: &str = "__syncthreads();\n\n    // Double-buffered";
const BLOCK: &str = "const Block block = raster(m, n, int(blockIdx.x));";

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "a barrier for some warps only",
        edits: &[Edit::once(
            "block.m, block.n, m, n);",
            "block.m, block.n, m, n);\n    if (threadIdx.x < 64) __syncthreads();",
        )],
        violation: violation!(BarrierNotReached {
            barrier: 0,
            waiting: 64,
            expected: 128,
            missing: Some(64),
            ..
        }),
        instruction: "bar",
        ..BASE
    },
    Bug {
        name: "a barrier for some lanes only",
        edits: &[Edit::once(
            FIRST,
            "if (threadIdx.x % 32 < 16) __syncthreads();\n    // Double-buffered",
        )],
        violation: violation!(InactiveLanes { needed: u32::MAX, active: 0xffff }),
        instruction: "bar",
        ..BASE
    },
    Bug {
        name: "some warps return before a barrier",
        edits: &[Edit::once(
            BLOCK,
            "if (threadIdx.x >= 64) return;\n    const Block block = raster(m, n, int(blockIdx.x));",
        )],
        violation: violation!(BarrierNotReached {
            barrier: 0,
            waiting: 64,
            expected: 128,
            missing: Some(64),
            exited: true
        }),
        instruction: "bar",
        seen: Seen::In("mainloop"),
        ..BASE
    },
    Bug {
        name: "a named barrier for more threads than come",
        edits: &[Edit::once(FIRST, "asm volatile(\"bar.sync 1, 160;\");\n    // Double-buffered")],
        violation: violation!(BarrierNotReached {
            barrier: 1,
            waiting: 128,
            expected: 160,
            missing: None,
            ..
        }),
        instruction: "bar.sync 1, 160",
        ..BASE
    },
    Bug {
        name: "a named barrier for fewer threads than come",
        edits: &[Edit::once(FIRST, "asm volatile(\"bar.sync 1, 96;\");\n    // Double-buffered")],
        violation: violation!(Uninitialized { space: Shared, bytes: 16, .. }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "a named barrier for a part of a warp",
        edits: &[Edit::once(
            FIRST,
            "asm volatile(\"bar.sync 1, %0;\" :: \"r\"(m + 36));\n    // Double-buffered",
        )],
        violation: violation!(BadBarrier { barrier: 1, threads: 100, .. }),
        instruction: "bar",
        ..BASE
    },
    Bug {
        name: "a barrier of a number that there is not",
        edits: &[Edit::once(
            FIRST,
            "asm volatile(\"bar.sync %0;\" :: \"r\"(STAGES * 4));\n    // Double-buffered",
        )],
        violation: violation!(BadBarrier { barrier: 16, .. }),
        instruction: "bar",
        ..BASE
    },
    Bug {
        name: "lanes wait at different barriers",
        edits: &[Edit::once(
            FIRST,
            "asm volatile(\"bar.sync %0;\" :: \"r\"(threadIdx.x % 2));\n    // Double-buffered",
        )],
        violation: violation!(BadOperand { what: "barriers differ in a warp", value: 1 }),
        instruction: "bar",
        ..BASE
    },
    Bug {
        name: "lanes whose rows are outside return at once",
        edits: &[Edit::once(
            "const Warp warp = warps();",
            "const Warp warp = warps();
    if (block.m + warp.m + int(threadIdx.x) % 32 >= m) return;",
        )],
        shape: [70, 64, 32],
        violation: violation!(BarrierNotReached { barrier: 0, missing: Some(6), exited: true, .. }),
        instruction: "bar",
        seen: Seen::In("mainloop"),
        ..BASE
    },
];
