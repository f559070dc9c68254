//! Operands that tensor copies cannot read: each launch of a kernel of warpgroups copies them first.

use crate::common::hopper;
use gemm_runtime::prelude::*;
use gemm_runtime::{BatchedRef, Element, EmulatorOptions, Target};

#[gemm(tile = [64, 64, 64], mma = wgmma, stages = 2)]
fn halves(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Both factors with rows along M and N, in blocks that walk over tiles.
#[gemm(tile = [64, 64, 64], schedule = pingpong, mma = wgmma, stages = 2)]
fn transposed(x: Mat<bf16, K, M>, w: Mat<bf16, K, N>) -> Mat<f32, N, M> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 32], mma = wgmma, precision = tf32, stages = 2)]
fn singles(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 128], mma = wgmma, stages = 2)]
fn accumulate(x: Mat<i8, M, K>, w: Mat<i8, N, K>, y: &mut Mat<i32, M, N>) {
    *y += matmul(x, w)
}

/// Its weights are read before the predecessor has ended, unless they are copied.
#[gemm(tile = [64, 64, 64], mma = wgmma, stages = 2, pdl = [w])]
fn early(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], mma = wgmma, stages = 2)]
fn heads(x: Batched<f16, B, M, K>, w: Batched<f16, B, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

/// Small whole numbers, whose sums are exact.
fn numbers<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(((i * 7 + seed * 5) % 5) as f64 - 2.0)).collect()
}

/// A matrix in a buffer, whose other elements are large.
struct Odd<T> {
    buffer: DeviceVector<T>,
    /// Elements before it.
    left: usize,
    extents: [usize; 2],
    pitch: usize,
    dense: Vec<T>,
}

impl<T: Element> Odd<T> {
    fn new(device: &Device, extents: [usize; 2], [left, gap]: [usize; 2], seed: usize) -> Odd<T> {
        let [rows, columns] = extents;
        let (pitch, dense) = (columns + gap, numbers(rows * columns, seed));
        let mut host = vec![T::from_f64(100.0); left + rows * pitch];
        for (row, line) in dense.chunks(columns).enumerate() {
            host[left + row * pitch..][..columns].copy_from_slice(line);
        }
        let buffer = device.vector(&host).expect("it fits");
        Odd { buffer, left, extents, pitch, dense }
    }

    fn view(&self) -> MatrixRef<'_, T> {
        let part = self.buffer.slice(self.left..self.buffer.len()).expect("it begins there");
        let [rows, columns] = self.extents;
        let strides = [self.pitch as isize, 1];
        MatrixRef::strided(part, rows, columns, strides).expect("it fits")
    }
}

/// Elements before the first row of each factor, and between two rows: the lengths of rows are odd.
const PLACES: [[[usize; 2]; 2]; 5] =
    [[[0, 0]; 2], [[1, 0], [0, 1]], [[0, 2], [3, 0]], [[8, 0], [1, 5]], [[7, 31], [16, 3]]];

/// Extents with rows of 129, 131 and 67 elements.
const SHAPES: [Shape; 3] = [
    Shape { m: 65, n: 131, k: 129 },
    Shape { m: 129, n: 67, k: 131 },
    Shape { m: 1, n: 129, k: 67 },
];

#[test]
fn elements_of_each_size_are_right_at_any_place() {
    let device = hopper();
    for (shape @ Shape { m, n, k }, [of_x, of_w]) in
        SHAPES.into_iter().flat_map(|shape| PLACES.map(|places| (shape, places)))
    {
        let what = format!("{shape:?}, {of_x:?}, {of_w:?}");
        let [x, w] = [Odd::new(&device, [m, k], of_x, 0), Odd::new(&device, [n, k], of_w, 1)];
        let y = halves(&device, x.view(), w.view()).expect("it runs").to_vec().expect("y");
        let expected = halves::reference(shape, &x.dense, &w.dense).expect("it fits");
        assert!(y.iter().zip(&expected).all(|(y, e)| y.to_f32() == *e), "{what}");

        let [x, w] = [Odd::new(&device, [m, k], of_x, 0), Odd::new(&device, [n, k], of_w, 1)];
        let y = singles(&device, x.view(), w.view()).expect("it runs").to_vec().expect("y");
        assert!(y == singles::reference(shape, &x.dense, &w.dense).expect("it fits"), "{what}");

        let [x, w] = [Odd::new(&device, [m, k], of_x, 0), Odd::new(&device, [n, k], of_w, 1)];
        let old = numbers(m * n, 2);
        let mut y = device.matrix(m, n, &old).expect("y");
        accumulate(&device, x.view(), w.view(), &mut y).expect("it runs");
        let expected = accumulate::reference(shape, &x.dense, &w.dense, &old).expect("it fits");
        assert!(y.to_vec().expect("y") == expected, "{what}");
    }
}

