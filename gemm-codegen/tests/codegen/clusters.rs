//! Clusters: which are legal, each limit at its boundary, and what a launch is told of them.

use gemm_codegen::{Axis, Element, Field, Mma, Rule, Spec, Walk, emit};

use super::shared::{TN, broken, extent, help, message, plan, product, with};

/// A product of warpgroups in clusters of this shape.
fn clusters(tile: [u16; 3], cluster: [u16; 2]) -> Spec {
    with(product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some(tile.map(extent));
        schedule.cluster = Some(cluster.map(extent));
        schedule.stages = Some(extent(2));
    })
}

#[test]
fn a_cluster_has_at_most_eight_blocks_powers_of_two_along_m_and_n() {
    let of = |cluster| clusters([64, 64, 64], cluster);
    let sizes = [1, 2, 4, 8].into_iter().flat_map(|m| [1, 2, 4, 8].map(|n| [m, n]));
    for [m, n] in sizes {
        assert_eq!(broken(&of([m, n])).is_empty(), m * n <= 8, "{m} x {n}");
    }
    // Where it is reported, and the cluster that the help names.
    for (cluster, axis, [m, n]) in [
        ([3, 1], Axis::M, [2, 1]),
        ([1, 3], Axis::N, [1, 2]),
        ([2, 3], Axis::N, [2, 2]),
        ([4, 3], Axis::N, [4, 2]),
        ([5, 7], Axis::M, [4, 2]),
        ([7, 1], Axis::M, [4, 1]),
        ([4, 4], Axis::N, [4, 2]),
        ([8, 2], Axis::M, [4, 2]),
        ([2, 8], Axis::N, [2, 4]),
        ([16, 1], Axis::M, [8, 1]),
        ([1, 16], Axis::N, [1, 8]),
        ([65535, 1], Axis::M, [8, 1]),
        ([65535, 65535], Axis::M, [4, 2]),
    ] {
        let spec = of(cluster);
        assert_eq!(broken(&spec), [(Rule::ClusterSize, Field::Cluster(axis))], "{cluster:?}");
        assert_eq!(help(&spec), format!("use `cluster = [{m}, {n}]`"), "{cluster:?}");
        assert_eq!(broken(&of([m, n])), [], "{cluster:?}: the help is legal");
    }
}

#[test]
fn the_message_counts_the_blocks() {
    let limits = "both extents must be 1, 2, 4 or 8, and their product at most 8";
    for (cluster, count) in [([3, 1], "3 x 1 = 3"), ([65535, 65535], "65535 x 65535 = 4294836225")]
    {
        let expected = format!("{count} blocks per cluster: {limits}");
        assert_eq!(message(&clusters([64, 64, 64], cluster)), expected);
    }
}

#[test]
fn clusters_consist_of_warpgroups() {
    let of = |mma| with(clusters([64, 64, 64], [2, 1]), |schedule| schedule.mma = Some(mma));
    assert_eq!(broken(&of(Mma::Wgmma(None))), []);
    let at = Field::Cluster(Axis::M);
    assert_eq!(broken(&of(Mma::M16n8k16)), [(Rule::ClusterOfWarpgroups, at)]);
}

#[test]
fn each_block_copies_any_number_of_rows_of_b() {
    for blocks in [2, 4, 8] {
        for columns in [8, 24, 48, 80, 248] {
            let rules = broken(&clusters([64, columns, 64], [blocks, 1]));
            assert_eq!(rules, [], "{columns} by {blocks} blocks");
        }
    }
}

#[test]
fn the_box_of_a_shared_tile_has_the_rows_of_one_block() {
    let rows = |spec: &Spec| {
        let kernel = emit(&plan(spec));
        let rows = kernel.parameters.iter().filter_map(|parameter| parameter.tensor);
        rows.map(|part| part.rows).collect::<Vec<u32>>()
    };
    for (cluster, expected) in [
        ([1, 1], [128, 96]),
        ([2, 1], [128, 48]),
        ([1, 2], [64, 96]),
        ([2, 2], [64, 48]),
        ([2, 4], [32, 48]),
        ([4, 2], [64, 24]),
        ([1, 8], [16, 96]),
    ] {
        assert_eq!(rows(&clusters([128, 96, 64], cluster)), expected, "{cluster:?}");
    }
    // Parts that end within the 8 rows after which the swizzle repeats.
    for (columns, cluster, expected) in [
        (8, [8, 1], [64, 1]),
        (24, [8, 1], [64, 3]),
        (80, [8, 1], [64, 10]),
        (80, [4, 2], [32, 20]),
    ] {
        assert_eq!(rows(&clusters([64, columns, 64], cluster)), expected, "{columns}, {cluster:?}");
    }
    // Panels have BLK_K rows.
    let [_, _, out] = TN;
    let operands = product(Element::F16, [["K", "M"], ["K", "N"], out]).operands;
    let panels = |cluster| Spec { operands: operands.clone(), ..clusters([64, 128, 64], cluster) };
    for (cluster, expected) in [
        ([2, 1], [64, 32]),
        ([1, 2], [32, 64]),
        ([4, 2], [32, 16]),
        ([8, 1], [64, 8]),
        ([1, 8], [8, 64]),
    ] {
        assert_eq!(rows(&panels(cluster)), expected, "{cluster:?}");
    }
}

