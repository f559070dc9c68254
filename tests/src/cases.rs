//! The problems that a golden is tried on.

use std::{env, fmt};

use fastrand::Rng;
use gemm_codegen::{Axis, CopyAtom, Form, ParameterKind, Raster};
use gemm_runtime::{Device, Parameter, Shape};

pub use gemm_check::{SLOW, deep_enough, slow};

use crate::data::{Alignment, Fill};
use crate::{Golden, Problem, goldens};

/// A problem that a golden is tried on, but for the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// m, n, k.
    pub shape: Shape,
    /// How well the operands are aligned.
    pub alignment: Alignment,
    /// What they hold.
    pub fill: Fill,
    /// Where the random data starts.
    pub seed: u64,
}

impl Case {
    /// The problem on a device.
    pub fn problem<'d>(&self, device: &'d Device) -> Problem<'d> {
        Problem::new(device, self.shape, self.alignment, self.seed).filled(self.fill)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { shape, alignment, fill, .. } = self;
        write!(f, "{shape:?}, alignment {alignment:?}, fill {fill:?}")
    }
}

/// A problem of more than one tile along each axis, for rows that are far apart.
pub fn far_case(golden: &Golden) -> Case {
    let [m, n, k] = golden.kernel.launch.block_tile.map(|extent| extent as usize);
    let k = deep_enough(2 * k + 16, golden.kernel.launch.split_k, k);
    let shape = Shape { m: m + 16, n: n + 16, k };
    let alignment = Alignment::Bytes(16);
    Case { shape, alignment, fill: Fill::Random, seed: 0 }
}

/// What of a kernel depends on the alignment of an operand: its elements' size, the order of its
/// rows, and how it is copied.
#[derive(PartialEq)]
struct Access {
    element_bytes: u32,
    /// Its rows and columns, as of the only product.
    axes: Vec<Axis>,
    /// How its tiles are copied, if it is multiplied.
    copy: Option<CopyAtom>,
    /// Without tensor cores, tiles are loaded and stored otherwise.
    lanes: bool,
}

fn accesses(golden: &Golden) -> Vec<Access> {
    let kernel = golden.kernel;
    let lanes = matches!(kernel.footprint.form, Form::Lanes(_));
    let access = |parameter: &'static Parameter| {
        let (element, axes) = match parameter.kind {
            ParameterKind::Matrix { element, rows, columns } => (element, vec![rows, columns]),
            ParameterKind::Vector { element, length } => (element, vec![length]),
            _ => return None,
        };
        let copies = kernel.facts.as_ref().map(|facts| facts.copies);
        let copy = copies.filter(|_| parameter.kind.is_multiplied());
        let copy = copy.map(|copy| if axes.contains(&Axis::M) { copy.a } else { copy.b });
        let axes = axes.into_iter().map(of_product).collect();
        Some(Access { element_bytes: element.bytes(), axes, copy, lanes })
    };
    kernel.parameters.iter().filter_map(access).collect()
}

/// The axis of a single product, whose operands are accessed as those of a term or of a product in turn.
fn of_product(axis: Axis) -> Axis {
    match axis {
        Axis::M => Axis::M,
        Axis::N | Axis::N1 | Axis::N2 | Axis::N3 => Axis::N,
        Axis::K | Axis::R => Axis::K,
    }
}

/// Whether a golden is tried at every alignment, a compilation each, and with rows that are far apart:
/// only those that access an operand in a way in which none before them does.
pub fn has_every_alignment(golden: &Golden) -> bool {
    let before = || goldens::ALL.iter().take_while(|other| other.name != golden.name);
    let is_new = |access: &Access| !before().any(|other| accesses(other).contains(access));
    accesses(golden).iter().any(is_new)
}

/// Whether tests try each kernel, as in `cargo xtask test --long`. In the gate they try some of those
/// that differ in little, since each is compiled.
pub fn tries_every_kernel() -> bool {
    env::var_os("GEMM_EVERY_KERNEL").is_some()
}

