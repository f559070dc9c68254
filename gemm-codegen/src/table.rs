//! The plan as a table: what an editor shows on hover and what examples print.

use crate::axis::Side;
use crate::element::Element;
use crate::element::pair;
use crate::facts::BankPasses;
use crate::hardware::BANKS;
use crate::layout::Swizzle;
use crate::level::scheduler::{Cluster, ClusterSplitK, SplitK};
use crate::plan::Plan;
use crate::resources;
use crate::spec::Walk;

impl Plan {
    /// The plan as a Markdown table.
    pub fn table(&self) -> String {
        let rows = self.rows();
        let width = rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        let value_width = rows.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
        let line =
            |what: &str, value: &str| format!("| {what:<width$} | {value:<value_width$} |\n");
        let rule = format!("| {} | {} |\n", "-".repeat(width), "-".repeat(value_width));
        let body: String = rows.iter().map(|(what, value)| line(what, value)).collect();
        line("level", "plan") + &rule + &body
    }

    /// The rows of [`table`](Self::table): what, and how it is planned.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let shared = &self.shared_memory;
        let passes = match self.epilogue.passes() {
            1 => "1 pass".to_owned(),
            passes => format!("{passes} passes"),
        };
        let split_k = self.split_k().map(shared_by);
        let in_cluster = || self.scheduler.cluster_split_k().map(shared_in_cluster);
        let allowed: Vec<&str> = self.spec.schedule.allow.iter().map(|one| one.name()).collect();
        let rows = [
            ("precision", self.factors().rounding().map(str::to_owned)),
            ("block tile", Some(by(&self.block()))),
            (self.warps.units(), Some(self.grid_of_warps())),
            ("threads", Some(self.threads().to_string())),
            ("MMA atom", Some(self.atom())),
            ("sums", Some(self.summation().to_string())),
            (
                "invariant",
                self.spec.schedule.invariant.then(|| "a row has these sums for any M".to_owned()),
            ),
            ("grid", Some(self.grid_of_blocks())),
            ("split K", split_k.or_else(in_cluster)),
            ("cluster", self.cluster().map(shared_copies)),
            ("schedule", self.scheduler.walk().map(walks)),
            ("k order", self.k_order()),
            ("ring", Some(format!("{} stages, {} B", self.ring.stages, shared.ring_bytes))),
            ("copies", Some(self.copies())),
            ("swizzles", Some(self.swizzles())),
            ("epilogue", Some(format!("{passes}, {} B", shared.staging_bytes))),
            ("outputs", self.outputs()),
            ("shared memory", Some(format!("{} B", shared.bytes()))),
            ("registers", Some(self.registers_of_a_thread())),
            ("arithmetic intensity", Some(format!("{:.0} FLOP/B", self.arithmetic_intensity()))),
            ("pdl", self.pdl.row().map(str::to_owned)),
            ("bank passes", Some(self.bank_passes())),
            ("allowed", (!allowed.is_empty()).then(|| allowed.join(", "))),
            ("blocks per SM", Some(self.occupancy())),
        ];
        rows.into_iter().filter_map(|(what, how)| Some((what, how?))).collect()
    }

    /// Operations of a block for each byte that it reads from global memory, on long sums.
    pub fn arithmetic_intensity(&self) -> f64 {
        let [m, n, _] = self.warps.block.map(f64::from);
        let bytes = |side| f64::from(self.problem().factor(side).element.bits()) / 8.0;
        2.0 * m * n / (m * bytes(Side::A) + n * bytes(Side::B))
    }

    fn grid_of_warps(&self) -> String {
        let warps = &self.warps;
        // One warp along K has all of it.
        let axes = if warps.grid[2] == 1 { 2 } else { 3 };
        format!("{} of {}", by(&warps.grid[..axes]), by(&warps.tile[..axes]))
    }

    fn registers_of_a_thread(&self) -> String {
        let registers = &self.registers;
        let a_step = if registers.next_fragments == 0 { "" } else { " a k-step" };
        let copies = match registers.copies {
            0 => String::new(),
            copies => format!("{copies} of copies, "),
        };
        format!(
            "{} accumulators, {} fragments{a_step}, {copies}about {} of {}",
            registers.sums(),
            registers.fragments,
            registers.estimate(),
            registers.limit
        )
    }

    fn atom(&self) -> String {
        let mma = &self.mma;
        let elements = pair(Side::BOTH.map(|side| *mma.elements.get(side)));
        format!("{} of {elements}, sums in {}", mma.name(), mma.accumulator.name())
    }

    fn grid_of_blocks(&self) -> String {
        match &self.problem.batch[..] {
            [] => self.raster.to_string(),
            indices => format!("{} in each matrix of {}", self.raster, indices.join(", ")),
        }
    }

    /// The copy atom of each side.
    fn copies(&self) -> String {
        of_sides(|side| self.sides.get(side).global_to_shared.atom.name())
    }

    /// The swizzle of each side's tile.
    fn swizzles(&self) -> String {
        of_sides(|side| {
            let tile = &self.sides.get(side).tile;
            match tile.layout.swizzle() {
                _ if tile.is_transposed() => "none, transposed".to_owned(),
                Swizzle { b: 0, .. } => "none".to_owned(),
                Swizzle { b, m, s } => format!("[{b}, {m}, {s}]"),
            }
        })
    }

    /// The order of the k-tiles of blocks that walk over several tiles.
    fn k_order(&self) -> Option<String> {
        self.scheduler.walk()?;
        Some(self.scheduler.k_order().name().to_owned())
    }

    /// The elements of several outputs, and how many of each a thread stores at a time.
    fn outputs(&self) -> Option<String> {
        if self.spec.outputs.len() == 1 {
            return None;
        }
        let elements: Vec<Element> =
            self.spec.outputs.iter().map(|output| output.element).collect();
        let names: Vec<String> = elements.iter().map(ToString::to_string).collect();
        let together = self.epilogue.vector(elements.iter().copied());
        Some(format!("{}, {together} elements of each at a time", names.join(", ")))
    }

    fn bank_passes(&self) -> String {
        let BankPasses { copy, load, stage, unstage } = BankPasses::of(self);
        let side = |side: Side| {
            let (load, copy) = (load.get(side), copy.get(side));
            format!("{} {load} load, {copy} store", side.letter().to_uppercase())
        };
        format!(
            "{}; {}; output {stage} store, {unstage} load (1 is free of conflicts on {BANKS} banks)",
            side(Side::A),
            side(Side::B),
        )
    }

    fn occupancy(&self) -> String {
        let blocks = self.targets.iter().map(|target| {
            let (threads, shared) = (self.threads(), self.shared_memory.bytes());
            let blocks =
                resources::blocks_per_sm(*target, threads, shared, self.registers.estimate());
            format!("{blocks} on {target}")
        });
        blocks.collect::<Vec<_>>().join(", ")
    }
}

