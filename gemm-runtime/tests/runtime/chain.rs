//! Chains of prepared launches over shared matrices, and their graphs.

use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Graph, Prepared, Shared};

use crate::common::{halves, numbers};

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn linear_relu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    relu(matmul(x, w) + bias)
}

/// Without a schedule: a launch chooses.
#[gemm]
fn linear_scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn residual(x: Mat<f16, M, K>, w: Mat<f16, N, K>, r: Mat<f16, M, N>) -> Mat<f32, M, N> {
    matmul(x, w) + r
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn accumulate(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: Scalar<f32>, c: &mut Mat<f32, M, N>) {
    *c += alpha * matmul(x, w)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn heads(
    x: Mat<f16, M, K>,
    w: Batched<f16, B, N, K>,
    bias: Batched<f16, B, N>,
) -> Batched<f16, B, M, N> {
    matmul(x, w) + bias
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn scores(q: Batched<f16, B, M, K>, k: Batched<f16, B, N, K>, c: &mut Batched<f32, B, M, N>) {
    *c += matmul(q, k)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    (z, relu(z))
}

const ROWS: usize = 9;
/// No row of it is a multiple of 32 bytes: rows on the device have gaps.
const WIDTH: usize = 21;
const SQUARE: Shape = Shape { m: ROWS, n: WIDTH, k: WIDTH };

/// What the layers of a model have in common: it owns the launches and the memory that they use.
struct Model {
    x: Shared<Matrix<f16>>,
    y: Shared<Matrix<f32>>,
    layers: Vec<Prepared<'static>>,
}

fn weights() -> [Vec<f16>; 3] {
    [1, 2, 3].map(|seed| halves(WIDTH * WIDTH, seed))
}

fn model(device: &Device) -> Result<Model, Error> {
    let square = |host: &[f16]| device.matrix(WIDTH, WIDTH, host)?.share();
    let [w1, w2, w3] = weights();
    let (w1, w2, w3) = (square(&w1)?, square(&w2)?, square(&w3)?);
    let bias = device.vector(&halves(WIDTH, 4))?.share()?;
    let x = device.zeros(ROWS, WIDTH)?.share()?;
    let [h1, h2] = [device.zeros(ROWS, WIDTH)?, device.zeros(ROWS, WIDTH)?];
    let (h1, h2) = (h1.share()?, h2.share()?);
    let y = device.zeros(ROWS, WIDTH)?.share()?;
    let layers = vec![
        linear_relu::prepare(device, &x, &w1, &bias, &h1)?,
        linear_scaled::prepare(device, &h1, &w2, 0.25, &h2)?,
        residual::prepare(device, &h2, &w3, &x, &y)?,
    ];
    Ok(Model { x, y, layers })
}

/// What memory of halves holds of a reference.
fn stored(reference: Result<Vec<f32>, Error>) -> Vec<f16> {
    reference.expect("it fits").into_iter().map(f16::from_f32).collect()
}

/// What the model computes.
fn expected(x: &[f16]) -> Vec<f32> {
    let [w1, w2, w3] = weights();
    let h1 = stored(linear_relu::reference(SQUARE, x, &w1, &halves(WIDTH, 4)));
    let h2 = stored(linear_scaled::reference(SQUARE, &h1, &w2, 0.25));
    residual::reference(SQUARE, &h2, &w3, x).expect("it fits")
}

#[test]
fn each_launch_reads_what_the_previous_one_wrote() {
    let mut model = model(&Device::emulator()).expect("it fits");
    for seed in 5..7 {
        let x = halves(ROWS * WIDTH, seed);
        model.x.write(&x).expect("x");
        for layer in &mut model.layers {
            layer.launch().expect("it runs");
        }
        assert_eq!(model.y.to_vec().expect("y"), expected(&x));
    }
}

#[test]
fn a_graph_owns_its_launches_and_computes_with_the_elements_of_the_moment() {
    let device = Device::emulator();
    let Model { x, y, layers } = model(&device).expect("it fits");
    let mut graph = Graph::capture(&device, layers).expect("one device");
    assert_eq!(y.to_vec().expect("y"), [0.0; ROWS * WIDTH], "a capture runs nothing");
    for seed in 5..8 {
        let host = halves(ROWS * WIDTH, seed);
        x.write(&host).expect("x");
        graph.launch().expect("it runs");
        assert_eq!(y.to_vec().expect("y"), expected(&host));
    }
    // Of no launches, and in another thread.
    Graph::capture(&device, []).expect("it is empty").launch().expect("nothing runs");
    std::thread::scope(|scope| {
        scope.spawn(move || graph.launch()).join().expect("no panic").expect("it runs");
    });
}

#[test]
fn memory_lives_as_long_as_a_launch_uses_it() {
    let options = EmulatorOptions::default().memory_limit(1 << 16);
    let device = Device::emulator_with(options);
    let is_full = |device: &Device| device.zeros::<f32>(100, 160).is_err();
    let Model { x, y, layers } = model(&device).expect("it fits");
    let x_host = halves(ROWS * WIDTH, 5);
    x.write(&x_host).expect("x");
    drop(x);
    let mut graph = Graph::capture(&device, layers).expect("one device");
    graph.launch().expect("it runs");
    assert!(is_full(&device), "the graph has the memory");
    drop(graph);
    assert_eq!(y.to_vec().expect("y"), expected(&x_host), "a handle has its own");
    drop(y);
    assert!(!is_full(&device), "all of it is free");
}

#[test]
fn a_batch_a_vector_each_scalar_and_what_is_written_in_place_can_be_shared() {
    let device = Device::emulator();
    let (x_host, w_host) = (halves(ROWS * WIDTH, 1), halves(2 * WIDTH * WIDTH, 2));
    let (bias_host, old) = (halves(2 * WIDTH, 3), numbers(2 * ROWS * ROWS, 4));
    let x = device.zeros(ROWS, WIDTH).and_then(Matrix::share).expect("x");
    let w = device.batched(2, WIDTH, WIDTH, &w_host).and_then(BatchedMatrix::share).expect("w");
    let bias = device.matrix(2, WIDTH, &bias_host).and_then(Matrix::share).expect("bias");
    let q = device.batched_zeros(2, ROWS, WIDTH).and_then(BatchedMatrix::share).expect("q");
    let c = device.batched_zeros(2, ROWS, ROWS).and_then(BatchedMatrix::share).expect("c");
    let launches = [
        heads::prepare(&device, &x, &w, &bias, &q).expect("it fits"),
        scores::prepare(&device, &q, &q, &c).expect("it fits"),
    ];
    let mut graph = Graph::capture(&device, launches).expect("one device");
    x.write(&x_host).expect("x");
    c.write(&old).expect("c");
    graph.launch().expect("it runs");
    graph.launch().expect("it runs");

    let q_host = stored(heads::reference(2, SQUARE, &x_host, &w_host, &bias_host));
    let shape = Shape { n: ROWS, ..SQUARE };
    let mut expected = old;
    for _ in 0..2 {
        expected = scores::reference(2, shape, &q_host, &q_host, &expected).expect("it fits");
    }
    assert_eq!(q.to_vec().expect("q"), q_host);
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn a_device_scalar_and_several_outputs_can_be_shared() {
    let device = Device::emulator();
    let (x_host, w_host) = (halves(ROWS * WIDTH, 1), halves(WIDTH * WIDTH, 2));
    let zeros = || device.zeros::<f16>(ROWS, WIDTH).and_then(Matrix::share).expect("zeros");
    let x = device.matrix(ROWS, WIDTH, &x_host).expect("x");
    let w = device.matrix(WIDTH, WIDTH, &w_host).expect("w");
    let alpha = device.scalar(1.0f32).and_then(DeviceScalar::share).expect("alpha");
    let (z, h) = (zeros(), zeros());
    let c = device.zeros::<f32>(ROWS, WIDTH).and_then(Matrix::share).expect("c");
    // Borrowed and shared matrices in one launch.
    let mut first = both::prepare(&device, &x, &w, &z, &h).expect("it fits");
    let mut second = accumulate::prepare(&device, &h, &w, &alpha, &c).expect("it fits");
    let h_host = stored(both::reference(SQUARE, &x_host, &w_host).map(|(_, h)| h));
    let mut expected = vec![0.0; ROWS * WIDTH];
    for value in [0.5, -2.0] {
        alpha.write(value).expect("alpha");
        assert_eq!(alpha.read().expect("alpha"), value);
        first.launch().expect("it runs");
        second.launch().expect("it runs");
        expected =
            accumulate::reference(SQUARE, &h_host, &w_host, value, &expected).expect("it fits");
        assert_eq!(c.to_vec().expect("c"), expected);
    }
    assert_eq!(h.to_vec().expect("h"), h_host);
}

#[test]
fn parts_of_shared_memory_are_operands_and_outputs() {
    let device = Device::emulator();
    let (x_host, w_host) = (halves(2 * ROWS * WIDTH, 1), halves(WIDTH * WIDTH, 2));
    let w = device.matrix(WIDTH, WIDTH, &w_host).expect("w");
    let x = device.matrix(2 * ROWS, WIDTH, &x_host).and_then(Matrix::share).expect("x");
    // The lower rows are written to the place of the upper ones.
    let (upper, lower) = (0..ROWS, ROWS..2 * ROWS);
    let read = x.submatrix(lower.clone(), 0..WIDTH).expect("a part");
    let written = x.view_mut().submatrix(upper, 0..WIDTH).expect("a part");
    let mut launch = linear_scaled::prepare(&device, read, &w, 1.0, written).expect("it fits");
    launch.launch().expect("it runs");
    let below = &x_host[ROWS * WIDTH..];
    let mut expected = stored(linear_scaled::reference(SQUARE, below, &w_host, 1.0));
    expected.extend_from_slice(below);
    assert_eq!(x.to_vec().expect("x"), expected);

    let read = x.submatrix(lower.clone(), 0..WIDTH).expect("a part");
    let written = x.view_mut().submatrix(1..ROWS + 1, 0..WIDTH).expect("a part");
    let error = linear_scaled::prepare(&device, read, &w, 1.0, written).expect_err("one row meets");
    assert!(
        matches!(&error, Error::Overlap { output, operand }
        if *output == "out" && operand == "x"),
        "{error}"
    );
}

#[test]
fn misuse_that_borrowing_would_find_is_an_error_of_prepare() {
    let (device, other) = (Device::emulator(), Device::emulator());
    let zeros = |device: &Device| device.zeros::<f16>(8, 8).and_then(Matrix::share).expect("it");
    let (x, h) = (zeros(&device), zeros(&device));

    let error = linear_scaled::prepare(&device, &h, &x, 1.0, &h).expect_err("it is both");
    assert!(matches!(&error, Error::Overlap { operand, .. } if operand == "x"), "{error}");
    let error = both::prepare(&device, &x, &x, &h, &h).expect_err("it is both");
    assert!(matches!(&error, Error::OutputsOverlap { .. }), "{error}");
    let error = linear_scaled::prepare(&device, &x, &zeros(&other), 1.0, &h).expect_err("another");
    assert!(matches!(&error, Error::DeviceMismatch { operand, .. } if *operand == "w"), "{error}");
    let error = linear_scaled::prepare(&other, &zeros(&other), &zeros(&other), 1.0, &h);
    assert!(matches!(error, Err(Error::DeviceMismatch { .. })), "{error:?}");

    let prepared = linear_scaled::prepare(&device, &x, &x, 1.0, &h).expect("it fits");
    let error = Graph::capture(&other, [prepared]).expect_err("another device");
    let text = "linear_scaled: prepared for another device or stream than that of the graph";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_host_slice_of_another_length_is_refused() {
    let device = Device::emulator();
    let matrix = device.zeros::<f32>(2, 3).and_then(Matrix::share).expect("it");
    let batch = device.batched_zeros::<f32>(2, 1, 3).and_then(BatchedMatrix::share).expect("it");
    let vector = device.vector(&[0.0f32; 6]).and_then(DeviceVector::share).expect("it");
    for length in [5, 7] {
        let host = vec![1.0; length];
        for result in [matrix.write(&host), batch.write(&host), vector.write(&host)] {
            assert!(matches!(result, Err(Error::HostLength { expected: 6, .. })), "{result:?}");
        }
    }
    vector.write(&[2.0; 6]).expect("it fits");
    assert_eq!(vector.to_vec().expect("it"), [2.0; 6]);
    assert_eq!(matrix.to_vec().expect("it"), [0.0; 6]);
}

#[test]
fn a_thread_that_reads_during_launches_sees_old_or_new_elements() {
    let device = Device::emulator();
    let one = device.matrix(16, 16, &identity(1.0)).expect("it fits");
    let x = device.matrix(16, 16, &identity(1.0)).and_then(Matrix::share).expect("x");
    let y = device.matrix(16, 16, &identity(1.0)).and_then(Matrix::share).expect("y");
    let mut launch = linear_scaled::prepare(&device, &x, &one, 1.0, &y).expect("it fits");
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for _ in 0..50 {
                for (i, element) in y.to_vec().expect("y").into_iter().enumerate() {
                    let values = if i % 17 == 0 { [1.0, 2.0] } else { [0.0, 0.0] };
                    assert!(values.contains(&element.to_f32()), "{i}: {element}");
                }
            }
        });
        for turn in 0..20 {
            x.write(&identity(if turn % 2 == 0 { 2.0 } else { 1.0 })).expect("x");
            launch.launch().expect("it runs");
        }
        reader.join().expect("it saw nothing else");
    });
}

fn identity(value: f32) -> Vec<f16> {
    (0..256).map(|i| f16::from_f32(if i % 17 == 0 { value } else { 0.0 })).collect()
}
