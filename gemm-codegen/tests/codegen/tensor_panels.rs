//! The laws of `copy = tma` for operands whose rows run along M or N, each on both sides of its
//! limit, and what a plan derives for them.

use gemm_codegen::{
    Allow, Axis, Element, Field, Form, LoadPath, Mma, PerSide, Rule, Side, Spec, Swizzle,
    TensorBox, TileOrder, auto,
};

use super::shared::{
    self, F16, broken, by_tensors, extent, fma, help, kernel, message, plan, swizzle, with,
};

/// The sides whose rows run along M or N.
const A: &[Side] = &[Side::A];
const B: &[Side] = &[Side::B];
const BOTH: &[Side] = &Side::BOTH;

fn tiled(sides: &[Side], tile: [u16; 3], warps: [u16; 2]) -> Spec {
    shared::tiled(by_tensors(F16, sides), tile, warps)
}

#[test]
fn everything_else_is_derived() {
    for (element, sides) in [(F16, A), (F16, B), (F16, BOTH), (Element::Bf16, BOTH)] {
        let plan = plan(&by_tensors(element, sides));
        assert_eq!((plan.warps().block, plan.warps().grid), ([128, 128, 64], [2, 2, 1]));
        for side in Side::BOTH {
            let along_mn = sides.contains(&side);
            let (layout, swizzle) = (plan.shared_tile(side).layout, Swizzle { b: 3, m: 3, s: 3 });
            let order = if along_mn {
                TileOrder::Panels { cols: 64, swizzle }
            } else {
                TileOrder::Rows(swizzle)
            };
            assert_eq!((layout.order, layout.span()), (order, 128 * 64));
            let [copies, loads] = [plan.global_to_shared(side), plan.global_to_shared(side)];
            assert_eq!((copies.copies, loads.bank_passes), (if along_mn { 2 } else { 1 }, 1));
            let path = plan.feed(side).loads().map(|loads| loads.path);
            assert_eq!(path, Some(LoadPath::Ldmatrix { transposed: along_mn }));
        }
        assert_eq!(plan.shared_memory().bytes(), 4 * (2 * 128 * 128 + 16));
    }
}

#[test]
fn elements_have_16_bits() {
    let order = |side: Side| (Rule::TensorCopy, Field::OperandIndex(side as usize, 1));
    for element in [Element::F32, Element::I8, Element::E4m3] {
        assert_eq!(broken(&by_tensors(element, &[])), []);
        for side in Side::BOTH {
            let of_one = broken(&by_tensors(element, &[side]));
            assert_eq!(of_one, [order(side)], "{element}");
        }
        assert_eq!(broken(&by_tensors(element, BOTH)), Side::BOTH.map(order));
    }
    let spec = by_tensors(Element::F32, B);
    assert_eq!(
        message(&spec),
        "`b` is contiguous along `N`, but ldmatrix transposes only 2-byte elements, not f32: its \
         last index must be `K`"
    );
    assert_eq!(
        help(&spec),
        "store `b` with the indices `N, K`, or copy it with `cp_async(16, cg)`"
    );
}

#[test]
fn a_tile_has_whole_panels() {
    let along_m = |m| tiled(A, [m, 32, 64], [1, 1]);
    let along_n = |n| tiled(B, [32, n, 64], [1, 1]);
    assert_eq!([64, 128].map(|m| broken(&along_m(m))), [const { Vec::new() }; 2]);
    assert_eq!([64, 128].map(|n| broken(&along_n(n))), [const { Vec::new() }; 2]);
    for extent in [32, 48, 80, 96, 112] {
        assert_eq!(broken(&along_m(extent)), [(Rule::TensorCopy, Field::Tile(Axis::M))]);
        assert_eq!(broken(&along_n(extent)), [(Rule::TensorCopy, Field::Tile(Axis::N))]);
        assert_eq!(
            [help(&along_m(extent)), help(&along_n(extent))],
            ["use BLK_M = 64 or 128", "use BLK_N = 64 or 128"]
        );
    }
    assert_eq!(
        message(&along_n(96)),
        "BLK_N = 96 is not a multiple of 64, the columns of a tensor copy's box of B, which is \
         stored along N"
    );
    // The other side is one box, of whole chunks of eight rows.
    assert_eq!(broken(&tiled(A, [64, 48, 64], [2, 1])), []);
    assert_eq!(broken(&tiled(B, [96, 64, 64], [1, 2])), []);
}

