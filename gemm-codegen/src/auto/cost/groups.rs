//! A product by blocks of warpgroups.

use super::{Launch, Rows, body, reduced};
use crate::auto::fitted::{converted, groups};
use crate::auto::footprint::Footprint;
use crate::hardware::Machine;
use crate::hardware::WARP;
use crate::level::mma::{Promoting, wgmma};
use crate::spec::Walk;

/// A launch of a kernel: its tiles, and what of them lies within the output.
struct Product<'a> {
    of: &'a Footprint,
    launch: &'a Launch<'a>,
    /// Blocks, or the tiles that blocks walk over, with those of clusters that lie outside of the output.
    blocks: f64,
    /// Tiles of K of a block.
    steps: f64,
    /// Rows of A and of B that a block multiplies, at most.
    most: [f64; 2],
    /// The same on average.
    mean: [f64; 2],
    /// The rows within the output that take as long to copy as those of a block, which the copy unit fills
    /// with zeros outside of it: of the slowest block or, where blocks walk over tiles, on average.
    copied: [f64; 2],
}

/// Seconds of the stages of the blocks that run on an SM at the same time.
struct Stages {
    /// Until the ring is filled.
    filling: f64,
    /// All tiles of K.
    products: f64,
    /// Staging and storing the output.
    epilogue: f64,
    /// What of that warpgroups do not hide which multiply a tile together.
    together: f64,
}

/// Seconds in which a GPU runs all blocks of a product of this shape.
pub(super) fn running(of: &Footprint, shape: [u64; 3], batch: u64, launch: &Launch<'_>) -> f64 {
    let product = Product::new(of, shape, batch, launch);
    let slots = f64::from(of.blocks_per_processor(launch.machine)) * usable(of, launch.machine);
    let waves = match of.walk {
        Some(walk) => product.walk(walk, slots),
        None => product.waves(slots),
    };
    waves + product.meeting(slots)
}

impl<'a> Product<'a> {
    fn new(of: &'a Footprint, [m, n, k]: [u64; 3], batch: u64, launch: &'a Launch<'a>) -> Self {
        // Blocks along M share a tile of B, those along N one of A.
        let [along_n, along_m] = of.parts.map(|parts| u64::from(parts.max(1)));
        let tiles = |extent: u64, block: u32, blocks: u64| {
            extent.div_ceil(u64::from(block.max(1)) * blocks) * blocks
        };
        let [block_m, block_n, block_k] = of.block;
        let (tiles_m, tiles_n) = (tiles(m, block_m, along_m), tiles(n, block_n, along_n));
        let splits = u64::from(of.cluster_splits.max(1));
        let blocks = tiles_m.saturating_mul(tiles_n).saturating_mul(batch).saturating_mul(splits);
        Product {
            of,
            launch,
            blocks: blocks as f64,
            steps: k.div_ceil(block_k.max(1).into()).div_ceil(splits) as f64,
            most: [m.min(block_m.into()) as f64, n.min(block_n.into()) as f64],
            mean: [m as f64 / tiles_m as f64, n as f64 / tiles_n as f64],
            copied: [(m, block_m, tiles_m), (n, block_n, tiles_n)].map(|(extent, block, tiles)| {
                let walks = of.walk.is_some();
                copied([extent as f64, f64::from(block.max(1)), tiles as f64], walks)
            }),
        }
    }

    /// Seconds of blocks that have a tile each, in waves.
    fn waves(&self, slots: f64) -> f64 {
        let whole = (self.blocks / slots).floor();
        let rest = self.blocks - whole * slots;
        let wave = |blocks: f64| {
            let Stages { filling, products, epilogue, .. } = self.stages(blocks);
            if blocks > 0.0 { filling + products + epilogue } else { 0.0 }
        };
        let starts = (whole + f64::from(u8::from(rest > 0.0)) - 1.0).max(0.0);
        let starting = self.start() * (1.0 + starts * groups::AGAIN);
        let of_whole = if whole > 0.0 { whole * wave(slots) } else { 0.0 };
        starting + of_whole + wave(rest)
    }