#[test]
fn a_cluster_of_one_block_changes_no_text() {
    let alone = with(clusters([64, 64, 64], [2, 1]), |schedule| schedule.cluster = None);
    assert_eq!(emit(&plan(&alone)), emit(&plan(&clusters([64, 64, 64], [1, 1]))));
    assert_eq!(plan(&alone).cluster(), None);
}

#[test]
fn a_launch_has_whole_clusters() {
    let of = |cluster| emit(&plan(&clusters([128, 64, 64], cluster))).launch;
    let counts = |cluster, extents| {
        let launch = of(cluster);
        let [m, n, k] = launch.cluster;
        assert_eq!(k, 1, "these blocks share no K");
        ([m, n], launch.clusters(extents) * u64::from(launch.cluster_size()))
    };
    assert_eq!(counts([1, 1], [384, 192]), ([1, 1], 9));
    assert_eq!(counts([2, 1], [384, 192]), ([2, 1], 12), "2 x 3 clusters");
    assert_eq!(counts([1, 2], [384, 192]), ([1, 2], 12), "3 x 2 clusters");
    assert_eq!(counts([2, 1], [256, 192]), ([2, 1], 6));
    assert_eq!(counts([2, 1], [257, 192]), ([2, 1], 12));
    assert_eq!(counts([2, 1], [0, 192]), ([2, 1], 0));
    assert_eq!(counts([2, 4], [384, 192]), ([2, 4], 16), "2 x 1 clusters");
    assert_eq!(counts([4, 2], [513, 129]), ([4, 2], 32), "2 x 2 clusters");
}

/// What the struct of a tile says of the blocks that share it.
const OF_A: &str = "SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;";
const OF_B: &str = "SHARERS = CLUSTER_M, RANKS_APART = 1;";

#[test]
fn blocks_along_m_share_b_and_blocks_along_n_share_a() {
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        for [m, n] in [[2, 1], [1, 2], [2, 2], [4, 2], [2, 4], [8, 1], [1, 8]] {
            let spec = with(clusters([64, 64, 64], [m, n]), |schedule| schedule.walk = walk);
            let plan = plan(&spec);
            assert_eq!(plan.cluster().map(|cluster| cluster.blocks), Some([m, n].map(u32::from)));
            let text = emit(&plan).text;
            let size = m * n;
            let extents = format!("CLUSTER_M = {m}, CLUSTER_N = {n}, CLUSTER = {size};");
            assert!(text.contains(&extents), "{walk:?}: {extents}");
            for (tile, members) in [("struct TileA : ", OF_A), ("struct TileB : ", OF_B)] {
                let rest = text.split(tile).nth(1).and_then(|rest| rest.split("\n};").next());
                assert!(rest.is_some_and(|rest| rest.contains(members)), "{walk:?}: {members}");
            }
            // A tile of one block alone is copied without multicast.
            let alone = text.contains("__device__ __forceinline__ void copy_box(");
            assert_eq!(alone, m == 1 || n == 1, "{walk:?}, {m} x {n}");
            assert!(text.contains("__cluster_dims__(CLUSTER, 1, 1)"));
        }
    }
}

#[test]
fn the_table_says_what_each_block_copies() {
    let row = |cluster| {
        let table = plan(&clusters([64, 64, 64], cluster)).table();
        let row = table.lines().find(|line| line.starts_with("| cluster"));
        row.and_then(|row| row.split('|').nth(2)).map(|cell| cell.trim().to_owned())
    };
    let row = |cluster| row(cluster).unwrap_or_default();
    assert_eq!(row([1, 2]), "1 x 2 blocks, each copies 1 / 2 of A to 2 of them");
    assert_eq!(row([8, 1]), "8 x 1 blocks, each copies 1 / 8 of B to 8 of them");
    let both = "2 x 4 blocks, each copies 1 / 4 of A to 4 of them, 1 / 2 of B to 2 of them";
    assert_eq!(row([2, 4]), both);
}
