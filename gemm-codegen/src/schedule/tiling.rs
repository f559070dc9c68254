//! How the work of a block is cut by default: its tile, the atoms, the warps.

use std::cmp::Reverse;
use std::num::NonZeroU16;

use super::COPY_BYTES;
use crate::axis::Side;
use crate::element::Element;
use crate::form::Form;
use crate::hardware::{Target, WARP};
use crate::level::global_to_shared::tensor;
use crate::level::mma::{AtomMatrix, Fragment};
use crate::registers::{Registers, registers_of};
use crate::spec::{Mma, Schedule, Walk};

/// BLK_M, BLK_N of a schedule that names none: four warps of 64×64, two blocks an SM.
const TILE: [u32; 2] = [128, 128];

/// BLK_K of a schedule that names none, in bytes: two k-steps of the deepest atoms.
const TILE_K_BYTES: u32 = 64;

/// The tile of a schedule that names none. Register tiles are of any size: then it is the largest
/// that is no larger, of whole atoms and whole rows of copies. A narrow one has half of the columns.
pub(super) fn tile(mma: Mma, element: Element, narrow: bool) -> [u32; 3] {
    let [atom_m, atom_n] = match (mma, mma.shape()) {
        (Mma::Fma { .. }, [m, n, _]) => [m, n],
        _ => [1, 1],
    };
    let copy = u32::from(COPY_BYTES.get()) / element.bytes();
    let extent = |most: u32, atom: u32| {
        // Both divide it; the copies are a power of two.
        let unit = atom * (copy >> atom.trailing_zeros().min(copy.ilog2()));
        (most / unit * unit).max(atom)
    };
    let most_n = if narrow { TILE[1] / 2 } else { TILE[1] };
    [extent(TILE[0], atom_m), extent(most_n, atom_n), TILE_K_BYTES / element.bytes()]
}

/// The tile of warpgroups that names none: two of 64×256, or one of 128×128, which leaves room for an
/// epilogue. An instruction that is named outright says the columns of each.
pub(super) fn group_tile(schedule: &Schedule) -> [u32; 3] {
    let usual = match schedule.walk {
        Some(Walk::Pingpong) => 128,
        Some(Walk::Cooperative) | None => 256,
    };
    let named = schedule.mma.and_then(Mma::written_shape).and_then(|shape| {
        let groups = schedule.warpgroups.map_or(NonZeroU16::MIN, |[_, along_n]| along_n);
        shape.n.checked_mul(groups)
    });
    [128, named.map_or(usual, |columns| columns.get().into()), 64]
}

/// The tile with the most columns of no more than these that are a power of two for each product.
pub(super) fn of_products([m, n, k]: [u32; 3], products: u32) -> [u32; 3] {
    [m, n / products.next_power_of_two() * products, k]
}

/// What a lane has of a side for one atom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragments {
    /// 32-bit registers.
    pub(super) registers: u32,
    /// Registers that each of them takes while it is multiplied.
    pub(super) taken: u32,
    /// Whether they are loaded from panels, which warps share in equal parts.
    pub(super) panels: bool,
}

/// What the registers of a thread are counted by.
pub(super) struct Budget<F> {
    pub(super) form: Form,
    /// Products of which each warp has whole atoms.
    pub(super) products: u32,
    /// Registers through which a thread copies tiles, by the threads of its block.
    pub(super) copies: F,
}

/// As many warps as give each about 64×64, or one atom of register tiles, but four where the tile
/// can be cut so, and then the squarest warp tile: it reads the fewest bytes of shared memory for
/// each product. Fewer or more where their registers do not fit, or what they stage, or
/// where their fragments are no whole loads of what tensor copies bring.
pub(super) fn warps(
    tile: [u32; 3],
    mma: Mma,
    (sum_bits, fragments): (u32, [Fragments; 2]),
    budget: Budget<impl Fn(u32) -> u32>,
    staging_fits: impl Fn([u32; 3]) -> bool,
) -> [u32; 3] {
    const MOST: u32 = 16;
    let [atom_m, atom_n, _] = mma.shape();
    let wanted = match mma {
        Mma::Fma { .. } => {
            tile[0].saturating_mul(tile[1]).div_ceil(atom_m.saturating_mul(atom_n)).min(MOST)
        }
        _ => (tile[0] * tile[1]).div_ceil(64 * 64).clamp(4, MOST),
    };
    let grids = (1..=MOST).flat_map(|m| (1..=MOST / m).map(move |n| [m, n]));
    grids
        .filter(|[m, n]| {
            let columns = n * atom_n * budget.products;
            tile[0].is_multiple_of(m * atom_m) && tile[1].is_multiple_of(columns)
        })
        .max_by_key(|[m, n]| {
            let [warp_m, warp_n] = [tile[0] / m, tile[1] / n];
            let [of_a, of_b] = fragments;
            let all = |a: u32, b: u32| [warp_m / atom_m * a, warp_n / atom_n * b];
            let sums = registers_of(warp_m.saturating_mul(warp_n), sum_bits);
            let threads = m * n * WARP;
            let with = |fragments| {
                budget.form.registers(sums, fragments, (budget.copies)(threads), threads)
            };
            let loaded = all(of_a.registers, of_b.registers);
            let held = with(loaded);
            let (taken, whole) = match budget.form {
                Form::WarpsByTensors => {
                    // What is held is multiplied as well; bytes lie along K.
                    let fragments_taken = held.fragments * of_a.taken.max(of_b.taken);
                    let shares = |(of, extent): (&Fragments, u32)| {
                        !of.panels || tensor::share_panels(extent)
                    };
                    let whole = tensor::are_whole_loads(loaded)
                        && fragments.iter().zip([warp_m, warp_n]).all(shares);
                    (Registers { fragments: fragments_taken, ..held }, whole)
                }
                Form::Warps(_) | Form::Lanes(_) | Form::Groups => {
                    (with(all(of_a.registers * of_a.taken, of_b.registers * of_b.taken)), true)
                }
            };
            let fit = (held.fit() && staging_fits([*m, *n, 1]), whole, Reverse(taken.missing()));
            let (count, excess) = (m * n, (m * n).saturating_sub(wanted));
            (fit, Reverse(excess), count, Reverse(warp_m + warp_n))
        })
        .map_or([1; 3], |[m, n]| [m, n, 1])
}

