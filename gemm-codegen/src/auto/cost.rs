//! What a launch takes, estimated: good enough to choose among schedules, and for nothing else.
//!
//! Blocks run in waves. In each of its tiles of K a block waits for the slowest of four: the tensor
//! cores, the loads from shared memory, the chain of one tile (wait, barrier, loads, products), and
//! the copies, which are as fast as L2 or as what is in flight allows. A wave also fills its rings
//! and stores its output; a launch reads its operands once from device memory.
//!
//! The shares and times below are fitted to 220 shapes by 34 schedules, measured on an H200
//! (`docs/performance.md`); on other GPUs they are scaled by clock, width and memory.

use crate::element::Element;
use crate::hardware::{Target, WARP};
use crate::level::mma::Mma;
use crate::plan::Plan;
use crate::resources;
use crate::spec::Side;

/// What of a device its speed depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Its architecture.
    pub target: Target,
    /// Streaming multiprocessors.
    pub processors: u32,
    /// Cycles a second of a multiprocessor.
    pub clock: f64,
    /// Bytes a second of its memory.
    pub memory: f64,
}

/// What of a kernel its speed depends on, beside the shape of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// BLK_M, BLK_N, BLK_K.
    pub block: [u32; 3],
    /// Warps along M, N and K.
    pub warps: [u32; 3],
    /// k of an MMA atom.
    pub step: u32,
    /// Multiply-adds of an SM of sm_90 in a cycle.
    pub products: u32,
    /// Bytes of an element of A, of B and of all outputs.
    pub element_bytes: [u32; 3],
    /// Bytes of the ring of stages.
    pub ring_bytes: u32,
    /// Tiles in the ring.
    pub stages: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers that a thread is expected to take.
    pub registers: u32,
    /// Blocks that share a tile of the output.
    pub splits: u32,
}

/// Multiply-adds of an SM of sm_90 in a cycle by `mma.sync`, measured; of lanes without tensor cores
/// a quarter of their peak is lost to loads.
fn products(atom: Mma, element: Element) -> u32 {
    match (atom, element) {
        (Mma::Fma { .. }, Element::F64) => 48,
        (Mma::Fma { .. }, _) => 100,
        (_, Element::F64) => 64,
        (_, Element::F32) => 641,
        (_, Element::I8 | Element::U8) => 2730,
        (_, Element::E4m3 | Element::E5m2) => 850,
        _ => 1283,
    }
}

impl Footprint {
    /// That of a plan.
    pub(crate) fn of(plan: &Plan) -> Footprint {
        let [a, b] = Side::BOTH.map(|side| plan.contraction.element(side));
        let outputs = plan.contraction.outputs.iter().filter_map(|output| output.element());
        let written = outputs.map(Element::bytes).sum();
        Footprint {
            block: plan.warps.block,
            warps: plan.warps.grid,
            step: plan.mma.shape()[2],
            products: products(plan.mma.atom, a),
            element_bytes: [a.bytes(), b.bytes(), written],
            ring_bytes: plan.shared_memory.ring_bytes,
            stages: plan.ring.stages,
            shared_bytes: plan.shared_memory.bytes(),
            registers: plan.registers.estimate(),
            splits: plan.split_k.map_or(1, |split_k| split_k.splits),
        }
    }
}

impl Footprint {
    /// Seconds of a launch whose output is a `batch` of m × n.
    pub fn seconds(&self, [m, n, k]: [usize; 3], batch: usize, machine: &Machine) -> f64 {
        let [m, n, k, batch] = [m, n, k, batch].map(|extent| extent.max(1) as u64);
        let [block_m, block_n, block_k] = self.block.map(u64::from);
        let tiles = m.div_ceil(block_m) * n.div_ceil(block_n) * batch;
        let blocks = tiles * u64::from(self.splits);
        let steps = k.div_ceil(block_k).div_ceil(u64::from(self.splits)) as f64;

        let resident = u64::from(self.blocks_per_processor(machine));
        let slots = resident * u64::from(machine.processors);
        let (waves, rest) = (blocks / slots, blocks % slots);
        let each = |blocks: u64| blocks.div_ceil(u64::from(machine.processors));
        let wave = |each: u64| if each == 0 { 0.0 } else { self.wave(each as f64, steps, machine) };
        let running = waves as f64 * wave(resident) + wave(each(rest));
        let meeting = self.meeting(each(blocks.min(slots)) as f64);

        let [a, b, out] = self.element_bytes.map(u64::from);
        let bytes = batch * (m * k * a + n * k * b + m * n * out);
        let reading = bytes as f64 / (fitted::MEMORY * machine.memory);
        fitted::LAUNCH + slowest([running + meeting, reading])
    }

