//! What the barriers of a stage count, compared with the ring and with what the text initialises and
//! expects.

use std::collections::BTreeSet;

use gemm_codegen::body::BinaryOp;
use gemm_codegen::{CopyAtom, Element, Mma, PerSide, Side, Spec, Splits, Walk, emit};

use crate::shared::{TN, combined, extent, matrix, operand, plan, product, with};

/// The most bytes that a phase can expect (PTX ISA, "mbarrier", "tx-count").
const MOST_BYTES: u32 = (1 << 20) - 1;

/// Legal tiles of every element and order, with their warpgroups.
fn specs() -> Vec<Spec> {
    let [[m, k], [n, _], out] = TN;
    let orders = [[[m, k], [n, k], out], [[k, m], [k, n], out], [[m, k], [k, n], out]];
    let of = |element, sides, tile: [u16; 3], groups: [u16; 2]| {
        let mut spec = with(product(element, sides), |schedule| {
            schedule.mma = Some(Mma::Wgmma(None));
            schedule.tile = Some(tile.map(extent));
            schedule.warpgroups = Some(groups.map(extent));
            schedule.stages = Some(extent(2));
        });
        if element == Element::I8 {
            spec.outputs[0].element = Element::I32;
        }
        spec
    };
    let mut all: Vec<Spec> = orders
        .into_iter()
        .flat_map(|sides| {
            [([64, 64, 64], [1, 1]), ([128, 256, 64], [2, 1]), ([192, 192, 64], [1, 3])]
                .map(|(tile, groups)| of(Element::F16, sides, tile, groups))
        })
        .collect();
    for columns in [8, 40, 200] {
        all.push(of(Element::Bf16, TN, [64, columns, 64], [1, 1]));
        all.push(of(Element::F32, TN, [192, columns, 32], [3, 1]));
    }
    all.push(of(Element::I8, TN, [64, 24, 128], [1, 1]));
    all.push(of(Element::I8, TN, [128, 160, 128], [1, 2]));
    // Two boxes along K, of a panel each or of one panel of twice as many rows.
    for sides in orders {
        all.push(of(Element::Bf16, sides, [64, 128, 128], [1, 2]));
    }
    all.push(of(Element::F32, TN, [64, 40, 64], [1, 1]));
    all.push(of(Element::I8, TN, [128, 48, 256], [2, 1]));
    // Of blocks that share a tile each has a ring of its own.
    for splits in [2, 8] {
        let spec = of(Element::F16, TN, [128, 64, 64], [2, 1]);
        all.push(with(spec, |schedule| schedule.split_k = Some(Splits::Every(extent(splits)))));
    }
    all
}

/// The same in clusters, walking and by warps.
fn all_specs() -> Vec<Spec> {
    let mut all = specs();
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        let pairs = [([2, 1], 64), ([1, 2], 64), ([2, 1], 128), ([1, 2], 128)];
        let larger = [([2, 2], 64), ([2, 4], 128), ([4, 2], 64), ([8, 1], 64), ([1, 8], 128)];
        for (cluster, k) in [([1, 1], 64)].into_iter().chain(pairs).chain(larger) {
            all.push(with(product(Element::F16, TN), |schedule| {
                schedule.mma = Some(Mma::Wgmma(None));
                schedule.tile = Some([128, 128, k].map(extent));
                schedule.walk = walk;
                schedule.cluster = Some(cluster.map(extent));
            }));
        }
    }
    for warps in [[2, 2, 1], [1, 2, 2]] {
        all.push(with(product(Element::F16, TN), |schedule| {
            schedule.copy = PerSide::both(Some(CopyAtom::TMA));
            schedule.tile = Some([64, 128, 64 * warps[2]].map(extent));
            schedule.warps = Some(warps.map(extent));
        }));
    }
    all
}

