//! Banks of shared memory: what each has to deliver to the lanes that are served together.

use gemm_codegen::{Side, Swizzle};

use super::{Case, copies, lanes, swizzle, tensors, transposed};

/// Whether a load or a copy of a side's tile takes the banks of a grid's warps more than one pass.
pub(super) fn conflict(case: &Case<'_>, side: Side, swizzle: Swizzle, grid: [u32; 3]) -> bool {
    let threads = case.threads(grid);
    let Some([rows, columns, element]) = case.shared_tile(side) else { return false };
    let is_transposed = transposed::is(case, side);
    let pitch = if is_transposed { transposed::pitch(rows, columns) } else { columns };
    let in_panels = tensors::place_in_panels(case, side, swizzle);
    let address = |row: u32, column: u32| {
        if let Some(place) = &in_panels {
            return place(row, column) * u64::from(element);
        }
        if is_transposed {
            return u64::from((column * pitch + row) * element);
        }
        swizzle::moved(u64::from(row * columns + column), swizzle) * u64::from(element)
    };
    // Descriptors have no lanes that load.
    if !case.of_groups && load_conflict(case, side, ([rows, columns, element], grid), address) {
        return true;
    }
    let (bytes, _) = case.copy(side);
    copies::walk(case, side, threads).into_iter().any(|lanes| {
        let lanes: Vec<u64> = lanes.into_iter().map(|(row, column)| address(row, column)).collect();
        passes(&lanes, bytes) > 1
    })
}

/// Whether a load of a side's tile takes the banks more than one pass.
fn load_conflict(
    case: &Case<'_>,
    side: Side,
    ([rows, columns, element], grid): ([u32; 3], [u32; 3]),
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let at = usize::from(side == Side::B);
    let k_contiguous = case.multiplied().is_none_or(|sides| sides[at].k_contiguous == Some(true));
    if case.lane.is_some() {
        return lanes::load_conflict(case, side, k_contiguous, [rows, columns, element], address);
    }
    if case.loads_pairs(side, grid) {
        // `ldmatrix` reads 8 rows of 16 bytes, every other one of 16: the even ones, then the odd.
        let rows = (0..rows / 16).flat_map(|i| [16 * i, 16 * i + 1]);
        let places = rows.flat_map(|row| (0..columns / 16).map(move |j| (row, 16 * j)));
        let lanes = |(row, column): (u32, u32)| {
            (0..8).map(|line| address(row + 2 * line, column)).collect::<Vec<u64>>()
        };
        return places.map(lanes).any(|lanes| passes(&lanes, 16) > 1);
    }
    if element == 8 || element != 2 && !k_contiguous {
        // Lane l reads the 4 bytes from element (4 / bytes) (l mod 4) on along k of row or column
        // l / 4, or the element l mod 4 if it has 8 bytes, one element at a time.
        let packed = (4 / element).max(1);
        let deep = 4 * packed;
        let (mn, k) = if k_contiguous { (rows, columns) } else { (columns, rows) };
        let places = (0..k / deep).flat_map(|i| (0..mn / 8).map(move |j| (i * deep, j * 8)));
        let mut reads = places.flat_map(|place| (0..packed).map(move |number| (place, number)));
        return reads.any(|((k, mn), number)| {
            let lane = |lane: u32| {
                let (k, mn) = (k + lane % 4 * packed + number, mn + lane / 4);
                if k_contiguous { address(mn, k) } else { address(k, mn) }
            };
            passes(&(0..32).map(lane).collect::<Vec<u64>>(), element) > 1
        });
    }
    // `ldmatrix` reads 8 x 8 matrices of 16-bit elements, a row of 16 bytes for each of 8 lanes.
    let chunk = 16 / element;
    let matrices =
        (0..rows / 8).flat_map(|i| (0..columns / chunk).map(move |j| (i * 8, j * chunk)));
    let load = |(row, column): (u32, u32)| {
        (row..row + 8).map(|row| address(row, column)).collect::<Vec<u64>>()
    };
    matrices.map(load).any(|lanes| passes(&lanes, 16) > 1)
}

/// Passes for an access in which each lane touches `bytes` bytes: a quarter of a warp is served at
/// a time where a lane has 16, half of it where it has 8, else all of it.
pub(super) fn passes(lanes: &[u64], bytes: u32) -> usize {
    let together = (128 / bytes).min(32) as usize;
    lanes.chunks(together).map(|group| passes_of_group(group, bytes)).max().unwrap_or(0)
}

/// Passes for lanes that are served at a time.
pub(super) fn passes_of_group(lanes: &[u64], bytes: u32) -> usize {
    let touched = |at: &u64| *at / 4..(*at + u64::from(bytes)).div_ceil(4);
    let mut words: Vec<u64> = lanes.iter().flat_map(touched).collect();
    words.sort_unstable();
    words.dedup();
    let mut of_bank = [0; 32];
    words.iter().for_each(|word| of_bank[(word % 32) as usize] += 1);
    of_bank.into_iter().max().unwrap_or(0)
}
