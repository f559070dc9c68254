//! The order in which blocks compute the tiles of an output, in waves.

use gemm_codegen::{Kernel, Plan, Raster, emit};
use svg::node::element::Polyline;

use crate::Launch;
use crate::canvas::{
    Canvas, LINE, MARGIN, TOP, WIDTH, group, rectangle, round, text, text_width, tooltip,
};
use crate::palette::{FILLS, fill};
use crate::picture::Picture;

/// The output is drawn no larger than this.
const MOST: [f64; 2] = [WIDTH - 2.0 * MARGIN, 420.0];

/// The longest side of a tile.
const TILE: f64 = 40.0;

/// Most tiles that are drawn.
const MOST_TILES: u64 = 1 << 14;

/// Draws the tiles of an output by waves: the blocks that the device runs at a time.
///
/// An area of tiles has `data-order`, the number of its first tile, `data-row`, `data-column`, `data-rows` and
/// `data-columns` in tiles, `data-wave`, and `data-blocks`, those that share each tile. The tiles of an area
/// follow each other along the axis of the raster first. Of a kernel of clusters, a tile is that of a cluster.
pub fn picture(plan: &Plan, launch: &Launch) -> Picture {
    let kernel = emit(plan);
    let grid = Grid::new(plan, &kernel, launch);
    let title =
        format!("Blocks of a launch of {} on {} SMs", launch.extents(), launch.machine.processors);
    let mut canvas = Canvas::new("raster", title);
    let [tiles_m, tiles_n] = grid.tiles.map(|tiles| tiles as f64);
    // The tile has the shape of a block, or of the blocks of a cluster.
    let extents =
        [0, 1].map(|axis| f64::from(kernel.launch.block_tile[axis] * kernel.launch.cluster[axis]));
    let longest = extents[0].max(extents[1]);
    let unit = extents.map(|extent| extent / longest);
    let scale = TILE.min(MOST[0] / (tiles_n * unit[1])).min(MOST[1] / (tiles_m * unit[0]));
    let cell = [unit[1] * scale, unit[0] * scale];
    let origin = [MARGIN, TOP + LINE];
    canvas.add(
        text(origin[0], TOP + 8.0, format!("{} × {} tiles, m × n", grid.tiles[0], grid.tiles[1]))
            .set("class", "q"),
    );
    canvas.reach(origin[1] + tiles_m * cell[1]);
    areas(&mut canvas, &grid, (origin, cell));
    path(&mut canvas, &grid, (origin, cell));
    grid.legend(&mut canvas);
    canvas.notes(&grid.notes(plan));
    canvas.finish(grid.caption(plan, launch))
}

/// The blocks of a launch and their waves, in a sentence.
pub(crate) fn waves(plan: &Plan, launch: &Launch) -> String {
    Grid::new(plan, &emit(plan), launch).caption(plan, launch)
}

/// The tiles of an output and the blocks that compute them.
struct Grid {
    raster: Raster,
    /// Tiles along M and N.
    tiles: [u64; 2],
    /// Matrices of the batch, whose tiles follow each other.
    batch: u64,
    /// Blocks, or clusters, that run at a time.
    slots: u64,
    /// The first tiles, which have a block each.
    whole: u64,
    /// Blocks that share each other tile.
    splits: u64,
}

/// Tiles that follow each other, of one wave.
struct Area {
    order: u64,
    at: [u64; 2],
    extents: [u64; 2],
    wave: u64,
    blocks: u64,
}

impl Grid {
    fn new(plan: &Plan, kernel: &Kernel, launch: &Launch) -> Grid {
        let Launch { shape, batch, machine } = launch;
        let shares = kernel.shares(*shape, *batch, machine);
        let size = u64::from(kernel.launch.cluster_size());
        let tiles = [0, 1].map(|axis| {
            let extent = kernel.launch.block_tile[axis] * kernel.launch.cluster[axis];
            (shape[axis] as u64).div_ceil(u64::from(extent)).max(1)
        });
        let batch = (*batch as u64).max(1);
        let count = batch * tiles[0] * tiles[1];
        let is_clustered = size > 1;
        Grid {
            raster: plan.raster(),
            tiles,
            batch,
            slots: (kernel.resident_blocks(machine) / size).max(1),
            whole: if is_clustered { count } else { shares.whole },
            splits: if is_clustered { 1 } else { shares.splits.into() },
        }
    }

