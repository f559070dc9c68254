//! Copies of tensors, and the barriers that hand their tiles from the copy unit to warps and back.

use gemm_emulator::MbarrierProblem;

use super::{BASE, Bug, WAIT, violation};

const LDMATRIX: &str = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
const COPY: &str = "cp.async.bulk.tensor.2d";

/// Two stages, so that each is filled again soon, two warps of 32 x 48.
const RING: Bug = BASE.golden("tensor_gelu").shape([64, 48, 448]);

/// Four warps along K.
const GROUPS: Bug = BASE.golden("tensor_groups").shape([32, 64, 1280]);

const FIRST_WAIT: &str = "    mbarrier_wait(full, filled);\n";
const NEXT_WAIT: &str =
    "has_landed = mbarrier_try_wait(full + next_read * BARRIER_BYTES, next_filled);";
const EMPTY_WAIT: &str =
    "mbarrier_wait(empty + write * BARRIER_BYTES, read == 0 ? filled ^ 1 : filled);\n";
const FENCE: &str = "fence_proxy_async();\n";
const GLOBAL_FENCE: &str = "asm volatile(\"fence.proxy.async.global;\" ::: \"memory\");\n";
const ARRIVE: &str = "if (threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * BARRIER_BYTES);";
const EXPECT: &str = "mbarrier_arrive_expect(landed, BOXES_BYTES);";

pub(super) const BUGS: &[Bug] = &[
    RING.bug("the copy of the first tile is not waited for")
        .edit(FIRST_WAIT, "")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("the copy of the next tile is not waited for")
        .edit(NEXT_WAIT, "has_landed = true;")
        .finds(violation!(Uninitialized { space: Shared, .. }))
        .at(LDMATRIX),
    RING.bug("the copy after the last tile is not waited for")
        .edit("if (!has_landed)", "if (!has_landed && tile + 1 < tiles)")
        .edit(NEXT_WAIT, "")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at(COPY),
    RING.bug("a stage is filled that may still be read")
        .edit(EMPTY_WAIT, "")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at(COPY),
    RING.bug("no proxy fence between the loads of a stage and the copy that refills it")
        .edit(FENCE, "")
        .finds(violation!(TensorCopyNotFenced { other_direction: Read, .. }))
        .at(COPY),
    RING.bug("the proxy fence precedes the wait for the loads")
        .edit(EMPTY_WAIT, FENCE)
        .edit(FENCE, EMPTY_WAIT)
        .finds(violation!(TensorCopyNotFenced { other_direction: Read, .. }))
        .at(COPY),
    RING.bug("the proxy fence covers global memory only")
        .edit(FENCE, GLOBAL_FENCE)
        .finds(violation!(TensorCopyNotFenced { other_direction: Read, .. }))
        .at_in(COPY, "mainloop"),
    RING.bug("warps give a stage back before their last loads of it")
        .edit(ARRIVE, "")
        .edit(
                "const int ahead = load + AHEAD,",
                "if (step == 1 && load == 0 && threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * BARRIER_BYTES);
                const int ahead = load + AHEAD,",
            )
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at(COPY),
    RING.bug("the phase before the first is waited for")
        .edit("unsigned read = 0, filled = 0,", "unsigned read = 0, filled = 1,")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("the phase does not flip where the ring wraps")
        .edit(
            "next_filled = next_read == 0 ? filled ^ 1 : filled;",
            "next_filled = filled;",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("the wait after a try that failed is for the phase before")
        .edit(
            "if (!has_landed) mbarrier_wait(full + read * BARRIER_BYTES, filled);",
            "if (!has_landed) mbarrier_wait(full + read * BARRIER_BYTES, filled ^ 1);",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("a try that fails is taken for one that succeeds")
        .edit("if (!has_landed) mbarrier_wait(full + read * BARRIER_BYTES, filled);", "")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("the bytes of A alone are expected")
        .edit(EXPECT, "mbarrier_arrive_expect(landed, TileA::BYTES);")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(LDMATRIX),
    RING.bug("more bytes are expected than are copied")
        .edit(EXPECT, "mbarrier_arrive_expect(landed, BOXES_BYTES + 16);")
        .deadlocks(),
    RING.bug("every other warp gives its stages back")
        .edit(ARRIVE, "if (threadIdx.x % 64 == 0) mbarrier_arrive(empty + read * BARRIER_BYTES);")
        .deadlocks(),
    RING.bug("every lane gives the stage of its warp back")
        .edit(ARRIVE, "mbarrier_arrive(empty + read * BARRIER_BYTES);")
        .deadlocks(),
    RING.bug("the copy unit is not shown the barriers")
        .edit("        mbarrier_init_fence();\n", "")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::NotShown { .. }, .. }))
        .at(COPY),
    RING.bug("warps do not wait until there are barriers")
        .edit("copy(tile, tile);\n    }\n    __syncthreads();", "copy(tile, tile);\n    }")
        .finds(violation!(Race { direction: Write, other_direction: Write, .. }))
        .at(WAIT),
    GROUPS.bug("warps along K share their barriers")
        .edit("barriers = shared.barriers[group];", "barriers = shared.barriers[0];")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::InitializedTwice, .. }))
        .at_in("mbarrier.init", "mbarrier_init"),
    GROUPS.bug("the rings of warps along K overlap")
        .edit("(shared.rings[group]));", "(shared.rings[0])) + group * STAGE_BYTES;")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY),
    RING.bug("a tile is copied to where no row of a box begins")
        .edit(
            "global_to_shared<TileA>(to, a,",
            "global_to_shared<TileA>(to + 16, a,",
        )
        .finds(violation!(Misaligned { space: Shared, .. }))
        .at(COPY),
    RING.bug("a tile is copied over the next one")
        .edit(
            "global_to_shared<TileB>(to + TileB::STAGE_OFFSET, b,",
            "global_to_shared<TileB>(to, b,",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY),
];