#[test]
fn the_boxes_of_a_stage_are_what_its_barrier_expects() {
    for spec in all_specs() {
        let plan = plan(&spec);
        let (counts, tile) = (plan.stage_counts().expect("barriers"), plan.warps().block);
        let stages = plan.ring().stages * plan.ring().rings;
        assert_eq!(counts.bytes() * stages, plan.shared_memory().ring_bytes, "{tile:?}");
        assert!(counts.bytes() <= MOST_BYTES, "{tile:?}");
        // A swizzle of 128 bytes begins where eight rows do.
        let firsts = (0..stages).map(|stage| stage * counts.bytes());
        let starts: BTreeSet<u32> =
            firsts.flat_map(|first| counts.boxes.iter().map(move |[at, _]| first + at)).collect();
        assert!(starts.iter().all(|at| at.is_multiple_of(1024)), "{tile:?}: {starts:?}");
        assert_eq!(starts.len() as u32, counts.boxes.len() as u32 * stages);
        // Each is full: the copy unit counts all bytes of a box.
        for side in Side::BOTH {
            let part = emit(&plan).parameters[plan.problem().factor(side).operand].tensor;
            let part = part.expect("tensor copies bring both factors");
            let bytes = part.rows * part.columns * plan.shared_tile(side).element_bytes;
            let of_side = match side {
                Side::A => counts.boxes.first(),
                Side::B => counts.boxes.last(),
            };
            assert_eq!(of_side.map(|[_, landed]| *landed), Some(bytes), "{tile:?} {side:?}");
        }
    }
}

#[test]
fn the_text_compares_its_constants_with_what_was_enumerated() {
    for spec in all_specs() {
        let plan = plan(&spec);
        let (counts, text) = (plan.stage_counts().expect("barriers"), emit(&plan).text);
        let [full, empty] = counts.arrivals;
        let warps = plan.warps().threads / 32 / plan.warps().grid[2];
        // Those that multiply the same tile of B, and those of A: a block is in both.
        let [along_m, along_n] = plan.cluster().map_or([1, 1], |cluster| cluster.blocks);
        assert_eq!([full, empty], [1, (along_m + along_n - 1) * warps]);
        let bytes = counts.bytes();
        for line in [
            "constexpr unsigned BOXES_BYTES = TileA::BYTES + TileB::BYTES;".to_owned(),
            format!("static_assert(BOXES_BYTES == {bytes}, "),
            format!("static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == {empty}, "),
            ", FULL_ARRIVALS);".to_owned(),
            ", EMPTY_ARRIVALS);".to_owned(),
        ] {
            assert!(text.contains(&line), "{line}");
        }
        assert_eq!(text.matches("mbarrier_init(").count(), 3, "a definition and two calls");
    }
}

#[test]
fn a_ring_without_barriers_has_no_counts() {
    assert_eq!(plan(&product(Element::F16, TN)).stage_counts(), None);
}

/// A sum with these matrices, in tiles of warpgroups that copies bring them for.
fn fetched(element: Element, matrices: usize, walk: Option<Walk>) -> Spec {
    let names = ["first", "second", "third"];
    let spec = names.into_iter().take(matrices).fold(product(element, TN), |spec, name| {
        combined(spec, BinaryOp::Add, operand(name, matrix(element, ["M", "N"])))
    });
    with(spec, |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.walk = walk;
        schedule.tile = Some([64, 128, 128 / element.bytes() as u16].map(extent));
        schedule.stages = Some(extent(2));
    })
}

#[test]
fn the_boxes_of_a_place_are_what_its_barrier_expects() {
    for element in [Element::E4m3, Element::Bf16, Element::F32] {
        for matrices in 1..=3 {
            for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
                let plan = plan(&fetched(element, matrices, walk));
                let (kernel, shared) = (emit(&plan), plan.shared_memory());
                let boxes = kernel.parameters.iter().filter_map(|parameter| {
                    parameter.epilogue_box.filter(|_| parameter.name != "out")
                });
                let bytes = boxes.map(|part| part.rows * part.columns * element.bytes());
                let place = bytes.sum::<u32>();
                assert_eq!(place, matrices as u32 * 8192, "{element} {walk:?}");
                assert!(place <= MOST_BYTES && shared.ring_bytes.is_multiple_of(1024));
                let places = shared.staging_bytes / place;
                // Two barriers of 8 bytes for each place and each stage.
                assert_eq!(shared.barrier_bytes, 16 * (places + plan.ring().stages));
                let groups = if walk == Some(Walk::Pingpong) { 2 } else { 1 };
                let each = places / groups;
                assert_eq!(places % groups, 0);
                for line in [
                    format!("constexpr int EPILOGUE_STAGES = {each};"),
                    format!("constexpr int EPILOGUE_STAGE = {matrices} * EPILOGUE_TILE;"),
                    format!("constexpr int STORERS = {groups};"),
                    format!("return ({matrices}) * EPILOGUE_TILE * sizeof(Staged);"),
                    "mbarrier_arrive_expect(loaded, maps.bytes());".to_owned(),
                ] {
                    assert!(kernel.text.contains(&line), "{line}");
                }
            }
        }
    }
}
