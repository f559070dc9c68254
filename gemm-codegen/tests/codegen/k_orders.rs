//! `k_order`: where it is legal, and which of the emitted lines depend on it.

use gemm_codegen::{Field, KOrder, Mma, PerSide, Plan, Rule, Spec, Walk, emit};

use super::shared::{F16, TN, broken, extent, plan, product, with};

/// A product by warpgroups that walk so, with this order.
fn ordered(walk: Option<Walk>, k_order: Option<KOrder>) -> Spec {
    with(product(F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some([128, 128, 64].map(extent));
        schedule.walk = walk;
        schedule.k_order = k_order;
    })
}

const SERPENTINE: Option<KOrder> = Some(KOrder::Serpentine);

#[test]
fn only_blocks_that_walk_turn() {
    let refused = [(Rule::KOrderOfWalk, Field::KOrder)];
    assert_eq!(broken(&ordered(None, SERPENTINE)), refused);
    assert_eq!(broken(&ordered(None, Some(KOrder::Ascending))), []);
    for walk in Walk::ALL {
        assert_eq!(broken(&ordered(Some(walk), SERPENTINE)), []);
    }
    let of_warps = with(product(F16, TN), |schedule| schedule.k_order = SERPENTINE);
    assert_eq!(broken(&of_warps), refused);
}

#[test]
fn an_ascending_order_changes_no_text() {
    for walk in Walk::ALL.map(Some) {
        let [written, derived] =
            [Some(KOrder::Ascending), None].map(|order| emit(&plan(&ordered(walk, order))));
        assert_eq!(written, derived);
        assert!(!derived.text.contains("backwards"));
    }
}

/// The lines of a text that mention the order.
fn lines(plan: &Plan) -> Vec<String> {
    let text = emit(plan).text;
    let of_order = text.lines().filter(|line| line.contains("backwards"));
    of_order.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_producer_alone_turns() {
    let k_tile = "const int k0 = from + (backwards ? tiles - 1 - tile : tile) * BLK_K;";
    for walk in Walk::ALL.map(Some) {
        for cluster in [[1, 1], [2, 1], [1, 2]] {
            let spec = with(ordered(walk, SERPENTINE), |schedule| {
                schedule.cluster = Some(cluster.map(extent));
            });
            let plan = plan(&spec);
            assert_eq!(Some(plan.scheduler().k_order()), SERPENTINE);
            let expected = [
                "int from, int k, int started, bool backwards) {",
                k_tile,
                "bool backwards = false;",
                "produce(ring, state, block, a, b, 0, k, started, backwards);",
                "backwards = !backwards;",
            ];
            assert_eq!(lines(&plan), expected, "{walk:?} {cluster:?}");
        }
    }
}

#[test]
fn tiles_that_start_early_are_those_of_the_first_tile() {
    let spec = with(ordered(Some(Walk::Cooperative), SERPENTINE), |schedule| {
        schedule.pdl = Some(vec!["b".to_owned()]);
    });
    let plan = plan(&spec);
    assert_eq!(plan.pdl().early, PerSide { a: false, b: true });
    let text = emit(&plan).text;
    // They ascend, and so does the first tile; the others wait for all of theirs.
    let mut at = text.find("bool backwards = false;").expect("a first order");
    for line in [
        "while (tiles.next(block)) {",
        "produce(ring, state, block, a, b, 0, k, started, backwards);",
        "started = 0;",
        "backwards = !backwards;",
    ] {
        at += text[at..].find(line).unwrap_or_else(|| panic!("{line}"));
    }
}
