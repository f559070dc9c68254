//! [`Occupancy`]: how many blocks run on an SM at a time, and what bounds that.

use crate::hardware::{REGISTER_UNIT_PER_WARP, REGISTERS_PER_SM, Target, WARP};

/// How many blocks fit an SM by each of its limits; the least of them run at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// By the registers of an SM.
    pub by_registers: u32,
    /// By the shared memory of an SM.
    pub by_shared_memory: u32,
    /// By the threads that are resident on an SM.
    pub by_threads: u32,
    /// By the blocks that are resident on an SM.
    pub by_blocks: u32,
}

impl Occupancy {
    /// That of blocks of this number of threads and bytes of shared memory.
    pub(crate) fn new(
        target: Target,
        threads: u32,
        shared_bytes: u32,
        registers: u32,
    ) -> Occupancy {
        let limits = target.limits();
        let warp_registers = (registers * WARP).next_multiple_of(REGISTER_UNIT_PER_WARP);
        let block_registers = warp_registers * (threads / WARP);
        let block_shared = shared_bytes + limits.reserved_shared_bytes_per_block;
        Occupancy {
            by_registers: REGISTERS_PER_SM / block_registers.max(1),
            by_shared_memory: limits.shared_bytes_per_sm / block_shared.max(1),
            by_threads: limits.threads_per_sm / threads.max(1),
            by_blocks: limits.blocks_per_sm,
        }
    }

    /// Blocks that run on an SM at a time.
    pub fn blocks_per_sm(self) -> u32 {
        self.named().map(|(_, blocks)| blocks).into_iter().fold(u32::MAX, u32::min)
    }

    /// The limits that bind: those by which no more blocks fit.
    pub fn binding(self) -> Vec<&'static str> {
        let least = self.blocks_per_sm();
        let binding = self.named().into_iter().filter(|(_, blocks)| *blocks == least);
        binding.map(|(name, _)| name).collect()
    }

    fn named(self) -> [(&'static str, u32); 4] {
        [
            ("registers", self.by_registers),
            ("shared memory", self.by_shared_memory),
            ("resident threads", self.by_threads),
            ("resident blocks", self.by_blocks),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_binds() {
        // 65,536 registers and 164 KiB of shared memory on an SM of sm_80, 1 KiB of it reserved for each block.
        let of = |threads, shared, registers| {
            let occupancy = Occupancy::new(Target::Sm80, threads, shared, registers);
            (occupancy.blocks_per_sm(), occupancy.binding())
        };
        assert_eq!(of(128, 32_768, 64), (4, vec!["shared memory"]));
        assert_eq!(of(256, 16_384, 128), (2, vec!["registers"]));
        assert_eq!(of(1024, 1024, 32), (2, vec!["registers", "resident threads"]));
        assert_eq!(of(32, 0, 16), (32, vec!["resident blocks"]));
    }
}
