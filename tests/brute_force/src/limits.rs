//! What the architectures have, from the CUDA C++ Programming Guide's table of compute
//! capabilities.

use gemm_codegen::Target;

/// A compute capability, major and minor.
pub(super) type Capability = (u32, u32);

/// Shared memory of a block after opting in, in bytes.
///
/// # Panics
/// If the table has no such target.
pub fn shared_bytes(target: Target) -> u64 {
    const KIB: u64 = 1024;
    match target {
        Target::Sm75 => 64 * KIB,
        Target::Sm80 | Target::Sm87 => 163 * KIB,
        Target::Sm86 | Target::Sm89 | Target::Sm120 | Target::Sm121 => 99 * KIB,
        Target::Sm90 | Target::Sm90a | Target::Sm100 | Target::Sm103 | Target::Sm110 => 227 * KIB,
        // The enum may grow; a target without its number here must not pass.
        other => panic!("{other}: its shared memory is not in this table"),
    }
}

/// The 32-bit registers that each thread of a block can have: a block has 64 Ki of them, which
/// are given to warps in units of 256.
pub(super) fn registers(warps: u32) -> u32 {
    let mut units = 0;
    while (units + 1) * 256 * warps <= 64 * 1024 {
        units += 1;
    }
    (units * 256 / 32).min(255)
}
