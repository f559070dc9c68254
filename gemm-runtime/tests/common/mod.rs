//! A GEMM without tiles or tensor cores, as a kernel made by hand.
#![allow(dead_code, reason = "each test uses a part of it")]

use gemm_codegen::{Axis, Element, ParameterKind, ScalarType, Target};
use gemm_runtime::abi::{Abi, Word};
use gemm_runtime::emulator::Violation;
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix, AsMatrixMut, AsVector, EmulatorOptions, Kernel, LaunchShape, Parameter,
    launch,
};

pub(crate) mod float8;
pub(crate) mod invariant;
pub(crate) mod rows;
pub(crate) mod tf32;

/// A tile of 4 × 8 is one element for each of 32 threads.
const TEXT: &str = r#"
constexpr int ALIGN_X = 16;
constexpr int ALIGN_W = 16;
extern "C" __global__ void scaled(int m, int n, int k, const float* x, long long ld_x,
                                  const float* w, long long ld_w, const float* bias, float alpha,
                                  float* out, long long ld_out) {
    int tiles_n = (n + 7) / 8;
    int row = blockIdx.x / tiles_n * 4 + threadIdx.x / 8;
    int column = blockIdx.x % tiles_n * 8 + threadIdx.x % 8;
    if (row >= m || column >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += x[row * ld_x + i] * w[column * ld_w + i];
    out[row * ld_out + column] = alpha * sum + bias[column];
}
extern "C" __global__ void alignment(int m, int n, int k, const float* x, long long ld_x,
                                     const float* w, long long ld_w, const float* bias,
                                     float alpha, float* out, long long ld_out) {
    if (threadIdx.x == 0) out[0] = ALIGN_X * 100 + ALIGN_W;
}
"#;

const WORDS: &[Word] = &[
    Word::Extent(Axis::M),
    Word::Extent(Axis::N),
    Word::Extent(Axis::K),
    Word::Pointer(0),
    Word::Leading(0),
    Word::Pointer(1),
    Word::Leading(1),
    Word::Pointer(2),
    Word::Value(3),
    Word::Pointer(4),
    Word::Leading(4),
];

/// `out = alpha · x · wᵀ + bias`, all in f32.
pub(crate) fn scaled() -> Kernel {
    let parameter = |name: &'static str, kind, align: Option<&'static str>| Parameter {
        name: name.into(),
        kind,
        batch: gemm_codegen::Batching::NONE,
        align_constant: align.map(Into::into),
        tensor: None,
        planes: None,
        epilogue_box: None,
    };
    let element = Element::F32;
    let matrix = |rows, columns| ParameterKind::Matrix { element, rows, columns };
    Kernel {
        name: "scaled".into(),
        entry: "scaled".into(),
        text: TEXT.into(),
        outputs: 1,
        factors: gemm_runtime::Factors::Exact,
        reads_output: false,
        launch: LaunchShape::new([4, 8, 1], 32, &[Target::Sm80, Target::Sm90]),
        footprint: gemm_runtime::Footprint::default(),
        facts: None,
        parameters: vec![
            parameter("x", matrix(Axis::M, Axis::K), Some("ALIGN_X")),
            parameter("w", matrix(Axis::N, Axis::K), Some("ALIGN_W")),
            parameter("bias", ParameterKind::Vector { element, length: Axis::N }, None),
            parameter("alpha", ParameterKind::Scalar(ScalarType::F32), None),
            parameter("out", matrix(Axis::M, Axis::N), None),
        ]
        .into(),
        abi: Abi(WORDS.into()),
    }
}

/// A kernel whose first output element says for which alignments it was compiled.
pub(crate) fn alignment() -> Kernel {
    Kernel { name: "alignment".into(), entry: "alignment".into(), ..scaled() }
}

/// What `#[gemm]` would write for [`scaled`].
pub(crate) fn run<'a>(
    device: &Device,
    x: impl AsMatrix<'a, f32>,
    w: impl AsMatrix<'a, f32>,
    bias: impl AsVector<'a, f32>,
    alpha: f32,
) -> Result<Matrix<f32>, Error> {
    launch::run(device, &scaled(), operands(x, w, bias, alpha))
}

