//! The words of PTX, and cutting a line into words.

use std::ops::Range;

/// Every instruction the emulator takes, and some that it does not.
#[rustfmt::skip]
pub const OPCODES: &[&str] = &[
    "abs", "activemask", "add", "addc", "and", "applypriority", "atom", "bar", "barrier", "bfe", "bfi", "bfind",
    "bra", "brev", "brkpt", "brx", "call", "clz", "cnot", "copysign", "cos", "cp", "createpolicy", "cvt", "cvta",
    "discard", "div", "dp2a", "dp4a", "elect", "ex2", "exit", "fence", "fma", "isspacep", "ld", "ldmatrix", "ldu", "lg2", "lop3",
    "mad", "max", "mbarrier", "membar", "min", "mma", "mov", "mul", "mul24", "nanosleep", "neg", "not", "or", "popc",
    "prefetch", "prefetchu", "prmt", "rcp", "red", "rem", "ret", "rsqrt", "sad", "selp", "set", "setp",
    "shf", "shfl", "shl", "shr", "sin", "slct", "sqrt", "st", "stmatrix", "sub", "subc", "tanh", "testp", "trap",
    "vote", "wgmma", "xor",
];

/// Modifiers: types, spaces, roundings, functions, shapes, hints.
#[rustfmt::skip]
pub const MODIFIERS: &[&str] = &[
    // Types.
    "pred", "b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "f16x2", "bf16",
    "bf16x2", "f32", "f64", "tf32", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "s4", "u4", "b128",
    // Spaces.
    "global", "shared", "shared::cta", "local", "param", "const", "to",
    // Rounding, and what else is said of numbers.
    "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz", "sat", "satfinite", "relu", "approx", "full",
    "NaN", "cc", "hi", "lo", "wide", "wrap", "clamp", "l", "r", "shiftamt", "finite", "infinite", "number",
    "notanumber", "normal", "subnormal",
    // Comparisons.
    "eq", "ne", "lt", "le", "gt", "ge", "ls", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
    // Vectors, hints, scopes.
    "v2", "v4", "v8", "nc", "ca", "cg", "cs", "volatile", "relaxed", "acquire", "release", "acq_rel", "gpu", "sys",
    "cta", "cluster", "gl", "sc", "noftz", "L1::no_allocate", "L2::128B", "L2::cache_hint", "fractional",
    // Atomics and reductions.
    "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", "popc",
    // Lanes and warps.
    "sync", "aligned", "warp", "arrive", "red", "up", "down", "bfly", "idx", "all", "any", "uni", "ballot",
    // Matrices and copies.
    "m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m16n8k64", "m8n8k32", "m8n8k4", "m8n8k16", "row", "col", "m8n8", "x1", "x2", "x4",
    "trans", "abs", "L2::evict_last", "async", "commit_group", "wait_group", "wait_all", "proxy",
    // Tensors and mbarriers.
    "bulk", "tensor", "1d", "2d", "3d", "tile", "shared::cluster", "mbarrier::complete_tx::bytes", "tensormap", "init",
    "inval", "expect_tx", "try_wait", "test_wait", "parity", "noComplete", "mbarrier_init",
];

/// Special registers.
#[rustfmt::skip]
pub const SPECIALS: &[&str] = &[
    "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ctaid.x", "%nctaid.z", "%laneid", "%warpid", "%nwarpid",
    "%lanemask_eq", "%lanemask_ge", "%clock", "%clock64", "%globaltimer", "%dynamic_smem_size", "%total_smem_size",
    "%smid", "%gridid", "%tid", "%pm0",
];

/// Integers at which something changes.
#[rustfmt::skip]
pub const INTEGERS: &[u64] = &[
    7, 8, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1024, 2048, 4096, 0x7fff, 0x8000, 0xffff,
    0x1_0000, 232_448, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff, 0x1_0000_0000,
    0x1000_0000_0000, 0x2000_0000_0000, 0x6000_0000_0000, 0x7000_4000_0000, i64::MAX as u64,
    1 << 63, u64::MAX - 15, u64::MAX,
];

/// The entry of a table that a random number stands for.
pub fn pick<T: Copy>(table: &[T], number: u8) -> T {
    table[usize::from(number) % table.len()]
}

fn belongs(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// Where the words of a line are: opcodes with their modifiers, registers, names, numbers.
pub fn words(line: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, byte) in line.bytes().enumerate().filter(|(_, byte)| belongs(*byte)) {
        match out.last_mut() {
            Some(word) if word.end == at && byte != b'%' => word.end += 1,
            _ => out.push(at..at + 1),
        }
    }
    out
}
