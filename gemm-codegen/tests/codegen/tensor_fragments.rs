//! The fragments that warps load of tiles that the copy unit copies.

use gemm_codegen::{Allow, Axis, Element, Field, Mma, Rule};

use super::shared::{F16, broken, extent, fma, message, plan, reasons, with};
use super::tensor_copies::{derived, tiled};

/// The extents of a warp along `axis`, each with the nearest legal one.
#[track_caller]
fn nearest(mma: Mma, axis: Axis, extents: &[(u16, u16)]) {
    for &(extent, near) in extents {
        let (tile, what) = match axis {
            Axis::M => ([extent, 32, 64], "rows"),
            _ => ([64, extent, 64], "columns"),
        };
        let spec = with(tiled(F16, tile, [1, 1]), |schedule| schedule.mma = Some(mma));
        let mut found =
            reasons(&spec).into_iter().map(|reason| (reason.rule, reason.at, reason.help));
        let help = format!("use BLK_{} = {near} for {near} {what} per warp", axis.letter());
        let expected = (Rule::TensorFragments, Field::Warps(axis), help);
        assert_eq!(found.next(), (extent != near).then_some(expected), "{mma:?} {extent}");
    }
}

#[test]
fn a_warp_has_whole_loads_of_rows_and_two() {
    nearest(Mma::M16n8k16, Axis::M, &[(16, 32), (32, 32), (48, 48), (64, 64), (80, 80)]);
    // A shallow atom has half as many registers of a row.
    nearest(Mma::M16n8k8, Axis::M, &[(32, 64), (64, 64), (80, 96), (96, 96)]);
}

#[test]
fn a_warp_has_whole_loads_of_columns() {
    let deep = [(8, 16), (16, 16), (24, 32), (32, 32), (40, 48), (48, 48)];
    nearest(Mma::M16n8k16, Axis::N, &deep);
    nearest(Mma::M16n8k8, Axis::N, &[(16, 32), (32, 32), (40, 64), (64, 64)]);
}

#[test]
fn fragments_are_those_of_ldmatrix() {
    let at = [(Rule::TensorFragments, Field::Mma)];
    let spec = tiled(F16, [64, 64, 64], [2, 2]);
    assert_eq!(broken(&with(spec, |schedule| schedule.mma = fma(8, 4))), at);
    let spec = tiled(Element::F64, [64, 64, 16], [2, 2]);
    assert_eq!(broken(&with(spec, |schedule| schedule.allow = vec![Allow::BankConflicts])), at);
}

#[test]
fn all_fragments_that_are_held_fit() {
    // A: 16 of 24 registers, B: those of two k-steps.
    let tall = plan(&tiled(F16, [96, 64, 64], [1, 1]));
    let registers = tall.registers();
    assert_eq!([registers.accumulators, registers.fragments, registers.limit], [192, 48, 255]);
    let mut wide = tiled(F16, [64, 96, 64], [1, 1]);
    wide.schedule.mma = Some(Mma::M16n8k16);
    assert_eq!(broken(&wide), [(Rule::RegistersFit, Field::Tile(Axis::M))]);
    assert_eq!(
        message(&wide),
        "a 64 x 96 warp tile needs 192 accumulator, 64 fragment and 12 address registers per \
         thread, but the limit in a block of 32 threads is 255"
    );
}

#[test]
fn warps_are_derived_whose_loads_are_whole() {
    let grid = |element, tile: [u16; 3]| {
        let spec = with(derived(element), |schedule| schedule.tile = Some(tile.map(extent)));
        let plan = plan(&spec);
        (plan.warps().grid, plan.mma().name())
    };
    assert_eq!(grid(F16, [128, 128, 64]), ([2, 2, 1], "m16n8k16".into()));
    // Four warps would have 24 columns each, or 16 rows.
    assert_eq!(grid(F16, [64, 48, 64]), ([1, 3, 1], "m16n8k16".into()));
    // 96 x 64 fits a warp that loads A as it goes.
    assert_eq!(grid(F16, [192, 256, 64]), ([2, 4, 1], "m16n8k16".into()));
    // A shallow atom would save registers that are not needed, or are.
    let atom = |tile| plan(&tiled(F16, tile, [1, 1])).mma().name();
    assert_eq!([atom([64, 80, 64]), atom([64, 96, 64])], ["m16n8k16", "m16n8k8"]);
}
