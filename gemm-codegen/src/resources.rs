//! What a block takes from an SM: shared memory and registers, and how many blocks fit.

mod fewer_registers;

pub(crate) use self::fewer_registers::Pending;
use self::fewer_registers::{smaller, smaller_tilings};
use crate::axis::{Axis, PerSide};
use crate::field::Field;
use crate::form::Form;
use crate::hardware::Target;
use crate::help::{Edit, Values};
use crate::level::shared_tile;
use crate::level::warps::Warps;
use crate::occupancy::Occupancy;
use crate::registers::{Registers, registers_of};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Mma, Walk};

/// The shared memory of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedMemory {
    /// Bytes of the ring of stages.
    pub ring_bytes: u32,
    /// Bytes the epilogue stages at a time.
    pub staging_bytes: u32,
    /// Bytes of the sums that other blocks of a cluster leave where the ring is, which is idle by
    /// then.
    pub received_bytes: u32,
    /// Whether it stages beside the ring, which is filled for the next tile meanwhile; else where the
    /// ring is, which is idle by then.
    pub apart: bool,
    /// Bytes of the barriers of tensor copies, after all of them.
    pub barrier_bytes: u32,
}

impl SharedMemory {
    /// Bytes of a block.
    pub fn bytes(&self) -> u32 {
        let SharedMemory { ring_bytes, staging_bytes, received_bytes, apart, barrier_bytes } =
            *self;
        let tiles = match apart {
            true => ring_bytes + staging_bytes,
            false => ring_bytes.max(staging_bytes).max(received_bytes),
        };
        tiles + barrier_bytes
    }
}

/// Bytes of one stage: a tile of A and one of B, transposed by their copies or not.
pub(crate) fn stage_bytes(
    [m, n, k]: [u32; 3],
    element_bits: [u32; 2],
    transposed: PerSide<bool>,
) -> u64 {
    let column = |mn, transposed| if transposed { shared_tile::column(mn, k) } else { mn };
    let [m, n] = [column(m, transposed.a), column(n, transposed.b)].map(u64::from);
    let [a, b] = element_bits.map(u64::from);
    (m * a + n * b) * u64::from(k) / 8
}

/// Proves that the ring fits a block of every target, beside the bytes that are staged `apart` from it,
/// and returns its own. A part of each stage are scales.
pub(crate) fn ring_fits(
    stages: u32,
    (stage_bytes, scales): (u64, u64),
    apart: u32,
    targets: &[Target],
) -> Result<u32, Vec<Diagnostic>> {
    let bytes = u64::from(stages) * stage_bytes;
    let Some((target, limit)) = too_small(bytes + u64::from(apart), targets) else {
        // A spec without targets is refused for that; its tile is bounded all the same, since it is
        // enumerated.
        let limits = Target::ALL.map(|target| target.limits().shared_bytes_per_block);
        return u32::try_from(bytes)
            .ok()
            .filter(|bytes| limits.iter().any(|limit| bytes <= limit))
            .ok_or_else(Vec::new);
    };
    let most = u64::from(limit.saturating_sub(apart)) / stage_bytes;
    let scales = if scales == 0 { String::new() } else { format!(" ({scales} B of scales)") };
    let staged = if apart == 0 { String::new() } else { format!(" and {apart} B for the output") };
    let bytes = bytes + u64::from(apart);
    let help = match most {
        0 | 1 => "use a smaller block tile, so that 2 stages fit",
        _ => "use a smaller block tile",
    };
    let fewer = [most, 4, 3, 2].into_iter().filter(|stages| (2..=most).contains(stages));
    let fewer = fewer.map(|stages| Edit::Stages(stages as u32));
    let broken = Diagnostic::new(
        Rule::SharedMemoryFits,
        Field::Stages,
        format!(
            "{stages} {} of {stage_bytes} B{scales}{staged} {} {bytes} B of shared memory, but a block on \
             {target} has {limit} B",
            if stages == 1 { "stage" } else { "stages" },
            if stages == 1 && staged.is_empty() { "needs" } else { "need" },
        ),
        help,
    );
    Err(vec![broken.naming(Values::one(fewer, ", or a smaller block tile"))])
}

