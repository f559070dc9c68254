//! How the work of a block is cut by default: its tile, the atoms, the warps.

use std::cmp::Reverse;
use std::num::NonZeroU16;

use super::COPY_BYTES;
use crate::element::Element;
use crate::form::Form;
use crate::hardware::{Target, WARP};
use crate::level::global_to_shared::tensor;
use crate::registers::{Registers, registers_of};
use crate::spec::{Mma, Schedule, Walk};

/// BLK_M, BLK_N of a schedule that names none: four warps of 64×64, two blocks an SM.
const TILE: [u32; 2] = [128, 128];

/// BLK_K of a schedule that names none, in bytes: two k-steps of the deepest atoms.
const TILE_K_BYTES: u32 = 64;

/// The tile of a schedule that names none. Register tiles are of any size: then it is the largest
/// that is no larger, of whole atoms and whole rows of copies. A narrow one has half of the columns.
pub(super) fn tile(mma: Mma, element: Element, narrow: bool, products: u32) -> [u32; 3] {
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
    let most_n = columns(if narrow { TILE[1] / 2 } else { TILE[1] }, products);
    [extent(TILE[0], atom_m), extent(most_n, atom_n), TILE_K_BYTES / element.bytes()]
}

/// The tile of warpgroups that names none: two of 64×256, or one of 128×128, which leaves room for an
/// epilogue, or for what is promoted. An instruction that is named outright says the columns of each.
pub(super) fn group_tile(schedule: &Schedule, products: u32, promotes: bool) -> [u32; 3] {
    let usual = match schedule.walk {
        Some(Walk::Pingpong) => 128,
        Some(Walk::Cooperative) | None if promotes => 128,
        Some(Walk::Cooperative) | None => 256,
    };
    let named = schedule.mma.and_then(Mma::written_shape).and_then(|shape| {
        let groups = schedule.warpgroups.map_or(NonZeroU16::MIN, |[_, along_n]| along_n);
        shape.n.checked_mul(groups)
    });
    [128, named.map_or(columns(usual, products), |columns| columns.get().into()), 64]
}

/// The most columns of no more than these that are as many for each of several products, a power of two
/// where these are one.
pub(super) fn columns(most: u32, products: u32) -> u32 {
    most / products.next_power_of_two() * products
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
pub(super) struct Budget<'a> {
    pub(super) form: Form,
    /// Each warp's columns are a multiple of this: a part of each product.
    pub(super) columns: u32,
    /// Bits of a sum.
    pub(super) sum_bits: u32,
    /// Those of A and of B.
    pub(super) fragments: [Fragments; 2],
    /// Registers through which a thread copies tiles, by the threads of its block.
    pub(super) copies: &'a dyn Fn(u32) -> u32,
}

impl Budget<'_> {
    /// Whether a thread has registers for its part of a warp tile, in a block of `threads`; whether its
    /// fragments are whole loads of what tensor copies bring; the registers that it lacks.
    fn judge(&self, warp: [u32; 2], atom: [u32; 2], threads: u32) -> (bool, bool, Reverse<u32>) {
        let [of_a, of_b] = self.fragments;
        let all = |a: u32, b: u32| [warp[0] / atom[0] * a, warp[1] / atom[1] * b];
        let sums = registers_of(warp[0].saturating_mul(warp[1]), self.sum_bits);
        let with =
            |fragments| self.form.registers(sums, fragments, (self.copies)(threads), threads);
        let loaded = all(of_a.registers, of_b.registers);
        let held = with(loaded);
        if self.form != Form::WarpsByTensors {
            let taken = with(all(of_a.registers * of_a.taken, of_b.registers * of_b.taken));
            return (held.fit(), true, Reverse(taken.missing()));
        }
        // What is held is multiplied as well; bytes lie along K.
        let taken = Registers { fragments: held.fragments * of_a.taken.max(of_b.taken), ..held };
        let shares = |(of, extent): (Fragments, u32)| !of.panels || tensor::share_panels(extent);
        let is_whole =
            tensor::are_whole_loads(loaded) && self.fragments.into_iter().zip(warp).all(shares);
        (held.fit(), is_whole, Reverse(taken.missing()))
    }
}

