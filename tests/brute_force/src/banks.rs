//! Banks of shared memory: what each has to deliver to the lanes that are served together.

use gemm_codegen::{Side, Swizzle};

use super::{Case, atoms, converted, copies, lanes, packed, swizzle, tensors, transposed};

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
    if converted::by_groups(case, side) {
        let conflicts = match converted::packed(case.spec) {
            Some(_) => packed::load_conflict(case, [rows, columns, element], address),
            None => converted::chunks_conflict([rows, columns, element], address),
        };
        if conflicts {
            return true;
        }
    }
    if !case.of_groups && load_conflict(case, side, ([rows, columns, element], grid), address) {
        return true;
    }
    let (bytes, _) = case.copy(side);
    copies::walk(case, side, threads, grid[1]).into_iter().any(|lanes| {
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
    let packed = converted::packed(case.spec).map(|(packed, _)| packed);
    if packed == Some(side) {
        return packed::load_conflict(case, [rows, columns, element], address);
    }
    if packed.is_none() && converted::is_one_of(case.spec) {
        let numbers = case.multiplied().map_or(1, |sides| atoms::numbers(sides[at].element));
        let run = converted::run(case.spec) / numbers;
        return converted::load_conflict(([rows, columns, element], run), address);
    }
    let pairs = case.loads_pairs(side, grid);
    if !pairs && (element == 8 || element != 2 && !k_contiguous) {
        return packed_conflict([rows, columns, element], k_contiguous, address);
    }
    // `ldmatrix` reads 8 rows of 16 bytes, each for a lane; of pairs every other one of 16: the even
    // ones, then the odd.
    let (chunk, apart) = (16 / element, if pairs { 2 } else { 1 });
    let firsts =
        (0..rows / (8 * apart)).flat_map(|i| (0..apart).map(move |odd| 8 * apart * i + odd));
    let mut places = firsts.flat_map(|row| (0..columns / chunk).map(move |j| (row, j * chunk)));
    places.any(|(row, column)| {
        let lanes = (0..8).map(|line| address(row + apart * line, column));
        passes(&lanes.collect::<Vec<u64>>(), 16) > 1
    })
}

/// The same where lane l reads the 4 bytes from element (4 / bytes) (l mod 4) on along k of row or
/// column l / 4, or the element l mod 4 if it has 8 bytes, one element at a time.
fn packed_conflict(
    [rows, columns, element]: [u32; 3],
    k_contiguous: bool,
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let packed = (4 / element).max(1);
    let deep = 4 * packed;
    let (mn, k) = if k_contiguous { (rows, columns) } else { (columns, rows) };
    let places = (0..k / deep).flat_map(|i| (0..mn / 8).map(move |j| (i * deep, j * 8)));
    let mut reads = places.flat_map(|place| (0..packed).map(move |number| (place, number)));
    reads.any(|((k, mn), number)| {
        let lane = |lane: u32| {
            let (k, mn) = (k + lane % 4 * packed + number, mn + lane / 4);
            if k_contiguous { address(mn, k) } else { address(k, mn) }
        };
        passes(&(0..32).map(lane).collect::<Vec<u64>>(), element) > 1
    })
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
