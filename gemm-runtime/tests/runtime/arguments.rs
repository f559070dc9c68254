//! Arguments that do not fit: each is a typed error, found before anything is launched or written.

use crate::common::{arguments, matrices, operands, run, scaled};
use gemm_codegen::{Axis, Element};
use gemm_runtime::abi::{Abi, Word};
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, ArgumentKind, AsMatrix, AsVector, Kernel, KernelFault, launch};

pub(crate) const M: usize = 6;
pub(crate) const N: usize = 5;
pub(crate) const K: usize = 4;

pub(crate) struct Problem {
    pub(crate) device: Device,
    pub(crate) x: Matrix<f32>,
    pub(crate) w: Matrix<f32>,
    pub(crate) bias: DeviceVector<f32>,
}

pub(crate) fn problem() -> Problem {
    let device = Device::emulator();
    let (x, w, bias) = matrices(&device, [M, N, K]);
    Problem { device, x, w, bias }
}

impl Problem {
    fn fails(&self, x: &Matrix<f32>, w: &Matrix<f32>, bias: &DeviceVector<f32>) -> Error {
        run(&self.device, x, w, bias, 1.0).expect_err("they do not fit")
    }

    fn zeros(&self, rows: usize, columns: usize) -> Matrix<f32> {
        self.device.zeros(rows, columns).expect("a small matrix")
    }
}

#[test]
fn a_wrong_extent_names_the_operand_and_both_values() {
    let p = problem();
    let error = p.fails(&p.x, &p.zeros(N, K + 1), &p.bias);
    assert_eq!(error.to_string(), "scaled: w: expected 4 columns (K of x), got 5");

    let error = p.fails(&p.x, &p.zeros(N + 1, K), &p.bias);
    assert_eq!(error.to_string(), "scaled: bias: expected 6 elements (N of w), got 5");
    assert!(matches!(error, Error::ShapeMismatch { axis: Axis::N, expected: 6, got: 5, .. }));
}

#[test]
fn an_output_gives_the_expected_extents() {
    let p = problem();
    let mut out = p.zeros(M, N);
    let w = p.zeros(N - 1, K);
    let arguments = arguments(&p.x, &w, &p.bias, &mut out);
    let error = launch::into(&p.device, &scaled(), arguments).expect_err("w does not fit");
    assert_eq!(error.to_string(), "scaled: w: expected 5 rows (N of the output), got 4");
    assert!(out.to_vec().expect("out").iter().all(|value| *value == 0.0));
}

#[test]
fn a_host_slice_of_another_length_is_refused() {
    let device = Device::emulator();
    let error = device.matrix(2, 3, &[0.0f32; 5]).expect_err("it has 5");
    assert_eq!(error.to_string(), "matrix: expected 6 elements (2 × 3), got 5");
    assert!(matches!(device.matrix(2, 3, &[0.0f32; 7]), Err(Error::HostLength { .. })));
    let error = device.matrix_from(2, 3, 4, &[0.0f32; 6]).expect_err("it has 6");
    assert!(matches!(error, Error::BufferTooSmall { needed: 7, got: 6, .. }));
}

#[test]
fn an_operand_of_another_device_is_refused() {
    let (p, other) = (problem(), problem());
    let error = p.fails(&p.x, &other.w, &p.bias);
    assert!(matches!(&error, Error::DeviceMismatch { operand, expected, got }
        if operand == "w" && *expected == p.device.place() && *got == other.device.place()));
    assert!(error.to_string().starts_with("scaled: w: in the memory of emulator "), "{error}");
    // A clone is the same device.
    assert!(
        run(&p.device.clone(), &p.x, &p.zeros(N, K + 1), &p.bias, 1.0)
            .is_err_and(|error| { matches!(error, Error::ShapeMismatch { .. }) })
    );
}

#[test]
fn extents_that_no_kernel_can_take_are_refused() {
    let device = Device::emulator();
    let large = gemm_codegen::MAX_EXTENT as usize;
    let matrix = |rows| device.matrix::<f32>(rows, 0, &[]).expect("it has no elements");
    let bias = device.vector(&[0.0f32; 1]).expect("a vector");
    let error = run(&device, &matrix(large + 1), &matrix(1), &bias, 1.0);
    assert!(matches!(
        error,
        Err(Error::DimensionTooLarge { axis: Axis::M, extent, .. }) if extent == large + 1
    ));

    // A grid can have 2³¹ − 1 blocks; two columns of 2³⁰ tiles are one more.
    let mut kernel = scaled();
    kernel.launch.block_tile = [1, 1, 1];
    kernel.parameters.to_mut().remove(2);
    let (x, w) = (matrix(large), matrix(2));
    let arguments = [(&x).argument(), (&w).argument(), Argument::from(1.0f32)];
    let error = launch::run::<f32>(&device, &kernel, arguments);
    assert!(matches!(
        error,
        Err(Error::GridTooLarge { blocks, .. }) if blocks == 2 * large as u64
    ));
}

