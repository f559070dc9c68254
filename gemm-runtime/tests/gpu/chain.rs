//! Chains of prepared launches over shared matrices, captured and replayed.

use gemm_runtime::prelude::*;
use gemm_runtime::{Graph, Shared};

use super::padding::runs_wgmma;
use super::{captured, gpu, on_a_stream};

#[gemm]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

#[gemm]
fn linear_silu(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, w))
}

#[gemm]
fn residual(x: Mat<f16, M, K>, w: Mat<f16, N, K>, r: Mat<f16, M, N>) -> Mat<f32, M, N> {
    matmul(x, w) + r
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = 4)]
fn split(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    0.25 * matmul(x, w)
}

#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, pdl = [w])]
fn early(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    0.25 * matmul(x, w)
}

/// Tensor copies cannot read rows that are not a multiple of 16 bytes: each launch copies them.
#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3, copy = tma)]
fn padded(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [32, 32, 32], warps = [1, 1], stages = 2)]
fn accumulate(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c += matmul(x, w)
}

const ROWS: usize = 300;
const WIDTH: usize = 520;
const SQUARE: Shape = Shape { m: ROWS, n: WIDTH, k: WIDTH };
const REPLAYS: usize = 1000;

/// Random numbers around 0, such that a dot product of whole rows is about `scale`.
fn random(count: usize, seed: u64, scale: f32) -> Vec<f16> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| f16::from_f32((rng.f32() - 0.5) * scale)).collect()
}

struct Host {
    weights: [Vec<f16>; 3],
    bias: Vec<f16>,
}

impl Host {
    fn new() -> Host {
        let scale = 6.0 / (WIDTH as f32).sqrt();
        let weights = [1, 2, 3].map(|seed| random(WIDTH * WIDTH, seed, scale));
        Host { weights, bias: random(WIDTH, 4, 1.0) }
    }

    /// What the three layers compute.
    fn expected(&self, x: &[f16]) -> Vec<f32> {
        let [w1, w2, w3] = &self.weights;
        let h = linear_gelu::reference(SQUARE, x, w1, &self.bias).expect("it fits");
        let h = linear_silu::reference(SQUARE, &stored(&h), w2).expect("it fits");
        residual::reference(SQUARE, &stored(&h), w3, x).expect("it fits")
    }
}

fn stored(values: &[f32]) -> Vec<f16> {
    values.iter().map(|value| f16::from_f32(*value)).collect()
}

/// The input and output of the layers, and their graph, which has all else.
struct Layers {
    x: Shared<Matrix<f16>>,
    y: Shared<Matrix<f32>>,
    graph: Graph<'static>,
}

fn layers(device: &Device, host: &Host) -> Result<Layers, Error> {
    let [w1, w2, w3] =
        [0, 1, 2].map(|layer| device.matrix(WIDTH, WIDTH, &host.weights[layer])?.share());
    let bias = device.vector(&host.bias)?.share()?;
    let [x, h1, h2] = [(); 3].map(|()| device.zeros::<f16>(ROWS, WIDTH)?.share());
    let (x, h1, h2) = (x?, h1?, h2?);
    let y = device.zeros::<f32>(ROWS, WIDTH)?.share()?;
    let launches = [
        linear_gelu::prepare(device, &x, &w1?, &bias, &h1)?,
        linear_silu::prepare(device, &h1, &w2?, &h2)?,
        residual::prepare(device, &h2, &w3?, &x, &y)?,
    ];
    Ok(Layers { x, y, graph: Graph::capture(device, launches)? })
}