/// Extents, in words.
fn by(extents: &[u32]) -> String {
    extents.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ")
}

/// A word for each side, or one for both.
fn of_sides(word: impl Fn(Side) -> String) -> String {
    let [a, b] = Side::BOTH.map(word);
    if a == b { a } else { format!("A {a}, B {b}") }
}

/// How the warpgroups of a block walk over its tiles, in words.
fn walks(walk: Walk) -> String {
    let how = match walk {
        Walk::Cooperative => "all warpgroups share each tile of a block",
        Walk::Pingpong => "two warpgroups take turns, a tile each",
    };
    format!("{}: {how}", walk.name())
}

/// What the blocks of a cluster share, in words.
fn shared_copies(cluster: Cluster) -> String {
    let [m, n] = cluster.blocks;
    let copies = Side::BOTH.into_iter().filter_map(|side| {
        let parts = Cluster::parts(Some(cluster), side);
        let letter = side.letter().to_uppercase();
        (parts > 1).then(|| format!("1 / {parts} of {letter} to {parts} of them"))
    });
    format!("{m} x {n} blocks, each copies {}", copies.collect::<Vec<_>>().join(", "))
}

/// How the blocks of a cluster share a tile, in words.
fn shared_in_cluster(ClusterSplitK { splits }: ClusterSplitK) -> String {
    format!("{splits} blocks a tile, a cluster: each stores 1 / {splits} of the columns")
}

/// How blocks share a tile, in words.
fn shared_by(SplitK { splits, tail, partial_bytes }: SplitK) -> String {
    match tail {
        false => format!(
            "{splits} blocks a tile, {partial_bytes} B of workspace each; K has {splits} tiles or more"
        ),
        true => format!(
            "up to {splits} blocks a tile of the last wave, {partial_bytes} B of workspace each"
        ),
    }
}