#[test]
fn rows_along_m_and_n_are_copied_too() {
    let device = hopper();
    for (shape @ Shape { m, n, k }, [of_x, of_w]) in
        SHAPES.into_iter().flat_map(|shape| PLACES.map(|places| (shape, places)))
    {
        let [x, w] = [Odd::new(&device, [k, m], of_x, 0), Odd::new(&device, [k, n], of_w, 1)];
        let y = transposed(&device, x.view(), w.view()).expect("it runs").to_vec().expect("y");
        let expected = transposed::reference(shape, &x.dense, &w.dense).expect("it fits");
        assert!(y == expected, "{shape:?}, {of_x:?}, {of_w:?}");
    }
}

#[test]
fn an_operand_that_is_copied_is_not_read_early() {
    let device = hopper();
    let shape @ Shape { m, n, k } = SHAPES[0];
    let [x, w] = [(m, 0), (n, 1)].map(|(rows, seed)| Odd::new(&device, [rows, k], [0, 0], seed));
    let mut y = device.zeros(m, n).expect("y");
    let mut prepared = early::prepare(&device, x.view(), w.view(), &mut y).expect("it fits");
    assert_eq!(prepared.report().copies.len(), 2);
    for _ in 0..2 {
        prepared.launch().expect("it waits for the copies");
    }
    drop(prepared);
    let expected = early::reference(shape, &x.dense, &w.dense).expect("it fits");
    let y = y.to_vec().expect("y");
    assert!(y.iter().zip(&expected).all(|(y, e)| y.to_f32() == *e));
}

#[test]
fn a_matrix_that_a_device_allocates_is_not_copied() {
    let device = hopper();
    let shape @ Shape { m, n, k } = SHAPES[0];
    let (x_host, w_host) = (numbers(m * k, 0), numbers(n * k, 1));
    let x = device.matrix(m, k, &x_host).expect("x");
    let w = device.matrix(n, k, &w_host).expect("w");
    assert_eq!((x.leading_dimension(), x.columns()), (144, 129));
    assert!(x.to_vec().expect("x") == x_host);
    let mut y = device.zeros(m, n).expect("y");
    let mut prepared = halves::prepare(&device, &x, &w, &mut y).expect("it fits");
    assert!(prepared.report().copies.is_empty());
    prepared.launch().expect("it runs");
    drop(prepared);
    let expected = halves::reference(shape, &x_host, &w_host).expect("it fits");
    let y = y.to_vec().expect("y");
    assert!(y.iter().zip(&expected).all(|(y, e)| y.to_f32() == *e));
}

/// A batch whose matrices are this far apart; with 0 one stands for all.
fn batch<'a>(
    buffer: &'a DeviceVector<f16>,
    [count, rows, columns]: [usize; 3],
    stride: usize,
) -> BatchedRef<'a, f16> {
    let strides = [stride, columns, 1].map(|stride| stride as isize);
    BatchedRef::strided(buffer, [count, rows, columns], strides).expect("it fits")
}

#[test]
fn the_matrices_of_a_batch_are_copied_and_one_that_stands_for_all_is_copied_once() {
    let device = hopper();
    let (count, shape @ Shape { m, n, k }) = (3, Shape { m: 33, n: 65, k: 67 });
    let of_x = device.vector(&numbers(count * (m * k + 5), 0)).expect("x");
    let of_w = device.vector(&numbers(count * n * k, 1)).expect("w");
    for (apart_x, apart_w) in [(m * k, n * k), (m * k + 5, 0), (0, 1)] {
        let x = batch(&of_x, [count, m, k], apart_x);
        let w = batch(&of_w, [count, n, k], apart_w);
        let mut y = device.batched_zeros(count, m, n).expect("y");
        let mut prepared = heads::prepare(&device, &x, &w, &mut y).expect("it fits");
        let copies = prepared.report().copies.iter();
        let of_one: Vec<bool> = copies.map(|copy| copy.bytes < 2 * 33 * 256).collect();
        assert_eq!(of_one[0], apart_x == 0, "{apart_x}");
        prepared.launch().expect("it runs");
        drop(prepared);
        let dense = [x.to_vec().expect("x"), w.to_vec().expect("w")];
        let expected = heads::reference(count, shape, &dense[0], &dense[1]).expect("it fits");
        assert!(y.to_vec().expect("y") == expected, "{apart_x}, {apart_w}");
    }
}

#[test]
fn memory_that_is_full_is_an_error_of_prepare() {
    let options = EmulatorOptions::default().memory_limit(200_000);
    let device = Device::emulator_with(options.target(Target::Sm90));
    let [x, w] = [(); 2].map(|()| Odd::<f16>::new(&device, [200, 129], [0, 0], 0));
    let mut y = device.zeros(200, 200).expect("y");
    let result = halves::prepare(&device, x.view(), w.view(), &mut y);
    let error = result.expect_err("memory is full");
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    assert!(error.to_string().starts_with("halves: "), "{error}");
}