fn relative_error(got: &[f32], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (f64::from(*y), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}

fn replay_layers(device: &Device) {
    let host = Host::new();
    let Layers { x, y, mut graph } = layers(device, &host).expect("it is captured");
    assert!(y.to_vec().expect("y").iter().all(|value| *value == 0.0), "nothing ran yet");
    for seed in [5, 6] {
        let input = random(ROWS * WIDTH, seed, 2.0);
        let expected = host.expected(&input);
        x.write(&input).expect("x");
        graph.launch().expect("it runs");
        let first = y.to_vec().expect("y");
        let error = relative_error(&first, &expected);
        assert!(error < 1e-3, "{error:.1e}");
        for _ in 1..REPLAYS {
            graph.launch().expect("it runs");
        }
        assert_eq!(y.to_vec().expect("y"), first);
    }
    // Its memory and the graph outlive the replays that are enqueued.
    for _ in 0..REPLAYS {
        graph.launch().expect("it runs");
    }
    drop((graph, x));
    let input = random(ROWS * WIDTH, 6, 2.0);
    assert!(relative_error(&y.to_vec().expect("y"), &host.expected(&input)) < 1e-3);
}

#[test]
fn three_layers_are_captured_and_replayed_a_thousand_times() {
    let Some(device) = gpu() else { return };
    // The default stream, which cannot be captured itself.
    replay_layers(&device);
}

#[test]
fn three_layers_are_replayed_on_a_stream_of_the_program() {
    let Some((device, _)) = on_a_stream() else { return };
    replay_layers(&device);
}

#[test]
fn a_graph_has_workspaces_early_starts_and_copies_of_operands() {
    // Older GPUs have no tensor copies.
    let Some((device, stream)) = on_a_stream().filter(|(device, _)| runs_wgmma(device)) else {
        return;
    };
    let (m, width) = (130, 261);
    let scale = 6.0 / (width as f32).sqrt();
    let [x_host, w_host] = [m * width, width * width].map(|count| random(count, 1, scale));
    // Without gaps between rows, which are 522 bytes apart.
    let of = |rows, host: &[f16]| device.matrix_from(rows, width, width, host)?.share();
    let zeros = |rows| of(rows, &vec![f16::ZERO; rows * width]);
    let (x, w) = (of(m, &x_host).expect("x"), of(width, &w_host).expect("w"));
    let (h1, h2) = (zeros(m).expect("h"), zeros(m).expect("h"));
    let y = device.zeros::<f32>(m, width).and_then(Matrix::share).expect("y");
    let launches = || {
        let first = split::prepare(&device, &x, &w, &h1).expect("it fits");
        let second = early::prepare(&device, &h1, &w, &h2).expect("it fits");
        [first, second, padded::prepare(&device, &h2, &w, &y).expect("it fits")]
    };
    let mut one_by_one = launches();
    assert_eq!(one_by_one[2].report().copies.len(), 2, "{}", one_by_one[2].report());
    one_by_one.iter_mut().for_each(|launch| launch.launch().expect("it runs"));
    let expected = y.to_vec().expect("y");
    assert!(expected.iter().any(|value| *value != 0.0));

    let mut graph = Graph::capture(&device, launches()).expect("it is captured");
    for start in [0.0f32, 1.0] {
        y.write(&vec![start; m * width]).expect("y");
        (0..50).for_each(|_| graph.launch().expect("it runs"));
        assert_eq!(y.to_vec().expect("y"), expected);
    }

    // In a capture of the program's own, which the launches outlive.
    y.write(&vec![0.0; m * width]).expect("y");
    let own = captured(&stream, || {
        one_by_one.iter_mut().for_each(|launch| launch.launch().expect("it is captured"));
    });
    own.launch().expect("it runs");
    assert_eq!(y.to_vec().expect("y"), expected);
}

#[test]
fn a_capture_has_no_launches_of_other_threads() {
    let Some((device, _)) = on_a_stream() else { return };
    let n = 64;
    let ones = device.matrix(n, n, &vec![f16::ONE; n * n]).expect("ones");
    let zeros = || device.zeros::<f32>(n, n).and_then(Matrix::share).expect("zeros");
    let (mine, others) = (zeros(), zeros());
    let (captures, launches) = (100, 2000);
    let mut graphs = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut other = accumulate::prepare(&device, &ones, &ones, &others).expect("it fits");
            (0..launches).for_each(|_| other.launch().expect("it runs"));
        });
        for _ in 0..captures {
            let launch = accumulate::prepare(&device, &ones, &ones, &mine).expect("it fits");
            graphs.push(Graph::capture(&device, [launch]).expect("it is captured"));
        }
    });
    let sum = |count: usize| vec![(n * count) as f32; n * n];
    assert_eq!(others.to_vec().expect("others"), sum(launches));
    graphs.iter_mut().for_each(|graph| graph.launch().expect("it runs"));
    assert_eq!(mine.to_vec().expect("mine"), sum(captures));
    assert_eq!(others.to_vec().expect("others"), sum(launches));
}

#[test]
fn a_graph_waits_for_borrowed_memory_of_another_stream() {
    let Some((first, stream)) = on_a_stream() else { return };
    let other = stream.context().new_stream().expect("a stream");
    let second = Device::from_stream(other).expect("its device");
    let n = 600;
    let ones = first.matrix(n, n, &vec![f16::ONE; n * n]).expect("ones");
    let mut sum = first.zeros::<f32>(n, n).expect("sum");
    for turn in 1..20 {
        // Written by the first stream, then by a graph on the second one.
        accumulate::into(&first, &ones, &ones, &mut sum).expect("it runs");
        let launch = accumulate::prepare(&second, &ones, &ones, &mut sum).expect("it fits");
        let mut graph = Graph::capture(&second, [launch]).expect("it is captured");
        graph.launch().expect("it runs");
        drop(graph);
        if turn % 5 == 0 {
            assert_eq!(sum.to_vec().expect("sum"), vec![(2 * turn * n) as f32; n * n]);
        }
    }
}

#[test]
fn shared_memory_waits_once_for_other_streams_and_is_then_of_its_own_alone() {
    let Some((first, stream)) = on_a_stream() else { return };
    let other = stream.context().new_stream().expect("a stream");
    let second = Device::from_stream(other).expect("its device");
    let n = 600;
    let ones = first.matrix(n, n, &vec![f16::ONE; n * n]).expect("ones");
    let mut sum = first.zeros::<f32>(n, n).expect("sum");
    (0..20).for_each(|_| accumulate::into(&second, &ones, &ones, &mut sum).expect("it runs"));
    let sum = sum.share().expect("it is shared");
    let mut launch = accumulate::prepare(&first, &ones, &ones, &sum).expect("it fits");
    launch.launch().expect("it runs");
    assert_eq!(sum.to_vec().expect("sum"), vec![(21 * n) as f32; n * n]);

    let error = accumulate::prepare(&second, &ones, &ones, &sum).expect_err("another stream");
    assert!(matches!(&error, Error::StreamMismatch { operand } if *operand == "c"), "{error}");
    let error = Graph::capture(&second, [launch]).expect_err("another stream");
    assert!(matches!(error, Error::GraphMismatch { .. }), "{error}");
    let own = Device::from_stream(stream.context().per_thread_stream()).expect("its device");
    let error = own.zeros::<f32>(4, 4).and_then(Matrix::share).expect_err("of each thread");
    assert!(matches!(error, Error::PerThreadStream), "{error}");
}
