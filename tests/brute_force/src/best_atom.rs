//! The MMA instruction of a spec that names none.

use gemm_codegen::Element;

use super::case::{multiplied_elements, warps};
use super::resources::{self, Held};
use super::{Case, atoms, converted, tiling};

/// The instructions that come into question: where none multiplies the elements, those of halves.
pub(super) fn shapes(elements: [Element; 2]) -> ([Element; 2], Vec<[u32; 3]>) {
    let of = |elements| (elements, atoms::shapes(elements));
    match of(elements) {
        (_, none) if none.is_empty() => of([Element::F16; 2]),
        some => some,
    }
}

/// The deepest that the laws of targets, of tiles and of registers allow, in that order; of those as
/// deep the one with the most rows.
pub(super) fn choose(case: &Case<'_>) -> [u32; 3] {
    let elements = multiplied_elements(case.spec).map(converted::multiplied_as);
    let elements = elements.unwrap_or([Element::F16; 2]);
    let ([element, _], mut left) = shapes(elements);
    let first = |shape: &[u32; 3]| atoms::first_target(element, *shape);
    let lack =
        |shape: &[u32; 3]| case.targets.iter().filter(|t| t.capability() < first(shape)).count();
    keep_least(&mut left, |shape| {
        (lack(shape), if lack(shape) > 0 { Some(first(shape)) } else { None })
    });
    let step = |shape: &[u32; 3]| case.with_mma(*shape).mma[2];
    let fits = |step| tiling::walk(case.warp_k(), step).is_some();
    keep_least(&mut left, |shape| if fits(step(shape)) { 0 } else { step(shape) });
    let written = case.spec.schedule.warps.is_some();
    let on_some_grid = |shape: &[u32; 3], holds: &dyn Fn(&Case<'_>, [u32; 3]) -> bool| {
        let case = case.with_mma(*shape);
        let tiled = |grid: [u32; 3]| {
            [0, 1].into_iter().all(|axis| {
                let warp = tiling::deal(case.tile[axis], grid[axis]);
                warp.is_some_and(|warp| tiling::walk(warp, shape[axis]).is_some())
            })
        };
        let usual = |grid| written || warps(grid) <= 16;
        !case.every_grid(|grid| !(usual(grid) && tiled(grid) && holds(&case, grid)))
    };
    keep_least(&mut left, |shape| !on_some_grid(shape, &|_, _| true));
    let fits = |held| {
        move |case: &Case<'_>, grid| {
            let staged = written || !resources::staging_overflows(case, grid);
            staged && !resources::registers_overflow(case, grid, held)
        }
    };
    keep_least(&mut left, |shape| !on_some_grid(shape, &fits(Held::Least)));
    keep_least(&mut left, |shape| !on_some_grid(shape, &fits(Held::Wanted)));
    left.into_iter().max_by_key(|[m, _, k]| (*k, *m)).unwrap_or([16, 8, 16])
}

/// Drops all for which the key is not the least.
fn keep_least<K: Ord>(left: &mut Vec<[u32; 3]>, key: impl Fn(&[u32; 3]) -> K) {
    if left.len() > 1 {
        let keys: Vec<K> = left.iter().map(key).collect();
        let least = keys.iter().min();
        let mut each = keys.iter();
        left.retain(|_| each.next() == least);
    }
}
