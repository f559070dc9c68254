//! The emitted text: what it loads into registers and where it stores them.
//!
//! A kernel that is appended to the text calls its functions on tiles and accumulators in which
//! each element has a number of its own.

use std::borrow::Cow;

use gemm_codegen::{Atom, AtomMatrix, Axis, Element, Fragment, Mma, Owner, ParameterKind};
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

/// Whose text is tried: its atom, and whether the output's rows run along N.
static ALL: [(&KernelSource, Mma, bool); 5] = [
    (&one_atom::KERNEL, Mma::M16n8k16, true),
    (&atoms_of_16::KERNEL, Mma::M16n8k16, false),
    (&atoms_of_16_transposed::KERNEL, Mma::M16n8k16, true),
    (&atoms_of_8::KERNEL, Mma::M16n8k8, true),
    (&atoms_of_8_transposed::KERNEL, Mma::M16n8k8, false),
];

const LANES: usize = 32;

pub(super) fn check(device: &Device) -> Result<Vec<String>, Mismatch> {
    let mut done = Vec::new();
    for (kernel, atom, n_contiguous) in ALL {
        let trial = Trial { kernel, atom, n_contiguous };
        trial.compare(&trial.run(device)?)?;
        done.push(format!("the text of {}", kernel.name));
    }
    Ok(done)
}

struct Trial {
    kernel: &'static KernelSource,
    atom: Mma,
    n_contiguous: bool,
}

impl Trial {
    /// M, N and K of the block, of which there is one warp.
    fn tile(&self) -> [usize; 3] {
        self.kernel.block_tile.map(|extent| extent as usize)
    }

    /// Numbers that the probe writes for a side, and for all of C.
    fn lengths(&self) -> [usize; 3] {
        let [m, n, k] = self.tile();
        [m * k, n * k, m * n]
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
        let atom = Atom::find(self.atom, Element::F16, Element::F16).expect("halves have it");
        self.compare_side(&atom.fragment(AtomMatrix::A), of_a)?;
        self.compare_side(&atom.fragment(AtomMatrix::B), of_b)?;
        self.compare_sums(&atom.fragment(AtomMatrix::C), of_c)
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
