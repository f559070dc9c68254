//! The PTX that is kept of generated kernels: for the tests that run it, and for the example that writes it.

use std::path::{Path, PathBuf};

/// The versions whose texts are kept.
pub(crate) const VERSIONS: [&str; 4] = ["12.4", "12.9", "13.1", "13.5"];

/// A kernel out(M, N) = a(M, K) * b(K, N) of `tests/goldens`, and how to launch it.
pub(crate) struct Kernel {
    /// The golden.
    pub(crate) golden: &'static str,
    /// The file of its PTX.
    pub(crate) file: &'static str,
    /// What the text says of alignments, and what it is compiled with.
    pub(crate) alignments: &'static [(&'static str, &'static str)],
    /// Target of the oldest version, and of the others.
    pub(crate) targets: [&'static str; 2],
    /// Rows and columns of a block's part of the output.
    pub(crate) tile: [usize; 2],
    /// Of a block.
    pub(crate) threads: u32,
    /// Of a block.
    pub(crate) shared_bytes: u32,
    /// Operands are bf16 and the output is f32; else all are f16.
    pub(crate) bfloat: bool,
    /// Elements that the distance of rows is a multiple of.
    pub(crate) align: usize,
}

const SMALL_TILE: Kernel = Kernel {
    golden: "small_tile",
    file: "small_tile.ptx",
    alignments: &[],
    targets: ["sm_80", "sm_80"],
    tile: [32, 16],
    threads: 32,
    shared_bytes: 6144,
    bfloat: false,
    align: 8,
};

/// The kernels whose texts are kept.
pub(crate) const KERNELS: [Kernel; 3] = [
    SMALL_TILE,
    Kernel {
        file: "small_tile.unaligned.ptx",
        alignments: &[
            ("ALIGN_a = 16;", "ALIGN_a = 2;"),
            ("ALIGN_b = 16;", "ALIGN_b = 2;"),
            ("ALIGN_out = 16;", "ALIGN_out = 2;"),
        ],
        targets: ["sm_90", "sm_90"],
        align: 1,
        ..SMALL_TILE
    },
    Kernel {
        golden: "atom_m16n8k8",
        file: "atom_m16n8k8.ptx",
        targets: ["sm_90", "sm_120"],
        tile: [64, 64],
        threads: 128,
        shared_bytes: 24576,
        bfloat: true,
        ..SMALL_TILE
    },
];

/// Where the texts of one version are.
pub(crate) fn folder(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(format!("nvrtc-{version}"))
}
