//! Batches with tensor copies: matrices that lie at any multiple of 16 bytes, and blocks that have a
//! tile each, that walk, and in clusters.

use crate::common::{hopper, numbers};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsBatched, ByThreads, Element, EmulatorOptions, Form, Machine, Target, launch,
};

#[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 2, copy = tma)]
fn by_warps(a: Batched<f16, B, M, K>, b: Batched<f16, B, N, K>) -> Batched<f16, B, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 64, 64], schedule = cooperative, mma = wgmma, stages = 2)]
fn walking(a: Batched<f16, B, M, K>, b: Batched<f16, B, N, K>) -> Batched<f16, B, M, N> {
    matmul(a, b)
}

/// One weight for all, a vector for each, and stores along M.
#[gemm(tile = [64, 64, 64], schedule = pingpong, mma = wgmma, stages = 2)]
fn in_turns(
    a: Batched<f16, B, K, M>,
    b: Mat<f16, N, K>,
    bias: Batched<f32, B, N>,
) -> Batched<f16, B, N, M> {
    matmul(a, b) + bias
}

/// The tile of B, which both blocks multiply, is that of one matrix of the batch.
#[gemm(tile = [64, 16, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 2)]
fn of_clusters(a: Mat<f16, M, K>, b: Batched<f16, B, N, K>) -> Batched<f32, B, M, N> {
    matmul(a, b)
}

/// Both multiply panels of a matrix that all have.
#[gemm(tile = [64, 64, 64], cluster = [1, 2], mma = wgmma, stages = 2)]
fn of_clusters_n(a: Mat<f16, K, M>, b: Batched<f16, B, K, N>) -> Batched<f32, B, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 32, 64], schedule = cooperative, mma = wgmma, stages = 2)]
fn accumulate(a: Batched<f16, B, M, K>, b: Mat<f16, N, K>, c: &mut Batched<f32, B, M, N>) {
    *c += matmul(a, b)
}

#[gemm(tile = [64, 32, 64], schedule = cooperative, mma = wgmma, stages = 2)]
fn both(
    a: Batched<f16, B, M, K>,
    b: Batched<f16, B, N, K>,
    residual: Mat<f32, M, N>,
) -> (Batched<f32, B, M, N>, Batched<f16, B, M, N>) {
    let sum = matmul(a, b) + residual;
    (sum, relu(sum))
}

#[gemm]
fn chosen(a: Batched<f16, B, M, K>, b: Batched<f16, B, N, K>) -> Batched<f32, B, M, N> {
    matmul(a, b)
}

/// How the matrices of a batch lie, whose rows begin at multiples of 16 bytes.
#[derive(Clone, Copy, Debug)]
enum Lie {
    OneAfterTheOther,
    /// With a gap between them.
    Apart,
    /// With one that is not a multiple of 16 bytes.
    OddlyApart,
    /// As heads that share their rows.
    SideBySide,
    /// One stands for all.
    Same,
}

/// The distances from a matrix, a row and a column to the next, in elements.
fn strides(lie: Lie, [batch, rows, columns]: [usize; 3]) -> [usize; 3] {
    let line = columns.next_multiple_of(8);
    match lie {
        Lie::OneAfterTheOther => [rows * line, line, 1],
        Lie::Apart => [rows * line + 24, line, 1],
        Lie::OddlyApart => [rows * line + 4, line, 1],
        Lie::SideBySide => [line, batch * line + 8, 1],
        Lie::Same => [0, line, 1],
    }
}

/// Matrices in a buffer. Nothing else of it is accessed.
struct Lying<T> {
    buffer: DeviceVector<T>,
    extents: [usize; 3],
    strides: [usize; 3],
}

/// What lies between the matrices.
const GAP: f64 = -77.0;

impl<T: Element> Lying<T> {
    fn new(device: &Device, extents: [usize; 3], lie: Lie, seed: usize) -> Lying<T> {
        let strides = strides(lie, extents);
        let [batch, rows, columns] = extents;
        let whole = batch * strides[0] + (rows + 1) * strides[1];
        let mut host = vec![T::from_f64(GAP); whole];
        let elements = numbers(batch * rows * columns, seed);
        for (at, element) in places(extents, strides).into_iter().zip(elements) {
            host[at] = T::from_f64(element.into());
        }
        Lying { buffer: device.vector(&host).expect("it fits"), extents, strides }
    }

    fn strides(&self) -> [isize; 3] {
        self.strides.map(|stride| stride as isize)
    }

    fn view(&self) -> BatchedRef<'_, T> {
        BatchedRef::strided(&self.buffer, self.extents, self.strides()).expect("it fits")
    }

    fn view_mut(&mut self) -> BatchedMut<'_, T> {
        let (extents, strides) = (self.extents, self.strides());
        BatchedMut::strided(&mut self.buffer, extents, strides).expect("they are apart")
    }

    fn dense(&self) -> Vec<T> {
        self.view().to_vec().expect("it was written")
    }

    /// Whether nothing between the matrices was written.
    fn has_gaps(&self) -> bool {
        let mut host = self.buffer.to_vec().expect("it was written");
        places(self.extents, self.strides).into_iter().for_each(|at| host[at] = T::from_f64(GAP));
        host.iter().all(|element| element.to_f64() == GAP)
    }
}

