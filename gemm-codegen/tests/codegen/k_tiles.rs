//! The k-tiles of warpgroups: one or two boxes of tensor copies along K.

use gemm_codegen::{Axis, Element, Field, Mma, Rule, Side, Spec, TensorBox, emit};

use super::shared::{Indices, TN, broken, extent, help, message, plan, product, with};

/// B is stored along N.
const NN: [Indices<'static>; 3] = [["M", "K"], ["K", "N"], ["M", "N"]];

/// A product by warpgroups with this tile and two stages.
fn of(element: Element, sides: [Indices<'_>; 3], tile: [u16; 3]) -> Spec {
    let mut spec = with(product(element, sides), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some(tile.map(extent));
        schedule.stages = Some(extent(2));
    });
    if element == Element::I8 {
        spec.outputs[0].element = Element::I32;
    }
    spec
}

#[test]
fn a_k_tile_has_one_or_two_boxes() {
    let at = [(Rule::TensorCopy, Field::Tile(Axis::K))];
    for sides in [TN, NN] {
        let judged = |k| broken(&of(Element::F16, sides, [64, 64, k]));
        assert_eq!([judged(64), judged(128)], [[], []]);
        for k in [32, 96, 160, 192, 256] {
            assert_eq!(judged(k), at, "{k}");
        }
    }
    for (element, of_box) in [(Element::F32, 32), (Element::E4m3, 128), (Element::I8, 128)] {
        let judged = |boxes: u16| broken(&of(element, TN, [64, 64, boxes * of_box]));
        assert_eq!([judged(1), judged(2)], [[], []], "{element}");
        assert_eq!(judged(3), at, "{element}");
    }
}

#[test]
fn a_help_names_both_where_both_fit() {
    let spec = of(Element::F16, TN, [64, 64, 192]);
    assert_eq!(
        message(&spec),
        "BLK_K = 192 elements are 384 B, but warpgroups multiply k-tiles of 128 or 256 B"
    );
    assert_eq!(help(&spec), "use BLK_K = 64 or 128");
    // Four stages of 384 rows of 128 B fit a block, of 256 B they do not.
    let large = with(of(Element::F16, TN, [128, 256, 32]), |schedule| {
        schedule.stages = Some(extent(4));
    });
    assert_eq!(broken(&large), [(Rule::TensorCopy, Field::Tile(Axis::K))]);
    assert_eq!(help(&large), "use BLK_K = 64");
}

#[test]
fn the_k_steps_of_rows_along_k_stay_in_their_panels() {
    let plan = plan(&of(Element::F16, NN, [64, 64, 128]));
    // Two panels of A, and one of B with twice as many rows.
    assert_eq!(Side::BOTH.map(|side| plan.shared_tile(side).panels()), [Some(2), Some(1)]);
    let kernel = emit(&plan);
    for line in [
        "struct TileA : BoxTile<f16, BLK_M, BLK_K> {",
        "struct TileB : BoxTile<f16, BLK_K, BLK_N> {",
        "static constexpr int LEADING = 16384, STRIDE = 1024;",
    ] {
        assert_eq!(kernel.text.matches(line).count(), 1, "{line}");
    }
    let boxes: Vec<_> = kernel.parameters.iter().filter_map(|parameter| parameter.tensor).collect();
    let of_rows = |rows| TensorBox { rows, columns: 64, rounds_to_tf32: false };
    assert_eq!(boxes, [64, 128].map(of_rows));
}

#[test]
fn a_stage_of_two_boxes_takes_the_place_of_two() {
    let ring = |k| plan(&of(Element::F16, TN, [128, 96, k])).shared_memory().ring_bytes;
    assert_eq!([ring(64), ring(128)], [2 * 224 * 128, 2 * 224 * 256]);
}
