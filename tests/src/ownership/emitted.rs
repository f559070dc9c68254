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

/// Whose text is tried: how it multiplies, and whether the output's rows run along N.
static ALL: [(&KernelSource, How, bool); 8] = [
    (&one_atom::KERNEL, How::Atom(Mma::M16n8k16), true),
    (&atoms_of_16::KERNEL, How::Atom(Mma::M16n8k16), false),
    (&atoms_of_16_transposed::KERNEL, How::Atom(Mma::M16n8k16), true),
    (&atoms_of_8::KERNEL, How::Atom(Mma::M16n8k8), true),
    (&atoms_of_8_transposed::KERNEL, How::Atom(Mma::M16n8k8), false),
    (&lanes::KERNEL, How::Lanes { extents: [8, 8], k: 2, along_k: [true, true] }, true),
    (&lanes_transposed::KERNEL, How::Lanes { extents: [4, 4], k: 1, along_k: [false; 2] }, false),
    (&lanes_mixed::KERNEL, How::Lanes { extents: [6, 5], k: 2, along_k: [true, false] }, true),
];

/// How a kernel multiplies.
#[derive(Clone, Copy)]
enum How {
    /// By an atom of tensor cores.
    Atom(Mma),
    /// By register tiles.
    Lanes { extents: [u32; 2], k: u32, along_k: [bool; 2] },
}

impl How {
    /// The map of a matrix, for elements of 16 bits and sums of 32.
    fn fragment(self, matrix: AtomMatrix, n_contiguous: bool) -> Fragment {
        match self {
            How::Atom(atom) => {
                let atom = Atom::find(atom, Element::F16, Element::F16).expect("halves have it");
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
    for (kernel, how, n_contiguous) in ALL {
        let maps = AtomMatrix::ALL.map(|matrix| how.fragment(matrix, n_contiguous));
        let trial = Trial { kernel, maps, n_contiguous };
        trial.compare(&trial.run(device)?)?;
        done.push(format!("the text of {}", kernel.name));
    }
    Ok(done)
}

struct Trial {
    kernel: &'static KernelSource,
    /// Those of A, B and C.
    maps: [Fragment; 3],
    n_contiguous: bool,
}

impl Trial {
    /// M, N and K of the block, of which there is one warp.
    fn tile(&self) -> [usize; 3] {
        self.kernel.block_tile.map(|extent| extent as usize)
    }

    /// Numbers that the probe writes for a side, two a register, and for all of C.
    fn lengths(&self) -> [usize; 3] {
        let ([m, n, k], [a, b, _]) = (self.tile(), &self.maps);
        let of_side = |atoms: u32, map: &Fragment| (atoms * map.registers()) as usize * LANES * 2;
        let [of_a, of_b] = [of_side(m as u32 / a.rows(), a), of_side(n as u32 / b.columns(), b)];
        [k / a.columns() as usize * of_a, k / b.rows() as usize * of_b, m * n]
    }

    fn run(&self, device: &Device) -> Result<Vec<f32>, Mismatch> {
        let length = self.lengths().iter().sum();
        let none = device.zeros::<f32>(1, 1)?;
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
            split_k: None,
            parameters: Cow::Owned(vec![matrix("from", Axis::K), matrix("out", Axis::N)]),
            ..self.kernel.clone()
        }
    }

    fn compare(&self, written: &[f32]) -> Result<(), Mismatch> {
        let [a, b, _] = self.lengths();
        let (of_a, rest) = written.split_at(a);
        let (of_b, of_c) = rest.split_at(b);
        let [map_a, map_b, map_c] = &self.maps;
        self.compare_side(map_a, of_a)?;
        self.compare_side(map_b, of_b)?;
        self.compare_sums(map_c, of_c)
    }

    /// Fragments of a k-step: the registers of the atoms along m or n, one behind the other.
    fn compare_side(&self, map: &Fragment, written: &[f32]) -> Result<(), Mismatch> {
        let [_, _, tile_k] = self.tile();
        let is_a = map.matrix() == AtomMatrix::A;
        let (atom_mn, atom_k) =
            if is_a { (map.rows(), map.columns()) } else { (map.columns(), map.rows()) };
        let steps = tile_k / atom_k as usize;
        // Two numbers a register.
        let registers = written.len() / steps / LANES / 2;
        for step in 0..steps {
            for atom in 0..registers / map.registers() as usize {
                for (owner, [row, column]) in map.iter() {
                    let (mn, k) = if is_a { (row, column) } else { (column, row) };
                    let mn = atom * atom_mn as usize + mn as usize;
                    let k = step * atom_k as usize + k as usize;
                    let Owner { lane, register, element } = owner;
                    let register = atom * map.registers() as usize + register as usize;
                    let lane = (step * LANES + lane as usize) * registers;
                    let got = written[(lane + register) * 2 + element as usize];
                    let expected = (mn * tile_k + k) as f64;
                    compare(&self.kernel.name, map, owner, got.into(), expected)?;
                }
            }
        }
        Ok(())
    }

    /// Rows of the output, of the atoms in their order along m, then n.
    fn compare_sums(&self, map: &Fragment, written: &[f32]) -> Result<(), Mismatch> {
        let [tile_m, tile_n, _] = self.tile();
        let [atom_m, atom_n] = [map.rows() as usize, map.columns() as usize];
        for (m0, n0) in (0..tile_m / atom_m).flat_map(|i| (0..tile_n / atom_n).map(move |j| (i, j)))
        {
            for (owner, [row, column]) in map.iter() {
                let m = m0 * atom_m + row as usize;
                let n = n0 * atom_n + column as usize;
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
