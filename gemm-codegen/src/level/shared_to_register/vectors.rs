//! Fragments of register tiles, a vector of each lane at a time.

use super::{Request, SharedToRegister};
use crate::axis::Side;
use crate::hardware::WARP;
use crate::level::mma::{LANES, RegisterTile};
use crate::level::shared_tile::SharedTile;
use crate::part::Part;
use crate::text::Sections;

/// The number of a side's own dimension among m and n.
const fn axis(side: Side) -> usize {
    match side {
        Side::A => 0,
        Side::B => 1,
    }
}

/// Each load: a vector of each lane, of a run of rows (or columns) for all lanes.
pub(super) fn requests(tile: &SharedTile, lanes: RegisterTile) -> impl Iterator<Item = Request> {
    let axis = axis(tile.side);
    let (run, vector) = (lanes.runs()[axis], lanes.vector(tile.side));
    // Lanes that load together are a run apart. Along K each row of a run is a load of its own.
    let (mn, k) = match tile.k_contiguous {
        true => (tile.layout.rows, tile.layout.cols),
        // Further rows meet the same banks.
        false => {
            let differ = tile.layout.bank_period(tile.element_bytes);
            (tile.layout.cols, tile.layout.rows.min(differ))
        }
    };
    let (loads, depth) = if along_k(tile) { (run, vector) } else { (1, 1) };
    let places = (0..k).step_by(depth as usize).flat_map(move |k| {
        let bands = (0..mn).step_by((LANES[axis] * run) as usize);
        bands.flat_map(move |mn| (mn..mn + loads).map(move |mn| (mn, k)))
    });
    places.map(move |(mn, k)| {
        let address = |lane| tile.address(mn + lanes.place(lane)[axis] * run, k);
        Request::new(WARP, vector * tile.element_bytes, address)
    })
}

/// Whether neighbours in shared memory are so along K: rows are, unless the copies transposed them.
fn along_k(tile: &SharedTile) -> bool {
    tile.k_contiguous && !tile.is_transposed()
}

/// Bytes to which a stage is aligned where addresses are xored: the rows of a run.
fn xored(tile: &SharedTile, run: u32) -> Option<u32> {
    let bytes = run * tile.layout.cols * tile.element_bytes;
    (along_k(tile) && bytes.is_power_of_two()).then_some(bytes)
}

/// What the start of shared memory has to be aligned to, in bytes.
pub(super) fn align(load: &SharedToRegister, tile: &SharedTile, lanes: RegisterTile) -> u32 {
    xored(tile, lanes.runs()[axis(load.side)]).unwrap_or(1)
}

/// Along K a vector is a part of the lane's row i; else it is a run of neighbours, for each k one
/// after the other.
pub(super) fn cuda_members(
    load: &SharedToRegister,
    tile: &SharedTile,
    lanes: RegisterTile,
) -> String {
    let mn = if load.side == Side::A { "M" } else { "N" };
    let (vector, held) = match along_k(tile) {
        true => ("MMA_K".to_owned(), "i * VECTOR + k".to_owned()),
        false => (format!("RUN_{mn}"), format!("k * LANE_{mn} + i")),
    };
    let bytes = "VECTOR * int(sizeof(Element))";
    let packed = match tile.element_bytes {
        8 => "",
        _ => {
            "static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register\n    "
        }
    };
    format!(
        "    static constexpr int LANES = LANES_{mn}, RUN = RUN_{mn};\n    \
         static constexpr int VECTOR = {vector}, VECTOR_BYTES = {bytes};  // of a load\n    \
         static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;\n    \
         {packed}\
         static __device__ __forceinline__ int lane() {{ return ::lane().{lane}; }}\n    \
         // Address of vector i of a k-step, for a lane whose first row (or column) is mn.\n    \
         static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {{\n\
         {address}    }}\n    \
         // Which of the lane's elements of an atom is that of its row (or column) i and of k.\n    \
         static __device__ __forceinline__ constexpr int held(int i, int k) {{ return {held}; }}\n",
        lane = mn.to_lowercase(),
        address = address(mn, tile, lanes.runs()[axis(load.side)]),
    )
}

/// The statements of `vector`.
///
/// Where the rows of a run are a power of two, a step to another row of it or along k flips bits of
/// the address, swizzled or not; spelt out, since the compiler would rather keep all addresses of a
/// stage in registers.
fn address(mn: &str, tile: &SharedTile, run: u32) -> String {
    let axis = axis(tile.side);
    if !along_k(tile) {
        let (of_mn, of_k) = ("mn + run * (LANES * RUN)", "k + i / RUNS % MMA_K");
        let [row, col] = if tile.k_contiguous { [of_mn, of_k] } else { [of_k, of_mn] };
        return format!(
            "        // A run of the lane, after those of the k before.\n        \
             constexpr int RUNS = LANE_{mn} / RUN;  // of an atom\n        \
             const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;\n        \
             return stage + offset({row}, {col});\n"
        );
    }
    let further = "        const int further = i / RUN * (LANES * RUN);  // to the row's run\n";
    match xored(tile, run) {
        Some(_) if (LANES[axis] * run).is_multiple_of(tile.layout.period()) => format!(
            "{further}        \
             // Further rows of the run, and k, only flip bits of its first address.\n        \
             return ((stage + offset(mn, 0)) ^ offset(i % RUN, k)) + further * PITCH;\n"
        ),
        Some(_) => format!(
            "{further}        \
             // Further rows of the run, and k, only flip bits of its first address.\n        \
             return (stage + offset(mn + further, 0)) ^ offset(i % RUN, k);\n"
        ),
        None => format!(
            "{further}        \
             return stage + below(offset(mn, k), mn, k, further + i % RUN);\n"
        ),
    }
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections) {
    text.add(include_str!("../../ptx/load_shared_vector.cuh"));
    text.of(Part::Loads).add(include_str!("vectors.cuh"));
}
