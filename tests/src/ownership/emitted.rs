//! The emitted text: what it loads into registers and where it stores them.
//!
//! A kernel that is appended to the text calls its functions on tiles and accumulators in which
//! each element has a number of its own.

use gemm_codegen::{AtomMatrix, Axis, Fragment, Owner};
use gemm_runtime::{AsMatrix as _, AsMatrixMut as _, Device, Kernel, LaunchShape, launch};

use super::kernels::ALL;
use super::{Mismatch, compare};
use crate::raw;

const LANES: usize = 32;

pub(super) fn check(device: &Device) -> Result<Vec<String>, Mismatch> {
    let mut done = Vec::new();
    for (kernel, how, n_contiguous, interleaved) in ALL {
        let maps = AtomMatrix::ALL.map(|matrix| how.fragment(matrix, n_contiguous));
        let trial = Trial { kernel, maps, bytes: how.bytes(), n_contiguous, interleaved };
        // Numbers have two bytes; two elements have one of them each, or one has both.
        let digits = 0..(2 / trial.bytes).max(1);
        let written: Result<Vec<_>, _> = digits.map(|digit| trial.run(device, digit)).collect();
        trial.compare(&written?)?;
        done.push(format!("the text of {}", kernel.name));
    }
    Ok(done)
}

/// Bytes of a register.
fn register_bytes(map: &Fragment) -> usize {
    (map.words() / map.registers() * 4) as usize
}

struct Trial {
    kernel: &'static Kernel,
    /// Those of A, B and C.
    maps: [Fragment; 3],
    /// Bytes of an element of A or B.
    bytes: usize,
    n_contiguous: bool,
    /// Bands of A and of B whose lines are interleaved.
    interleaved: [usize; 2],
}

/// The row of a warp's tile along m (or n) for which a line stands.
fn stands_for(line: usize, interleaved: usize) -> usize {
    let lines = 8 * interleaved;
    line / lines * lines + line % 8 * interleaved + line % lines / 8
}

impl Trial {
    /// M, N and K of the block, which is one warp.
    fn tile(&self) -> [usize; 3] {
        self.kernel.launch.block_tile.map(|extent| extent as usize)
    }

    /// Numbers that the probe writes for a side, one for each byte of a register, and for all of C.
    fn lengths(&self) -> [usize; 3] {
        let ([m, n, k], [a, b, _]) = (self.tile(), &self.maps);
        let of_side = |atoms: u32, map: &Fragment| (atoms * map.words()) as usize * LANES * 4;
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

    /// The kernel's text, followed by the probe.
    fn probe(&self) -> Kernel {
        let text = format!("{}{}", self.kernel.text, self.probe_text());
        let launch = LaunchShape {
            block_tile: [1, 1 << 20, 1 << 20],
            split_k: None,
            pdl: None,
            launches_dependents: false,
            ..self.kernel.launch.clone()
        };
        let matrices = [("from", Axis::M, Axis::K), ("out", Axis::M, Axis::N)];
        raw::kernel("ownership_probe".to_owned(), text, launch, &matrices)
    }

    /// The probe, which reads what is staged as the epilogue does.
    fn probe_text(&self) -> String {
        let (plain, exchanged) = (include_str!("probe.cuh"), include_str!("exchanged.cuh"));
        match self.kernel.text.contains("load_staged(") {
            true => plain.replace("staged[row * STAGED_PITCH + col]", exchanged.trim_end()),
            false => plain.to_owned(),
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

    /// Fragments of a k-step: the registers of the atoms along m or n, in order.
    fn compare_side(&self, map: &Fragment, written: &[&[f32]]) -> Result<(), Mismatch> {
        let [_, _, tile_k] = self.tile();
        let is_a = map.matrix() == AtomMatrix::A;
        let (atom_mn, atom_k) =
            if is_a { (map.rows(), map.columns()) } else { (map.columns(), map.rows()) };
        let steps = tile_k / atom_k as usize;
        let bytes = register_bytes(map);
        let registers = written[0].len() / steps / LANES / bytes;
        for step in 0..steps {
            for atom in 0..registers / map.registers() as usize {
                for (owner, [row, column]) in map.iter() {
                    let (mn, k) = if is_a { (row, column) } else { (column, row) };
                    let line = atom * atom_mn as usize + mn as usize;
                    let mn = stands_for(line, self.interleaved[usize::from(!is_a)]);
                    let k = step * atom_k as usize + k as usize;
                    let Owner { lane, register, element } = owner;
                    let register = atom * map.registers() as usize + register as usize;
                    let lane = (step * LANES + lane as usize) * registers;
                    let at = (lane + register) * bytes + element as usize * self.bytes;
                    let got = self.number(written, at);
                    let expected = (mn * tile_k + k) as f64;
                    compare(&self.kernel.name, map, owner, got, expected)?;
                }
            }
        }
        Ok(())
    }

    /// The number of an element, put together from its bytes; the first is number `at`.
    fn number(&self, written: &[&[f32]], at: usize) -> f64 {
        let digit = |digit: usize| {
            let (run, byte) = (digit / self.bytes, digit % self.bytes);
            f64::from(written[run][at + byte])
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
                let m = stands_for(m0 * atom_m + row as usize, self.interleaved[0]);
                let n = stands_for(n0 * atom_n + column as usize, self.interleaved[1]);
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
