//! A chain of products: each reads the output of its predecessor while they overlap.

use gemm_runtime::Graph;
use gemm_runtime::prelude::*;

use super::{captured, gpu, on_a_stream};

/// How many products there are in a chain.
const LAYERS: usize = 16;
/// Rows; and columns of all matrices.
const SHAPE: [usize; 2] = [16, 2048];

#[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4)]
fn layer(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).tanh()
}

#[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4, pdl = [w])]
fn layer_weights(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).tanh()
}

#[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4, pdl = [])]
fn layer_nothing(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).tanh()
}

#[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4, split_k = 4)]
fn split(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).tanh()
}

#[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4, split_k = 4, pdl = [w])]
fn split_weights(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).tanh()
}

/// `into` of one of the kernels above.
type Into =
    for<'a> fn(&Device, &'a Matrix<f16>, &'a Matrix<f16>, &'a mut Matrix<f16>) -> Result<(), Error>;

const LAYER: Into = |device, x, w, y| layer::into(device, x, w, y);
const LAYER_WEIGHTS: Into = |device, x, w, y| layer_weights::into(device, x, w, y);
const LAYER_NOTHING: Into = |device, x, w, y| layer_nothing::into(device, x, w, y);
const SPLIT: Into = |device, x, w, y| split::into(device, x, w, y);
const SPLIT_WEIGHTS: Into = |device, x, w, y| split_weights::into(device, x, w, y);

/// The first rows, the weights of each layer, and the two matrices that layers
/// write alternately.
struct Chain {
    first: Matrix<f16>,
    weights: Vec<Matrix<f16>>,
    even: Matrix<f16>,
    odd: Matrix<f16>,
}

/// Random numbers around 0, so that a product of a whole row is about `scale`.
fn numbers(count: usize, seed: u64, scale: f32) -> Vec<f16> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| f16::from_f32((rng.f32() - 0.5) * scale)).collect()
}

impl Chain {
    fn new(device: &Device) -> Chain {
        let [rows, columns] = SHAPE;
        let zeros = || device.zeros::<f16>(rows, columns).expect("it fits");
        let scale = 6.0 / (columns as f32).sqrt();
        let weights = (0..LAYERS).map(|layer| {
            let host = numbers(columns * columns, 2 + layer as u64, scale);
            device.matrix(columns, columns, &host).expect("it fits")
        });
        Chain {
            first: device.matrix(rows, columns, &numbers(rows * columns, 1, 2.0)).expect("it fits"),
            weights: weights.collect(),
            even: zeros(),
            odd: zeros(),
        }
    }

    /// Launches all layers; the last one writes `odd`.
    fn launch(&mut self, device: &Device, into: Into) -> Result<(), Error> {
        for (number, w) in self.weights.iter().enumerate() {
            match number {
                0 => into(device, &self.first, w, &mut self.even)?,
                _ if number % 2 == 0 => into(device, &self.odd, w, &mut self.even)?,
                _ => into(device, &self.even, w, &mut self.odd)?,
            }
        }
        Ok(())
    }

    fn result(&self) -> Vec<u16> {
        self.odd.to_vec().expect("out").into_iter().map(f16::to_bits).collect()
    }
}

