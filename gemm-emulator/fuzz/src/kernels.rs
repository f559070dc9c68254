//! The kernels that are edited.
//!
//! The PTX that NVRTC 13.1 makes of the golden `small_tile`, of `gemm-emulator/tests/kernels/warps.cu` and
//! `faults.cu` and of a few functions, and two texts written by hand that have every form of instruction.

/// A kernel with a launch that it takes.
#[derive(Debug)]
pub struct Kernel {
    pub entry: &'static str,
    /// The whole text without the other kernels of it.
    pub text: String,
    pub threads: u32,
    pub shared_bytes: u32,
    pub arguments: &'static [Argument],
}

/// The argument of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    Word(u32),
    Long(u64),
    /// The address of this one of [`BUFFERS`] allocations.
    Buffer(u8),
    /// A structure of this many bytes.
    Structure(usize),
    /// A map of a buffer as 16 rows of 32 halves; a copy takes 8 rows of 16.
    Map(u8),
}

/// Allocations in global memory, of [`BUFFER_BYTES`] bytes each.
pub const BUFFERS: u8 = 3;
/// Enough for every kernel here on 64 threads.
pub const BUFFER_BYTES: u64 = 4096;

struct File {
    text: &'static str,
    entries: &'static [&'static str],
    threads: u32,
    shared_bytes: u32,
    arguments: &'static [Argument],
}

use Argument::{Buffer, Long, Map, Structure, Word};

/// A 20x16x40 problem: with a tail along m and k.
#[rustfmt::skip]
const GEMM: &[Argument] = &[
    Word(20), Word(16), Word(40), Buffer(0), Long(40), Buffer(1), Long(16), Buffer(2), Long(16),
];

const FILES: &[File] = &[
    File {
        text: include_str!("../kernels/every_instruction.ptx"),
        entries: &["every_instruction"],
        threads: 32,
        shared_bytes: 0,
        arguments: &[Buffer(0), Buffer(1), Word(3), Structure(16)],
    },
    File {
        text: include_str!("../kernels/small_tile.sm_80.ptx"),
        entries: &["small_tile_ead16d9e7279ede6"],
        threads: 32,
        shared_bytes: 6144,
        arguments: GEMM,
    },
    File {
        text: include_str!("../../tests/fixtures/warps.sm_80.ptx"),
        entries: &[
            "loops_of_each_lane",
            "branches",
            "calls",
            "votes",
            "block_votes",
            "half_warps",
            "atomics",
        ],
        threads: 64,
        shared_bytes: 0,
        arguments: &[Buffer(0), Buffer(1), Word(0)],
    },
    File {
        text: include_str!("../kernels/mistakes.sm_80.ptx"),
        entries: &[
            "shared_index",
            "local_index",
            "async_copy",
            "async_sizes",
            "matrix_rows",
            "barrier_in_branch",
            "endless",
        ],
        threads: 32,
        shared_bytes: 0,
        arguments: &[Buffer(0), Buffer(1), Word(0)],
    },
    File {
        text: include_str!("../kernels/mistakes.sm_80.ptx"),
        entries: &["parameter_index"],
        threads: 32,
        shared_bytes: 0,
        arguments: &[Structure(16), Buffer(1), Word(0)],
    },
    File {
        text: include_str!("../kernels/functions.sm_90.ptx"),
        entries: &["exponential", "modulo", "through_double", "directed", "to_integers"],
        threads: 32,
        shared_bytes: 0,
        arguments: &[Buffer(0), Buffer(1), Buffer(2), Word(20)],
    },
    File {
        text: include_str!("../kernels/tensors.ptx"),
        entries: &["tensors"],
        threads: 32,
        shared_bytes: 0,
        arguments: &[Map(0), Buffer(1)],
    },
];

/// Every kernel.
pub fn all() -> &'static [Kernel] {
    static ALL: std::sync::OnceLock<Vec<Kernel>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| FILES.iter().flat_map(kernels_of).collect())
}

fn kernels_of(file: &'static File) -> impl Iterator<Item = Kernel> {
    let &File { text, entries, threads, shared_bytes, arguments } = file;
    entries.iter().map(move |entry| Kernel {
        entry,
        text: alone(text, entry),
        threads,
        shared_bytes,
        arguments,
    })
}

/// The text without the kernels of other names. A kernel ends at the brace in the first column.
fn alone(text: &str, entry: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(".visible .entry ") {
            skipping = rest.trim_end_matches('(') != entry;
        }
        if !skipping {
            out += line;
            out.push('\n');
        }
        skipping &= line != "}";
    }
    out
}