/// Where the elements lie, matrix by matrix.
fn places([batch, rows, columns]: [usize; 3], [stride, pitch, _]: [usize; 3]) -> Vec<usize> {
    let row = |at: usize| (0..columns).map(move |column| at + column);
    let matrix = |at: usize| (0..rows).flat_map(move |number| row(at + number * pitch));
    (0..batch).flat_map(|number| matrix(number * stride)).collect()
}

fn rounded(numbers: Vec<f32>) -> Vec<f16> {
    numbers.into_iter().map(f16::from_f32).collect()
}

#[test]
fn each_matrix_is_right_wherever_it_lies() {
    use Lie::{Apart, OddlyApart, OneAfterTheOther, Same, SideBySide};
    let device = hopper();
    let lies = [
        [OneAfterTheOther; 3],
        [Apart, SideBySide, SideBySide],
        [SideBySide, Same, Apart],
        [Same, Apart, OddlyApart],
    ];
    // Columns that are whole numbers of 16 bytes, which the copy unit stores, and others.
    for (batch, shape) in [(3, [70, 80, 72]), (2, [65, 44, 130]), (1, [1, 8, 33]), (4, [64, 5, 0])]
    {
        let [m, n, k] = shape;
        for [of_a, of_b, of_c] in lies {
            let a = Lying::new(&device, [batch, m, k], of_a, 1);
            let b = Lying::new(&device, [batch, n, k], of_b, 2);
            let shape = Shape { m, n, k };
            let expected = by_warps::reference(batch, shape, &a.dense(), &b.dense());
            let expected = rounded(expected.expect("it fits"));
            for walks in [false, true] {
                let mut c = Lying::<f16>::new(&device, [batch, m, n], of_c, 3);
                let (a, b, out) = (a.view(), b.view(), c.view_mut());
                let run = if walks { walking::into } else { by_warps::into };
                run(&device, a, b, out).expect("it runs");
                let what = format!("{batch} x {shape:?}, {of_a:?} {of_b:?} {of_c:?}, {walks}");
                assert!(c.dense() == expected, "{what}");
                assert!(c.has_gaps(), "{what}");
            }
        }
    }
}

/// With this number of processors; a block walks on each.
fn machine(processors: u32) -> Device {
    let machine = Machine { target: Target::Sm90, processors, clock: 1e9, memory: 1e12 };
    let options = EmulatorOptions::default().target(Target::Sm90).profile(true);
    Device::emulator_with(options.machine(machine))
}

#[test]
fn blocks_walk_from_a_matrix_to_the_next() {
    let (batch, m, n, k) = (5, 72, 128, 136);
    for processors in [1, 3, 132] {
        let device = machine(processors);
        let blocks = || device.last_profile().expect("it ran").blocks;
        let a = Lying::new(&device, [batch, k, m], Lie::Apart, 1);
        let b = device.matrix(n, k, &rounded(numbers(n * k, 2))).expect("b");
        let bias = device.matrix(batch, n, &numbers(batch * n, 3)).expect("bias");
        let mut c = Lying::<f16>::new(&device, [batch, n, m], Lie::SideBySide, 4);
        in_turns::into(&device, a.view(), &b, &bias, c.view_mut()).expect("it runs");
        let (w, v) = (b.to_vec().expect("b"), bias.to_vec().expect("bias"));
        let expected = in_turns::reference(batch, Shape { m, n, k }, &a.dense(), &w, &v);
        assert!(c.dense() == rounded(expected.expect("it fits")), "{processors}");
        assert!(c.has_gaps() && blocks() <= 4 * batch as u32, "{processors}");
    }
}

#[test]
fn no_cluster_has_tiles_of_two_matrices() {
    let (batch, m, n, k) = (3, 130, 24, 72);
    let shape = Shape { m, n, k };
    for processors in [1, 3, 132] {
        let device = machine(processors);
        let blocks = || device.last_profile().expect("it ran").blocks;
        let a = device.matrix(m, k, &rounded(numbers(m * k, 1))).expect("a");
        let b = Lying::new(&device, [batch, n, k], Lie::SideBySide, 2);
        let c = of_clusters(&device, &a, b.view()).expect("it runs").to_vec().expect("c");
        let expected = of_clusters::reference(batch, shape, &a.to_vec().expect("a"), &b.dense());
        assert!(c == expected.expect("it fits"), "{processors}");
        let all = 2 * m.div_ceil(128) * n.div_ceil(16) * batch;
        assert!(blocks() % 2 == 0 && blocks() <= all as u32, "{processors}");

        let a = device.matrix(k, m + 6, &rounded(numbers(k * (m + 6), 1))).expect("a");
        let b = Lying::new(&device, [batch, k, n], Lie::Apart, 2);
        let c = of_clusters_n(&device, &a, b.view()).expect("it runs").to_vec().expect("c");
        let shape = Shape { m: m + 6, ..shape };
        let expected = of_clusters_n::reference(batch, shape, &a.to_vec().expect("a"), &b.dense());
        assert!(c == expected.expect("it fits"), "{processors}");
        assert_eq!(blocks() as usize, 2 * (m + 6).div_ceil(64) * n.div_ceil(128) * batch);
    }
}

