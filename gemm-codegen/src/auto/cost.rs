//! What a launch takes, estimated: good enough to choose among schedules, and for nothing else.
//!
//! Blocks run in waves. In each of its tiles of K a block waits for the slowest of four: the tensor
//! cores, the loads from shared memory, the chain of one tile (wait, barrier, loads, products), and
//! the copies, which are as fast as L2 or as what is in flight allows. A wave also fills its rings
//! and stores its output; a launch reads its operands once from device memory.
//!
//! The shares and times below are fitted to 217 shapes by the schedules of `auto`, measured on an H200
//! (`docs/performance.md`); on other GPUs they are scaled by clock, width and memory.

use std::iter::once;

use crate::auto::fitted;
use crate::axis::Side;
use crate::element::Element;
use crate::hardware::{Target, WARP};
use crate::level::global_to_shared::CopyAtom;
use crate::level::mma::Unit;
use crate::plan::Plan;
use crate::resources;

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
    /// Whether rows of A and of B run along K.
    pub k_contiguous: [bool; 2],
    /// Bytes of the ring of stages.
    pub ring_bytes: u32,
    /// Tiles in the ring.
    pub stages: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers that a thread is expected to take.
    pub registers: u32,
    /// The most blocks that share a tile of the output.
    pub splits: u32,
    /// Whether only the tiles of the last wave are shared.
    pub tail: bool,
    /// Whether a unit of the SM copies the tiles, and warps do nothing but load and multiply.
    pub tensors: bool,
}

/// Multiply-adds of an SM of sm_90 in a cycle by `mma.sync`, measured. Those of doubles and of lanes without
/// tensor cores are such that the share of them that is fitted ([`fitted::TENSOR`]) is what was measured.
fn products(unit: Unit, element: Element) -> u32 {
    match (unit, element) {
        (Unit::Fma(_), Element::F64) => 51,
        (Unit::Fma(_), _) => 106,
        (_, Element::F64) => 68,
        (_, Element::F32) => 641,
        (_, Element::I8 | Element::U8) => 2730,
        (_, Element::E4m3 | Element::E5m2) => 850,
        _ => 1283,
    }
}

impl Footprint {
    /// That of a plan.
    pub fn of(plan: &Plan) -> Footprint {
        let [a, b] = Side::BOTH.map(|side| plan.contraction.element(side));
        let outputs = plan.contraction.outputs.iter().filter_map(|output| output.element());
        let written = outputs.map(Element::bytes).sum();
        Footprint {
            block: plan.warps.block,
            warps: plan.warps.grid,
            step: plan.mma.shape()[2],
            products: products(plan.mma.unit, a),
            element_bytes: [a.bytes(), b.bytes(), written],
            k_contiguous: Side::BOTH.map(|side| plan.contraction.k_contiguous(side)),
            ring_bytes: plan.shared_memory.ring_bytes,
            stages: plan.pipeline.stages(),
            shared_bytes: plan.shared_memory.bytes(),
            registers: plan.registers.estimate(),
            splits: plan.split_k().map_or(1, |split_k| split_k.splits),
            tail: plan.split_k().is_some_and(|split_k| split_k.tail),
            tensors: plan.global_to_shared(Side::A).atom == CopyAtom::Tma,
        }
    }
}

/// Bytes in which L2 answers; a row that begins within one takes a further one.
const SECTOR: u64 = 32;

/// What a launch adds to a footprint.
struct Launch<'m> {
    machine: &'m Machine,
    /// How many times the bytes of a tile of A and of B are moved to copy it.
    moved: [f64; 2],
}

/// How a launch deals the tiles of its output to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Tiles of the output, of all its matrices.
    pub tiles: u64,
    /// The first tiles, which have a block each.
    pub whole: u64,
    /// Blocks that share each of the others.
    pub splits: u32,
}

impl Shares {
    /// Blocks in all.
    pub fn blocks(&self) -> u64 {
        self.whole.saturating_add(self.shared().saturating_mul(self.splits.into()))
    }

    /// Tiles that blocks share.
    pub fn shared(&self) -> u64 {
        self.tiles - self.whole
    }
}

impl Footprint {
    /// How a launch deals its tiles whose output is a `batch` of m × n: those of a `split_k = tail(..)` are
    /// shared by as many blocks as should take the least time, as this model has it.
    pub fn shares(&self, shape: [usize; 3], batch: usize, machine: &Machine) -> Shares {
        let [m, n, k] = shape.map(|extent| extent as u64);
        let [block_m, block_n, block_k] = self.block.map(|extent| u64::from(extent.max(1)));
        let tiles = m.div_ceil(block_m) * n.div_ceil(block_n);
        let tiles = tiles.saturating_mul(batch as u64);
        if !self.tail {
            let whole = if self.splits > 1 { 0 } else { tiles };
            return Shares { tiles, whole, splits: self.splits.max(1) };
        }
        let steps = k.div_ceil(block_k);
        let launch = self.launch([m, n, k], machine);
        let all = Shares { tiles, whole: tiles, splits: 1 };
        let whole = tiles - tiles % self.slots(machine);
        let most = u64::from(self.splits).min(steps) as u32;
        let shared = (2..=most).map(|splits| Shares { tiles, whole, splits });
        let seconds = |shares: &Shares| self.running(shares, steps, &launch);
        let ranked = once(all).chain(shared.filter(|shares| shares.shared() > 0));
        ranked.min_by(|x, y| seconds(x).total_cmp(&seconds(y))).unwrap_or(all)
    }

