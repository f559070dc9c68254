//! Clusters: which are legal, each limit at its boundary, and what a launch is told of them.

use gemm_codegen::{Axis, Element, Field, Mma, Rule, Side, Spec, Walk, emit};

use super::shared::{TN, broken, extent, help, plan, product, with};

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
fn a_cluster_has_two_blocks_or_one() {
    let of = |cluster| broken(&clusters([64, 64, 64], cluster));
    for legal in [[1, 1], [2, 1], [1, 2]] {
        assert_eq!(of(legal), [], "{legal:?}");
    }
    let at = |axis| [(Rule::ClusterOfTwo, Field::Cluster(axis))];
    for (many, axis) in [([2, 2], Axis::M), ([3, 1], Axis::M), ([1, 3], Axis::N), ([1, 4], Axis::N)]
    {
        assert_eq!(of(many), at(axis), "{many:?}");
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
fn each_block_copies_whole_groups_of_rows() {
    let copies = [(Rule::ClusterCopies, Field::Tile(Axis::N))];
    for (columns, is_legal) in [(8, false), (16, true), (24, false), (240, true), (248, false)] {
        let of = |cluster| broken(&clusters([64, columns, 64], cluster));
        assert_eq!(of([2, 1]), if is_legal { &[][..] } else { &copies }, "{columns}");
        assert_eq!(of([1, 2]), [], "{columns}: A is shared");
    }
    let help = help(&clusters([64, 24, 64], [2, 1]));
    assert_eq!(help, "use BLK_N = 16 or 32 for 2 blocks per cluster");
}

#[test]
fn the_box_of_the_shared_tile_has_the_rows_of_one_block() {
    let rows = |spec: &Spec| {
        let kernel = emit(&plan(spec));
        let rows = kernel.parameters.iter().filter_map(|parameter| parameter.tensor);
        rows.map(|part| part.rows).collect::<Vec<u32>>()
    };
    assert_eq!(rows(&clusters([128, 96, 64], [1, 1])), [128, 96]);
    assert_eq!(rows(&clusters([128, 96, 64], [2, 1])), [128, 48]);
    assert_eq!(rows(&clusters([128, 96, 64], [1, 2])), [64, 96]);
    // Panels have BLK_K rows.
    let [_, _, out] = TN;
    let operands = product(Element::F16, [["K", "M"], ["K", "N"], out]).operands;
    let panels = |cluster| Spec { operands: operands.clone(), ..clusters([64, 128, 64], cluster) };
    assert_eq!(rows(&panels([2, 1])), [64, 32]);
    assert_eq!(rows(&panels([1, 2])), [32, 64]);
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
}

#[test]
fn clusters_walk_and_share_one_side() {
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        for (cluster, side) in [([2, 1], Side::B), ([1, 2], Side::A)] {
            let spec = with(clusters([64, 64, 64], cluster), |schedule| schedule.walk = walk);
            let plan = plan(&spec);
            assert_eq!(plan.cluster().map(|cluster| cluster.shared()), Some(side));
            let text = emit(&plan).text;
            let [tile_a, tile_b] = ["struct TileA {", "struct TileB {"].map(|tile| {
                let members = text.split(tile).nth(1).and_then(|rest| rest.split("\n};").next());
                members.is_some_and(|members| members.contains("SHARED = true;"))
            });
            assert_eq!([tile_a, tile_b], [side == Side::A, side == Side::B], "{walk:?}");
            assert_eq!(text.matches("SHARED = ").count(), 2, "{walk:?}");
            assert!(text.contains("__cluster_dims__(CLUSTER, 1, 1)"));
        }
    }
}
