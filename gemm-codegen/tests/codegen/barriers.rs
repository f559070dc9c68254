//! What the barriers of warpgroups count, by enumeration of the threads that arrive and the bytes that
//! land, compared with what the text initialises and expects.

use std::collections::BTreeSet;

use gemm_codegen::{Element, Mma, Plan, Side, Spec, Splits, emit};

use crate::shared::{TN, extent, plan, product, with};

/// Threads of a warp.
const WARP: u32 = 32;

/// The most bytes that a phase can expect (PTX ISA, "mbarrier", "tx-count").
const MOST_BYTES: u32 = (1 << 20) - 1;

/// What the barriers of a stage count in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Arrivals at `full` and at `empty`.
    pub(super) arrivals: [u32; 2],
    /// First byte and bytes of each box of a stage, those of A first.
    boxes: Vec<[u32; 2]>,
}

impl Counts {
    pub(super) fn of(plan: &Plan) -> Counts {
        let consumers = plan.warps().threads;
        let threads = || 0..plan.threads();
        // One thread of the producer, and a lane of each warp that multiplies.
        let full = threads().filter(|thread| *thread == consumers);
        let empty = threads().filter(|thread| *thread < consumers && thread % WARP == 0);
        Counts { arrivals: [full.count() as u32, empty.count() as u32], boxes: boxes(plan) }
    }

    /// Bytes that land in a stage.
    fn bytes(&self) -> u32 {
        self.boxes.iter().map(|[_, bytes]| bytes).sum()
    }
}

/// The boxes of a stage: where each begins, found by the elements that lie in it.
fn boxes(plan: &Plan) -> Vec<[u32; 2]> {
    let (kernel, mut first) = (emit(plan), 0);
    let mut all = Vec::new();
    for side in Side::BOTH {
        let tile = plan.shared_tile(side);
        let tensor = kernel.parameters[plan.contraction().operand(side)].tensor;
        let tensor = tensor.expect("tensor copies bring both factors");
        let mn = plan.warps().block[usize::from(side == Side::B)];
        let k = plan.warps().block[2];
        let bytes = tensor.rows * tensor.columns * tile.element_bytes;
        let addresses = (0..mn).flat_map(|mn| (0..k).map(move |k| (mn, k)));
        let mut elements = vec![0; (mn * k * tile.element_bytes).div_ceil(bytes) as usize];
        for (mn, k) in addresses {
            elements[(tile.address(mn, k) / bytes) as usize] += 1;
        }
        for elements in elements {
            assert_eq!(elements * tile.element_bytes, bytes, "{side:?}: a box is full");
            all.push([first, bytes]);
            first += bytes;
        }
    }
    all
}

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
    // Of blocks that share a tile each has a ring of its own.
    for splits in [2, 8] {
        let spec = of(Element::F16, TN, [128, 64, 64], [2, 1]);
        all.push(with(spec, |schedule| schedule.split_k = Some(Splits::Every(extent(splits)))));
    }
    all
}

#[test]
fn the_boxes_of_a_stage_are_what_its_barrier_expects() {
    for spec in specs() {
        let plan = plan(&spec);
        let (counts, tile) = (Counts::of(&plan), plan.warps().block);
        let ring = plan.shared_memory().ring_bytes;
        assert_eq!(counts.bytes() * plan.pipeline().stages(), ring, "{tile:?}");
        assert!(counts.bytes() <= MOST_BYTES, "{tile:?}");
        // A swizzle of 128 bytes begins where eight rows do.
        let stages = (0..plan.pipeline().stages()).map(|stage| stage * counts.bytes());
        let starts: BTreeSet<u32> =
            stages.flat_map(|stage| counts.boxes.iter().map(move |[at, _]| stage + at)).collect();
        assert!(starts.iter().all(|at| at.is_multiple_of(1024)), "{tile:?}: {starts:?}");
        assert_eq!(starts.len() as u32, counts.boxes.len() as u32 * plan.pipeline().stages());
    }
}

#[test]
fn the_text_initialises_barriers_for_all_that_arrive() {
    for spec in specs() {
        let plan = plan(&spec);
        let (Counts { arrivals: [full, empty], .. }, text) = (Counts::of(&plan), emit(&plan).text);
        let consumers = plan.warps().threads;
        assert_eq!([full, empty], [1, consumers / WARP]);
        for line in [
            "mbarrier_init(ring.full + stage * 8, 1);",
            "mbarrier_init(ring.empty + stage * 8, CONSUMERS / 32);",
            "constexpr unsigned STAGE_BYTES = sizeof(Stage);",
            "mbarrier_arrive_expect(ring.full + place.stage * 8, STAGE_BYTES);",
        ] {
            assert!(text.contains(line), "{line}");
        }
    }
}
