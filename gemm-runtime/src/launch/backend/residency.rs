//! How many blocks of a kernel that starts before its predecessor has ended run on an SM.
//!
//! Its blocks take the room that those of the predecessor leave. Where all of them fit next to these, each SM gets its share
//! at once. Where some fit, the others go to the SMs whose blocks end first: these then have more than their share, and the
//! kernel takes as long as they do. Measured on an H200: one token by packed int4 of 8192 × 28672, 256 blocks where
//! an SM has room for three, took 44.3 µs, and 34.2 where no SM holds more than two.

use gemm_codegen::auto::Machine;

/// Shared memory is given to blocks in multiples of this many bytes (CUDA occupancy calculator, "shared memory
/// allocation unit size").
const UNIT: u32 = 128;

/// The shared memory, in bytes, of each of `blocks` blocks that start early and need `own`; `fitting` of them fit an SM.
/// It is more than they need where an SM shall hold no more than its share of them.
pub(super) fn shared_bytes(own: u32, fitting: u32, blocks: u32, machine: &Machine) -> u32 {
    let share = blocks.div_ceil(machine.processors.max(1));
    if fitting <= share || fitting >= 2 * share {
        return own;
    }
    let limits = machine.target.limits();
    let of_share = limits.shared_bytes_per_sm / share;
    let most = of_share.saturating_sub(limits.reserved_shared_bytes_per_block);
    own.max(most.min(limits.shared_bytes_per_block) / UNIT * UNIT)
}

#[cfg(test)]
mod tests {
    use gemm_codegen::Target;

    use super::*;

    /// Of 132 SMs, each with 228 KiB.
    const MACHINE: Machine =
        Machine { target: Target::Sm90, processors: 132, clock: 1.98e9, memory: 4.8e12 };

    #[test]
    fn an_sm_holds_no_more_than_its_share_where_not_all_blocks_fit_beside_a_predecessor() {
        // Blocks of 66 KiB, three on an SM; with 113 KiB and the reserved one there are two.
        let own = 66 << 10;
        assert_eq!(shared_bytes(own, 3, 256, &MACHINE), 113 << 10);
        assert_eq!(shared_bytes(own, 3, 133, &MACHINE), 113 << 10);
        // One on each SM beside one of the predecessor, and more than fit at a time.
        for blocks in [1, 128, 132, 265, 448] {
            assert_eq!(shared_bytes(own, 3, blocks, &MACHINE), own, "{blocks}");
        }
        // Four fit beside four.
        assert_eq!(shared_bytes(20 << 10, 8, 512, &MACHINE), 20 << 10);
        assert_eq!(shared_bytes(20 << 10, 7, 512, &MACHINE), 56 << 10);
    }

    #[test]
    fn as_many_blocks_fit_with_it_as_the_share() {
        let limits = MACHINE.target.limits();
        for share in 2..=16 {
            let bytes = shared_bytes(1024, share + 1, share * MACHINE.processors, &MACHINE);
            let of_block = bytes + limits.reserved_shared_bytes_per_block;
            assert_eq!(limits.shared_bytes_per_sm / of_block, share);
            assert!(bytes.is_multiple_of(UNIT));
        }
    }
}
