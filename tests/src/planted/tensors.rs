//! Copies of tensors, and the barriers that hand their tiles from the copy unit to warps and back.

use gemm_emulator::MbarrierProblem;

use super::{BASE, Bug, Edit, Seen, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
const COPY: &str = "cp.async.bulk.tensor.2d";
const WAIT: &str = "mbarrier.try_wait.parity";

/// Two stages, so that each is filled again soon, two warps of 32 x 48.
const RING: Bug = Bug { golden: "tensor_gelu", shape: [64, 48, 448], ..BASE };

/// Four warps along K.
const GROUPS: Bug = Bug { golden: "tensor_groups", shape: [32, 64, 1280], ..BASE };

const FIRST_WAIT: &str = "    mbarrier_wait(full, filled);\n";
const NEXT_WAIT: &str = "has_landed = mbarrier_try_wait(full + next_read * 8, next_filled);";
const EMPTY_WAIT: &str = "mbarrier_wait(empty + write * 8, read == 0 ? filled ^ 1 : filled);";
const FENCE: &str = "fence_proxy_async();";
const ARRIVE: &str = "if (threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * 8);";
const EXPECT: &str = "mbarrier_arrive_expect(landed, STAGE_BYTES);";

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "the copy of the first tile is not waited for",
        edits: &[Edit::once(FIRST_WAIT, "")],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "the copy of the next tile is not waited for",
        edits: &[Edit::once(NEXT_WAIT, "has_landed = true;")],
        violation: violation!(Uninitialized { space: Shared, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "the copy behind the last tile is not waited for",
        edits: &[Edit::once("if (!has_landed)", "if (!has_landed && tile + 1 < tiles)"), Edit::once(NEXT_WAIT, "")],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "a stage is filled that may still be read",
        edits: &[Edit::once(EMPTY_WAIT, "")],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "the copy unit is not kept behind the loads of the stage that it fills",
        edits: &[Edit::once(FENCE, "")],
        violation: violation!(TensorCopyNotFenced { other_direction: Read, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "the copy unit is kept behind the loads before they are waited for",
        edits: &[Edit::once(EMPTY_WAIT, FENCE), Edit::once(FENCE, EMPTY_WAIT)],
        violation: violation!(TensorCopyNotFenced { other_direction: Read, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "the copy unit is kept behind loads of global memory alone",
        edits: &[Edit::once("fence.proxy.async.shared::cta;", "fence.proxy.async.global;")],
        violation: violation!(TensorCopyNotFenced { other_direction: Read, .. }),
        instruction: COPY,
        seen: Seen::In("mainloop"),
        ..RING
    },
    Bug {
        name: "warps give a stage back before their last loads of it",
        edits: &[
            Edit::once(ARRIVE, ""),
            Edit::once(
                "const int ahead = load + AHEAD,",
                "if (step == 1 && load == 0 && threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * 8);
                const int ahead = load + AHEAD,",
            ),
        ],
        violation: violation!(Race { direction: Write, other_direction: Read, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "the phase before the first is waited for",
        edits: &[Edit::once("unsigned read = 0, filled = 0,", "unsigned read = 0, filled = 1,")],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "the parity does not turn with the ring",
        edits: &[Edit::once(
            "next_filled = next_read == 0 ? filled ^ 1 : filled;",
            "next_filled = filled;",
        )],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "the wait after a try that failed is for the phase before",
        edits: &[Edit::once(
            "if (!has_landed) mbarrier_wait(full + read * 8, filled);",
            "if (!has_landed) mbarrier_wait(full + read * 8, filled ^ 1);",
        )],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "a try that fails is taken for one that succeeds",
        edits: &[Edit::once("if (!has_landed) mbarrier_wait(full + read * 8, filled);", "")],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "the bytes of A alone are expected",
        edits: &[Edit::once(EXPECT, "mbarrier_arrive_expect(landed, TileA::BYTES);")],
        violation: violation!(TensorCopyInFlight { direction: Read, .. }),
        instruction: LDMATRIX,
        ..RING
    },
    Bug {
        name: "more bytes are expected than are copied",
        edits: &[Edit::once(EXPECT, "mbarrier_arrive_expect(landed, STAGE_BYTES + 16);")],
        violation: violation!(MbarrierDeadlock { .. }),
        instruction: WAIT,
        seen: Seen::In("mbarrier_try_wait"),
        ..RING
    },
    Bug {
        name: "every other warp gives its stages back",
        edits: &[Edit::once(ARRIVE, "if (threadIdx.x % 64 == 0) mbarrier_arrive(empty + read * 8);")],
        violation: violation!(MbarrierDeadlock { .. }),
        instruction: WAIT,
        seen: Seen::In("mbarrier_try_wait"),
        ..RING
    },
    Bug {
        name: "every lane gives the stage of its warp back",
        edits: &[Edit::once(ARRIVE, "mbarrier_arrive(empty + read * 8);")],
        violation: violation!(MbarrierDeadlock { .. }),
        instruction: WAIT,
        seen: Seen::In("mbarrier_try_wait"),
        ..RING
    },
    Bug {
        name: "the copy unit is not shown the barriers",
        edits: &[Edit::once("        mbarrier_init_fence();\n", "")],
        violation: violation!(Mbarrier { problem: MbarrierProblem::NotShown { .. }, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "warps do not wait until there are barriers",
        edits: &[Edit::once("copy(tile, tile);\n    }\n    __syncthreads();", "copy(tile, tile);\n    }")],
        violation: violation!(Race { direction: Write, other_direction: Write, .. }),
        instruction: WAIT,
        ..RING
    },
    Bug {
        name: "warps along K share their barriers",
        edits: &[Edit::once("BARRIERS_OFFSET + group * unsigned(sizeof(Barriers))", "BARRIERS_OFFSET")],
        violation: violation!(Mbarrier { problem: MbarrierProblem::InitializedTwice, .. }),
        instruction: "mbarrier.init",
        seen: Seen::In("mbarrier_init"),
        ..GROUPS
    },
    Bug {
        name: "the rings of warps along K overlap",
        edits: &[Edit::once("base + group * STAGES * STAGE_BYTES", "base + group * STAGE_BYTES")],
        violation: violation!(TensorCopyInFlight { direction: Write, .. }),
        instruction: COPY,
        ..GROUPS
    },
    Bug {
        name: "a tile is copied to where no row of a box begins",
        edits: &[Edit::once(
            "global_to_shared<TileA>(to, a,",
            "global_to_shared<TileA>(to + 16, a,",
        )],
        violation: violation!(Misaligned { space: Shared, .. }),
        instruction: COPY,
        ..RING
    },
    Bug {
        name: "a tile is copied over the next one",
        edits: &[Edit::once(
            "global_to_shared<TileB>(to + TileA::BYTES, b,",
            "global_to_shared<TileB>(to, b,",
        )],
        violation: violation!(TensorCopyInFlight { direction: Write, .. }),
        instruction: COPY,
        ..RING
    },
];