/// Bytes that the ring and its barriers leave a block of every target.
pub(crate) fn room(ring: SharedMemory, targets: &[Target]) -> u32 {
    let limits = targets.iter().map(|target| target.limits().shared_bytes_per_block);
    limits.min().map_or(0, |limit| limit.saturating_sub(ring.ring_bytes + ring.barrier_bytes))
}

/// Proves that the epilogue's staging fits a block of every target.
pub(crate) fn staging_fits(
    shared: SharedMemory,
    targets: &[Target],
) -> Result<SharedMemory, Vec<Diagnostic>> {
    let ring = if shared.apart { shared.ring_bytes } else { 0 };
    let bytes = ring + shared.staging_bytes + shared.barrier_bytes;
    let Some((target, limit)) = too_small(u64::from(bytes), targets) else {
        return Ok(shared);
    };
    Err(vec![Diagnostic::new(
        Rule::SharedMemoryFits,
        Field::Tile(Axis::N),
        format!(
            "staging the output, one row of atoms per warp, needs {bytes} B of shared memory, but a block on \
             {target} has {limit} B"
        ),
        "use a smaller block tile",
    )])
}

/// The target with the least shared memory for a block, if that is less than `bytes`.
fn too_small(bytes: u64, targets: &[Target]) -> Option<(Target, u32)> {
    let limits = targets.iter().map(|t| (*t, t.limits().shared_bytes_per_block));
    limits.min_by_key(|(_, limit)| *limit).filter(|(_, limit)| bytes > u64::from(*limit))
}

/// Proves that the registers of a thread fit, whose warp loads `fragments` of A and of B in a k-step.
pub(crate) fn registers_fit(
    warps: &Warps,
    walk: Option<Walk>,
    mma: Mma,
    (accumulator, pending): (Accumulator, Pending),
    fragments: [u32; 2],
    (form, copies): (Form, u32),
) -> Result<Registers, Vec<Diagnostic>> {
    let sums = registers_of(warps.tile[0] * warps.tile[1] / warps.warps, accumulator.bits());
    let threads = Walk::tiles_at_a_time(walk) * warps.threads;
    let mut registers = form.registers(sums, fragments, copies, threads);
    registers.addresses += Walk::registers(walk);
    registers.promoted = pending.registers();
    if registers.fit() {
        return form.check_instruction(warps.tile, threads).map(|()| registers);
    }
    let Registers { fragments, addresses, copies, limit, .. } = registers;
    let accumulators = registers.sums();
    let copied = if copies == 0 { String::new() } else { format!("{copies} copy, ") };
    let otherwise = pending.otherwise(&registers);
    let values = Values::one(smaller_tilings(warps, mma, accumulator), otherwise.clone());
    let broken = Diagnostic::new(
        Rule::RegistersFit,
        Field::Tile(Axis::M),
        format!(
            "a {} x {} warp tile needs {accumulators} accumulator{}, {copied}{fragments} fragment \
             and {addresses} address registers per thread, but the limit in a block of {} threads \
             is {limit}",
            warps.tile[0],
            warps.tile[1],
            pending.words(),
            warps.threads
        ),
        smaller(warps, mma, accumulator) + &otherwise,
    );
    Err(vec![broken.naming(values)])
}