    /// Seconds of blocks that walk over tiles. The ring stays full, and what is stored of one tile is
    /// hidden by the next one, but for what the warpgroups do together; two that take turns are as fast
    /// as each of them.
    fn walk(&self, walk: Walk, slots: f64) -> f64 {
        let Stages { filling, products, epilogue, together } = self.stages(self.blocks.min(slots));
        let next = match walk {
            Walk::Cooperative => products + groups::BETWEEN + together,
            Walk::Pingpong => slowest([products + groups::TURN, (products + epilogue) / 2.0]),
        };
        let walked = (self.blocks / slots).ceil();
        self.start() + filling + products + epilogue + (walked - 1.0).max(0.0) * next
    }

    /// Seconds until the first copy, and of the end of a block.
    fn start(&self) -> f64 {
        let warpgroups = self.of.threads() / (wgmma::WARPS * WARP);
        let [a, b] = self.of.parts.map(|parts| parts.max(1));
        let of_cluster = match a * b {
            1 => 0.0,
            2 => groups::PAIR,
            _ => groups::CLUSTER,
        };
        groups::WAVE + f64::from(warpgroups.saturating_sub(2)) * groups::WARPGROUP + of_cluster
    }

    /// The stages of each of `blocks` that run at the same time.
    fn stages(&self, blocks: f64) -> Stages {
        let of = self.of;
        let each = (blocks.max(1.0) / usable(of, self.launch.machine)).ceil();
        let [m, n, _] = of.block.map(f64::from);
        let splits = f64::from(of.cluster_splits.max(1));
        // The times are of elements of 2 bytes.
        let wide = of.element_bytes()[2] / 2.0;
        let elements = each * self.most[0] * self.most[1] / splits;
        // Each warpgroup stages its part of a tile, also of one that is only partly stored.
        let sharing = f64::from(of.warps[0] * of.warps[1]).max(1.0);
        let staged = each * m * n / splits / sharing * wide;
        let fill = groups::FILL * self.launch.machine.clock;
        let computed = each * m * n / splits * body(of) + reduced(of);
        Stages {
            filling: of.filled(each, self.steps) / fill,
            products: self.steps * self.tile(blocks, each),
            epilogue: elements * wide * groups::STORE + staged * groups::STAGED + computed,
            together: elements * (wide * groups::STAGE + (wide - 1.0).max(0.0) * groups::WIDE)
                + computed,
        }
    }

    /// Seconds of a tile of K.
    ///
    /// In each a block waits for the slowest of five: the tensor cores, their reads of shared memory,
    /// what the SM takes in, what L2 gives to all SMs, and the barriers of a stage. What several blocks
    /// of a cluster multiply L2 gives once, but each of them takes it in.
    fn tile(&self, blocks: f64, each: f64) -> f64 {
        let (of, machine) = (self.of, self.launch.machine);
        let cycle = 1.0 / machine.clock;
        let [m, n, k] = of.block.map(f64::from);
        let [a, b, _] = of.element_bytes();
        let tensor = m * n * k / (groups::TENSOR * f64::from(of.products)) * cycle;
        // Each column of warpgroups reads all of A; each instruction reads its columns of B for 64 rows.
        let columns = f64::from(of.warps[1].max(1));
        // What is converted the instructions have in registers.
        let by_instructions = if of.converted[0] > 0 { 0.0 } else { columns * m * a };
        let read = k * (by_instructions + m / f64::from(wgmma::ROWS) * n * b);
        let [copied_a, copied_b] = self.copied;
        let [in_a, in_b] = [0, 1].map(|side| self.taken_in(side));
        let taken = (groups::L2 * machine.clock).min(of.in_flight(each) / groups::LATENCY);
        let [mean_a, mean_b] = self.mean;
        let [parts_a, parts_b] = of.parts.map(|parts| f64::from(parts.max(1)));
        let [of_a, of_b] = self.launch.rows.map(asked);
        let asked = k * (mean_a * a * of_a / parts_a + mean_b * b * of_b / parts_b);
        let of_all = blocks / f64::from(machine.processors.max(1));
        slowest([
            each * tensor + self.promoting(each),
            self.converting(each),
            each * read / groups::SHARED * cycle,
            each * k * (copied_a * a * in_a + copied_b * b * in_b) / taken,
            of_all * asked / groups::L2_OF_ALL * cycle,
            groups::TILE,
        ])
    }

