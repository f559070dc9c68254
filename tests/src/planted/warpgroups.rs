//! A warpgroup that copies and others that multiply: the barriers between them, products in flight, and
//! who of a block does what.

use gemm_emulator::{MbarrierProblem, WarpgroupProblem};

use super::{BASE, Bug, WAIT, violation};

pub(super) const WGMMA: &str = "wgmma.mma_async.sync.aligned.m64n";
const COPY: &str = "cp.async.bulk.tensor.2d";

/// One warpgroup multiplies, and a ring of two stages is filled again soon.
const NARROW: Bug = BASE.golden("wgmma_narrow").shape([64, 40, 448]);

/// Two warpgroups multiply.
const PAIR: Bug = BASE.golden("wgmma").shape([128, 256, 640]);

/// One stages sums, which its threads then store.
const SUMS: Bug = BASE.golden("wgmma_axpby").shape([64, 120, 128]);

/// Both factors lie in panels.
const PANELS: Bug = BASE.golden("wgmma_km_kn").shape([256, 128, 192]);

/// A k-tile has two panels of B.
const DEEP: Bug = BASE.golden("wgmma_deep").shape([64, 64, 512]);

const FULL_WAIT: &str = "    mbarrier_wait(ring.full_barrier(state.stage), state.phase);\n";
const EMPTY_WAIT: &str = "    mbarrier_wait(ring.empty_barrier(state.stage), state.phase);\n";
const EXPECTED: &str = "), BOXES_BYTES);";
const ARRIVE: &str = "if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.empty_barrier(stage));";

const CLEARS: &str = "    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    if (threadIdx.x == 0) asm volatile(\"st.shared.u32 [%0], 0;\" :: \"r\"(of_a) : \"memory\");
    consumers_sync();
";
const TO: &str = "const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;";
const INITIALISE: &str = "        init_barriers(ring);\n";
const INITIALISED: &str = "    __syncthreads();  // the barriers are initialised\n";
const START: &str = "    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, 0, k);\n";
const START_FIRST: &str = "    if (threadIdx.x == CONSUMERS) {
        started = start(ring, block, a, b, 0, k);
        init_barriers(ring);
    }
";
const EMPTY_COUNT: &str = "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);";

