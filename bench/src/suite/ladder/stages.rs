//! [`cuts`]: the stages that can be cut out of a kernel.
//!
//! The rest does not compute the product, and takes the time of the other stages. In the
//! main loop a cut ends where the loop begins: what fills the ring before it stays, so that the rest
//! works on real data, on which power, and with it speed, depends. Barriers stay everywhere.

use gemm_runtime::{CopyAtom, Form, Kernel, ParameterKind};

use super::cut::Cut;
use super::cut::Edit::{self, Body, Text};

/// Under a condition that no launch meets, since grids have one dimension. The compiler does not know
/// that, so it keeps the sums.
const NO_EPILOGUE: &[Edit] = &[Text("\n    epilogue(", "\n    if (gridDim.y > 1) epilogue(")];

/// The body, with what it reads.
const NO_BODY: &[Edit] = &[Text(
    "            values.apply(results, sums, row, col, valid);\n",
    "#pragma unroll
            for (int i = 0; i < OUT_VECTOR; ++i) results[i] = Result(sums[i]);
",
)];

const NO_BODY_OF_SEVERAL: &[Edit] = &[
    Text(
        "                if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);\n",
        "",
    ),
    Text(
        "                values.apply(results, sums, read[i]);\n",
        "#pragma unroll
                for (int j = 0; j < OUT_VECTOR; ++j) results[j] = Result(sums[j]);
",
    ),
];

/// Of the blocks that share a tile, the first goes on with its own sums.
const NO_MEETING: &[Edit] =
    &[Text("!split_k(acc, share, partials, arrivals)) return;", "share.split != 0) return;")];

const EMPTY: &[Edit] =
    &[Text("\n    mainloop(", "\n    if (gridDim.y == 1) return;\n    mainloop(")];

/// In place of products: every register of the fragments is used, or nothing would load them.
const USE_FRAGMENTS: Edit = Body(
    "mma_atom",
    "{
    unsigned* const sums = reinterpret_cast<unsigned*>(&c);
#pragma unroll
    for (int i = 0; i < A_REGISTERS; ++i) sums[0] ^= a[i];
#pragma unroll
    for (int i = 0; i < B_REGISTERS; ++i) sums[0] ^= b[i];
}",
);

/// That costs instructions of its own, so that only a diagonal of the atoms does it: it meets the
/// fragments of each row and of each column.
const NO_PRODUCTS_OF_STEPS: &[Edit] = &[
    USE_FRAGMENTS,
    Text(
        "            mma_atom(acc[i][j], ",
        "            if (i % ATOMS_N == j || j % ATOMS_M == i) mma_atom(acc[i][j], ",
    ),
];

