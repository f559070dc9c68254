//! What the architectures have, from the CUDA C++ Programming Guide's table of compute
//! capabilities.

use gemm_codegen::Target;

/// A compute capability, major and minor.
pub(super) type Capability = (u32, u32);

/// Shared memory of a block after opting in, in bytes.
pub(super) fn shared_bytes(target: Target) -> u64 {
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

pub(crate) mod tests {
    use super::*;

    self_tests!(the_generator_has_the_same_limits);

    fn the_generator_has_the_same_limits() {
        for target in Target::ALL {
            let limit = target.limits().shared_bytes_per_block;
            assert_eq!(u64::from(limit), shared_bytes(target), "{target}");
        }
    }
}