    /// Seconds of a launch whose output is a `batch` of m × n.
    pub fn seconds(&self, shape: [usize; 3], batch: usize, machine: &Machine) -> f64 {
        let [m, n, k] = shape.map(|extent| extent.max(1));
        let batch = batch.max(1);
        let shares = self.shares([m, n, k], batch, machine);
        let [m, n, k, batch] = [m, n, k, batch].map(|extent| extent as u64);
        let steps = k.div_ceil(self.block[2].max(1).into());
        let running = self.running(&shares, steps, &self.launch([m, n, k], machine));

        let [a, b, out] = self.element_bytes.map(u64::from);
        let bytes = batch * (m * k * a + n * k * b + m * n * out);
        let reading = bytes as f64 / (fitted::MEMORY * machine.memory);
        self.correction() * (fitted::LAUNCH + slowest([running, reading]))
    }

    /// Of such a shape, whose operands have no gaps between their rows.
    fn launch<'m>(&self, [m, n, k]: [u64; 3], machine: &'m Machine) -> Launch<'m> {
        let moved = [(0, m), (1, n)].map(|(side, mn)| {
            let row = if self.k_contiguous[side] { k } else { mn };
            let bytes = row.saturating_mul(self.element_bytes[side].into());
            if bytes.is_multiple_of(SECTOR) { 1.0 } else { fitted::STRADDLE }
        });
        Launch { machine, moved }
    }

    /// How many times as long as the model says a schedule takes, if that was fitted.
    fn correction(&self) -> f64 {
        let [m, n, k] = self.block;
        let schedule = ([m, n, k * self.element_bytes[0]], self.warps, self.stages);
        let fitted = fitted::CORRECTIONS.iter().find(|(of, _)| *of == schedule);
        fitted.map_or(1.0, |(_, correction)| *correction)
    }

    /// Seconds in which a GPU runs all blocks, of sums of so many tiles of K.
    fn running(&self, shares: &Shares, steps: u64, launch: &Launch<'_>) -> f64 {
        let machine = launch.machine;
        let splits = u64::from(shares.splits.max(1));
        let of_whole = self.waves(shares.whole, steps as f64, launch);
        if shares.shared() == 0 {
            return of_whole;
        }
        let blocks = shares.shared().saturating_mul(splits);
        let steps = steps.div_ceil(splits) as f64;
        let each = blocks.min(self.slots(machine)).div_ceil(machine.processors.max(1).into());
        let meeting = self.meeting(shares.splits, each as f64);
        // Where some tiles are whole, the blocks of the others meet once in each of their waves.
        let meetings = match shares.whole {
            0 => 1,
            _ => blocks.div_ceil(self.slots(machine)),
        };
        of_whole + self.waves(blocks, steps, launch) + meetings as f64 * meeting
    }

    /// Seconds in which a GPU runs so many blocks of `steps` tiles of K each.
    fn waves(&self, blocks: u64, steps: f64, launch: &Launch<'_>) -> f64 {
        let machine = launch.machine;
        let (processors, slots) = (u64::from(machine.processors.max(1)), self.slots(machine));
        let (waves, rest) = (blocks / slots, blocks % slots);
        let wave = |each: u64| if each == 0 { 0.0 } else { self.wave(each as f64, steps, launch) };
        waves as f64 * wave(slots / processors) + wave(rest.div_ceil(processors))
    }

    /// Blocks that run at a time.
    fn slots(&self, machine: &Machine) -> u64 {
        u64::from(self.blocks_per_processor(machine)) * u64::from(machine.processors.max(1))
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
    fn wave(&self, blocks: f64, tiles: f64, launch: &Launch<'_>) -> f64 {
        let Launch { machine, moved: [moved_a, moved_b] } = launch;
        let [m, n, k] = self.block.map(f64::from);
        let [warps_m, warps_n, warps_k] = self.warps.map(f64::from);
        let [a, b, _] = self.element_bytes.map(f64::from);
        let products = f64::from(self.products) * tensor_cores(machine.target);
        let tensor = m * n * k / (fitted::TENSOR * products * machine.clock);
        // Each row of warps loads all of A, each column all of B.
        let loaded = k * (warps_n * m * a + warps_m * n * b);
        let [from_shared, from_l2] = match self.tensors {
            true => [fitted::SHARED_BESIDE_TENSORS, fitted::L2_BY_TENSORS],
            false => [fitted::SHARED, fitted::L2],
        };
        let shared = loaded / (from_shared * machine.clock);
        let steps = k / warps_k / f64::from(self.step.max(1));
        let chain = fitted::TILE + fitted::STEP * steps;
        let stages = f64::from(self.stages.max(1));
        let in_flight = blocks * f64::from(self.ring_bytes) * (stages - 1.0) / stages;
        let copied = (from_l2 * machine.clock).min(in_flight / fitted::LATENCY);
        let copies = k * (m * a * moved_a + n * b * moved_b) / copied;
        let tile = slowest([blocks * tensor, blocks * shared, blocks * copies, chain]);
        let filling = in_flight / (fitted::FILL * machine.clock);
        let storing = blocks * m * n * (fitted::STORE + fitted::STAGE * warps_k);
        let waiting = if self.tensors { fitted::WAVE_BY_TENSORS } else { fitted::WAVE };
        waiting + tiles * tile + filling + storing
    }

    /// Seconds in which the blocks of a tile meet and one of them adds up the sums of all, where
    /// so many run on a multiprocessor.
    fn meeting(&self, splits: u32, blocks: f64) -> f64 {
        let [m, n, _] = self.block.map(f64::from);
        let sums = f64::from(splits * self.warps[2]) * m * n;
        let waiting = if self.tensors { fitted::MEET_BY_TENSORS } else { fitted::MEET };
        waiting + blocks * sums * fitted::PARTIAL
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
        Target::Sm90 | Target::Sm90a | Target::Sm100 | Target::Sm103 | Target::Sm110 => 1.0,
    }
}