/// The cases of a golden in the suite. `cargo xtask test --long` has [`all_cases`]; the gate has fewer, and
/// fewer still of a golden that has no operand unlike those before it: rows are whole numbers of 16 bytes
/// there, which is one compilation, and nothing is larger than a few tiles.
pub fn cases(golden: &Golden) -> Vec<Case> {
    let mut cases = all_cases(golden);
    if tries_every_kernel() {
        return cases;
    }
    if has_every_alignment(golden) {
        // The best alignment, the worst, and for each operand another one.
        let others =
            cases.iter_mut().filter(|case| matches!(case.alignment, Alignment::Bytes(8 | 4)));
        others.for_each(|case| case.alignment = Alignment::Bytes(1));
        // Odd extents of these are variants of their own.
        let others = cases.iter_mut().filter(|case| IN_WHOLE_ROWS.contains(&case.seed));
        others.for_each(|case| in_whole_rows(golden, case));
    } else {
        cases.retain(|case| GATE.contains(&case.seed));
        cases.iter_mut().for_each(|case| in_whole_rows(golden, case));
    }
    if golden.kernel.parameters.iter().any(|parameter| parameter.tensor.is_some()) {
        // What tensor copies cannot read is copied before: what is stored is aligned or is not.
        let others = cases.iter_mut().filter(|case| case.alignment != Alignment::Bytes(16));
        others.for_each(|case| case.alignment = Alignment::Bytes(1));
    }
    cases
}

/// The numbers in [`all_cases`] of what each golden is tried on: one element, tiles cut at every edge, a ring
/// that is filled again, short rows of the output, no K, zeros, and no rows.
const GATE: [u64; 7] = [0, 2, 6, 8, 10, 13, 14];

/// The numbers of cut tiles, of short rows and few rows of the output, of no K and of the raster.
const IN_WHOLE_ROWS: [u64; 5] = [2, 8, 9, 10, 12];

/// Makes the rows of each operand whole numbers of 16 bytes.
fn in_whole_rows(golden: &Golden, case: &mut Case) {
    let along = |axis| along_rows(golden, axis);
    let [m, n, k] = Axis::ALL.map(along).map(|is| if is { WHOLE_ROW } else { 1 });
    let Shape { m: rows, n: columns, k: depth } = case.shape;
    // The error of a single sum of several products is judged too strictly.
    let rows = if [rows, columns] == [1, 1] { WHOLE_ROW } else { rows };
    case.alignment = Alignment::Bytes(16);
    case.shape = Shape {
        m: rows.next_multiple_of(m),
        n: columns.next_multiple_of(n),
        k: depth.next_multiple_of(k),
    };
}

/// Elements of a row that are a whole number of 16 bytes, whatever their size.
const WHOLE_ROW: usize = 16;

/// Whether rows of a factor run along an axis.
fn along_rows(golden: &Golden, axis: Axis) -> bool {
    golden.kernel.parameters.iter().any(|parameter| match parameter.kind {
        ParameterKind::Matrix { columns, .. } => parameter.kind.is_multiplied() && columns == axis,
        _ => false,
    })
}