/// Whether the GPU can wait for the predecessor kernel.
fn waits(chain: &mut Chain, device: &Device) -> bool {
    match chain.launch(device, LAYER_WEIGHTS) {
        Ok(()) => true,
        Err(error @ Error::UnsupportedArchitecture { .. }) => {
            eprintln!("skipped: {error}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_chain_that_overlaps_gives_the_same_bits() {
    let Some(device) = gpu() else { return };
    let mut chain = Chain::new(&device);
    if !waits(&mut chain, &device) {
        return;
    }
    for (plain, others) in [(LAYER, &[LAYER_WEIGHTS, LAYER_NOTHING][..]), (SPLIT, &[SPLIT_WEIGHTS])]
    {
        chain.launch(&device, plain).expect("it runs");
        let expected = chain.result();
        let distinct = expected.iter().collect::<std::collections::HashSet<_>>().len();
        assert!(distinct > 1000, "{distinct} different elements");
        for other in others {
            for _ in 0..20 {
                chain.launch(&device, *other).expect("it runs");
                assert_eq!(chain.result(), expected);
            }
        }
    }
}

#[test]
fn a_captured_chain_that_overlaps_gives_the_same_bits() {
    let Some((device, stream)) = on_a_stream() else { return };
    let mut chain = Chain::new(&device);
    if !waits(&mut chain, &device) {
        return;
    }
    chain.launch(&device, LAYER).expect("it runs");
    let expected = chain.result();
    for into in [LAYER_WEIGHTS, LAYER_NOTHING] {
        chain.launch(&device, into).expect("compiled before the capture");
        stream.synchronize().expect("nothing failed");
        let graph = captured(&stream, || {
            chain.launch(&device, into).expect("it is captured");
        });
        // The first layer of a replay follows the last layer of the replay before it.
        for _ in 0..5 {
            for _ in 0..10 {
                graph.launch().expect("it runs");
            }
            stream.synchronize().expect("nothing failed");
            assert_eq!(chain.result(), expected);
        }
    }
}

/// Weights that a kernel makes which lets its successor start at once, and tokens for them.
struct Made {
    halves: [Matrix<f16>; 2],
    tokens: Matrix<f16>,
    weights: Matrix<f16>,
    out: Matrix<f16>,
}

impl Made {
    fn new(device: &Device) -> Made {
        let [rows, columns] = SHAPE;
        let matrix = |rows, seed, scale| {
            device.matrix(rows, columns, &numbers(rows * columns, seed, scale)).expect("it fits")
        };
        Made {
            halves: [2, 3].map(|seed| matrix(columns, seed, 0.5)),
            tokens: matrix(rows, 1, 2.0),
            weights: device.zeros(columns, columns).expect("it fits"),
            out: device.zeros(rows, columns).expect("it fits"),
        }
    }

    /// Makes the weights and multiplies by them at once. Before that they are zeros.
    fn launch(&mut self, device: &Device, [make, multiply]: [Into; 2]) -> Result<(), Error> {
        let [a, b] = &self.halves;
        make(device, a, b, &mut self.weights)?;
        multiply(device, &self.tokens, &self.weights, &mut self.out)
    }

    fn result(&mut self) -> Vec<u16> {
        let out = self.out.to_vec().expect("out").into_iter().map(f16::to_bits).collect();
        let zeros = vec![f16::ZERO; SHAPE[1] * SHAPE[1]];
        self.weights.view_mut().write(&zeros).expect("cleared");
        out
    }
}

#[test]
fn what_the_predecessor_makes_is_waited_for() {
    let Some((device, stream)) = on_a_stream() else { return };
    if !waits(&mut Chain::new(&device), &device) {
        return;
    }
    let mut made = Made::new(&device);
    for (plain, early) in [(LAYER, LAYER_WEIGHTS), (SPLIT, SPLIT_WEIGHTS)] {
        made.launch(&device, [LAYER, plain]).expect("it runs");
        let expected = made.result();
        let distinct = expected.iter().collect::<std::collections::HashSet<_>>().len();
        assert!(distinct > 1000, "{distinct} different elements");
        for _ in 0..20 {
            made.launch(&device, [LAYER_NOTHING, early]).expect("it runs");
            assert_eq!(made.result(), expected);
        }
        let graph = captured(&stream, || {
            made.launch(&device, [LAYER_NOTHING, early]).expect("it is captured");
        });
        for _ in 0..20 {
            graph.launch().expect("it runs");
            stream.synchronize().expect("nothing failed");
            assert_eq!(made.result(), expected);
        }
    }
}

#[test]
fn a_graph_waits_for_what_its_launches_make() {
    let Some(device) = gpu() else { return };
    if !waits(&mut Chain::new(&device), &device) {
        return;
    }
    let mut made = Made::new(&device);
    made.launch(&device, [LAYER; 2]).expect("it runs");
    let expected = made.result();
    let Made { halves: [a, b], tokens, weights, mut out } = made;
    let weights = weights.share().expect("shared");
    let make = layer_nothing::prepare(&device, &a, &b, &weights).expect("it is prepared");
    let multiply =
        layer_weights::prepare(&device, &tokens, &weights, &mut out).expect("it is prepared");
    let mut graph = Graph::capture(&device, [make, multiply]).expect("a graph");
    for _ in 0..20 {
        weights.write(&vec![f16::ZERO; SHAPE[1] * SHAPE[1]]).expect("cleared");
        graph.launch().expect("it runs");
    }
    drop(graph);
    let out: Vec<_> = out.to_vec().expect("out").into_iter().map(f16::to_bits).collect();
    assert_eq!(out, expected);
}