pub(super) const BUGS: &[Bug] = &[
    NARROW
        .bug("the products do not wait for the copies")
        .edit(FULL_WAIT, "")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at(WGMMA),
    NARROW
        .bug("the producer does not wait until a stage is released")
        .edit(EMPTY_WAIT, "")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("a stage is released whose products are in flight")
        .edit("wgmma_wait<1>();", "wgmma_wait<2>();")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("the stage of this k-tile is released in place of the one before")
        .edit("consumer_release(ring, multiplied);", "consumer_release(ring, state.stage);")
        .deadlocks(),
    NARROW
        .bug("the consumers wait for the phase before")
        .edit("RingState state = {0, 0};", "RingState state = {0, 1};")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    NARROW
        .bug("the producer takes the stages that it has started with for released")
        .edit("? RingState{0, 0} :", "? RingState{0, 1} :")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("the phase does not flip where the ring of warpgroups wraps")
        .edit("if (++stage == COUNT) stage = 0, phase ^= 1;", "if (++stage == COUNT) stage = 0;")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("the producer expects the bytes of A alone")
        .edit_all(2, EXPECTED, "), TileA::BYTES);")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    NARROW
        .bug("the producer expects more bytes than it copies")
        .edit_all(2, EXPECTED, "), BOXES_BYTES + 16);")
        .deadlocks(),
    NARROW
        .bug("one warp of four releases a stage")
        .edit(ARRIVE, "if (threadIdx.x % 128 == 0) mbarrier_arrive(ring.empty_barrier(stage));")
        .deadlocks(),
    NARROW
        .bug("the producer copies without a fence after the barriers")
        .edit("    mbarrier_init_fence();\n", "")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::NotShown { .. }, .. }))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("no fence before the first product")
        .edit("    wgmma_fence();\n", "")
        .finds(violation!(Warpgroup(WarpgroupProblem::NoFence)))
        .at(WGMMA),
    NARROW
        .bug("sums are stored that are in flight")
        .edit("    wgmma_wait<0>();\n", "    wgmma_wait<1>();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::AccumulatorInFlight { .. })))
        .at_in("st.shared", "stage"),
    NARROW
        .shape([64, 40, 128])
        .bug("the last products are in no group")
        .edit("    wgmma_commit();\n", "    if (FIRST) wgmma_commit();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::AccumulatorInFlight { .. })))
        .at_in("st.shared", "stage"),
    NARROW
        .bug("a product reads past its stage")
        .edit(
            "instruction_offset<TileB>(warpgroup.n, at_k)",
            "instruction_offset<TileB>(warpgroup.n + 512, at_k)",
        )
        .finds(violation!(OutOfBounds { .. }))
        .at(WGMMA),
    PAIR.bug("warpgroups stage where others still multiply")
        .edit("    consumers_sync();  // the ring has been read\n", "")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in("st.shared", "stage"),
    PAIR.bug("the producer is taken for a consumer")
        .edit(
            "constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;",
            "constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N + 128;",
        )
        .finds(violation!(Warpgroup(WarpgroupProblem::NotGranted { .. })))
        .at_in("setmaxnreg.inc", "warpgroup_reg_alloc"),
    PAIR.bug("all threads of the producer copy")
        .edit("        if (threadIdx.x == CONSUMERS) {\n", "        {\n")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::Arrivals { .. }, .. }))
        .at_in("mbarrier.arrive.expect_tx", "mbarrier_arrive_expect"),
    PAIR.bug("registers are taken that nobody gives up")
        .edit("        warpgroup_reg_dealloc<24>();\n", "")
        .finds(violation!(Warpgroup(WarpgroupProblem::NotGranted { .. })))
        .at_in("setmaxnreg.inc", "warpgroup_reg_alloc"),
    PAIR.bug("one warp of the producer keeps its registers")
        .edit(
            "        warpgroup_reg_dealloc<24>();\n",
            "        if (threadIdx.x >= CONSUMERS + 32) warpgroup_reg_dealloc<24>();\n",
        )
        .finds(violation!(Warpgroup(WarpgroupProblem::NotGranted { .. })))
        .at_in("setmaxnreg.inc", "warpgroup_reg_alloc"),
    SUMS.bug("half of a warpgroup comes to its barrier")
        .edit("\"bar.sync %0, 128;\"", "\"bar.sync %0, 64;\"")
        .finds(violation!(Race { direction: Read, other_direction: Write, .. }))
        .at_in("ld.shared", "epilogue"),
    PANELS
        .bug("the panels of a factor are taken for rows along K")
        .edit(
            "static_cast<unsigned long long>(Tile::LEADING / 16) << 16",
            "static_cast<unsigned long long>(Tile::STRIDE) << 16",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "mainloop"),
    DEEP.bug("the second panel of a k-tile is not copied")
        .edit("panel < Tile::PANELS;", "panel < 1;")
        .deadlocks(),
    DEEP.bug("the second half of a k-tile is read one panel further on")
        .edit(
            "k / Tile::PANEL_COLS * Tile::PANEL_BYTES",
            "k / Tile::PANEL_COLS * (Tile::PANELS * Tile::PANEL_BYTES)",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    NARROW
        .bug("every lane of a warp releases a stage")
        .edit(ARRIVE, "mbarrier_arrive(ring.empty_barrier(stage));")
        .deadlocks(),
    NARROW
        .bug("a stage waits for a warp that does not multiply")
        .edit(EMPTY_COUNT, "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS + 1);")
        .deadlocks(),
    PAIR.bug("a stage counts the warps of one warpgroup of two")
        .edit(EMPTY_COUNT, "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS / 2);")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("a stage lands for two producers")
        .edit(
            "mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);",
            "mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS + 1);",
        )
        .deadlocks(),
    NARROW
        .bug("the barriers of empty stages are not initialised")
        .edit(EMPTY_COUNT, "")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::NotInitialized, .. }))
        .at_in(WAIT, "mbarrier_try_wait"),
    NARROW
        .bug("consumers wait before the barriers are initialised")
        .edit(INITIALISED, "")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::NotInitialized, .. }))
        .at_in(WAIT, "mbarrier_try_wait"),
    NARROW
        .bug("copies are requested before the barriers are initialised")
        .edit(INITIALISE, "")
        .edit(START, START_FIRST)
        .finds(violation!(Mbarrier { problem: MbarrierProblem::NotInitialized, .. }))
        .at_in("mbarrier.arrive.expect_tx", "mbarrier_arrive_expect"),
    NARROW
        .bug("two threads of the producer copy")
        .edit("        if (threadIdx.x == CONSUMERS) {\n            RingState", "        if (threadIdx.x < CONSUMERS + 2) {\n            RingState")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "copy_tile"),
    NARROW
        .bug("the tile of B lands where that of A lies")
        .edit(TO, "const unsigned to = ring.stages + stage * STAGE_BYTES;")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY),
    NARROW
        .bug("k-tiles land a stage further on")
        .edit(
            TO,
            "const unsigned to = ring.stages + (stage + 1) % STAGES * STAGE_BYTES + Tile::STAGE_OFFSET;",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    NARROW
        .bug("the consumers wait for the first stage alone")
        .edit(FULL_WAIT, "    mbarrier_wait(ring.full_barrier(0), state.phase);\n")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in(WGMMA, "wgmma"),
    NARROW
        .bug("one warp of a warpgroup closes no group")
        .edit("    wgmma_commit();\n", "    if (threadIdx.x >= 32) wgmma_commit();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::AccumulatorInFlight { .. })))
        .at_in("st.shared", "stage"),
    NARROW
        .bug("the warps of a warpgroup name descriptors of their own rows")
        .edit(
            "instruction_offset<TileA>(row, at_k)",
            "instruction_offset<TileA>(row + threadIdx.x / 32 * 16, 0)",
        )
        .finds(violation!(Warpgroup(WarpgroupProblem::OtherOperand { .. })))
        .at_in(WGMMA, "wgmma"),
    PAIR.bug("the consumers take more registers than the producer gives up")
        .edit("    warpgroup_reg_alloc<240>();\n", "    warpgroup_reg_alloc<248>();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::NotGranted { .. })))
        .at_in("setmaxnreg.inc", "warpgroup_reg_alloc"),
    PAIR.bug("the consumers give registers up")
        .edit("    warpgroup_reg_alloc<240>();\n", "    warpgroup_reg_dealloc<240>();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::Registers { .. })))
        .at_in("setmaxnreg.dec", "warpgroup_reg_dealloc"),
    NARROW
        .bug("a thread clears a factor before it is multiplied")
        .edit(FULL_WAIT, CLEARS)
        .finds(violation!(Warpgroup(WarpgroupProblem::NotFenced { .. })))
        .at_in(WGMMA, "wgmma"),
    PANELS
        .shape([256, 128, 640])
        .bug("one warpgroup of two releases stages whose products are in flight")
        .edit("        wgmma_wait<1>();\n", "        if (threadIdx.x < 128) wgmma_wait<1>();\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "copy_tile"),
];