const NO_PRODUCTS_OF_LOADS: &[Edit] = &[
    USE_FRAGMENTS,
    Text(
        "                        mma_atom(acc[load * ATOMS_OF_LOAD + i][j], ",
        "                        const int row = load * ATOMS_OF_LOAD + i;
                        if (row % ATOMS_N == j || j % ATOMS_M == row) mma_atom(acc[row][j], ",
    ),
];

const LOOP: &str = "    for (int tile = 0; tile < tiles; ++tile) {\n";

/// The ring is filled once. Its last stage would be filled in the loop.
const NO_CP_ASYNC: &[Edit] = &[
    Text(
        LOOP,
        "    pipeline.copy_next_tile();
    for (int tile = 0; tile < tiles; ++tile) {
",
    ),
    Text(
        "        if (STEPS_K == 1) copy_next_tile();",
        "        if (STEPS_K == 1) cp_async_commit();",
    ),
    Text(
        "        if (STEPS_K > 1 && step == 0) copy_next_tile();",
        "        if (STEPS_K > 1 && step == 0) cp_async_commit();",
    ),
];

const NO_TENSOR_COPIES: &[Edit] = &[Text(
    "                    fence_proxy_async();
                    copy(tile + STAGES - 1, write);
",
    "                    if (tile == 0) copy(STAGES - 1, write);
                    else mbarrier_arrive(full + write * BARRIER_BYTES);
",
)];

const FIRST_COLUMNS: &[Edit] =
    &[Text("        from += Tile::K_CONTIGUOUS ? BLK_K : BLK_K * ld;\n", "")];

const FIRST_COLUMNS_OF_TENSORS: &[Edit] =
    &[Text("const int at_k = from + tile * BLK_K + warp.k;", "const int at_k = from + warp.k;")];

/// Where fragments are rounded, that leaves the loop too: they stay the same.
const NO_LOADS_OF_STEPS: &[Edit] = &[Text(
    "            load_fragments(fragments_a[next], fragments_b[next], pipeline.read, warp, next_step);\n",
    "",
)];

const NO_LOADS: &[Edit] = &[
    Text(
        "                shared_to_register<TileA>(
                    fragments_a[(number + AHEAD) % (AHEAD + 1)], row_a,
                    ahead < LOADS_A ? step * MMA_K : next_k, ahead % LOADS_A);
",
        "",
    ),
    Text(
        "                    shared_to_register<TileB>(&fragments_b[next][of_b * 4], row_b, next_k, of_b);\n",
        "",
    ),
];

/// The fragments that only the loop would load.
const FRAGMENTS_OF_STEPS: &[Edit] = &[Text(
    LOOP,
    "    cp_async_wait<0>();
    __syncthreads();
    load_fragments(fragments_a[1], fragments_b[1], pipeline.first + STAGE_BYTES, warp, 0);
    for (int tile = 0; tile < tiles; ++tile) {
",
)];

const FRAGMENTS: &[Edit] = &[Text(
    LOOP,
    "    shared_to_register<TileA>(fragments_a[AHEAD], row_a, 0, AHEAD % LOADS_A);
#pragma unroll
    for (int load = 0; load < LOADS_B; ++load) {
        shared_to_register<TileB>(&fragments_b[1][load * 4], row_b, 1 % STEPS_K * MMA_K, load);
    }
    for (int tile = 0; tile < tiles; ++tile) {
",
)];

const NOTHING_OF_FRAGMENTS: &[Edit] = &[Body("mma_atom", "{}")];

/// Loads and products are what keeps the lanes of a warp together. Only the first arrives: without the
/// others a stage could be filled twice before they look, and they would wait for ever.
const TOGETHER: &[Edit] = &[Text(
    LOOP,
    "    for (int tile = 0; tile < tiles; ++tile) {
        __syncwarp();
",
)];

/// The copies to shared memory, by which main loops differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    Tensor,
    CpAsync,
    ThroughRegisters,
}

impl Copies {
    pub(super) fn of(kernel: &Kernel) -> Copies {
        match kernel.facts.as_ref().map(|facts| facts.copies.a) {
            Some(CopyAtom::Tma { .. }) => Copies::Tensor,
            Some(CopyAtom::CpAsync { .. }) => Copies::CpAsync,
            Some(CopyAtom::LdGlobal { .. }) | None => Copies::ThroughRegisters,
        }
    }

    /// The part that is cut out of the main loop.
    fn cuts(self) -> Vec<Cut> {
        match self {
            Copies::Tensor => vec![
                Cut::new("no products", &[NO_PRODUCTS_OF_LOADS]),
                Cut::new("no copies", &[NO_TENSOR_COPIES]),
                Cut::new("copies of the first columns", &[FIRST_COLUMNS_OF_TENSORS]),
                Cut::new("products alone", &[NO_TENSOR_COPIES, NO_LOADS, FRAGMENTS]),
                Cut::new("copies alone", &[NO_LOADS, NOTHING_OF_FRAGMENTS, TOGETHER]),
            ],
            Copies::CpAsync => vec![
                Cut::new("no products", &[NO_PRODUCTS_OF_STEPS]),
                Cut::new("no copies", &[NO_CP_ASYNC]),
                Cut::new("copies of the first columns", &[FIRST_COLUMNS]),
                Cut::new("products alone", &[NO_CP_ASYNC, NO_LOADS_OF_STEPS, FRAGMENTS_OF_STEPS]),
                Cut::new("copies alone", &[NO_LOADS_OF_STEPS, NOTHING_OF_FRAGMENTS]),
            ],
            Copies::ThroughRegisters => vec![
                Cut::new("no products", &[NO_PRODUCTS_OF_STEPS]),
                Cut::new("copies of the first columns", &[FIRST_COLUMNS]),
            ],
        }
    }
}

/// The cuts that a kernel has the stage for. Kernels of warpgroups have none yet: those of their stages
/// have not been written.
pub(super) fn cuts(kernel: &Kernel) -> Vec<Cut> {
    if kernel.footprint.form == Form::Groups {
        return Vec::new();
    }
    let mut cuts = vec![Cut::new("no epilogue", &[NO_EPILOGUE])];
    let operands = kernel.parameters.iter().rev().skip(kernel.outputs).map(|one| one.kind);
    let read: Vec<ParameterKind> = operands.filter(|kind| !kind.is_multiplied()).collect();
    if !read.is_empty() {
        let is_matrix = |kind: &ParameterKind| matches!(kind, ParameterKind::Matrix { .. });
        let edits = if read.iter().any(is_matrix) { NO_BODY_OF_SEVERAL } else { NO_BODY };
        cuts.push(Cut::new("no body", &[edits]));
    }
    if kernel.launch.split_k.is_some() {
        cuts.push(Cut::new("no meeting", &[NO_MEETING]));
    }
    cuts.extend(Copies::of(kernel).cuts());
    cuts.push(Cut::new("empty", &[EMPTY]));
    cuts
}
