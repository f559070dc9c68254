//! What a launch takes, estimated: good enough to choose among schedules, and for nothing else.
//!
//! Blocks run in waves. In each of its tiles of K a block waits for the slowest of four: the tensor
//! cores, the loads from shared memory, the chain of one tile (wait, barrier, loads, products), and
//! the copies, which are as fast as L2 or as what is in flight allows. A wave also fills its rings
//! and stores its output; a launch reads its operands once from device memory. [`warps`] has
//! a wave of blocks of warps, [`groups`] one of blocks of warpgroups.
//!
//! The shares and times of warps are fitted to 217 shapes by the schedules of `auto`, measured on an H200
//! (`docs/performance.md`); on other GPUs they are scaled by clock, width and memory.

mod groups;
mod warps;

use std::iter::once;

use crate::auto::fitted::{self, converted, groups as groups_of};
use crate::auto::footprint::Footprint;
use crate::form::Form;
use crate::hardware::Machine;
use crate::hardware::WARP;
use crate::level::mma::wgmma;
use crate::resources;
use crate::spec::Walk;

/// Bytes in which L2 answers, and those of one of its lines; a row that begins within one takes a further
/// one.
const SECTOR: u64 = 32;
const LINE: u64 = 128;

/// Seconds of the body for an element, on an SM.
fn body(of: &Footprint) -> f64 {
    f64::from(of.body) * fitted::BODY
}

/// Seconds in which a block reduces its tile.
fn reduced(of: &Footprint) -> f64 {
    if of.reduces { fitted::REDUCED } else { 0.0 }
}

/// What a launch adds to a footprint.
struct Launch<'m> {
    machine: &'m Machine,
    /// Where the rows of A and of B begin.
    rows: [Rows; 2],
}

/// Where the rows of an operand begin in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// All with a line.
    OfLines,
    /// Some within a line, but all with a sector.
    InLine,
    /// Some within a sector.
    InSector,
}

