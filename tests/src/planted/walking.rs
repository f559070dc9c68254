//! Blocks of warpgroups that walk over tiles: stages of the ring and ordered barriers from one tile to
//! the next, and epilogue tiles that the copy unit stores.

use gemm_emulator::TensorStoreProblem;

use super::warpgroups::WGMMA;
use super::{BASE, Bug, violation};

const STORE: &str = "cp.async.bulk.tensor.2d.global";

/// Two warpgroups share each tile; the copy unit stores it.
const WALK: Bug = BASE.golden("wgmma_cooperative").shape([384, 512, 320]);

/// They wait for each other at ordered barriers.
const ORDERED: Bug = BASE.golden("wgmma_pingpong").shape([512, 512, 192]);

const MAINLOOP: &str = "        mainloop(acc, ring, state, warpgroup, k);\n";

pub(super) const BUGS: &[Bug] = &[
    WALK.bug("the last stage of a tile is not released")
        .edit("    consumer_release(ring, last);\n", "")
        .deadlocks(),
    WALK.bug("the consumers begin each tile at the first stage")
        .edit(
            MAINLOOP,
            "        state = RingState{0, 0};\n        mainloop(acc, ring, state, warpgroup, k);\n",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    WALK.shape([384, 512, 64])
        .bug("the producer waits for a phase that has not begun")
        .edit(": RingState{unsigned(tiles), 1};", ": RingState{unsigned(tiles), 0};")
        .deadlocks(),
    WALK.bug("the copy unit may not see what was staged")
        .edit("        if (boxes) fence_proxy_async();\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::NotFenced { .. })))
        .at_in(STORE, "shared_to_global"),
    WALK.bug("an epilogue tile is staged that the copy unit still reads")
        .edit(
            "            if (pass > 0 || EVEN) await_reads<EPILOGUE_TILES - 1>();
            else await_reads<0>();
",
            "",
        )
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("st.shared", "stage"),
    WALK.bug("a block ends before the copy unit has read its epilogue tiles")
        .edit(
            "    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block\n}",
            "}",
        )
        .finds(violation!(TensorStore(TensorStoreProblem::Left)))
        .at("ret"),
    WALK.bug("an epilogue tile is stored before all warps have staged")
        .edit("        warpgroup_sync();  // which also says that the tile before has been read\n", "")
        .finds(violation!(Uninitialized { space: Shared, .. }))
        .at_in(STORE, "shared_to_global"),
    WALK.bug("warps stage before the copy unit has read, which one thread alone knows")
        .edit("        if (boxes || pass == 0) warpgroup_sync();  // the epilogue tile has been read\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("st.shared", "stage"),
    WALK.shape([128, 260, 64])
        .bug("the copy unit stores rows that are not whole multiples of 16 bytes")
        .edit("sizeof(Out)) == 16 && cols % OUT_VECTOR == 0", "sizeof(Out)) == 16")
        .finds(violation!(OutOfBounds { space: Global, direction: Write, .. }))
        .at_in(STORE, "shared_to_global"),
    ORDERED
        .bug("a warpgroup does not wait at its ordered barrier")
        .edit("        ordered_barrier_wait(group);\n", "")
        .finds(violation!(BadBarrier { .. }))
        .at_in("bar.arrive", "ordered_barrier_arrive"),
    ORDERED
        .bug("no warpgroup arrives at the first ordered barrier")
        .edit("        ordered_barrier_arrive(0);\n", "")
        .deadlocks(),
    ORDERED
        .bug("a warpgroup takes the other's stages")
        .edit(
            "        tiles.advance(), skip(state, k_tiles(k));  // which",
            "        tiles.advance();  // which",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
];