/// The operands of [`scaled`] as arguments.
pub(crate) fn operands<'a>(
    x: impl AsMatrix<'a, f32>,
    w: impl AsMatrix<'a, f32>,
    bias: impl AsVector<'a, f32>,
    alpha: f32,
) -> [Argument<'a>; 4] {
    [x.argument(), w.argument(), bias.argument(), Argument::from(alpha)]
}

/// The operands of [`scaled`] and its output.
pub(crate) fn arguments<'a>(
    x: impl AsMatrix<'a, f32>,
    w: impl AsMatrix<'a, f32>,
    bias: impl AsVector<'a, f32>,
    out: impl AsMatrixMut<'a, f32>,
) -> Vec<Argument<'a>> {
    operands(x, w, bias, 1.0).into_iter().chain([out.argument()]).collect()
}

/// The operands x, w and bias of [`scaled`] for these extents.
pub(crate) fn matrices(
    device: &Device,
    [m, n, k]: [usize; 3],
) -> (Matrix<f32>, Matrix<f32>, DeviceVector<f32>) {
    (
        device.matrix(m, k, &numbers(m * k, 1)).expect("x"),
        device.matrix(n, k, &numbers(n * k, 2)).expect("w"),
        device.vector(&numbers(n, 3)).expect("bias"),
    )
}

/// Small whole numbers, so that sums in any order are exact.
pub(crate) fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7 + seed * 5) % 11) as f32 - 5.0).collect()
}

/// The same as halves.
pub(crate) fn halves(count: usize, seed: usize) -> Vec<f16> {
    numbers(count, seed).into_iter().map(f16::from_f32).collect()
}

/// Numbers whose sums depend on their order.
pub(crate) fn fractions(count: usize, seed: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f32(((i * 7919 + seed) % 1009) as f32 / 1009.0 - 0.3)).collect()
}

/// Two factors with rows along k.
pub(crate) fn factors(
    device: &Device,
    [m, n, k]: [usize; 3],
    host: fn(usize, usize) -> Vec<f16>,
) -> [Matrix<f16>; 2] {
    [(m, 1), (n, 2)]
        .map(|(rows, seed)| device.matrix(rows, k, &host(rows * k, seed)).expect("it fits"))
}

/// A matrix whose rows are `pitch` elements apart and begin `left` elements after a multiple of 16
/// bytes.
pub(crate) struct Placed {
    whole: Matrix<f16>,
    left: usize,
    columns: usize,
}

impl Placed {
    pub(crate) fn new(
        device: &Device,
        [rows, columns]: [usize; 2],
        [left, pitch]: [usize; 2],
    ) -> Placed {
        let mut elements = vec![f16::NAN; rows * pitch];
        for (row, line) in halves(rows * columns, 0).chunks(columns.max(1)).enumerate() {
            elements[row * pitch + left..][..columns].copy_from_slice(line);
        }
        let whole = device.matrix_from(rows, pitch, pitch, &elements).expect("it fits");
        Placed { whole, left, columns }
    }

    pub(crate) fn view(&self) -> MatrixRef<'_, f16> {
        let columns = self.left..self.left + self.columns;
        self.whole.submatrix(0..self.whole.rows(), columns).expect("it is inside")
    }
}

/// An emulated GPU that has the copy unit and the shared memory of an H200.
pub(crate) fn hopper() -> Device {
    Device::emulator_with(EmulatorOptions::default().target(Target::Sm90))
}

/// One kernel in `many` of those that a launch may choose, since each is compiled; with
/// `GEMM_EVERY_KERNEL`, as in `cargo xtask test --long`, all of them.
pub(crate) fn one_in<T>(many: usize, kernels: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    kernels.step_by(if std::env::var_os("GEMM_EVERY_KERNEL").is_some() { 1 } else { many })
}

/// The violation that the emulator found.
pub(crate) fn violation<T>(result: Result<T, Error>) -> Violation {
    match result.err().expect("the emulator finds a fault") {
        Error::Fault { source, .. } => source.violation().expect("a violation").clone(),
        error => panic!("{error}"),
    }
}

pub(crate) fn bits(matrix: &Matrix<f32>) -> Vec<u32> {
    matrix.to_vec().expect("out").into_iter().map(f32::to_bits).collect()
}