/// 32-bit registers of a lane for a side of one atom. An atom that does not exist, an error
/// elsewhere, counts as one of halves.
pub(super) fn registers(shape: Mma, side: Side, element: Element) -> u32 {
    let of = |bytes: u32| Fragment::new(shape.shape(), AtomMatrix::of(side), 8 * bytes);
    of(element.bytes()).or_else(|| of(2)).map_or(1, |fragment| fragment.words())
}

/// Whether ptxas makes halves of what `mma.sync` multiplies, of 8-bit floats where tensor cores take
/// them from warpgroups alone, or not at all.
pub(super) fn unpacks(mma: Mma, element: Element, targets: &[Target]) -> bool {
    let of_8_bits = matches!(element, Element::E4m3 | Element::E5m2);
    let by_warps = !matches!(mma, Mma::Fma { .. } | Mma::Wgmma(_));
    of_8_bits && by_warps && !targets.iter().all(|target| target.multiplies_float8())
}

/// The registers that one of fragments takes while it is multiplied. Halves of it take two more, and
/// the pairs that it was permuted from another: then the usual tile has no room, as ptxas also sums
/// beside the accumulators.
pub(super) fn taken(unpacks: bool, along_k: bool) -> u32 {
    match (unpacks, along_k) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::ByThreads;

    /// Fragments of these numbers of registers of A and of B.
    fn of(registers: [u32; 2], taken: u32) -> [Fragments; 2] {
        registers.map(|registers| Fragments { registers, taken, panels: false })
    }

    /// No copies through registers.
    const NONE: Budget<fn(u32) -> u32> =
        Budget { form: Form::Warps(ByThreads::CpAsync), products: 1, copies: |_| 0 };

    #[test]
    fn warps_are_square_and_few() {
        let grid = |m, n| warps([m, n, 32], Mma::M16n8k16, (32, of([4, 2], 1)), NONE, |_| true);
        assert_eq!(grid(128, 128), [2, 2, 1]);
        assert_eq!(grid(128, 256), [2, 4, 1]);
        assert_eq!(grid(256, 128), [4, 2, 1]);
        assert_eq!(grid(64, 64), [2, 2, 1]);
        assert_eq!(grid(16, 64), [1, 4, 1]);
        assert_eq!(grid(16, 8), [1, 1, 1]);
        assert_eq!(grid(48, 80), [3, 1, 1]);
        assert_eq!(grid(384, 128), [4, 2, 1], "twelve warps have 168 registers a thread");
        assert_eq!(grid(80, 200), [1, 5, 1], "one warp has 255 registers a thread");
        assert_eq!(grid(17, 9), [1, 1, 1]);
        let unpacked =
            |tile, taken| warps(tile, Mma::M16n8k32, (32, of([4, 2], taken)), NONE, |_| true);
        assert_eq!(unpacked([128, 128, 64], 3), [4, 2, 1], "halves of 8-bit floats");
        assert_eq!(unpacked([128, 64, 64], 4), [4, 2, 1], "and their pairs");
        assert_eq!(unpacked([128, 128, 64], 4), [4, 2, 1], "the least that is missing");
        let doubles = warps([128, 128, 8], Mma::M8n8k4, (64, of([2, 2], 1)), NONE, |_| true);
        assert_eq!(doubles, [4, 2, 1], "64 x 64 sums of 64 bits do not fit a thread");
    }
}
