//! Clusters whose blocks share the K of a tile: which are legal, each limit at its boundary, and
//! what a launch is told of them.

use gemm_codegen::{Axis, Element, Field, Mma, Rule, Scheduler, Spec, Splits, Walk, emit};

use super::shared::{TN, broken, extent, help, message, plan, product, with};

/// A product of warpgroups, with this number of blocks a tile.
fn splits(tile: [u16; 3], blocks: u16) -> Spec {
    with(product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some(tile.map(extent));
        schedule.split_k = Some(Splits::Every(extent(blocks)));
        schedule.stages = Some(extent(2));
    })
}

#[test]
fn two_four_or_eight_blocks_share_a_tile() {
    let of = |blocks| splits([64, 128, 64], blocks);
    for legal in [1, 2, 4, 8] {
        assert_eq!(broken(&of(legal)), [], "{legal}");
    }
    let at = (Rule::WarpgroupSplits, Field::SplitK);
    let (of_two, most) = ("use `split_k = 2` or `split_k = 4`", "use `split_k = 8`");
    for (other, nearest) in [(3, of_two), (9, most), (16, most), (257, most)] {
        assert_eq!(broken(&of(other)), [at], "{other}");
        assert_eq!(help(&of(other)), nearest);
    }
}

#[test]
fn a_tail_has_no_clusters() {
    let tail = |most| {
        let spec = splits([64, 128, 64], 1);
        with(spec, |schedule| schedule.split_k = Some(Splits::Tail(extent(most))))
    };
    assert_eq!(broken(&tail(1)), []);
    assert_eq!(broken(&tail(2)), [(Rule::WarpgroupSplits, Field::SplitK)]);
}

#[test]
fn a_cluster_that_shares_a_tile_does_nothing_else() {
    let base = |blocks| splits([64, 128, 64], blocks);
    for walk in Walk::ALL {
        let walks = |blocks| with(base(blocks), |schedule| schedule.walk = Some(walk));
        assert_eq!(broken(&walks(1)), []);
        assert_eq!(broken(&walks(2)), [(Rule::SplitsAlone, Field::Walk)]);
    }
    let with_cluster = |blocks, cluster: [u16; 2]| {
        with(base(blocks), |schedule| schedule.cluster = Some(cluster.map(extent)))
    };
    assert_eq!(broken(&with_cluster(2, [1, 1])), []);
    assert_eq!(broken(&with_cluster(1, [2, 1])), []);
    for (cluster, axis) in [([2, 1], Axis::M), ([1, 2], Axis::N)] {
        assert_eq!(
            broken(&with_cluster(2, cluster)),
            [(Rule::SplitsAlone, Field::Cluster(axis))],
            "{cluster:?}"
        );
    }
}

#[test]
fn each_block_stores_whole_bands_of_columns() {
    let at = [(Rule::SplitColumns, Field::Tile(Axis::N))];
    for (blocks, legal, other) in [(2, 16, 24), (2, 64, 56), (4, 96, 80), (8, 64, 96)] {
        assert_eq!(broken(&splits([64, legal, 64], blocks)), [], "{legal} by {blocks}");
        assert_eq!(broken(&splits([64, other, 64], blocks)), at, "{other} by {blocks}");
    }
    let narrow = splits([64, 40, 64], 4);
    assert_eq!(
        message(&narrow),
        "4 blocks store the 40 columns of a warpgroup: 40 / 4 each are not a multiple of 8"
    );
    assert_eq!(help(&narrow), "use BLK_N = 32 or 64 for 4 blocks per tile");
    let pair = |columns| {
        with(splits([64, columns, 64], 4), |schedule| {
            schedule.warpgroups = Some([1, 2].map(extent));
        })
    };
    assert_eq!((broken(&pair(128)), broken(&pair(96))), (vec![], at.to_vec()), "48 each");
}

#[test]
fn warpgroups_are_derived_whose_columns_the_blocks_can_share() {
    // 320 rows of A, stored along M: of two warpgroups each would have 72 columns, of three 48.
    let [_, b, out] = TN;
    let spec = |blocks| {
        let operands = product(Element::F16, [["K", "M"], b, out]).operands;
        Spec { operands, ..splits([320, 144, 64], blocks) }
    };
    assert_eq!(plan(&spec(1)).warps().grid, [1, 2, 1]);
    assert_eq!(plan(&spec(2)).warps().grid, [1, 3, 1]);
}

#[test]
fn a_launch_has_a_cluster_for_each_tile_and_no_workspace() {
    for blocks in [1, 2, 4, 8] {
        let plan = plan(&splits([128, 64, 64], blocks));
        let launch = emit(&plan).launch;
        let size = u32::from(blocks);
        assert_eq!((launch.cluster, launch.cluster_size()), ([1, 1, size], size));
        assert_eq!(launch.clusters([384, 65]), 6);
        assert_eq!((launch.split_k, plan.split_k()), (None, None));
        let shares = matches!(plan.scheduler(), Scheduler::ClusterSplitK(_));
        assert_eq!(shares, blocks > 1);
    }
}

#[test]
fn what_a_block_receives_lies_where_its_ring_is() {
    // Two stages of 24 KiB, and 32 KiB of sums: a block receives those of its columns.
    let bytes = |blocks| *plan(&splits([128, 64, 64], blocks)).shared_memory();
    for (blocks, received) in [(1, 0), (2, 16), (4, 24), (8, 28)] {
        let shared = bytes(blocks);
        assert_eq!(shared.received_bytes, received * 1024, "{blocks}");
        assert_eq!(shared.bytes(), 2 * (24 * 1024 + 16), "{blocks}");
    }
    // Of 8 blocks with 128 KiB of sums it is more than two stages of 48 KiB.
    let shared = *plan(&splits([128, 256, 64], 8)).shared_memory();
    assert_eq!([shared.ring_bytes, shared.received_bytes], [96, 112].map(|kib| kib * 1024));
    assert_eq!(shared.bytes(), 112 * 1024 + 32);
}

#[test]
fn the_text_names_each_part_once() {
    let text = emit(&plan(&splits([128, 64, 64], 4))).text;
    for line in [
        "constexpr int SPLITS = 4;",
        "constexpr int STORED_N = MMA_N / SPLITS;",
        "        Sum received[SPLITS - 1][BLK_M * BLK_N / SPLITS];",
        "__cluster_dims__(SPLITS, 1, 1)",
        "    const Block block = raster(m, n, int(blockIdx.x / SPLITS));",
        "produce(ring, state, block, a, b, part.from, part.k, started);",
        "    mainloop(acc, ring, state, warpgroup, part.k);\n    reduce(acc, shared, cluster_rank());\n",
    ] {
        assert_eq!(text.matches(line).count(), 1, "{line}");
    }
    assert!(!text.contains("partials"));
}
