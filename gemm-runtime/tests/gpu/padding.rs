//! Operands that tensor copies cannot read, on a GPU: each launch copies them first.

use cudarc::driver::CudaStream;
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, ByThreads, Form, Target, launch};

use super::{captured, gpu, on_a_stream};
use crate::common::{halves, numbers};

#[gemm(tile = [128, 128, 64], mma = wgmma, stages = 4)]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Both factors with rows along M and N.
#[gemm(tile = [128, 128, 64], schedule = cooperative, mma = wgmma, stages = 4)]
fn transposed(x: Mat<f16, K, M>, w: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], mma = wgmma, precision = tf32, stages = 4)]
fn singles(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 128], mma = wgmma, stages = 4)]
fn bytes(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, stages = 4, pdl = [w])]
fn early(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn chosen(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The GPU, if it runs `wgmma`.
fn hopper() -> Option<Device> {
    gpu().filter(runs_wgmma)
}

pub(super) fn runs_wgmma(device: &Device) -> bool {
    let report = launch::report(device, &product::KERNEL);
    !matches!(report, Err(Error::UnsupportedArchitecture { lowest: Target::Sm90a, .. }))
}

/// The matrix that begins `left` elements after the start of a buffer, without gaps.
fn at<T: gemm_runtime::Element>(
    buffer: &DeviceVector<T>,
    left: usize,
    rows: usize,
    columns: usize,
) -> MatrixRef<'_, T> {
    let part = buffer.slice(left..left + rows * columns).expect("it is inside");
    MatrixRef::new(part, rows, columns).expect("it fits")
}

const SHAPES: [[usize; 3]; 4] = [[300, 301, 1111], [129, 67, 131], [1, 513, 67], [515, 259, 4095]];

#[test]
fn elements_of_each_size_are_right_at_any_place() {
    let Some(device) = hopper() else { return };
    for ([m, n, k], left) in SHAPES.into_iter().flat_map(|shape| [0, 1, 5].map(|l| (shape, l))) {
        let shape = Shape { m, n, k };
        let [x, w] = [m, n].map(|rows| numbers(left + rows * k, rows));
        let upload = |host: &[f32]| device.vector(host).expect("it fits");
        let (x_on, w_on) = (upload(&x), upload(&w));
        let y = singles(&device, at(&x_on, left, m, k), at(&w_on, left, n, k)).expect("it runs");
        let expected = singles::reference(shape, &x[left..], &w[left..]).expect("it fits");
        assert!(y.to_vec().expect("y") == expected, "f32, {shape:?}, {left}");

        let [x, w] = [x, w].map(|host| host.iter().map(|e| *e as i8).collect::<Vec<i8>>());
        let upload = |host: &[i8]| device.vector(host).expect("it fits");
        let (x_on, w_on) = (upload(&x), upload(&w));
        let y = bytes(&device, at(&x_on, left, m, k), at(&w_on, left, n, k)).expect("it runs");
        let expected = bytes::reference(shape, &x[left..], &w[left..]).expect("it fits");
        assert!(y.to_vec().expect("y") == expected, "i8, {shape:?}, {left}");

        let [x, w] = [m, n].map(|rows| halves(left + rows * k, rows));
        let upload = |host: &[f16]| device.vector(host).expect("it fits");
        let (x_on, w_on) = (upload(&x), upload(&w));
        let expected = product::reference(shape, &x[left..], &w[left..]).expect("it fits");
        let is_right = |y: Matrix<f16>| {
            let y = y.to_vec().expect("y");
            y.iter().zip(&expected).all(|(y, e)| *y == f16::from_f32(*e))
        };
        let (x, w) = (at(&x_on, left, m, k), at(&w_on, left, n, k));
        assert!(is_right(product(&device, &x, &w).expect("it runs")), "f16, {shape:?}, {left}");
        assert!(is_right(early(&device, &x, &w).expect("it runs")), "pdl, {shape:?}, {left}");
    }
}

#[test]
fn rows_along_m_and_n_are_copied_too() {
    let Some(device) = hopper() else { return };
    for [m, n, k] in SHAPES {
        let [x, w] = [m, n].map(|columns| halves(1 + k * columns, columns));
        let upload = |host: &[f16]| device.vector(host).expect("it fits");
        let (x_on, w_on) = (upload(&x), upload(&w));
        let y = transposed(&device, at(&x_on, 1, k, m), at(&w_on, 1, k, n)).expect("it runs");
        let expected = transposed::reference(Shape { m, n, k }, &x[1..], &w[1..]).expect("it fits");
        assert!(y.to_vec().expect("y") == expected, "{m}, {n}, {k}");
    }
}

/// A device on a stream of its own, if it runs `wgmma`.
fn hopper_on_a_stream() -> Option<(Device, std::sync::Arc<CudaStream>)> {
    on_a_stream().filter(|(device, _)| runs_wgmma(device))
}

#[test]
fn a_graph_copies_what_the_operand_has_when_it_runs() {
    let Some((device, stream)) = hopper_on_a_stream() else { return };
    let (m, n, k) = (200, 131, 67);
    let identity = |i: usize| f16::from_f32(if i / k == i % k { 1.0 } else { 0.0 });
    let identity: Vec<f16> = (0..k * k).map(identity).collect();
    let identity = device.vector(&identity).expect("it fits");
    let w_host = halves(n * k, 2);
    let w = device.vector(&w_host).expect("it fits");
    let mut x = device.zeros::<f16>(m, k).expect("x");
    let (mut y, mut z) =
        (device.vector(&vec![f16::ZERO; m * k]).expect("y"), device.zeros::<f16>(m, n).expect("z"));
    let mut first = {
        let y = MatrixMut::new(&mut y, m, k).expect("it fits");
        product::prepare(&device, &x, at(&identity, 0, k, k), y).expect("it is right")
    };
    let first_graph = captured(&stream, || first.launch().expect("it is captured"));
    let y = at(&y, 0, m, k);
    let mut second = product::prepare(&device, y, at(&w, 0, n, k), &mut z).expect("it is right");
    assert_eq!(second.report().copies.len(), 2);
    let second_graph = captured(&stream, || second.launch().expect("it is captured"));
    for seed in 0..3 {
        let host = halves(m * k, seed);
        x.view_mut().write(&host).expect("it fits");
        first_graph.launch().expect("it runs");
        second_graph.launch().expect("it runs");
        stream.synchronize().expect("nothing failed");
        let expected = product::reference(Shape { m, n, k }, &host, &w_host).expect("it fits");
        let expected: Vec<f16> = expected.into_iter().map(f16::from_f32).collect();
        assert!(z.to_vec().expect("z") == expected, "{seed}");
    }
}

#[test]
fn a_launch_inside_a_capture_owns_its_copies_too() {
    let Some((device, stream)) = hopper_on_a_stream() else { return };
    let (m, n, k) = (200, 131, 67);
    let [x, w] = [m, n].map(|rows| halves(rows * k, rows));
    let expected = product::reference(Shape { m, n, k }, &x, &w).expect("it fits");
    let [x, w] = [x, w].map(|host| device.vector(&host).expect("it fits"));
    let mut y = device.zeros::<f16>(m, n).expect("y");
    // Both kernels are loaded before the capture.
    product::into(&device, at(&x, 0, m, k), at(&w, 0, n, k), &mut y).expect("it runs");
    let mut y = device.zeros::<f16>(m, n).expect("y");
    let graph = captured(&stream, || {
        product::into(&device, at(&x, 0, m, k), at(&w, 0, n, k), &mut y).expect("it is captured");
    });
    for _ in 0..3 {
        graph.launch().expect("it runs");
    }
    stream.synchronize().expect("nothing failed");
    let y = y.to_vec().expect("y");
    assert!(y.iter().zip(&expected).all(|(y, e)| *y == f16::from_f32(*e)));
}

#[test]
fn large_products_of_odd_rows_are_multiplied_by_warpgroups() {
    let Some(device) = hopper() else { return };
    let form = |[m, n, k]: [usize; 3]| {
        let [x, w] = [m, n].map(|rows| device.vector(&vec![f16::ZERO; rows * k]).expect("it fits"));
        let (x, w) = (at(&x, 0, m, k), at(&w, 0, n, k));
        let arguments = [x.argument(), w.argument()];
        launch::choose(&device, &chosen::KERNELS, &arguments).footprint.form
    };
    assert_eq!(form([4095; 3]), Form::Groups);
    assert_eq!(form([16, 4095, 4095]), Form::Warps(ByThreads::CpAsync));
}
