//! The roles of a block of warpgroups: a producer, the threads that have epilogue tiles copied, and consumers.

use super::{Entry, Term};
use crate::axis::Side;
use crate::level::pipeline::Roles;
use crate::spec::{KOrder, Walk};
use crate::text::steps::Steps;

impl Entry<'_> {
    /// The steps of all threads, up to where each takes its role, and those of the roles.
    pub(super) fn groups(&self, steps: &mut Steps, roles: &Roles) {
        self.initialise(steps);
        self.maps_of_b(steps);
        self.block(steps);
        self.parts(steps);
        if self.plan.pdl.waits_before_mainloop() {
            steps.add(self.plan.pdl.cuda_wait());
        }
        self.start(steps);
        steps.block("if (threadIdx.x >= CONSUMERS) {", |steps| self.producer(steps, roles));
        if let Some([_, more]) = roles.registers {
            steps.add(format!("warpgroup_reg_alloc<{more}>();"));
        }
        // The consumers wait before they store: of a block that walks before it begins, else after its only main loop.
        if self.plan.scheduler.walk().is_some() && self.plan.pdl.is_early() {
            steps.add(self.plan.pdl.cuda_wait());
        }
        steps.add("const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);");
        match self.plan.scheduler.walk() {
            Some(walk) => self.each_tile(steps, walk),
            None => self.one_tile(steps),
        }
        // The copy unit may still read what a block has staged.
        if self.plan.epilogue.cuda_stores_boxes() {
            steps.add("if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block");
        }
    }

    /// The producer has the maps fetched and initialises the barriers of the ring.
    fn initialise(&self, steps: &mut Steps) {
        steps.add("const Ring ring(shared);");
        steps.block("if (threadIdx.x == CONSUMERS) {", |steps| {
            for map in self.parameters.maps() {
                steps.add(format!("prefetch_map({map});"));
            }
            steps.add("init_barriers(ring);");
        });
        if self.plan.epilogue.fetched().is_some() {
            steps.add("init_epilogue_barriers(shared);");
        }
    }

    /// The producer requests the first k-tiles. It need not wait until the other threads of its block
    /// know that there are barriers. In a cluster it copies to other blocks, whose barriers must be
    /// initialised.
    fn start(&self, steps: &mut Steps) {
        let term = self.terms()[0];
        let ([a, b], [from, k]) = (self.factors(term), self.along_k(term));
        let first = self.first_tile();
        let start = match self.early() {
            None => format!("start(ring, {first}, {a}, {b}, {from}, {k})"),
            Some(side) => {
                format!("start<{}>(ring, {first}, {}, {from}, {k})", side.tile(), self.factor(side))
            }
        };
        if self.plan.scheduler.cluster().is_some() {
            steps.add("cluster_meet();  // the barriers of all blocks are initialised");
        }
        steps.add("int started = 0;  // k-tiles that the producer has requested");
        steps.add(format!("if (threadIdx.x == CONSUMERS) started = {start};"));
        if self.plan.scheduler.cluster().is_none() {
            steps.add("__syncthreads();  // the barriers are initialised");
        }
    }

    /// The warpgroup that does not multiply: one thread brings k-tiles, others move epilogue tiles.
    fn producer(&self, steps: &mut Steps, roles: &Roles) {
        if let Some([fewer, _]) = roles.registers {
            steps.add(format!("warpgroup_reg_dealloc<{fewer}>();"));
        }
        // It waits before it requests the late factor.
        if self.early().is_some() {
            steps.add(self.plan.pdl.cuda_wait());
        }
        steps.block("if (threadIdx.x == CONSUMERS) {", |steps| self.produce(steps));
        if self.plan.pdl.waits_after_mainloop() {
            steps.add(self.plan.pdl.cuda_wait());
        }
        if self.plan.epilogue.fetched().is_some() {
            self.copied(steps);
        }
        steps.add("return;");
    }

    /// The producer brings all other k-tiles.
    fn produce(&self, steps: &mut Steps) {
        let [from, _] = self.along_k(Term::Product);
        if let Some(late) = self.early().map(Side::other) {
            let (tile, factor, first) = (late.tile(), self.factor(late), self.first_tile());
            steps.add(format!("complete<{tile}>(ring, {first}, {factor}, {from}, started);"));
        }
        steps.add("RingState state = state_after(started);");
        let scheduler = self.plan.scheduler;
        let turns = scheduler.k_order() == KOrder::Serpentine;
        if turns {
            steps.add("bool backwards = false;");
        }
        let order = if turns { ", backwards" } else { "" };
        let produce = self.terms().iter().map(|term| {
            let ([a, b], [from, k]) = (self.factors(*term), self.along_k(*term));
            let started = if *term == self.terms()[0] { "started" } else { "0" };
            format!("produce(ring, state, block, {a}, {b}, {from}, {k}, {started}{order});")
        });
        let produce = produce.collect::<Vec<_>>().join("\n");
        match self.plan.scheduler.walk() {
            None => steps.add(produce),
            Some(_) => steps.block("while (tiles.next(block)) {", |steps| {
                steps.add(produce);
                steps.add("started = 0;");
                if turns {
                    steps.add("backwards = !backwards;");
                }
            }),
        }
        if self.plan.scheduler.cluster().is_some() {
            steps.add("producer_tail(ring, state);");
        }
    }

    /// A consumer's steps for the only tile of its block.
    fn one_tile(&self, steps: &mut Steps) {
        self.accumulators(steps);
        self.begin(steps);
        self.sums(steps);
        self.operands(steps);
        self.epilogue(steps);
    }

    /// A consumer's steps for each of the tiles over which its block walks.
    fn each_tile(&self, steps: &mut Steps, walk: Walk) {
        let of_tile = !self.plan.batch().is_empty() || !self.plan.segments.is_empty();
        if !of_tile {
            self.operands(steps);
        }
        self.accumulators(steps);
        let turns = walk == Walk::Pingpong;
        let tiles = self.terms().iter().map(|term| format!("k_tiles({})", self.extent(*term)));
        let skip = format!("skip(state, {})", tiles.collect::<Vec<_>>().join(" + "));
        if turns {
            steps.add("const int group = threadIdx.x / 128;");
            steps.block("if (group == 1) {  // begins with the second tile", |steps| {
                steps.add(format!("ordered_barrier_arrive(0);\ntiles.advance(), {skip};"));
            });
        }
        steps.block("while (tiles.next(block)) {", |steps| {
            if turns {
                steps.add("ordered_barrier_wait(group);");
            }
            self.begin(steps);
            self.all_terms(steps);
            if of_tile {
                self.operands(steps);
            }
            self.epilogue(steps);
            if turns {
                steps.add(format!("tiles.advance(), {skip};  // which the other has"));
            }
        });
    }

    /// The sums of a consumer and its places in the ring and, where epilogue tiles are filled before a tile
    /// ends, among these.
    fn accumulators(&self, steps: &mut Steps) {
        steps.add("Accumulators acc;\nRingState state = {0, 0};");
        if self.plan.epilogue.fetched().is_some() {
            steps.add("const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);\nEpilogueState epilogue_state = {0, 0};");
        }
    }

    /// Sums that begin at zero, where each term is added to them.
    fn begin(&self, steps: &mut Steps) {
        if self.plan.problem.added().is_some() {
            steps.add("clear(acc);");
        }
    }

    /// The factor that alone is requested before the predecessor kernel has ended, if one is.
    fn early(&self) -> Option<Side> {
        self.plan.pdl.early_side()
    }

    /// The name of a factor.
    fn factor(&self, side: Side) -> &str {
        self.factors(Term::Product)[side as usize]
    }

    /// The first tile of the block.
    fn first_tile(&self) -> &'static str {
        if self.plan.scheduler.walk().is_some() { "tiles.first()" } else { "block" }
    }
}