    /// Tiles of a matrix.
    fn count(&self) -> u64 {
        self.tiles[0] * self.tiles[1]
    }

    /// Tiles of all matrices.
    fn all(&self) -> u64 {
        self.batch * self.count()
    }

    /// Blocks, or clusters, of a tile.
    fn blocks_of(&self, tile: u64) -> u64 {
        if tile < self.whole { 1 } else { self.splits }
    }

    /// The blocks of all tiles before this one.
    fn blocks_before(&self, tile: u64) -> u64 {
        tile.min(self.whole) + tile.saturating_sub(self.whole) * self.splits
    }

    /// The wave in which a tile is finished.
    fn wave(&self, tile: u64) -> u64 {
        (self.blocks_before(tile + 1) - 1) / self.slots
    }

    fn waves(&self) -> u64 {
        self.wave(self.all() - 1) + 1
    }

    /// Blocks of the last wave, if it is not full.
    fn tail(&self) -> Option<u64> {
        let rest = self.blocks_before(self.all()) % self.slots;
        (rest > 0).then_some(rest)
    }

    /// The axis along which tiles follow each other.
    fn along(&self) -> usize {
        match self.raster {
            Raster::AlongM(_) => 0,
            Raster::AlongN(_) => 1,
        }
    }

    /// The tiles that are drawn as areas: lines of tiles that follow each other, and lines that do.
    fn areas(&self) -> Vec<Area> {
        let mut lines: Vec<Area> = Vec::new();
        let (along, drawn) = (self.along(), self.count().min(MOST_TILES));
        for order in 0..drawn {
            let at = self.raster.place(order, self.tiles);
            let (wave, blocks) = (self.wave(order), self.blocks_of(order));
            let continues = |line: &Area| {
                let mut next = line.at;
                next[along] += line.extents[along];
                next == at && (line.wave, line.blocks) == (wave, blocks)
            };
            match lines.last_mut() {
                Some(line) if continues(line) => line.extents[along] += 1,
                _ => lines.push(Area { order, at, extents: [1, 1], wave, blocks }),
            }
        }
        let mut areas: Vec<Area> = Vec::new();
        let across = 1 - along;
        for line in lines {
            let continues = |area: &Area| {
                let mut next = area.at;
                next[across] += area.extents[across];
                next == line.at
                    && area.extents[along] == line.extents[along]
                    && (area.wave, area.blocks) == (line.wave, line.blocks)
            };
            match areas.last_mut() {
                Some(area) if continues(area) => area.extents[across] += 1,
                _ => areas.push(line),
            }
        }
        areas
    }

    fn legend(&self, canvas: &mut Canvas) {
        let waves = self.waves();
        let shown = waves.min(u64::from(FILLS));
        let entries = (0..shown).map(|wave| {
            let tail = match self.tail() {
                Some(rest) if wave + 1 == waves => format!(": {rest} of {}", self.slots),
                _ => String::new(),
            };
            (wave as u32, format!("wave {wave}{tail}"))
        });
        canvas.legend(&entries.collect::<Vec<_>>());
    }

    /// What the legend does not say.
    fn notes(&self, plan: &Plan) -> Vec<String> {
        let mut notes = Vec::new();
        if self.count() > MOST_TILES {
            notes.push(format!("The first {MOST_TILES} of {} tiles are drawn.", self.count()));
        }
        if self.batch > 1 {
            notes.push(format!("Those of the first of {} matrices are drawn.", self.batch));
        }
        if self.waves() > u64::from(FILLS) {
            notes.push(format!("{} waves, in the same colours again.", self.waves()));
        }
        if self.splits > 1 && self.whole < self.all() {
            let shared = self.all() - self.whole;
            notes.push(format!("{} blocks share the K of each of {shared} tiles.", self.splits));
        }
        if plan.scheduler().walk().is_some() {
            let tiles = self.slots.min(self.all());
            let who = if self.is_clustered(plan) { "clusters" } else { "blocks" };
            notes.push(format!(
                "{tiles} {who} walk over the tiles, {tiles} tiles further each time."
            ));
        }
        if let Some(cluster) = plan.cluster() {
            let [m, n] = cluster.blocks;
            notes.push(format!("A tile is that of a cluster of {m} × {n} blocks."));
        }
        notes
    }