    /// Seconds in which an SM issues the conversion of a tile of K, and waits for it.
    fn converting(&self, each: f64) -> f64 {
        let of = self.of;
        let [instructions, _] = of.converted;
        if instructions == 0 {
            return 0.0;
        }
        let [m, _, k] = of.block.map(f64::from);
        let columns = f64::from(of.warps[1].max(1));
        let issued = each * columns * m * k * f64::from(instructions) / converted::ISSUED;
        let cycles = converted::OF_GROUPS * issued + converted::CHAIN * k + each * converted::TILE;
        cycles / self.launch.machine.clock
    }

    /// Seconds of a tile of K in which no products are in flight, as sums are promoted. Warpgroups that share
    /// the tensor cores hide it from each other; one with two sets of sums has
    /// products in flight at all times, and one that promotes halves at most times.
    fn promoting(&self, each: f64) -> f64 {
        let of = self.of;
        let shown = match of.promoting {
            _ if of.promoted == 0 => return 0.0,
            Promoting::InTurn => return 0.0,
            Promoting::Halves => groups::OF_HALVES,
            Promoting::Atoms => 1.0,
        };
        let [m, _, k] = of.block.map(f64::from);
        let atoms = m / f64::from(of.warps[0].max(1)) / f64::from(wgmma::ROWS);
        let sharing = match of.walk {
            Some(Walk::Pingpong) => each,
            _ => each * f64::from(of.warps[0].max(1) * of.warps[1].max(1)),
        };
        let promotions = atoms * k / f64::from(of.promoted);
        shown * promotions * groups::PROMOTION
            / sharing.powf(groups::HIDDEN)
            / self.launch.machine.clock
    }

    /// How many times as long as whole lines an SM takes to take in a tile.
    fn taken_in(&self, side: usize) -> f64 {
        match (self.of.parts[side], self.launch.rows[side]) {
            (2.., _) => groups::MULTICAST,
            (_, Rows::InSector) => groups::TAKEN_IN_SECTOR,
            (_, Rows::OfLines | Rows::InLine) => 1.0,
        }
    }

    /// Seconds in which the blocks of a cluster that share a tile meet, and send each other their sums.
    fn meeting(&self, slots: f64) -> f64 {
        let splits = f64::from(self.of.cluster_splits.max(1));
        if splits == 1.0 {
            return 0.0;
        }
        let [m, n, _] = self.of.block.map(f64::from);
        let each = (self.blocks.min(slots) / usable(self.of, self.launch.machine)).ceil();
        groups::MEET + each * m * n * (1.0 - 1.0 / splits) * groups::SENT
    }
}

/// The rows of a tile by the time that their copy takes: of the last of `tiles` along an axis, or on
/// average. Rows outside of the matrix are filled with zeros, which takes longer than to copy them: with
/// k-tiles of 64 × 64 × 128, 16 rows of 64 took 1.5 times as long as all.
fn copied([extent, block, tiles]: [f64; 3], on_average: bool) -> f64 {
    if on_average {
        return (extent + groups::FILLED * (tiles * block - extent)) / tiles;
    }
    let last = extent - ((extent / block).ceil() - 1.0) * block;
    let partly = last + groups::FILLED * (block - last);
    let is_padded = tiles * block - extent >= block;
    let outside = if is_padded { groups::FILLED_WHOLE * block } else { 0.0 };
    let whole = if extent >= block { block } else { 0.0 };
    partly.max(outside).max(whole)
}

/// Multiprocessors that blocks of such a cluster run on. A GPC has no place for a whole cluster in the rest
/// of its multiprocessors: on an H200, 120 of 132 run clusters of four, and grids of cuBLASLt whose blocks
/// walk in clusters of eight have 120 blocks.
fn usable(of: &Footprint, machine: &Machine) -> f64 {
    let size = of.parts[0].max(1) * of.parts[1].max(1) * of.cluster_splits.max(1);
    let processors = f64::from(machine.processors.max(1));
    if size > 2 { (processors * groups::IN_CLUSTERS).floor().max(1.0) } else { processors }
}

/// How many times its bytes L2 reads of a tile.
fn asked(rows: Rows) -> f64 {
    match rows {
        Rows::OfLines => 1.0,
        Rows::InLine => groups::IN_LINE,
        Rows::InSector => groups::STRADDLE,
    }
}

/// Seconds of things that go on at the same time, and hinder each other less than those of warps do.
pub(super) fn slowest<const N: usize>(seconds: [f64; N]) -> f64 {
    seconds.iter().map(|seconds| seconds.powi(4)).sum::<f64>().sqrt().sqrt()
}
