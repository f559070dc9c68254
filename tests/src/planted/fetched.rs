//! Epilogue tiles that a thread has loaded with what the body reads, and stored: their barriers, from
//! one stage and one tile to the next, and what the copy unit sees of them.

use gemm_emulator::{MbarrierProblem, TensorStoreProblem};

use super::{BASE, Bug, violation};

const STORE: &str = "cp.async.bulk.tensor.2d.global";

/// A tile a block, in two warpgroups.
const TILE: Bug = BASE.golden("wgmma_residual").shape([64, 256, 64]);

/// Two warpgroups that wait for each other at ordered barriers, and have several tiles each.
const ORDERED: Bug = BASE.golden("wgmma_pingpong_residual").shape([256, 512, 64]);

/// Tiles of more passes than there are stages.
const PASSES: Bug = BASE.golden("wgmma_batched_axpby").shape([64, 160, 64]);

const LOADED_WAIT: &str =
    "            mbarrier_wait(ring.loaded_barrier(state.stage), state.phase);\n";
const WRITTEN_WAIT: &str =
    "            mbarrier_wait(ring.written_barrier(state.stage), state.phase);\n";

pub(super) const BUGS: &[Bug] = &[
    TILE.bug("results are written before what the body reads has landed")
        .edit(LOADED_WAIT, "")
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("ld.shared", "stage"),
    TILE.bug("the copy unit may not see the results")
        .edit("            fence_proxy_async();\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::NotFenced { .. })))
        .at_in(STORE, "shared_to_global"),
    TILE.bug("an epilogue tile is stored before the results are there")
        .edit(WRITTEN_WAIT, "")
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in(STORE, "shared_to_global"),
    TILE.bug("one warp of four says that it has written")
        .edit(
            "if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.written_barrier",
            "if (threadIdx.x % 128 == 0) mbarrier_arrive(ring.written_barrier",
        )
        .deadlocks(),
    TILE.bug("more bytes of epilogue tiles are expected than are copied")
        .edit("(loaded, maps.bytes());", "(loaded, maps.bytes() + 16);")
        .deadlocks(),
    TILE.bug("both warpgroups write to the epilogue tiles of the first")
        .edit("epilogue_ring(shared, threadIdx.x / 128);", "epilogue_ring(shared, 0);")
        .finds(violation!(Race { .. }))
        .at_in("ld.shared", "stage"),
    TILE.bug("every thread of a warp has epilogue tiles copied")
        .edit("return threadIdx.x % 32 == 0 && group < STORERS", "return group < STORERS")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::Arrivals { .. }, .. }))
        .at_in("mbarrier.arrive.expect_tx", "mbarrier_arrive_expect"),
    PASSES
        .bug("an epilogue tile is loaded while the copy unit still reads it")
        .edit("            await_reads<0>();\n", "            if (pass < 0) await_reads<0>();\n")
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("cp.async.bulk.tensor", "global_to_tile"),
    PASSES
        .bug("the phase does not flip where the stages of the epilogue wrap")
        .edit("if (++stage == COUNT) stage = 0, phase ^= 1;", "if (++stage == COUNT) stage = 0;")
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("cp.async.bulk.tensor.3d.global", "shared_to_global"),
    ORDERED
        .bug("the thread that copies begins a tile with the phase before")
        .edit(
            "    state.phase ^= 1;  // it went round the stages once more than the passes do\n",
            "",
        )
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in(STORE, "shared_to_global"),
    ORDERED
        .bug("a warpgroup begins each tile at the first stage of the epilogue")
        .edit(
            "        epilogue(acc, epilogue_ring,",
            "        epilogue_state = EpilogueState{0, 0};\n        epilogue(acc, epilogue_ring,",
        )
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("ld.shared", "stage"),
    TILE.shape([64, 260, 64])
        .bug("epilogue tiles of rows that are not whole multiples of 16 bytes are copied")
        .edit(" && cols % OUT_VECTOR == 0;", ";")
        .finds(violation!(OutOfBounds { space: Global, direction: Write, .. }))
        .at_in(STORE, "shared_to_global"),
];