    fn is_clustered(&self, plan: &Plan) -> bool {
        plan.cluster().is_some() || plan.scheduler().cluster_split_k().is_some()
    }

    fn caption(&self, plan: &Plan, launch: &Launch) -> String {
        let who = if self.is_clustered(plan) { "clusters" } else { "blocks" };
        let blocks = self.blocks_before(self.all());
        let share = |rest: u64| 100.0 * rest as f64 / self.slots as f64;
        let tail = match self.tail() {
            Some(rest) if self.waves() == 1 => format!(" that is {:.0} % full", share(rest)),
            Some(rest) => format!(", the last with {rest} ({:.0} % of a wave)", share(rest)),
            None => ", full to the last".to_owned(),
        };
        let each = match self.batch {
            1 => String::new(),
            batch => format!(" in each of {batch} matrices"),
        };
        format!(
            "{} × {} tiles{each} in the order {}: {blocks} {who} on {} SMs, which run {} at a time, in {} \
             wave{}{tail}.",
            self.tiles[0],
            self.tiles[1],
            self.raster,
            launch.machine.processors,
            self.slots,
            self.waves(),
            if self.waves() == 1 { "" } else { "s" }
        )
    }
}

fn areas(canvas: &mut Canvas, grid: &Grid, (origin, cell): ([f64; 2], [f64; 2])) {
    let mut all = group().set("data-tiles", format!("{} {}", grid.tiles[0], grid.tiles[1]));
    let gap = if cell[0].min(cell[1]) > 6.0 { 1.0 } else { 0.2 };
    for area in grid.areas() {
        let [row, column] = area.at.map(|at| at as f64);
        let [rows, columns] = area.extents.map(|extent| extent as f64);
        let [x, y] = [origin[0] + column * cell[0], origin[1] + row * cell[1]];
        let [width, height] = [columns * cell[0] - gap, rows * cell[1] - gap];
        let shape = rectangle(x, y, width, height)
            .set("class", fill((area.wave % u64::from(FILLS)) as u32))
            .set("data-order", area.order)
            .set("data-row", area.at[0])
            .set("data-column", area.at[1])
            .set("data-rows", area.extents[0])
            .set("data-columns", area.extents[1])
            .set("data-wave", area.wave)
            .set("data-blocks", area.blocks);
        let last = area.order + area.extents[0] * area.extents[1] - 1;
        let said = format!("wave {}, tiles {}–{last}", area.wave, area.order);
        all = all.add(shape.add(tooltip(said)));
        let label = area.order.to_string();
        if text_width(&label, 9.0) + 4.0 < width && height > 11.0 {
            all = all.add(text(x + 3.0, y + 10.0, label).set("class", "s"));
        }
    }
    canvas.add(all);
}

/// A line through the tiles of the first wave.
fn path(canvas: &mut Canvas, grid: &Grid, (origin, cell): ([f64; 2], [f64; 2])) {
    let first = (0..grid.count().min(256)).take_while(|order| grid.wave(*order) == 0);
    let points = first.map(|order| {
        let [row, column] = grid.raster.place(order, grid.tiles).map(|at| at as f64 + 0.5);
        format!("{},{}", round(origin[0] + column * cell[0]), round(origin[1] + row * cell[1]))
    });
    let points: Vec<String> = points.collect();
    if points.len() > 1 && cell[0].min(cell[1]) > 6.0 {
        let line = Polyline::new().set("points", points.join(" ")).set("class", "l");
        canvas.add(line.set("opacity", 0.7).set("pointer-events", "none"));
    }
}