#[test]
fn panels_have_64_rows_each_of_them() {
    let at = [(Rule::TensorCopy, Field::Tile(Axis::K))];
    for sides in [A, B, BOTH] {
        let of = |k| tiled(sides, [64, 64, k], [2, 2]);
        assert_eq!(broken(&of(64)), []);
        assert_eq!([broken(&of(32)), broken(&of(128))], [at; 2]);
        assert_eq!(help(&of(32)), "use BLK_K = 64");
    }
}

#[test]
fn the_limit_of_rows_is_one_of_rows_along_k() {
    // Five panels are no more than one.
    assert_eq!(broken(&tiled(B, [32, 320, 64], [1, 10])), []);
    assert_eq!(broken(&tiled(A, [320, 32, 64], [10, 1])), []);
    let rows = tiled(B, [288, 64, 64], [9, 1]);
    assert_eq!(broken(&rows), [(Rule::TensorCopy, Field::Tile(Axis::M))]);
}

#[test]
fn a_warp_has_whole_panels_or_an_equal_part_of_one() {
    let along_m = |m, warps| tiled(A, [m, 32, 64], [warps, 1]);
    let along_n = |n, warps| tiled(B, [32, n, 64], [1, warps]);
    for (extent, warps) in [(64, 2), (64, 1), (128, 4), (128, 2), (128, 1), (192, 3), (192, 6)] {
        assert_eq!(broken(&along_m(extent, warps)), [], "{extent} by {warps}");
        assert_eq!(broken(&along_n(extent, warps)), [], "{extent} by {warps}");
    }
    // A quarter of a panel is one load of B.
    assert_eq!(broken(&along_n(64, 4)), []);
    for (extent, warps) in [(192, 2), (192, 4), (320, 4)] {
        let [m, n] = [Axis::M, Axis::N].map(|axis| (Rule::TensorFragments, Field::Warps(axis)));
        assert_eq!(broken(&along_m(extent, warps)), [m], "{extent} by {warps}");
        assert_eq!(broken(&along_n(extent, warps)), [n], "{extent} by {warps}");
        let fewer = extent / 64;
        let [rows, columns] = [("M", "rows"), ("N", "columns")].map(|(letter, lines)| {
            format!("use {fewer} warps along {letter} for 64 {lines} per warp")
        });
        assert_eq!(help(&along_m(extent, warps)), rows);
        assert_eq!(help(&along_n(extent, warps)), columns);
    }
    assert_eq!(
        message(&along_m(192, 2)),
        "96 rows per warp do not fit the tensor copies of A, 64 elements along M each: a \
         warp takes whole ones, a half or a quarter"
    );
    // Where rows run along K any whole loads will do.
    assert_eq!(broken(&tiled(B, [192, 64, 64], [2, 1])), []);
}

#[test]
fn loads_are_whole_as_those_of_rows_along_k_are() {
    let at = [(Rule::TensorFragments, Field::Warps(Axis::M))];
    let narrow = tiled(A, [64, 32, 64], [4, 1]);
    assert_eq!(
        (broken(&narrow), help(&narrow)),
        (at.to_vec(), "use 1 warp along M for 64 rows per warp".into())
    );
    // An atom of eight k has half as many registers of a row.
    let shallow = |sides, tile, warps| {
        broken(&with(tiled(sides, tile, warps), |schedule| schedule.mma = Some(Mma::M16n8k8)))
    };
    assert_eq!(shallow(A, [64, 32, 64], [1, 1]), []);
    assert_eq!(shallow(A, [64, 32, 64], [2, 1]), at);
    assert_eq!(shallow(B, [64, 64, 64], [1, 2]), []);
    let columns = [(Rule::TensorFragments, Field::Warps(Axis::N))];
    assert_eq!(shallow(B, [64, 64, 64], [1, 4]), columns);
}

#[test]
fn panels_have_one_swizzle() {
    for (side, sides) in [(Side::A, A), (Side::B, B)] {
        let with = |bits| {
            let mut spec = tiled(sides, [64, 64, 64], [2, 2]);
            spec.schedule.allow = vec![Allow::BankConflicts];
            *spec.schedule.swizzle.get_mut(side) = swizzle(bits);
            broken(&spec)
        };
        assert_eq!(with([3, 3, 3]), []);
        for other in [[2, 3, 3], [3, 3, 4], [0, 3, 3]] {
            assert_eq!(with(other), [(Rule::TensorCopy, Field::Swizzle(side))], "{other:?}");
        }
    }
}

