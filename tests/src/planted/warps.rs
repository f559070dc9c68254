//! Warp-wide instructions that not all lanes execute, or with wrong members.

use super::{BASE, Bug, Edit, Seen, violation};

const WARP: &str = "const int number = threadIdx.x / 32;";

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "fragments are loaded by some lanes only",
        edits: &[Edit::once(
            "        ldmatrix_x4<Tile>(\n",
            "        if (line < 7) ldmatrix_x4<Tile>(\n",
        )],
        violation: violation!(InactiveLanes { needed: u32::MAX, active: 0x7f7f_7f7f }),
        instruction: "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        ..BASE
    },
    Bug {
        name: "atoms are multiplied by some lanes only",
        edits: &[Edit::once(
            "            mma_atom(acc[i][j], ",
            "            if (threadIdx.x % 32 < 16) mma_atom(acc[i][j], ",
        )],
        violation: violation!(InactiveLanes { needed: u32::MAX, active: 0xffff }),
        instruction: "mma.sync.aligned.m16n8k16",
        ..BASE
    },
    Bug {
        name: "a shuffle whose mask leaves out lanes that execute it",
        edits: &[Edit::once(WARP, "const int number = __shfl_sync(0xffff, threadIdx.x / 32, 0);")],
        violation: violation!(NotAMember { members: 0xffff }),
        instruction: "shfl.sync.idx.b32",
        ..BASE
    },
    Bug {
        name: "a shuffle whose mask names lanes that do not come",
        edits: &[Edit::once(
            WARP,
            "int number = threadIdx.x / 32;
    if (threadIdx.x % 2 == 0) number = __shfl_sync(0xffffffff, number, 0);",
        )],
        violation: violation!(InactiveLanes { needed: u32::MAX, active: 0x5555_5555 }),
        instruction: "shfl.sync.idx.b32",
        ..BASE
    },
    Bug {
        name: "a shuffle from a lane that takes no part",
        edits: &[Edit::once(
            WARP,
            "int number = threadIdx.x / 32;
    if (threadIdx.x % 2 == 0) number = __shfl_sync(0x55555555, number, 1);",
        )],
        violation: violation!(ShuffleSource { lane: 1 }),
        instruction: "shfl.sync.idx.b32",
        ..BASE
    },
    Bug {
        name: "the kernel stops itself",
        edits: &[Edit::once(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "const Block block = raster(m, n, int(blockIdx.x));\n    if (k > 100) __trap();",
        )],
        violation: violation!(Trap),
        instruction: "trap",
        seen: Seen::Planted,
        ..BASE
    },
];
