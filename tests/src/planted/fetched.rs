//! Slabs that movers fill with what the body reads, and store: their barriers, from one place and one
//! tile to the next, and what the copy unit may see of them.

use gemm_emulator::{MbarrierProblem, TensorStoreProblem};

use super::{BASE, Bug, violation};

const STORE: &str = "cp.async.bulk.tensor.2d.global";

/// A tile a block, in two warpgroups.
const TILE: Bug = BASE.golden("wgmma_residual").shape([64, 256, 64]);

/// Two warpgroups that take turns, and have several tiles each.
const TURNS: Bug = BASE.golden("wgmma_pingpong_residual").shape([256, 512, 64]);

/// Tiles of more passes than there are places.
const PASSES: Bug = BASE.golden("wgmma_batched_axpby").shape([64, 160, 64]);

const FETCHED_WAIT: &str =
    "            mbarrier_wait(slabs.fetched + place.number * 8, place.parity);\n";
const WRITTEN_WAIT: &str =
    "            mbarrier_wait(slabs.written + place.number * 8, place.parity);\n";

pub(super) const BUGS: &[Bug] = &[
    TILE.bug("results are written before what the body reads has landed")
        .edit(FETCHED_WAIT, "")
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("ld.shared", "stage"),
    TILE.bug("the copy unit may not see the results")
        .edit("            fence_to_copies();\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::NotFenced { .. })))
        .at_in(STORE, "shared_to_global"),
    TILE.bug("a slab is stored before the results are there")
        .edit(WRITTEN_WAIT, "")
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in(STORE, "shared_to_global"),
    TILE.bug("one warp of four says that it has written")
        .edit(
            "if (threadIdx.x % 32 == 0) mbarrier_arrive(slabs.written",
            "if (threadIdx.x % 128 == 0) mbarrier_arrive(slabs.written",
        )
        .deadlocks(),
    TILE.bug("movers expect more than they bring")
        .edit("PLACE * sizeof(Staged));", "PLACE * sizeof(Staged) + 16);")
        .deadlocks(),
    TILE.bug("both warpgroups write to the slabs of the first")
        .edit("const Slabs slabs(shared, threadIdx.x / 128);", "const Slabs slabs(shared, 0);")
        .finds(violation!(Race { .. }))
        .at_in("ld.shared", "stage"),
    TILE.bug("every thread of a warp moves slabs")
        .edit("return threadIdx.x % 32 == 0 && group < MOVERS", "return group < MOVERS")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::Arrivals { .. }, .. }))
        .at_in("mbarrier.arrive.expect_tx", "mbarrier_arrive_expect"),
    PASSES
        .bug("a slab is filled while the copy unit still reads it")
        .edit("            await_reads<0>();\n", "            if (pass < 0) await_reads<0>();\n")
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("cp.async.bulk.tensor", "global_to_slab"),
    PASSES
        .bug("the parity of no place turns with the places")
        .edit(
            "if (++number == PLACES) number = 0, parity ^= 1;",
            "if (++number == PLACES) number = 0;",
        )
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("cp.async.bulk.tensor.3d.global", "shared_to_global"),
    TURNS
        .bug("the mover begins a tile with a parity that has gone round once too often")
        .edit(
            "    place.parity ^= 1;  // it has gone round once more than the places were filled\n",
            "",
        )
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in(STORE, "shared_to_global"),
    TURNS
        .bug("a warpgroup begins each tile at the first place")
        .edit(
            "        epilogue(acc, slabs, slab,",
            "        slab = SlabPlace{0, 0};\n        epilogue(acc, slabs, slab,",
        )
        .finds(violation!(TensorCopyInFlight { .. }))
        .at_in("ld.shared", "stage"),
    TILE.shape([64, 260, 64])
        .bug("slabs of rows that are not whole multiples of 16 bytes are moved")
        .edit(" && cols % OUT_VECTOR == 0;", ";")
        .finds(violation!(OutOfBounds { space: Global, direction: Write, .. }))
        .at_in(STORE, "shared_to_global"),
];