#[test]
fn a_size_that_cannot_be_addressed_is_refused() {
    let device = Device::emulator();
    let error = device.uninitialized::<f32>(usize::MAX / 2, 8).expect_err("it is too large");
    assert!(matches!(error, Error::SizeOverflow { .. }));
}

#[test]
fn arguments_of_another_kind_element_or_number_are_refused() {
    let p = problem();
    let kernel = scaled();
    let wrong = |arguments: Vec<Argument<'_>>| {
        launch::run::<f32>(&p.device, &kernel, arguments).expect_err("they do not fit")
    };
    let (x, w, bias) = (&p.x, &p.w, &p.bias);
    let alpha = || Argument::from(1.0f32);

    let error = wrong(vec![x.argument(), w.argument(), bias.argument()]);
    assert_eq!(error.to_string(), "scaled takes 4 arguments, got 3");

    let error = wrong(vec![x.argument(), bias.argument(), bias.argument(), alpha()]);
    assert_eq!(error.to_string(), "scaled: w: expected a matrix, got a vector");

    let error = wrong(vec![x.argument(), w.argument(), bias.argument(), Argument::from(1)]);
    assert!(matches!(
        error,
        Error::KindMismatch { expected: ArgumentKind::F32, got: ArgumentKind::I32, .. }
    ));

    let error = wrong(vec![x.argument(), w.argument(), bias.argument(), Argument::from(1.0f64)]);
    assert_eq!(error.to_string(), "scaled: alpha: expected an f32, got an f64");

    let halves = p.device.zeros::<f16>(N, K).expect("a small matrix");
    let error = wrong(vec![x.argument(), (&halves).argument(), bias.argument(), alpha()]);
    assert!(matches!(
        error,
        Error::ElementMismatch { expected: Element::F32, got: Element::F16, .. }
    ));

    let error = launch::run::<f16>(&p.device, &kernel, operands(x, w, bias, 1.0));
    assert_eq!(
        error.expect_err("out is f32").to_string(),
        "scaled: out: expected elements of f32, got f16"
    );
}

#[test]
fn a_kernel_that_contradicts_itself_is_refused() {
    let p = problem();
    let refused = |change: &dyn Fn(&mut Kernel)| {
        let mut kernel = scaled();
        change(&mut kernel);
        match launch::run::<f32>(&p.device, &kernel, operands(&p.x, &p.w, &p.bias, 1.0)) {
            Err(Error::Kernel { what, .. }) => what,
            other => panic!("expected a refusal, got {other:?}"),
        }
    };
    assert_eq!(refused(&|k| k.parameters.to_mut().truncate(4)), KernelFault::NoOutput);
    assert_eq!(refused(&|k| k.launch.block_tile[1] = 0), KernelFault::ZeroExtent);
    assert_eq!(refused(&|k| k.launch.targets = Vec::new().into()), KernelFault::NoTarget);
    // The output is parameter 4, and x is a matrix, not a value.
    for word in [Word::Pointer(5), Word::Value(0), Word::Leading(3), Word::Map(0)] {
        assert_eq!(refused(&|k| k.abi.0.to_mut().push(word)), KernelFault::Word(word));
    }
}

/// The words of `scaled` in another order, and without the leading dimensions.
#[test]
fn a_launch_passes_the_words_of_the_kernel_in_their_order() {
    let p = problem();
    let text = "extern \"C\" __global__ void scaled(
        float* out, float alpha, const float* bias, const float* w, int k, const float* x, int n, int m) {
        int tiles_n = (n + 7) / 8;
        int row = blockIdx.x / tiles_n * 4 + threadIdx.x / 8;
        int column = blockIdx.x % tiles_n * 8 + threadIdx.x % 8;
        if (row >= m || column >= n) return;
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) sum += x[row * k + i] * w[column * k + i];
        out[row * n + column] = alpha * sum + bias[column];
    }";
    let words = [
        Word::Pointer(4),
        Word::Value(3),
        Word::Pointer(2),
        Word::Pointer(1),
        Word::Extent(Axis::K),
        Word::Pointer(0),
        Word::Extent(Axis::N),
        Word::Extent(Axis::M),
    ];
    let kernel = Kernel { text: text.into(), abi: Abi(words.to_vec().into()), ..scaled() };
    let of = |kernel: &Kernel| {
        let operands = operands(&p.x, &p.w, &p.bias, 2.0);
        launch::run::<f32>(&p.device, kernel, operands).and_then(|out| out.to_vec())
    };
    assert_eq!(of(&kernel).expect("it runs"), of(&scaled()).expect("it runs"));
}