/// The edges of a golden's tile from both sides, the smallest shapes, and each alignment.
pub fn all_cases(golden: &Golden) -> Vec<Case> {
    let [m, n, k] = golden.kernel.launch.block_tile.map(|extent| extent as usize);
    let block_k = k;
    let shape = |m, n, k| Shape { m, n, k: deep_enough(k, golden.kernel.launch.split_k, block_k) };
    // So many tiles along K that each part of a sum fills every stage of the ring a second time.
    let splits = golden.kernel.launch.split_k.map_or(1, |split_k| split_k.splits as usize);
    let deep = splits * (golden.kernel.footprint.stages as usize + 2).max(6) * k;
    // Rows and columns of a tile of a cluster, in which a raster counts.
    let [cluster_m, cluster_n, _] = golden.kernel.launch.cluster.map(|blocks| blocks as usize);
    let (of_m, of_n) = (cluster_m * m, cluster_n * n);
    // Tiles along M and N, full ones only: a strip of the raster and a part of the next.
    let raster = golden.kernel.facts.as_ref().map(|facts| facts.raster);
    let strips = if matches!(raster, Some(Raster::AlongN(_))) { [2, 5] } else { [9, 2] };
    // Of blocks that share a tile, some have no part of its K.
    let shallow = |m, n, k| Shape { m, n, k };
    let mut rng = Rng::with_seed(m as u64 ^ n as u64);
    let mut odd = |extent: usize| rng.usize(0..(extent / 2).max(1)) * 2 + 1;
    let (random, zero) = (Fill::Random, Fill::Zero);
    let cases = [
        (shape(1, 1, 1), Alignment::Bytes(1), random),
        (shape(m, n, k), Alignment::Bytes(16), random),
        (shape(of_m + 1, n - 1, 2 * k + 1), Alignment::Bytes(16), random),
        // Rows that are whole numbers of copies as wide as their alignment, and a part of a tile.
        (shape(m + 16, n + 48, 2 * k + 16), Alignment::Bytes(16), random),
        (shape(8 * odd(m / 8), n + 8 * odd(n / 8), 3 * k + 8), Alignment::Bytes(8), random),
        (shape(m + 4 * odd(m / 4), 4 * odd(n / 4), 4 * odd(k / 4)), Alignment::Bytes(4), random),
        (shape(odd(m), odd(n), deep - odd(k)), Alignment::Bytes(1), random),
        (shape(m - 1, of_n + 1, 5 * k), Alignment::Mixed, random),
        // Rows of the output that are shorter than a store of theirs.
        (shape(m + 1, 5, k), Alignment::Bytes(16), random),
        (shape(5, n + 1, k), Alignment::Bytes(16), random),
        (shallow(odd(m), odd(n), 0), Alignment::Bytes(16), random),
        (shape(2 * m, n, 4 * k), Alignment::Bytes(16), random),
        (shallow(strips[0] * of_m, strips[1] * of_n, odd(k)), Alignment::Bytes(16), random),
        // What stands for elements past the end of k must not count.
        (shape(odd(m), odd(n), odd(k)), Alignment::Bytes(1), zero),
        (shape(0, n, k), Alignment::Bytes(16), random),
        (shape(m, 0, k), Alignment::Bytes(16), random),
    ];
    let case = |(seed, (shape, alignment, fill))| Case { shape, alignment, fill, seed };
    // A launch refuses to reduce nothing.
    let reduces = !golden.kernel.launch.partials.is_empty();
    let cases = (0..).zip(cases).map(case);
    cases.filter(|case| !reduces || case.shape.m > 0 && case.shape.n > 0).collect()
}

pub(crate) mod tests {
    use super::*;

    self_tests!(
        every_way_to_access_an_operand_is_tried_at_every_alignment,
        the_gate_tries_every_edge_of_each_golden,
    );

    /// What is left of the cases has the edges for which these were written, whatever their numbers are.
    fn the_gate_tries_every_edge_of_each_golden() {
        for golden in goldens::ALL.iter() {
            let [m, _, k] = golden.kernel.launch.block_tile.map(|extent| extent as usize);
            let stages = golden.kernel.footprint.stages as usize;
            let cases = cases(golden);
            let any = |is: &dyn Fn(&Case) -> bool| cases.iter().any(is);
            let name = golden.name;
            assert!(any(&|case| case.shape.m > m && case.shape.k > 2 * k), "{name}: cut tiles");
            assert!(any(&|case| case.shape.k > stages * k), "{name}: a ring that is filled again");
            assert!(
                any(&|case| case.shape.m > m && case.shape.n <= WHOLE_ROW),
                "{name}: short rows"
            );
            assert!(any(&|case| case.shape.k == 0), "{name}: no K");
            assert!(any(&|case| case.fill == Fill::Zero), "{name}: zeros");
            let reduces = !golden.kernel.launch.partials.is_empty();
            assert!(reduces || any(&|case| case.shape.m == 0), "{name}: no rows");
        }
    }

    fn every_way_to_access_an_operand_is_tried_at_every_alignment() {
        let tried: Vec<&Golden> =
            goldens::ALL.iter().filter(|golden| has_every_alignment(golden)).collect();
        for golden in goldens::ALL.iter() {
            for access in accesses(golden) {
                let is_tried = |other: &&Golden| accesses(other).contains(&access);
                assert!(tried.iter().any(is_tried), "{}", golden.name);
            }
        }
        // Enough to be worth it, and so few that most compilations are saved.
        assert!((30..100).contains(&tried.len()), "{}", tried.len());
    }
}