    /// Blocks that run on a multiprocessor at a time, one at the least.
    fn blocks_per_processor(&self, machine: &Machine) -> u32 {
        let threads = self.warps.iter().product::<u32>().max(1) * WARP;
        let blocks = resources::blocks_per_sm(
            machine.target,
            threads,
            self.shared_bytes,
            self.registers.max(1),
        );
        blocks.max(1)
    }

    /// Seconds in which a multiprocessor runs `blocks` of `tiles` tiles of K each.
    fn wave(&self, blocks: f64, tiles: f64, machine: &Machine) -> f64 {
        let [m, n, k] = self.block.map(f64::from);
        let [warps_m, warps_n, warps_k] = self.warps.map(f64::from);
        let [a, b, _] = self.element_bytes.map(f64::from);
        let products = f64::from(self.products) * tensor_cores(machine.target);
        let tensor = m * n * k / (fitted::TENSOR * products * machine.clock);
        // Each row of warps loads all of A, each column all of B.
        let loaded = k * (warps_n * m * a + warps_m * n * b);
        let shared = loaded / (fitted::SHARED * machine.clock);
        let steps = k / warps_k / f64::from(self.step.max(1));
        let chain = fitted::TILE + fitted::STEP * steps;
        let stages = f64::from(self.stages.max(1));
        let in_flight = blocks * f64::from(self.ring_bytes) * (stages - 1.0) / stages;
        let copied = (fitted::L2 * machine.clock).min(in_flight / fitted::LATENCY);
        let copies = k * (m * a + n * b) / copied;
        let tile = slowest([blocks * tensor, blocks * shared, blocks * copies, chain]);
        let filling = in_flight / (fitted::FILL * machine.clock);
        let storing = blocks * m * n * (fitted::STORE + fitted::STAGE * warps_k);
        fitted::WAVE + tiles * tile + filling + storing
    }

    /// Seconds in which the blocks of a tile meet and one of them adds up the sums of all.
    fn meeting(&self, blocks: f64) -> f64 {
        if self.splits < 2 {
            return 0.0;
        }
        let [m, n, _] = self.block.map(f64::from);
        let sums = f64::from(self.splits * self.warps[2]) * m * n;
        fitted::MEET + blocks * sums * fitted::PARTIAL
    }
}

/// Seconds of things that go on at the same time and are in each other's way: more than the slowest
/// takes, and less than all of them one after the other. It is their norm of order 5/2; the order was
/// fitted too, and rounded to one whose powers are cheap.
fn slowest<const N: usize>(seconds: [f64; N]) -> f64 {
    seconds.iter().map(|seconds| seconds * seconds * seconds.sqrt()).sum::<f64>().powf(0.4)
}

/// Products of an SM in a cycle by `mma.sync`, of those of sm_90 (architecture whitepapers, peak of
/// f16).
fn tensor_cores(target: Target) -> f64 {
    match target {
        Target::Sm75 | Target::Sm86 | Target::Sm87 | Target::Sm89 => 0.4,
        Target::Sm120 | Target::Sm121 => 0.4,
        Target::Sm80 => 0.8,
        Target::Sm90 | Target::Sm100 | Target::Sm103 | Target::Sm110 => 1.0,
    }
}

/// What was fitted. Rates are shares of what the machine has, so that they scale with it; times are
/// latencies, which differ little from one GPU to the next.
mod fitted {
    /// Of the multiply-adds that `mma.sync` can do.
    pub(super) const TENSOR: f64 = 0.957;
    /// Bytes a cycle that an SM loads from shared memory; its peak is 128.
    pub(super) const SHARED: f64 = 106.0;
    /// Bytes a cycle that an SM copies from L2.
    pub(super) const L2: f64 = 59.6;
    /// Of the bytes a second of device memory.
    pub(super) const MEMORY: f64 = 0.956;
    /// Bytes a cycle by which an SM fills its rings before the first product.
    pub(super) const FILL: f64 = 60.7;
    /// Seconds from a copy to its data.
    pub(super) const LATENCY: f64 = 0.753e-6;
    /// Seconds of a k-step, of a tile, of a wave and of a launch that nothing hides.
    pub(super) const STEP: f64 = 0.0282e-6;
    pub(super) const TILE: f64 = 0.0801e-6;
    pub(super) const WAVE: f64 = 1.025e-6;
    pub(super) const LAUNCH: f64 = 0.080e-6;
    /// Seconds of an element that is stored, and of one that is staged by each warp along K.
    pub(super) const STORE: f64 = 4.80e-11;
    pub(super) const STAGE: f64 = 5.25e-11;
    /// Seconds in which the blocks of a tile meet, and of each sum that they leave.
    pub(super) const MEET: f64 = 2.35e-6;
    pub(super) const PARTIAL: f64 = 4.64e-11;
}