/// As many warps as give each about 64×64, or one atom of register tiles, but four where the tile
/// can be cut so, and then the squarest warp tile: it reads the fewest bytes of shared memory for
/// each product. Fewer or more where their registers do not fit, or what they stage, or
/// where their fragments are no whole loads of what tensor copies bring.
pub(super) fn warps(
    [tile_m, tile_n, _]: [u32; 3],
    mma: Mma,
    budget: &Budget<'_>,
    staging_fits: impl Fn([u32; 2]) -> bool,
) -> [u32; 3] {
    const MOST: u32 = 16;
    let [atom_m, atom_n, _] = mma.shape();
    let elements = tile_m.saturating_mul(tile_n);
    let wanted = match mma {
        Mma::Fma { .. } => elements.div_ceil(atom_m.saturating_mul(atom_n)).min(MOST),
        _ => elements.div_ceil(64 * 64).clamp(4, MOST),
    };
    let grids = (1..=MOST).flat_map(|m| (1..=MOST / m).map(move |n| [m, n]));
    grids
        .filter(|[m, n]| tile_m.is_multiple_of(m * atom_m) && tile_n.is_multiple_of(n * atom_n))
        .max_by_key(|[m, n]| {
            let (count, warp) = (m * n, [tile_m / m, tile_n / n]);
            let (fits, is_whole, missing) = budget.judge(warp, [atom_m, atom_n], count * WARP);
            let fits = fits && staging_fits([*m, *n]);
            let has_parts = warp[1].is_multiple_of(budget.columns);
            let excess = Reverse(count.saturating_sub(wanted));
            let squareness = Reverse(warp[0] + warp[1]);
            (fits && is_whole && has_parts, fits, is_whole, missing, excess, count, squareness)
        })
        .map_or([1; 3], |[m, n]| [m, n, 1])
}

/// Whether ptxas makes halves of what `mma.sync` multiplies, of 8-bit floats where tensor cores take
/// them from warpgroups alone, or not at all.
pub(super) fn unpacks(mma: Mma, element: Element, targets: &[Target]) -> bool {
    let by_warps = !matches!(mma, Mma::Fma { .. } | Mma::Wgmma(_));
    element.is_float8() && by_warps && !targets.iter().all(|target| target.multiplies_float8())
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

    /// The warps of a tile, with fragments of these numbers of registers of A and of B, and no copies through
    /// registers.
    fn grid(tile: [u32; 3], mma: Mma, sum_bits: u32, registers: [u32; 2], taken: u32) -> [u32; 3] {
        let fragments = registers.map(|registers| Fragments { registers, taken, panels: false });
        let form = Form::Warps(ByThreads::CpAsync);
        warps(tile, mma, &Budget { form, columns: 1, sum_bits, fragments, copies: &|_| 0 }, |_| {
            true
        })
    }

    #[test]
    fn warps_are_square_and_few() {
        let usual = |m, n| grid([m, n, 32], Mma::M16n8k16, 32, [4, 2], 1);
        assert_eq!(usual(128, 128), [2, 2, 1]);
        assert_eq!(usual(128, 256), [2, 4, 1]);
        assert_eq!(usual(256, 128), [4, 2, 1]);
        assert_eq!(usual(64, 64), [2, 2, 1]);
        assert_eq!(usual(16, 64), [1, 4, 1]);
        assert_eq!(usual(16, 8), [1, 1, 1]);
        assert_eq!(usual(48, 80), [3, 1, 1]);
        assert_eq!(usual(384, 128), [4, 2, 1], "twelve warps have 168 registers a thread");
        assert_eq!(usual(80, 200), [1, 5, 1], "one warp has 255 registers a thread");
        assert_eq!(usual(17, 9), [1, 1, 1]);
        let unpacked = |tile, taken| grid(tile, Mma::M16n8k32, 32, [4, 2], taken);
        assert_eq!(unpacked([128, 128, 64], 3), [4, 2, 1], "halves of 8-bit floats");
        assert_eq!(unpacked([128, 64, 64], 4), [4, 2, 1], "and their pairs");
        assert_eq!(unpacked([128, 128, 64], 4), [4, 2, 1], "the least that is missing");
        let doubles = grid([128, 128, 8], Mma::M8n8k4, 64, [2, 2], 1);
        assert_eq!(doubles, [4, 2, 1], "64 x 64 sums of 64 bits do not fit a thread");
    }
}
