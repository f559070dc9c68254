//! The emitted text: what it loads into registers and where it stores them.
//!
//! A kernel that is appended to the text calls its functions on tiles and accumulators in which
//! each element has a number of its own.

use std::borrow::Cow;

use gemm_codegen::{
    Atom, AtomMatrix, Axis, Element, Fragment, Mma, Owner, ParameterKind, PerSide, RegisterTile,
};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, AsMatrixMut as _, KernelSource, Parameter, launch};

use super::{Mismatch, compare};

/// One atom, loaded with one `ldmatrix.x4` for A and one of two matrices for B.
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16)]
fn one_atom(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Several atoms in each direction, read without and stored with transposition.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
fn atoms_of_16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// The same the other way round.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
fn atoms_of_16_transposed(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Short atoms: an `ldmatrix.x4` loads several of them.
#[gemm(tile = [32, 32, 16], warps = [1, 1], mma = m16n8k8)]
fn atoms_of_8(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same the other way round.
#[gemm(tile = [32, 32, 16], warps = [1, 1], mma = m16n8k8)]
fn atoms_of_8_transposed(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// Register tiles, vectors along K on both sides.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(8, 8))]
fn lanes(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same the other way round, several atoms in each direction.
#[gemm(tile = [32, 64, 8], warps = [1, 1], mma = fma(4, 4))]
fn lanes_transposed(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, N, M> {
    matmul(a, b)
}

/// One side of each order, runs of two and of one.
#[gemm(tile = [48, 40, 8], warps = [1, 1], mma = fma(6, 5))]
fn lanes_mixed(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Bytes along M and N: pairs of them are transposed, and lines take turns.
#[gemm(tile = [32, 32, 64], warps = [1, 1], mma = m16n8k32)]
fn bytes(a: Mat<i8, K, M>, b: Mat<u8, K, N>) -> Mat<i32, M, N> {
    matmul(a, b)
}

/// The same, stored the other way round.
#[gemm(tile = [32, 32, 64], warps = [1, 1], mma = m16n8k32)]
fn bytes_transposed(a: Mat<i8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Lines of A alone take turns; the short atom, of which a load has two chunks.
#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16)]
fn bytes_of_a(a: Mat<i8, K, M>, b: Mat<i8, N, K>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Lines of B alone take turns.
#[gemm(tile = [16, 48, 32], warps = [1, 1], targets = [sm_90])]
fn bytes_of_b(a: Mat<e4m3, M, K>, b: Mat<e5m2, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The short atom for B, stored the other way round.
#[gemm(tile = [16, 32, 32], warps = [1, 1], mma = m16n8k16)]
fn bytes_of_b_transposed(a: Mat<u8, M, K>, b: Mat<u8, K, N>) -> Mat<i32, N, M> {
    matmul(a, b)
}

/// Too few bytes along N for a chunk of 16: one by one.
#[gemm(tile = [16, 24, 32], warps = [1, 1], copy = cp_async(8, ca), allow(bank_conflicts))]
fn bytes_one_by_one(a: Mat<i8, M, K>, b: Mat<i8, K, N>) -> Mat<i32, M, N> {
    matmul(a, b)
}

const F16_K16: How = How::Atom(Mma::M16n8k16, Element::F16);
const F16_K8: How = How::Atom(Mma::M16n8k8, Element::F16);
const I8_K32: How = How::Atom(Mma::M16n8k32, Element::I8);
const I8_K16: How = How::Atom(Mma::M16n8k16, Element::I8);
const E4M3_K32: How = How::Atom(Mma::M16n8k32, Element::E4m3);

/// Whose text is tried: how it multiplies, whether the output's rows run along N, and the bands of A
/// and of B whose lines take turns.
static ALL: [(&KernelSource, How, bool, [usize; 2]); 14] = [
    (&one_atom::KERNEL, F16_K16, true, [1, 1]),
    (&atoms_of_16::KERNEL, F16_K16, false, [1, 1]),
    (&atoms_of_16_transposed::KERNEL, F16_K16, true, [1, 1]),
    (&atoms_of_8::KERNEL, F16_K8, true, [1, 1]),
    (&atoms_of_8_transposed::KERNEL, F16_K8, false, [1, 1]),
    (&lanes::KERNEL, How::Lanes { extents: [8, 8], k: 2, along_k: [true, true] }, true, [1, 1]),
    (
        &lanes_transposed::KERNEL,
        How::Lanes { extents: [4, 4], k: 1, along_k: [false; 2] },
        false,
        [1, 1],
    ),
    (
        &lanes_mixed::KERNEL,
        How::Lanes { extents: [6, 5], k: 2, along_k: [true, false] },
        true,
        [1, 1],
    ),
    (&bytes::KERNEL, I8_K32, true, [2, 2]),
    (&bytes_transposed::KERNEL, I8_K32, false, [2, 2]),
    (&bytes_of_a::KERNEL, I8_K16, false, [2, 1]),
    (&bytes_of_b::KERNEL, E4M3_K32, true, [1, 2]),
    (&bytes_of_b_transposed::KERNEL, I8_K16, false, [1, 2]),
    (&bytes_one_by_one::KERNEL, I8_K32, true, [1, 1]),
];

/// How a kernel multiplies.
#[derive(Clone, Copy)]
enum How {
    /// By an atom of tensor cores, for these elements.
    Atom(Mma, Element),
    /// By register tiles.
    Lanes { extents: [u32; 2], k: u32, along_k: [bool; 2] },
}

impl How {
    /// Bytes of an element of A or B.
    fn bytes(self) -> usize {
        match self {
            How::Atom(_, element) => element.bytes() as usize,
            How::Lanes { .. } => 2,
        }
    }

    /// The map of a matrix, for sums of 32 bits; of register tiles for elements of 16.
    fn fragment(self, matrix: AtomMatrix, n_contiguous: bool) -> Fragment {
        match self {
            How::Atom(atom, element) => {
                let atom = Atom::find(atom, element, element).expect("it is in the table");
                atom.fragment(matrix)
            }
            How::Lanes { extents, k, along_k: [a, b] } => {
                let k_contiguous = PerSide { a, b };
                let tile = RegisterTile { extents, k, k_contiguous, n_contiguous, sum_bytes: 4 };
                tile.fragment(matrix, if matrix == AtomMatrix::C { 32 } else { 16 })
            }
        }
    }
}

const LANES: usize = 32;

pub(super) fn check(device: &Device) -> Result<Vec<String>, Mismatch> {
    let mut done = Vec::new();
    for (kernel, how, n_contiguous, turns) in ALL {
        let maps = AtomMatrix::ALL.map(|matrix| how.fragment(matrix, n_contiguous));
        let trial = Trial { kernel, maps, bytes: how.bytes(), n_contiguous, turns };
        // Numbers have two bytes; as many elements have one of them.
        let digits = 0..2 / trial.bytes;
        let written: Result<Vec<_>, _> = digits.map(|digit| trial.run(device, digit)).collect();
        trial.compare(&written?)?;
        done.push(format!("the text of {}", kernel.name));
    }
    Ok(done)
}

struct Trial {
    kernel: &'static KernelSource,
    /// Those of A, B and C.
    maps: [Fragment; 3],
    /// Bytes of an element of A or B.
    bytes: usize,
    n_contiguous: bool,
    /// Bands of A and of B whose lines take turns.
    turns: [usize; 2],
}

/// The row of a warp's tile along m (or n) for which a line stands.
fn stands_for(line: usize, turns: usize) -> usize {
    let lines = 8 * turns;
    line / lines * lines + line % 8 * turns + line % lines / 8
}

impl Trial {
    /// M, N and K of the block, of which there is one warp.
    fn tile(&self) -> [usize; 3] {
        self.kernel.block_tile.map(|extent| extent as usize)
    }

    /// Numbers that the probe writes for a side, four a register, and for all of C.
    fn lengths(&self) -> [usize; 3] {
        let ([m, n, k], [a, b, _]) = (self.tile(), &self.maps);
        let of_side = |atoms: u32, map: &Fragment| (atoms * map.registers()) as usize * LANES * 4;
        let [of_a, of_b] = [of_side(m as u32 / a.rows(), a), of_side(n as u32 / b.columns(), b)];
        [k / a.columns() as usize * of_a, k / b.rows() as usize * of_b, m * n]
    }

    /// What is written if the elements hold their numbers from this byte on.
    fn run(&self, device: &Device, digit: usize) -> Result<Vec<f32>, Mismatch> {
        let length = self.lengths().iter().sum();
        let none = device.zeros::<f32>(1, digit)?;
        let mut out = device.zeros::<f32>(1, length)?;
        let arguments = vec![none.argument(), out.view_mut().argument()];
        launch::into(device, &self.probe(), arguments)?;
        Ok(out.to_vec()?)
    }

    /// The kernel's text with the probe behind it.
    fn probe(&self) -> KernelSource {
        let matrix = |name: &'static str, columns| Parameter {
            name: Cow::Borrowed(name),
            kind: ParameterKind::Matrix { element: Element::F32, rows: Axis::M, columns },
            batched: false,
            align_macro: None,
        };
        KernelSource {
            entry: Cow::Borrowed("ownership_probe"),
            text: Cow::Owned(format!("{}{}", self.kernel.text, include_str!("probe.cuh"))),
            block_tile: [1, 1 << 20, 1 << 20],
            reads_output: false,
            outputs: 1,
            split_k: None,
            footprint: gemm_runtime::Footprint::default(),
            parameters: Cow::Owned(vec![matrix("from", Axis::K), matrix("out", Axis::N)]),
            ..self.kernel.clone()
        }
    }

    fn compare(&self, written: &[Vec<f32>]) -> Result<(), Mismatch> {
        let [a, b, _] = self.lengths();
        let part = |from: usize, to: usize| -> Vec<&[f32]> {
            written.iter().map(|written| &written[from..to]).collect()
        };
        let [map_a, map_b, map_c] = &self.maps;
        self.compare_side(map_a, &part(0, a))?;
        self.compare_side(map_b, &part(a, a + b))?;
        self.compare_sums(map_c, &written[0][a + b..])
    }

    /// Fragments of a k-step: the registers of the atoms along m or n, one behind the other.
    fn compare_side(&self, map: &Fragment, written: &[&[f32]]) -> Result<(), Mismatch> {
        let [_, _, tile_k] = self.tile();
        let is_a = map.matrix() == AtomMatrix::A;
        let (atom_mn, atom_k) =
            if is_a { (map.rows(), map.columns()) } else { (map.columns(), map.rows()) };
        let steps = tile_k / atom_k as usize;
        // Four numbers a register.
        let registers = written[0].len() / steps / LANES / 4;
        for step in 0..steps {
            for atom in 0..registers / map.registers() as usize {
                for (owner, [row, column]) in map.iter() {
                    let (mn, k) = if is_a { (row, column) } else { (column, row) };
                    let line = atom * atom_mn as usize + mn as usize;
                    let mn = stands_for(line, self.turns[usize::from(!is_a)]);
                    let k = step * atom_k as usize + k as usize;
                    let Owner { lane, register, element } = owner;
                    let register = atom * map.registers() as usize + register as usize;
                    let lane = (step * LANES + lane as usize) * registers;
                    let got = self.number(written, lane + register, element as usize);
                    let expected = (mn * tile_k + k) as f64;
                    compare(&self.kernel.name, map, owner, got, expected)?;
                }
            }
        }
        Ok(())
    }

    /// The number of an element of a register, put together from its bytes.
    fn number(&self, written: &[&[f32]], register: usize, element: usize) -> f64 {
        let digit = |digit: usize| {
            let (run, byte) = (digit / self.bytes, digit % self.bytes);
            f64::from(written[run][register * 4 + element * self.bytes + byte])
        };
        digit(0) + 256.0 * digit(1)
    }

    /// Rows of the output, of the atoms in their order along m, then n.
    fn compare_sums(&self, map: &Fragment, written: &[f32]) -> Result<(), Mismatch> {
        let [tile_m, tile_n, _] = self.tile();
        let [atom_m, atom_n] = [map.rows() as usize, map.columns() as usize];
        for (m0, n0) in (0..tile_m / atom_m).flat_map(|i| (0..tile_n / atom_n).map(move |j| (i, j)))
        {
            for (owner, [row, column]) in map.iter() {
                let m = stands_for(m0 * atom_m + row as usize, self.turns[0]);
                let n = stands_for(n0 * atom_n + column as usize, self.turns[1]);
                let at = if self.n_contiguous { m * tile_n + n } else { n * tile_m + m };
                let atom = m0 * (tile_n / atom_n) + n0;
                let register = atom * map.registers() as usize + owner.register as usize;
                let expected = (register * LANES + owner.lane as usize) as f64;
                compare(&self.kernel.name, map, owner, written[at].into(), expected)?;
            }
        }
        Ok(())
    }
}
