//! The roles of a block's threads, and the lines of the entry point in which they take them.

use crate::axis::Side;
use crate::hardware::WARP;
use crate::level::mma;
use crate::level::pdl::{self, Pdl};
use crate::level::scheduler::Cluster;
use crate::spec::{KOrder, Walk};

/// Threads of a warpgroup.
pub(super) const GROUP: u32 = mma::wgmma::WARPS * WARP;

/// Who does what in a block: the consumers are its first warpgroups, the producer is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Warpgroups that multiply and store.
    pub consumers: u32,
    /// Registers of a thread of the producer and of a consumer, where `setmaxnreg` moves some from one to
    /// the other; a block of two warpgroups has enough for both.
    pub registers: Option<[u32; 2]>,
    /// How a block walks over several tiles, if it does.
    pub walk: Option<Walk>,
    /// In which order the producer of such a block brings the k-tiles of a tile.
    pub k_order: KOrder,
    /// The blocks that fill a stage together, if they do.
    pub cluster: Option<Cluster>,
}

/// The lines of the entry point for threads of the producer's warpgroup that move the slabs of the
/// epilogue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    /// Before threads part: the barriers of the slabs are initialised.
    pub(crate) initialised: String,
    /// What these threads do.
    pub(crate) moved: String,
}

/// What the producer brings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brought<'a> {
    /// The names of the factors.
    pub(crate) factors: [&'a str; 2],
    /// Whether a block multiplies a part of K, `part`, or all of it.
    pub(crate) has_part: bool,
    /// What starts before the predecessor kernel has ended.
    pub(crate) pdl: Option<Pdl>,
}

impl Roles {
    /// Those of a block of one tile, in no cluster, with one to three consumers; more are an error
    /// elsewhere.
    pub(crate) fn of(consumers: u32) -> Roles {
        let registers = match consumers {
            0 | 1 => None,
            2 => Some([24, 240]),
            _ => Some([32, 160]),
        };
        Roles { consumers, registers, walk: None, k_order: KOrder::Ascending, cluster: None }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        (self.consumers + 1) * GROUP
    }

    /// The first lines of the entry point, in which the producer has `maps` fetched and initialises
    /// the barriers of the ring.
    pub(crate) fn opening(&self, maps: &[String], movers: &Movers) -> String {
        let prefetched = maps.iter().map(|map| format!("        prefetch_map({map});\n"));
        format!(
            "    const Ring ring(shared);\n    \
             if (threadIdx.x == CONSUMERS) {{\n\
             {prefetched}        \
             initialise(ring);\n    \
             }}\n\
             {initialised}",
            prefetched = prefetched.collect::<String>(),
            initialised = movers.initialised,
        )
    }

    /// The lines in which the producer requests the first k-tiles, and producer and consumers part.
    pub(crate) fn parting(&self, brought: Brought<'_>, movers: &Movers) -> String {
        let [fewer, more] = match self.registers {
            Some([fewer, more]) => [
                format!("        fewer_registers<{fewer}>();\n"),
                format!("    more_registers<{more}>();\n"),
            ],
            None => [String::new(), String::new()],
        };
        let [_, after] = brought.pdl.map_or([""; 2], Pdl::around_mainloop);
        // The producer waits before it requests the late factor. The consumers wait before they
        // store: each block before its first tile; one that walks, before it begins.
        let waits = brought.early().is_some();
        let producer_waits = if waits { indented(pdl::WAIT) } else { String::new() };
        let consumers_wait =
            if waits || self.walk.is_some() && !after.is_empty() { pdl::WAIT } else { "" };
        format!(
            "{started}    \
             if (threadIdx.x >= CONSUMERS) {{\n\
             {fewer}\
             {producer_waits}\
             {produced}\
             {after}\
             {moved}        \
             return;\n    }}\n\
             {more}\
             {consumers_wait}",
            started = self.started(brought),
            produced = self.produced(brought),
            after = indented(after),
            moved = movers.moved,
        )
    }

    /// The lines in which the producer requests the first k-tiles. It need not wait until the other
    /// threads of its block know that there are barriers. In a cluster it copies to other blocks,
    /// whose barriers must be initialised.
    fn started(&self, brought: Brought<'_>) -> String {
        let ([a, b], [from, k]) = (brought.factors, brought.along_k());
        let first = self.first();
        let start = match brought.early() {
            None => format!("start(ring, {first}, {a}, {b}, {from}, {k})"),
            Some(side) => {
                let [tile, operand] = brought.tile(side);
                format!("start<{tile}>(ring, {first}, {operand}, {from}, {k})")
            }
        };
        let [before, after] = match self.cluster {
            Some(_) => ["    cluster_meet();  // the barriers of all blocks are initialised\n", ""],
            None => ["", "    __syncthreads();  // the barriers are initialised\n"],
        };
        format!(
            "{before}    \
             int started = 0;  // k-tiles that the producer has requested\n    \
             if (threadIdx.x == CONSUMERS) started = {start};\n\
             {after}"
        )
    }

    /// The first tile of the block.
    fn first(&self) -> &'static str {
        if self.walk.is_some() { "tiles.first()" } else { "block" }
    }

    /// The lines in which the producer brings all others.
    fn produced(&self, brought: Brought<'_>) -> String {
        let ([a, b], [from, k]) = (brought.factors, brought.along_k());
        let first = self.first();
        let completed = brought.early().map_or(String::new(), |early| {
            let [tile, operand] = brought.tile(early.other());
            format!("            complete<{tile}>(ring, {first}, {operand}, {from}, started);\n")
        });
        let [first_order, order, next_order] = match self.k_order {
            KOrder::Ascending => [""; 3],
            KOrder::Serpentine => [
                "            bool backwards = false;\n",
                ", backwards",
                "                backwards = !backwards;\n",
            ],
        };
        let produce =
            format!("produce(ring, place, block, {a}, {b}, {from}, {k}, started{order});");
        let each = match self.walk {
            Some(_) => format!(
                "            while (tiles.next(block)) {{\n                \
                 {produce}\n                \
                 started = 0;\n\
                 {next_order}            \
                 }}\n"
            ),
            None => format!("            {produce}\n"),
        };
        let drained = match self.cluster {
            Some(_) => "            drain(ring, place);\n",
            None => "",
        };
        format!(
            "        if (threadIdx.x == CONSUMERS) {{\n\
             {completed}            \
             Place place = place_after(started);\n\
             {first_order}\
             {each}\
             {drained}        \
             }}\n"
        )
    }
}

impl<'a> Brought<'a> {
    /// The factor that alone is requested before the predecessor kernel has ended, if one is.
    fn early(self) -> Option<Side> {
        self.pdl.and_then(Pdl::early_side)
    }

    /// Where K begins, and its length.
    fn along_k(self) -> [&'static str; 2] {
        if self.has_part { ["part.from", "part.k"] } else { ["0", "k"] }
    }

    /// The struct of a side's tile, and the name of the factor.
    fn tile(self, side: Side) -> [&'a str; 2] {
        match side {
            Side::A => ["TileA", self.factors[0]],
            Side::B => ["TileB", self.factors[1]],
        }
    }
}

/// Lines of the entry point in a block of it.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("    {line}\n")).collect()
}