/// Blocks that run on one SM of `target` at a time, whose threads have `registers` each.
pub(crate) fn blocks_per_sm(
    target: Target,
    threads: u32,
    shared_bytes: u32,
    registers: u32,
) -> u32 {
    Occupancy::new(target, threads, shared_bytes, registers).blocks_per_sm()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::form::ByThreads;
    use crate::level::warps;

    const COPIES: (Form, u32) = (Form::Warps(ByThreads::CpAsync), 0);

    fn fits(bytes: u32, targets: &[Target]) -> bool {
        let shared = SharedMemory { staging_bytes: bytes, ..SharedMemory::default() };
        let ring = ring_fits(2, (u64::from(bytes / 2), 0), 0, targets).is_ok();
        assert_eq!(ring, staging_fits(shared, targets).is_ok());
        ring
    }

    #[test]
    fn a_block_with_all_shared_memory_runs() {
        for target in Target::ALL {
            let all = target.limits().shared_bytes_per_block;
            let registers = Registers::new(64, 16, 0, 256);
            assert_eq!(blocks_per_sm(target, 256, all, registers.estimate()), 1, "{target}");
        }
    }

    #[test]
    fn shared_memory_at_the_limit_of_each_target() {
        for target in Target::ALL {
            let limit = target.limits().shared_bytes_per_block;
            assert!(fits(limit, &[target]), "{target}");
            assert!(!fits(limit + 16, &[target]), "{target}");
        }
        assert!(!fits(120_000, &[Target::Sm80, Target::Sm86]));
        assert!(fits(120_000, &[Target::Sm80, Target::Sm90]));
    }

    #[test]
    fn barriers_come_on_top_of_the_larger_part() {
        let of = |ring_bytes, staging_bytes| SharedMemory {
            ring_bytes,
            staging_bytes,
            barrier_bytes: 32,
            ..SharedMemory::default()
        };
        assert_eq!([of(1000, 900).bytes(), of(900, 1000).bytes()], [1032; 2]);
        let limit = Target::Sm90.limits().shared_bytes_per_block;
        let fits = |staging| staging_fits(of(0, staging), &[Target::Sm90]).is_ok();
        assert!(fits(limit - 32) && !fits(limit - 31));
        // Two stages with 16 B of barriers each.
        let fits =
            |tiles: u32| ring_fits(2, (u64::from(tiles + 16), 0), 0, &[Target::Sm90]).is_ok();
        assert!(fits(limit / 2 - 16) && !fits(limit / 2 - 15));
    }

    #[test]
    fn registers_at_the_limit() {
        let rule_of = |accumulator, block: [u32; 3], [m, n]: [u32; 2], fragments| {
            let warps = warps::plan(block, [m, n, 1], Mma::M16n8k16, [16, 8, 16]).unwrap();
            registers_fit(
                &warps,
                None,
                Mma::M16n8k16,
                (accumulator, Pending::None),
                [fragments, 0],
                COPIES,
            )
        };
        let rule = |block, grid, fragments| rule_of(Accumulator::F32, block, grid, fragments);
        assert_eq!(rule([64, 96, 32], [1, 1], 40).map(|r| r.accumulators), Ok(192));
        assert!(rule([64, 96, 32], [1, 1], 47).is_ok(), "192 + 47 + 16 = 255");
        assert!(rule([64, 96, 32], [1, 1], 48).is_err(), "192 + 48 + 16 = 256");
        let halves = |fragments| rule_of(Accumulator::F16, [128, 96, 32], [1, 1], fragments);
        assert_eq!(halves(40).map(|r| r.accumulators), Ok(192), "two in each");
        assert!(halves(47).is_ok() && halves(48).is_err());
        // 32 warps have 64 registers a thread.
        assert!(rule([128, 256, 32], [4, 8], 16).is_ok(), "32 + 16 + 16 = 64");
        assert!(rule([128, 256, 32], [4, 8], 17).is_err());
    }

    #[test]
    fn the_help_is_a_warp_tile_that_fits_the_atom() {
        let help = |block, [m, n]: [u32; 2], mma: Mma, accumulator| {
            let warps = warps::plan(block, [m, n, 1], mma, mma.shape()).unwrap();
            let broken =
                registers_fit(&warps, None, mma, (accumulator, Pending::None), [64, 0], COPIES)
                    .unwrap_err();
            broken[0].help.rsplit(": ").next().unwrap_or_default().to_owned()
        };
        let [m, n] = [8, 8].map(|extent| NonZeroU16::new(extent).unwrap());
        let fma = Mma::Fma { m, n };
        let halves = help([128, 128, 32], [1, 1], Mma::M16n8k16, Accumulator::F32);
        assert_eq!(halves, "64 x 64 per warp is usual");
        let doubles = help([128, 128, 32], [2, 2], Mma::M8n8k4, Accumulator::F64);
        assert_eq!(doubles, "32 x 64 per warp is usual");
        let lanes = help([128, 128, 32], [1, 2], fma, Accumulator::F32);
        assert_eq!(lanes, "32 x 64 per warp is one fma(8, 8)");
        let many = help([128, 256, 32], [4, 4], fma, Accumulator::F32);
        assert_eq!(many, "use fewer warps, or a smaller register tile than fma(8, 8)");
    }
}
