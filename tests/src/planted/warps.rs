//! Warp-wide instructions that not all lanes execute, or with wrong members.

use gemm_emulator::WarpProblem;

use super::{BASE, Bug, violation};

const WARP: &str = "const int number = threadIdx.x / 32;";

pub(super) const BUGS: &[Bug] = &[
    BASE.bug("fragments are loaded by some lanes only")
        .edit("        ldmatrix_x4<Tile>(\n", "        if (line < 7) ldmatrix_x4<Tile>(\n")
        .finds(violation!(Warp(WarpProblem::InactiveLanes {
            needed: u32::MAX,
            active: 0x7f7f_7f7f
        })))
        .at("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    BASE.bug("atoms are multiplied by some lanes only")
        .edit(
            "            mma_atom(acc[i][j], ",
            "            if (threadIdx.x % 32 < 16) mma_atom(acc[i][j], ",
        )
        .finds(violation!(Warp(WarpProblem::InactiveLanes { needed: u32::MAX, active: 0xffff })))
        .at("mma.sync.aligned.m16n8k16"),
    BASE.bug("a shuffle whose mask leaves out lanes that execute it")
        .edit(WARP, "const int number = __shfl_sync(0xffff, threadIdx.x / 32, 0);")
        .finds(violation!(Warp(WarpProblem::NotAMember { members: 0xffff })))
        .at("shfl.sync.idx.b32"),
    BASE.bug("a shuffle whose mask names lanes that do not come")
        .edit(
            WARP,
            "int number = threadIdx.x / 32;
    if (threadIdx.x % 2 == 0) number = __shfl_sync(0xffffffff, number, 0);",
        )
        .finds(violation!(Warp(WarpProblem::InactiveLanes {
            needed: u32::MAX,
            active: 0x5555_5555
        })))
        .at("shfl.sync.idx.b32"),
    BASE.bug("a shuffle from a lane that takes no part")
        .edit(
            WARP,
            "int number = threadIdx.x / 32;
    if (threadIdx.x % 2 == 0) number = __shfl_sync(0x55555555, number, 1);",
        )
        .finds(violation!(Warp(WarpProblem::ShuffleSource { lane: 1 })))
        .at("shfl.sync.idx.b32"),
    BASE.bug("the kernel stops itself")
        .edit(
            "const Block block = raster(m, n, int(blockIdx.x));",
            "const Block block = raster(m, n, int(blockIdx.x));\n    if (k > 100) __trap();",
        )
        .finds(violation!(Trap))
        .at("trap"),
];
