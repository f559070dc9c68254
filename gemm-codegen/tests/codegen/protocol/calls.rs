//! The functions of the emitted text have the steps of the protocols of one tile and of clusters.

use gemm_codegen::{Element, Mma, Plan, emit};

use super::one_tile::{Shape, protocol};
use crate::shared::{TN, extent, product, with};

/// The calls of the emitted text, in the order of the steps that stand for them.
const CALLS: [(&str, &[&str]); 10] = [
    (
        "void init_barriers(",
        &[
            "mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);",
            "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);",
            "mbarrier_init_fence();",
        ],
    ),
    (
        "void producer_acquire(",
        &[
            "mbarrier_wait(ring.empty_barrier(state.stage), state.phase);",
            "mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);",
        ],
    ),
    (
        "int start(",
        &[
            "const int tiles = min(k_tiles(k), STAGES);",
            "mbarrier_arrive_expect(ring.full_barrier(tile), BOXES_BYTES);",
            "copy_tile<TileA>(ring, tile, block, a,",
            "copy_tile<TileB>(ring, tile, block, b,",
        ],
    ),
    (
        "void copy_tile(",
        &["global_to_shared<Tile>(to, operand, block, k0, ring.full_barrier(stage));"],
    ),
    (
        "void produce(",
        &[
            "producer_acquire(ring, state);",
            "copy_tile<TileA>(ring, state.stage, block, a,",
            "copy_tile<TileB>(ring, state.stage, block, b,",
        ],
    ),
    (
        "unsigned multiply_all(",
        &[
            "multiply<true>(acc, ring, state, warpgroup);",
            "multiply<false>(acc, ring, state, warpgroup);",
            "wgmma_wait<1>();",
            "consumer_release(ring, multiplied);",
            "multiplied = state.stage;",
        ],
    ),
    ("void wait_for_products(", &["wgmma_wait<0>();"]),
    (
        "void mainloop(",
        &["multiply_all(acc, ring, state, warpgroup, tiles);", "wait_for_products(acc);"],
    ),
    (
        "void multiply(",
        &[
            "mbarrier_wait(ring.full_barrier(state.stage), state.phase);",
            "wgmma<false>(acc[i],",
            "wgmma<true>(acc[i],",
            "wgmma_commit();",
        ],
    ),
    ("void consumer_release(", &["mbarrier_arrive(ring.empty_barrier(stage));"]),
];

#[test]
fn the_text_has_the_steps_of_the_protocol() {
    let spec = with(product(Element::F16, TN), |schedule| schedule.mma = Some(Mma::Wgmma(None)));
    let plan = Plan::new(&spec).expect("a legal spec");
    let text = emit(&plan).text;
    for (function, calls) in CALLS {
        let mut at = text.find(function).expect(function);
        for call in calls {
            at += text[at..].find(call).unwrap_or_else(|| panic!("{function}: {call}"));
        }
    }
    let counts = plan.stage_counts().expect("barriers");
    let walked = protocol(Shape { stages: 4, consumers: 2, k_tiles: 1 });
    assert_eq!(counts.arrivals, walked.arrivals);
}

/// The lines of the text of clusters, in the order of the steps that they stand for.
const OF_CLUSTERS: [&str; 33] = [
    "struct TileA : ",
    "SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;",
    "struct TileB : ",
    "SHARERS = CLUSTER_M, RANKS_APART = 1;",
    "EMPTY_ARRIVALS = (CLUSTER_M + CLUSTER_N - 1) *",
    "return cluster_rank() / Tile::RANKS_APART % Tile::SHARERS;",
    "return FROM_FIRST << (cluster_rank() - part_of<Tile>() * APART);",
    "const int first = part_of<Tile>() * ROWS;",
    "multicast_box(to, operand, box, barrier, sharers<Tile>());",
    "mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);",
    "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);",
    "void producer_acquire(",
    "mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);",
    "mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);",
    "void producer_tail(",
    "for (int stage = 0; stage < STAGES; ++stage, state.advance()) {",
    "mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);",
    "void produce(",
    "producer_acquire(ring, state);",
    "copy_tile<TileA>(",
    "copy_tile<TileB>(",
    "fills = lane % CLUSTER_M == rank % CLUSTER_M || lane / CLUSTER_M == rank / CLUSTER_M;",
    "if (lane < CLUSTER && fills) mbarrier_arrive_at(ring.empty_barrier(stage), lane);",
    "void mainloop(",
    "wait_for_products(acc);",
    "consumer_release(ring, last);",
    "init_barriers(ring);",
    "cluster_meet();",
    "started = start(ring, block, a, b, 0, k);",
    "produce(ring, state, block, a, b, 0, k, started);",
    "producer_tail(ring, state);",
    "return;",
    "epilogue(",
];

#[test]
fn the_text_of_clusters_has_the_steps_of_their_protocol() {
    let spec = with(product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.cluster = Some([2, 4].map(extent));
    });
    let text = emit(&Plan::new(&spec).expect("a legal spec")).text;
    let mut at = 0;
    for line in OF_CLUSTERS {
        at += text[at..].find(line).unwrap_or_else(|| panic!("{line}"));
    }
}
