//! The kernels whose text is tried, each of one warp.

use gemm_codegen::{Atom, AtomMatrix, Element, Fragment, Mma, PerSide, RegisterTile};
use gemm_runtime::Kernel;
use gemm_runtime::prelude::*;

/// One atom, loaded with one `ldmatrix.x4` for A and one of two matrices for B.
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16)]
pub(super) fn one_atom(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Several atoms in each direction, read without and stored with transposition.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
pub(super) fn atoms_of_16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// The same the other way round.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
pub(super) fn atoms_of_16_transposed(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Short atoms: an `ldmatrix.x4` loads several of them.
#[gemm(tile = [32, 32, 16], warps = [1, 1], mma = m16n8k8)]
pub(super) fn atoms_of_8(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same the other way round.
#[gemm(tile = [32, 32, 16], warps = [1, 1], mma = m16n8k8)]
pub(super) fn atoms_of_8_transposed(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// Register tiles, vectors along K on both sides.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(8, 8))]
pub(super) fn lanes(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same the other way round, several atoms in each direction.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(4, 4))]
pub(super) fn lanes_transposed(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// One side of each order, runs of two and of one.
#[gemm(tile = [48, 40, 8], warps = [1, 1], mma = fma(6, 5))]
pub(super) fn lanes_mixed(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Bytes along M and N: pairs of them are transposed, and lines take turns.
#[gemm(tile = [32, 32, 64], warps = [1, 1], mma = m16n8k32)]
pub(super) fn bytes(a: Mat<i8, K, M>, b: Mat<u8, K, N>) -> Mat<i32, M, N> {
    matmul(a, b)
}

/// The same, stored the other way round.
#[gemm(tile = [32, 32, 64], warps = [1, 1], mma = m16n8k32)]
pub(super) fn bytes_transposed(a: Mat<i8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Lines of A alone take turns; a load has two chunks of the short atom.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
pub(super) fn bytes_of_a(a: Mat<i8, K, M>, b: Mat<i8, N, K>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Lines of B alone take turns.
#[gemm(tile = [16, 48, 32], warps = [1, 1], targets = [sm_90])]
pub(super) fn bytes_of_b(a: Mat<e4m3, M, K>, b: Mat<e5m2, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The short atom for B, stored the other way round.
#[gemm(tile = [16, 32, 32], warps = [1, 1], mma = m16n8k16)]
pub(super) fn bytes_of_b_transposed(a: Mat<u8, M, K>, b: Mat<u8, K, N>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Too few bytes along N for a chunk of 16: one by one.
#[gemm(tile = [16, 24, 32], warps = [1, 1], copy = cp_async(8, ca), allow(bank_conflicts))]
pub(super) fn bytes_one_by_one(a: Mat<i8, M, K>, b: Mat<i8, K, N>) -> Mat<i32, M, N> {
    matmul(a, b)
}

/// Doubles, one by one in either order; the output's rows run along N.
#[gemm(tile = [24, 16, 8], warps = [1, 1], mma = m8n8k4)]
pub(super) fn doubles(a: Mat<f64, M, K>, b: Mat<f64, K, N>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// The deepest atom, several in each direction, two bands of A.
#[gemm(tile = [32, 16, 32], warps = [1, 1], mma = m16n8k16)]
pub(super) fn doubles_of_16(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, N, M> {
    matmul(a, b)
}

/// The middle one, the other way round.
#[gemm(tile = [32, 16, 16], warps = [1, 1], mma = m16n8k8)]
pub(super) fn doubles_of_8(a: Mat<f64, M, K>, b: Mat<f64, K, N>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// The most shallow.
#[gemm(tile = [16, 24, 8], warps = [1, 1], mma = m16n8k4)]
pub(super) fn doubles_of_4(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, N, M> {
    matmul(a, b)
}

/// Register tiles of doubles: runs of two, vectors along K for A and along N for B.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(4, 8))]
pub(super) fn lanes_of_doubles(a: Mat<f64, M, K>, b: Mat<f64, K, N>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// Runs of one and of two, stored the other way round.
#[gemm(tile = [24, 48, 8], warps = [1, 1], mma = fma(3, 6))]
pub(super) fn lanes_of_doubles_transposed(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, N, M> {
    matmul(a, b)
}

/// Rows along K, which copies transpose; sums that are staged with neighbours exchanged.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(8, 4))]
pub(super) fn lanes_of_columns(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same, stored the other way round as they are.
#[gemm(tile = [48, 32, 12], warps = [1, 1], mma = fma(6, 4))]
pub(super) fn lanes_of_columns_transposed(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, N, M> {
    matmul(a, b)
}

const F16_K16: How = How::Atom(Mma::M16n8k16, Element::F16);
const F16_K8: How = How::Atom(Mma::M16n8k8, Element::F16);
const I8_K32: How = How::Atom(Mma::M16n8k32, Element::I8);
const I8_K16: How = How::Atom(Mma::M16n8k16, Element::I8);
const E4M3_K32: How = How::Atom(Mma::M16n8k32, Element::E4m3);

const fn double(atom: Mma) -> How {
    How::Atom(atom, Element::F64)
}

const fn lanes_of(element: Element, extents: [u32; 2], k: u32, along_k: [bool; 2]) -> How {
    How::Lanes { element, extents, k, along_k }
}

/// Whose text is tried: how it multiplies, whether the output's rows run along N, and the bands of A
/// and of B whose lines take turns.
pub(super) static ALL: [(&Kernel, How, bool, [usize; 2]); 22] = [
    (&one_atom::KERNEL, F16_K16, true, [1, 1]),
    (&atoms_of_16::KERNEL, F16_K16, false, [1, 1]),
    (&atoms_of_16_transposed::KERNEL, F16_K16, true, [1, 1]),
    (&atoms_of_8::KERNEL, F16_K8, true, [1, 1]),
    (&atoms_of_8_transposed::KERNEL, F16_K8, false, [1, 1]),
    (&lanes::KERNEL, lanes_of(Element::F16, [8, 8], 2, [true, true]), true, [1, 1]),
    (&lanes_transposed::KERNEL, lanes_of(Element::F16, [4, 4], 1, [false; 2]), false, [1, 1]),
    (&lanes_mixed::KERNEL, lanes_of(Element::F16, [6, 5], 2, [true, false]), true, [1, 1]),
    (&bytes::KERNEL, I8_K32, true, [2, 2]),
    (&bytes_transposed::KERNEL, I8_K32, false, [2, 2]),
    (&bytes_of_a::KERNEL, I8_K16, false, [2, 1]),
    (&bytes_of_b::KERNEL, E4M3_K32, true, [1, 2]),
    (&bytes_of_b_transposed::KERNEL, I8_K16, false, [1, 2]),
    (&bytes_one_by_one::KERNEL, I8_K32, true, [1, 1]),
    (&doubles::KERNEL, double(Mma::M8n8k4), true, [1, 1]),
    (&doubles_of_16::KERNEL, double(Mma::M16n8k16), false, [1, 1]),
    (&doubles_of_8::KERNEL, double(Mma::M16n8k8), true, [1, 1]),
    (&doubles_of_4::KERNEL, double(Mma::M16n8k4), false, [1, 1]),
    (&lanes_of_doubles::KERNEL, lanes_of(Element::F64, [4, 8], 2, [true, false]), true, [1, 1]),
    (
        &lanes_of_doubles_transposed::KERNEL,
        lanes_of(Element::F64, [3, 6], 2, [false, true]),
        false,
        [1, 1],
    ),
    (&lanes_of_columns::KERNEL, lanes_of(Element::F32, [8, 4], 1, [false; 2]), true, [1, 1]),
    (
        &lanes_of_columns_transposed::KERNEL,
        lanes_of(Element::F32, [6, 4], 1, [false; 2]),
        false,
        [1, 1],
    ),
];

/// How a kernel multiplies.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// By an atom of tensor cores, for these elements.
    Atom(Mma, Element),
    /// By register tiles, for these elements.
    Lanes { element: Element, extents: [u32; 2], k: u32, along_k: [bool; 2] },
}

impl How {
    /// The elements of A and B, or others of as many bytes.
    const fn element(self) -> Element {
        match self {
            How::Atom(_, element) | How::Lanes { element, .. } => element,
        }
    }

    /// Bytes of an element of A or B.
    pub(super) fn bytes(self) -> usize {
        self.element().bytes() as usize
    }

    /// The map of a matrix.
    pub(super) fn fragment(self, matrix: AtomMatrix, n_contiguous: bool) -> Fragment {
        let element = self.element();
        match self {
            How::Atom(atom, _) => {
                let atom = Atom::find(atom, element, element).expect("it is in the table");
                atom.fragment(matrix)
            }
            How::Lanes { extents, k, along_k: [a, b], .. } => {
                let (bytes, k_contiguous) = (element.bytes(), PerSide { a, b });
                let sum_bytes = bytes.max(4);
                let tile = RegisterTile { extents, k, k_contiguous, n_contiguous, sum_bytes };
                tile.fragment(matrix, 8 * if matrix == AtomMatrix::C { sum_bytes } else { bytes })
            }
        }
    }
}