#[test]
fn old_elements_and_several_outputs_are_those_of_the_tile() {
    let device = machine(2);
    let (batch, m, n, k) = (3, 66, 40, 64);
    let shape = Shape { m, n, k };
    let a = Lying::new(&device, [batch, m, k], Lie::SideBySide, 1);
    let b = device.matrix(n, k, &rounded(numbers(n * k, 2))).expect("b");
    let mut c = Lying::<f32>::new(&device, [batch, m, n], Lie::SideBySide, 3);
    let (w, old) = (b.to_vec().expect("b"), c.dense());
    let expected = accumulate::reference(batch, shape, &a.dense(), &w, &old).expect("it fits");
    accumulate(&device, a.view(), &b, c.view_mut()).expect("it runs");
    assert!(c.dense() == expected && c.has_gaps());

    let b = Lying::new(&device, [batch, n, k], Lie::Apart, 2);
    let residual = device.matrix(m, n, &numbers(m * n, 5)).expect("residual");
    let r = residual.to_vec().expect("residual");
    let expected = both::reference(batch, shape, &a.dense(), &b.dense(), &r).expect("it fits");
    let (sum, positive) = both(&device, a.view(), b.view(), &residual).expect("it runs");
    assert!(sum.to_vec().expect("sum") == expected.0);
    assert!(positive.to_vec().expect("positive") == rounded(expected.1));
}

#[test]
fn matrices_not_a_multiple_of_16_bytes_apart_are_copied() {
    let device = hopper();
    let shape = Shape { m: 20, n: 24, k: 40 };
    let a = Lying::<f16>::new(&device, [3, 20, 40], Lie::SideBySide, 1);
    let b = Lying::<f16>::new(&device, [3, 24, 40], Lie::OddlyApart, 2);
    let mut c = device.batched_zeros(3, 20, 24).expect("c");
    let prepared = by_warps::prepare(&device, a.view(), b.view(), &mut c).expect("it fits");
    let copies: Vec<_> = prepared.report().copies.iter().map(|copy| &*copy.operand).collect();
    assert_eq!(copies, ["b"]);
    drop(prepared);
    let c = by_warps(&device, a.view(), b.view()).expect("it runs").to_vec().expect("c");
    let expected = by_warps::reference(3, shape, &a.dense(), &b.dense()).expect("it fits");
    assert!(c == rounded(expected));
    // A single matrix has no next one.
    let one = b.view().matrix(0).expect("one").to_vec().expect("it");
    let one = device.batched(1, 24, 40, &one).expect("it fits");
    let a = device.batched(1, 24, 40, &one.to_vec().expect("one")).expect("it fits");
    by_warps(&device, &a, &one).expect("it runs");
}

#[test]
fn warpgroups_multiply_a_batch_that_is_not_copied_first() {
    let device = hopper();
    let (batch, m, n, k) = (8, 512, 512, 512);
    for (lie, form) in [
        (Lie::SideBySide, Form::Groups),
        (Lie::Same, Form::Groups),
        // A copy would take longer than it saves.
        (Lie::OddlyApart, Form::Warps(ByThreads::CpAsync)),
    ] {
        let a = Lying::<f16>::new(&device, [batch, m, k], Lie::OneAfterTheOther, 1);
        let b = Lying::<f16>::new(&device, [batch, n, k], lie, 2);
        let arguments: [Argument<'_>; 2] = [a.view().argument(), b.view().argument()];
        let kernel = launch::choose(&device, &chosen::KERNELS, &arguments);
        assert_eq!(kernel.footprint.form, form, "{lie:?}");
    }
    // The same kernels, where a few tiles are enough.
    let shape = Shape { m: 40, n: 24, k: 64 };
    for lie in [Lie::SideBySide, Lie::OddlyApart] {
        let a = Lying::new(&device, [3, 40, 64], lie, 1);
        let b = Lying::new(&device, [3, 24, 64], Lie::Apart, 2);
        let c = chosen(&device, a.view(), b.view()).expect("it runs").to_vec().expect("c");
        let expected = chosen::reference(3, shape, &a.dense(), &b.dense()).expect("it fits");
        assert!(c == expected, "{lie:?}");
    }
}