/// Blocks of warps that run at the same time.
#[derive(Clone, Copy)]
struct Wave {
    /// Those of a multiprocessor.
    each: u64,
    /// Tiles of K of a block.
    steps: f64,
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
        let [m, n, k] = [shape[0], self.columns(shape[1]), shape[2]].map(|extent| extent as u64);
        let [block_m, block_n, block_k] = self.block.map(|extent| u64::from(extent.max(1)));
        let tiles = m.div_ceil(block_m) * n.div_ceil(block_n);
        let tiles = tiles.saturating_mul(batch as u64);
        if !self.tail {
            let whole = if self.splits > 1 { 0 } else { tiles };
            return Shares { tiles, whole, splits: self.splits.max(1) };
        }
        let steps = k.div_ceil(block_k);
        let launch = self.launch([m, n, k], [0; 2], machine);
        let all = Shares { tiles, whole: tiles, splits: 1 };
        let whole = tiles - tiles % self.slots(machine);
        if whole == tiles {
            return all;
        }
        let most = u64::from(self.splits).min(steps) as u32;
        let shared = (2..=most).map(|splits| Shares { tiles, whole, splits });
        let of_whole = self.waves(whole, steps as f64, &launch);
        let ranked = once((all, self.running(&all, steps, &launch)))
            .chain(shared.map(|one| (one, of_whole + self.sharing(&one, steps, &launch))));
        ranked.min_by(|(_, x), (_, y)| x.total_cmp(y)).map_or(all, |(shares, _)| shares)
    }

    /// Seconds of a launch whose output is a `batch` of m × n.
    pub fn seconds(&self, shape: [usize; 3], batch: usize, machine: &Machine) -> f64 {
        self.seconds_with_copies(shape, batch, [0; 2], machine)
    }

    /// The same where tensor copies cannot read this number of bytes of A and of B: a kernel with
    /// tensor copies runs after these are [copied](crate::padding) to rows that they can read.
    pub fn seconds_with_copies(
        &self,
        shape: [usize; 3],
        batch: usize,
        unreadable: [u64; 2],
        machine: &Machine,
    ) -> f64 {
        let copied = if self.form.copies_tensors() { unreadable } else { [0; 2] };
        let shape = shape.map(|extent| extent.max(1));
        let ([m, columns, k], batch) = (shape, batch.max(1));
        let [m, n, k, batch] = [m, self.columns(columns), k, batch].map(|extent| extent as u64);
        let stored = batch * m * columns as u64;
        let launch = self.launch([m, n, k], copied, machine);

        let ([a, b], [_, _, out]) = (self.scaled_bytes(), self.element_bytes());
        let factors = (batch * m * k) as f64 * a + (batch * n * k) as f64 * b;
        let bytes = factors + stored as f64 * out;
        let reading = |share: f64| bytes / (share * machine.memory);
        let product = match self.form {
            Form::Warps(_) | Form::WarpsByTensors | Form::Lanes(_) => {
                let shares = self.shares(shape, batch as usize, machine);
                let steps = k.div_ceil(self.block[2].max(1).into());
                let running = self.running(&shares, steps, &launch);
                let seconds = warps::slowest([running, reading(fitted::MEMORY)]);
                self.correction() * (fitted::LAUNCH + seconds)
            }
            Form::Groups => {
                let running = groups::running(self, [m, n, k], batch, &launch);
                let seconds = running.hypot(reading(groups_of::MEMORY));
                self.correction() * (groups_of::LAUNCH + seconds)
            }
        };
        product + copied.map(|bytes| copying(bytes, machine)).iter().sum::<f64>()
    }

    /// Of such a shape, whose operands have no gaps between their rows, but for those that are `copied`
    /// to whole sectors.
    fn launch<'m>(
        &self,
        [m, n, k]: [u64; 3],
        copied: [u64; 2],
        machine: &'m Machine,
    ) -> Launch<'m> {
        let rows = [(0, m), (1, n)].map(|(side, mn)| {
            let row = if self.k_contiguous[side] { k } else { mn };
            let bytes = row.saturating_mul(self.element_bits[side].into()) / 8;
            if copied[side] > 0 || bytes.is_multiple_of(LINE) {
                Rows::OfLines
            } else if bytes.is_multiple_of(SECTOR) {
                Rows::InLine
            } else {
                Rows::InSector
            }
        });
        Launch { machine, rows }
    }

    /// How many times as long as the model says a schedule takes, if that was fitted.
    fn correction(&self) -> f64 {
        let [m, n, k] = self.block;
        let schedule = ([m, n, k * self.element_bits[0] / 8], self.warps, self.stages);
        let all: &[_] = match self.form {
            Form::Lanes(_) => &fitted::lanes::CORRECTIONS,
            Form::Warps(_) if self.converts() && self.scaled[1] >= converted::WIDE => {
                &converted::OF_WIDE_SCALES
            }
            _ if self.converts() => &converted::CORRECTIONS,
            Form::Groups => &groups_of::CORRECTIONS,
            _ => &fitted::CORRECTIONS,
        };
        let fitted = all.iter().find(|(of, _)| *of == schedule);
        fitted.map_or(1.0, |(_, correction)| *correction)
    }

    /// Seconds in which a GPU runs all blocks, whose sums have this number of k-tiles.
    fn running(&self, shares: &Shares, steps: u64, launch: &Launch<'_>) -> f64 {
        let of_whole = self.waves(shares.whole, steps as f64, launch);
        of_whole + self.sharing(shares, steps, launch)
    }

    /// Seconds in which it runs the blocks that share tiles, and these meet.
    fn sharing(&self, shares: &Shares, steps: u64, launch: &Launch<'_>) -> f64 {
        if shares.shared() == 0 {
            return 0.0;
        }
        let (machine, splits) = (launch.machine, u64::from(shares.splits.max(1)));
        let blocks = shares.shared().saturating_mul(splits);
        let steps = steps.div_ceil(splits) as f64;
        let each = blocks.min(self.slots(machine)).div_ceil(machine.processors.max(1).into());
        let meeting = self.meeting(shares.splits, each as f64);
        // Where some tiles are whole, the blocks of the others meet once in each of their waves.
        let meetings = match shares.whole {
            0 => 1,
            _ => blocks.div_ceil(self.slots(machine)),
        };
        self.waves(blocks, steps, launch) + meetings as f64 * meeting
    }

    /// Seconds in which a GPU runs this number of blocks of `steps` k-tiles each.
    fn waves(&self, blocks: u64, steps: f64, launch: &Launch<'_>) -> f64 {
        let machine = launch.machine;
        let (processors, slots) = (u64::from(machine.processors.max(1)), self.slots(machine));
        let seconds = |blocks: u64| match blocks {
            0 => 0.0,
            _ => warps::wave(self, Wave { each: blocks.div_ceil(processors), steps }, launch),
        };
        (blocks / slots) as f64 * seconds(slots) + seconds(blocks % slots)
    }

    /// Blocks that run at a time.
    fn slots(&self, machine: &Machine) -> u64 {
        u64::from(self.blocks_per_processor(machine)) * u64::from(machine.processors.max(1))
    }

    /// Threads of a block; of warpgroups one does not multiply.
    fn threads(&self) -> u32 {
        let workers = self.warps.iter().product::<u32>().max(1);
        match self.form {
            Form::Warps(_) | Form::WarpsByTensors | Form::Lanes(_) => workers * WARP,
            Form::Groups => (Walk::tiles_at_a_time(self.walk) * workers + 1) * wgmma::WARPS * WARP,
        }
    }

    /// Blocks that run on a multiprocessor at a time, one at the least.
    fn blocks_per_processor(&self, machine: &Machine) -> u32 {
        let threads = self.threads();
        let blocks = resources::blocks_per_sm(
            machine.target,
            threads,
            self.shared_bytes,
            self.registers.max(1),
        );
        blocks.max(1)
    }

    /// Bytes of all stages of `blocks` but the one that is multiplied.
    fn in_flight(&self, blocks: f64) -> f64 {
        let stages = f64::from(self.stages.max(1));
        blocks * f64::from(self.ring_bytes) * (stages - 1.0) / stages
    }

    /// Those that are filled before the first product, where a sum has this number of tiles.
    fn filled(&self, blocks: f64, tiles: f64) -> f64 {
        let stages = f64::from(self.stages.max(1));
        blocks * f64::from(self.ring_bytes) * tiles.min(stages - 1.0) / stages
    }

    /// Seconds in which the blocks of a tile meet and one of them adds up the sums of all, where `blocks`
    /// run on a multiprocessor.
    fn meeting(&self, splits: u32, blocks: f64) -> f64 {
        let [m, n, _] = self.block.map(f64::from);
        let sums = f64::from(splits * self.warps[2]) * m * n;
        let waiting =
            if self.form.copies_tensors() { fitted::MEET_BY_TENSORS } else { fitted::MEET };
        waiting + blocks * sums * fitted::PARTIAL
    }
}

/// Seconds in which a kernel of its own reads and writes `bytes` of an operand, if there are any.
fn copying(bytes: u64, machine: &Machine) -> f64 {
    let moved = 2.0 * bytes as f64;
    let seconds = fitted::COPY + moved / (fitted::COPIED * machine.memory);
    if bytes == 0 { 0.0 } else { seconds }
}
