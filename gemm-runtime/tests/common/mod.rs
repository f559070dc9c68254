//! A GEMM without tiles or tensor cores, as a kernel made by hand.
#![allow(dead_code, reason = "each test uses a part of it")]

use gemm_codegen::{Axis, Element, ParameterKind, ScalarType, Target};
use gemm_runtime::launch;
use gemm_runtime::{
    Argument, AsMatrix, AsVector, Device, Error, Kernel, LaunchShape, Matrix, Parameter,
};

pub(crate) mod tf32;

/// A tile of 4 × 8 is one element for each of 32 threads.
const TEXT: &str = r#"
#ifndef ALIGN_X
#define ALIGN_X 16
#endif
#ifndef ALIGN_W
#define ALIGN_W 16
#endif
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

/// `out = alpha · x · wᵀ + bias`, all in f32.
pub(crate) fn scaled() -> Kernel {
    let matrix = |name: &'static str, rows, columns, align: Option<&'static str>| Parameter {
        name: name.into(),
        kind: ParameterKind::Matrix { element: Element::F32, rows, columns },
        batched: false,
        align_macro: align.map(Into::into),
        tensor: None,
    };
    Kernel {
        name: "scaled".into(),
        entry: "scaled".into(),
        text: TEXT.into(),
        outputs: 1,
        reads_output: false,
        launch: LaunchShape::new([4, 8, 1], 32, &[Target::Sm80, Target::Sm90]),
        footprint: gemm_runtime::Footprint::default(),
        parameters: vec![
            matrix("x", Axis::M, Axis::K, Some("ALIGN_X")),
            matrix("w", Axis::N, Axis::K, Some("ALIGN_W")),
            Parameter {
                name: "bias".into(),
                kind: ParameterKind::Vector { element: Element::F32, length: Axis::N },
                batched: false,
                align_macro: None,
                tensor: None,
            },
            Parameter {
                name: "alpha".into(),
                kind: ParameterKind::Scalar(ScalarType::F32),
                batched: false,
                align_macro: None,
                tensor: None,
            },
            matrix("out", Axis::M, Axis::N, None),
        ]
        .into(),
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

/// Small whole numbers, so that sums in any order are exact.
pub(crate) fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7 + seed * 5) % 11) as f32 - 5.0).collect()
}
