//! Blocks of warpgroups that walk over tiles: places in the ring and turns from one tile to the next, and
//! slabs that the copy unit stores.

use gemm_emulator::TensorStoreProblem;

use super::warpgroups::WGMMA;
use super::{BASE, Bug, violation};

const STORE: &str = "cp.async.bulk.tensor.2d.global";

/// Two warpgroups share each tile; the copy unit stores it.
const WALK: Bug = BASE.golden("wgmma_cooperative").shape([384, 512, 320]);

/// They take turns.
const TURNS: Bug = BASE.golden("wgmma_pingpong").shape([512, 512, 192]);

const MAINLOOP: &str = "        mainloop(acc, ring, place, warp, k);\n";

pub(super) const BUGS: &[Bug] = &[
    WALK.bug("the last stage of a tile is not left")
        .edit("    pin(acc);\n    leave(ring, multiplied);\n", "    pin(acc);\n")
        .deadlocks(),
    WALK.bug("the consumers begin each tile at the first stage")
        .edit(
            MAINLOOP,
            "        place = Place{0, 0};\n        mainloop(acc, ring, place, warp, k);\n",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    WALK.shape([384, 512, 64])
        .bug("the producer waits for a phase that has not begun")
        .edit(": Place{unsigned(tiles), 1};", ": Place{unsigned(tiles), 0};")
        .deadlocks(),
    WALK.bug("the copy unit may not see what was staged")
        .edit("        if (boxes) fence_to_copies();\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::NotFenced { .. })))
        .at_in(STORE, "shared_to_global"),
    WALK.bug("a slab is staged that the copy unit still reads")
        .edit(
            "            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
",
            "",
        )
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("st.shared", "stage"),
    WALK.bug("a block ends before the copy unit has read its slabs")
        .edit(
            "    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block\n}",
            "}",
        )
        .finds(violation!(TensorStore(TensorStoreProblem::Left)))
        .at("ret"),
    WALK.bug("a slab is stored before all warps have staged")
        .edit("        group_sync();  // which also says that the slab before has been read\n", "")
        .finds(violation!(Uninitialized { space: Shared, .. }))
        .at_in(STORE, "shared_to_global"),
    WALK.bug("warps stage before the copy unit has read, which one thread alone knows")
        .edit("        if (boxes || pass == 0) group_sync();  // the slab has been read\n", "")
        .finds(violation!(TensorStore(TensorStoreProblem::Overwritten { .. })))
        .at_in("st.shared", "stage"),
    WALK.shape([128, 260, 64])
        .bug("the copy unit stores rows that are not whole multiples of 16 bytes")
        .edit("ALIGN_out == 16 && cols % OUT_VECTOR == 0", "ALIGN_out == 16")
        .finds(violation!(OutOfBounds { space: Global, direction: Write, .. }))
        .at_in(STORE, "shared_to_global"),
    TURNS
        .bug("a warpgroup does not wait for its turn")
        .edit("        await_turn(group);\n", "")
        .finds(violation!(BadBarrier { .. }))
        .at_in("bar.arrive", "give_turn"),
    TURNS
        .bug("nobody gives the first turn")
        .edit("        give_turn(0);\n", "")
        .deadlocks(),
    TURNS
        .bug("a warpgroup takes the other's stages")
        .edit(
            "        tiles.skip(), place.skip(tiles_of(k));  // which",
            "        tiles.skip();  // which",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
];
