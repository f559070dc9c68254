//! Rows dealt to warps, atoms laid side by side.

use gemm_codegen::Side;

use super::way::Way;
use super::{Case, atoms, scaled};

/// Whether the warps of a grid get different numbers of rows, columns or k, of a block that atoms cover.
pub(super) fn warps_differ(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let is_whole = |axis: usize| walk(case.tile[axis], case.mma[axis]).is_some();
    (0..3).any(|axis| is_whole(axis) && deal(case.tile[axis], grid[axis]).is_none())
}

/// Whether atoms laid side by side do not end where the part of a warp ends; where the warps
/// differ the whole block is looked at.
pub(super) fn atoms_are_left_over(case: &Case<'_>, grid: [u32; 3]) -> bool {
    (0..2).any(|axis| is_left_over(case, grid, axis))
}

/// The same along k.
pub(super) fn k_steps_are_left_over(case: &Case<'_>, grid: [u32; 3]) -> bool {
    is_left_over(case, grid, 2)
}

/// Whether the columns of a warp are not as many for each product, in bands of 8, copies of rows along N, and
/// panels of those.
pub(super) fn parts_are_left_over(case: &Case<'_>, grid: [u32; 3]) -> bool {
    deal(case.tile[1], grid[1]).is_some_and(|of_warp| columns_are_left_over(case, of_warp))
}

/// Whether these columns of a warp are not.
pub(super) fn columns_are_left_over(case: &Case<'_>, of_warp: u32) -> bool {
    let products = case.products;
    let Some([_, b]) = case.multiplied().filter(|_| products > 1) else { return false };
    let bytes = atoms::bytes(b.element);
    let unit = match case.way(Side::B) {
        // Those of an element belong together.
        _ if b.k_contiguous == Some(true) => 8.max(atoms::lines(b.element)),
        Way::Tensor => 128 / bytes,
        // Lines of two bands of bytes take turns, and have scales of one product.
        _ if bytes == 1 && scaled::is_second(case.spec) => 16.max(case.copy(Side::B).0),
        _ => 8.max(case.copy(Side::B).0 / bytes),
    };
    deal(of_warp, products).is_none_or(|columns| walk(columns, unit).is_none())
}

fn is_left_over(case: &Case<'_>, grid: [u32; 3], axis: usize) -> bool {
    let extent = deal(case.tile[axis], grid[axis]).unwrap_or(case.tile[axis]);
    walk(extent, case.mma[axis]).is_none()
}

/// Deals cards one by one: how many each player has, if all have as many.
pub(super) fn deal(cards: u32, players: u32) -> Option<u32> {
    let mut hands = vec![0; players as usize];
    for card in 0..cards {
        hands[(card % players) as usize] += 1;
    }
    hands.iter().all(|hand| *hand == hands[0] && *hand > 0).then(|| hands[0])
}

/// Steps until an extent is reached, if it is met exactly.
pub(super) fn walk(extent: u32, step: u32) -> Option<u32> {
    let (mut at, mut steps) = (0, 0);
    while at < extent {
        at += step;
        steps += 1;
    }
    (at == extent).then_some(steps)
}