#[test]
fn a_register_tile_is_fed_by_other_copies() {
    let spec = with(tiled(B, [64, 64, 64], [2, 2]), |schedule| schedule.mma = fma(8, 4));
    assert_eq!(broken(&spec), [(Rule::TensorFragments, Field::Mma)]);
}

#[test]
fn warps_are_derived_that_share_panels() {
    let grid = |sides, tile: [u16; 3]| {
        let spec = by_tensors(F16, sides);
        plan(&with(spec, |schedule| schedule.tile = Some(tile.map(extent)))).warps().grid
    };
    assert_eq!(grid(B, [192, 256, 64]), [2, 4, 1]);
    // Two warps along M would have 96 rows each, and twelve too few registers.
    assert_eq!(grid(A, [192, 256, 64]), [1, 8, 1]);
    assert_eq!(grid(BOTH, [128, 256, 64]), [2, 4, 1]);
}

#[test]
fn a_map_has_boxes_of_one_panel() {
    let kernel = kernel(&tiled(B, [96, 128, 64], [1, 2]));
    let boxes: Vec<_> = kernel.parameters.iter().map(|parameter| parameter.tensor).collect();
    let of = |rows| Some(TensorBox { rows, columns: 64, rounds_to_tf32: false });
    assert_eq!(boxes, [of(96), of(64), None]);
}

#[test]
fn rows_along_k_alone_are_written_without_panels() {
    let text = |sides| kernel(&tiled(sides, [64, 64, 64], [2, 2])).text;
    assert!(!text(&[]).contains("PANEL"));
    for sides in [A, B, BOTH] {
        let text = text(sides);
        // Both tiles have the members that the one function for both reads: a tile of panels has its own.
        let of_rows = text.matches("RowTile<f16").count();
        assert_eq!(text.matches("static constexpr int PANELS = ").count(), 1 + of_rows);
        assert_eq!(text.matches("asm volatile(\"cp.async.bulk.tensor").count(), 1);
    }
}

/// The blocks of the candidates of such a form, which names no copies.
fn candidates(form: Form, element: Element, sides: &[Side]) -> Vec<[u32; 3]> {
    let spec = with(by_tensors(element, sides), |schedule| schedule.copy = PerSide::both(None));
    let plans = auto::candidates(&spec).unwrap().into_iter().map(|candidate| candidate.plan);
    let of_form = plans.filter(|plan| auto::Footprint::of(plan).form == form);
    of_form.map(|plan| plan.warps().block).collect()
}

#[test]
fn auto_tries_them_in_every_order() {
    let blocks = |element, sides| candidates(Form::WarpsByTensors, element, sides);
    let all = blocks(F16, &[]);
    assert!(all.len() > 2 && all.contains(&[192, 256, 64]) && all.contains(&[128, 256, 64]));
    // Warps of 96 rows, and of 48 columns, have no equal parts of panels; 32 rows are half of one.
    let odd_m = |[m, ..]: &[u32; 3]| [192, 32].contains(m);
    let odd_n = |[_, n, _]: &[u32; 3]| *n == 192;
    assert!(all.iter().any(odd_m) && all.iter().any(odd_n));
    for (sides, [a, b]) in [(A, [true, false]), (B, [false, true]), (BOTH, [true, true])] {
        let mut left = all.clone();
        left.retain(|block| !(a && odd_m(block) || b && odd_n(block)));
        assert_eq!(blocks(F16, sides), left, "{sides:?}");
    }
    assert!(blocks(Element::F32, B).is_empty() && !blocks(Element::F32, &[]).is_empty());
}

#[test]
fn auto_tries_warpgroups_where_panels_are_whole() {
    let blocks = |element, sides| candidates(Form::Groups, element, sides);
    let all = blocks(F16, &[]);
    // Rows of a swapped tile are columns of B; a tile has whole panels of whichever side is cut.
    let is_cut = |[m, n, _]: &[u32; 3]| m.is_multiple_of(64) && n.is_multiple_of(64);
    let [cut, ragged]: [Vec<_>; 2] = [true, false]
        .map(|whole| all.iter().copied().filter(|block| is_cut(block) == whole).collect());
    assert!(cut.len() > 5 && ragged.len() > 5);
    assert_eq!(blocks(F16, BOTH), cut);
    for sides in [A, B] {
        let some = blocks(F16, sides);
        assert!(cut.iter().all(|block| some.contains(block)), "{sides:?}");
        assert!(some.len() < all.len(), "{sides:?}");
    }
    assert!(blocks(Element::F32, BOTH).is_empty() && !blocks(Element::F32, &[]).is_empty());
}
