//! The functions of the emitted text have the steps of the protocol of one tile.

use gemm_codegen::{Element, Mma, Plan, emit};

use super::one_tile::{Shape, protocol};
use crate::shared::{TN, product, with};

/// The calls of the emitted text, in the order of the steps that stand for them.
const CALLS: [(&str, &[&str]); 9] = [
    (
        "void initialise(",
        &[
            "mbarrier_init(ring.full + stage * 8, FULL_ARRIVALS);",
            "mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);",
            "mbarrier_init_fence();",
        ],
    ),
    ("void expect(", &["mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES);"]),
    (
        "void reserve(",
        &[
            "mbarrier_wait(ring.empty + place.stage * 8, place.parity);",
            "expect(ring, place.stage);",
        ],
    ),
    (
        "int start(",
        &[
            "const int tiles = min(tiles_of(k), STAGES);",
            "expect(ring, tile);",
            "copy_tile<TileA>(ring, tile, block, a,",
            "copy_tile<TileB>(ring, tile, block, b,",
        ],
    ),
    (
        "void copy_tile(",
        &["global_to_shared<Tile>(to, operand, block, k0, ring.full + stage * 8);"],
    ),
    (
        "void produce(",
        &[
            "reserve(ring, place);",
            "copy_tile<TileA>(ring, place.stage, block, a,",
            "copy_tile<TileB>(ring, place.stage, block, b,",
        ],
    ),
    (
        "void mainloop(",
        &[
            "multiply<true>(acc, ring, place, warp);",
            "multiply<false>(acc, ring, place, warp);",
            "wgmma_wait<1>();",
            "leave(ring, multiplied);",
            "multiplied = place.stage;",
            "wgmma_wait<0>();",
        ],
    ),
    (
        "void multiply(",
        &[
            "mbarrier_wait(ring.full + place.stage * 8, place.parity);",
            "wgmma<false>(acc[i],",
            "wgmma<true>(acc[i],",
            "wgmma_commit();",
        ],
    ),
    ("void leave(", &["mbarrier_arrive(ring.empty + stage * 8);"]),
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
