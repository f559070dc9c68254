//! Several outputs: launches that return a tuple, or write into one matrix each.

use crate::common::{halves, numbers};
use gemm_codegen::{Axis, Element};
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsMatrix, AsMatrixMut, AsVector, KernelFault, launch};

/// What goes into an activation, and what comes out of it.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn both(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w) + bias;
    (z, relu(z))
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn of_a_batch(
    x: Batched<i8, B, M, K>,
    w: Mat<i8, N, K>,
) -> (Batched<i32, B, N, M>, Batched<f32, B, N, M>, Batched<u8, B, N, M>) {
    let sum = matmul(x, w);
    (sum, sum as f32 * 0.5, -sum)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2, split_k = 3)]
fn split(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f32, M, N>) {
    let z = matmul(x, w);
    (z, -z)
}

/// Whatever schedule is chosen, it stores to both.
#[gemm(auto)]
fn chosen(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f32, M, N>) {
    let z = matmul(x, w);
    (z, -z)
}

const SHAPE: Shape = Shape { m: 35, n: 21, k: 70 };

struct Problem {
    device: Device,
    x_host: Vec<f16>,
    w_host: Vec<f16>,
    bias_host: Vec<f16>,
    x: Matrix<f16>,
    w: Matrix<f16>,
    bias: DeviceVector<f16>,
}

fn problem(shape: Shape) -> Problem {
    let device = Device::emulator();
    let (x_host, w_host) = (halves(shape.m * shape.k, 0), halves(shape.n * shape.k, 5));
    let bias_host = halves(shape.n, 2);
    Problem {
        x: device.matrix(shape.m, shape.k, &x_host).expect("x"),
        w: device.matrix(shape.n, shape.k, &w_host).expect("w"),
        bias: device.vector(&bias_host).expect("bias"),
        device,
        x_host,
        w_host,
        bias_host,
    }
}

impl Problem {
    /// What `both` should write.
    fn expected(&self, shape: Shape) -> (Vec<f32>, Vec<f16>) {
        let (z, y) = both::reference(shape, &self.x_host, &self.w_host, &self.bias_host)
            .expect("the slices have the lengths of the shape");
        (z, y.into_iter().map(f16::from_f32).collect())
    }

    fn operands(&self) -> Vec<Argument<'_>> {
        vec![(&self.x).argument(), (&self.w).argument(), (&self.bias).argument()]
    }

    fn filled<T: gemm_runtime::Element>(&self, rows: usize, columns: usize) -> Matrix<T> {
        let host = vec![T::from_f64(7.0); rows * columns];
        self.device.matrix(rows, columns, &host).expect("it fits")
    }
}

/// Whether a matrix of [`Problem::filled`] was left as it was.
fn is_untouched<T: gemm_runtime::Element>(matrix: &Matrix<T>) -> bool {
    let elements = matrix.to_vec().expect("it was written");
    elements.iter().all(|element| element.to_f64() == 7.0)
}

#[test]
fn a_tuple_is_returned() {
    let p = problem(SHAPE);
    let (z, y) = both(&p.device, &p.x, &p.w, &p.bias).expect("it runs");
    let expected = p.expected(SHAPE);
    assert_eq!((z.to_vec().expect("z"), y.to_vec().expect("y")), expected);
    assert_ne!(expected.0, expected.1.iter().map(|y| y.to_f32()).collect::<Vec<_>>());
}

#[test]
fn each_is_written_into_its_own_matrix() {
    let p = problem(SHAPE);
    let (rows, columns) = (SHAPE.m, SHAPE.n);
    let mut z = p.filled(rows, columns);
    // One within a larger matrix, whose rows are odd: its stores are narrower.
    let mut large = p.filled::<f16>(rows + 2, columns + 4);
    let y = large.submatrix_mut(1..rows + 1, 3..columns + 3).expect("it is within");
    both::into(&p.device, &p.x, &p.w, &p.bias, &mut z, y).expect("it runs");
    let expected = p.expected(SHAPE);
    assert_eq!(z.to_vec().expect("z"), expected.0);
    let within = large.submatrix(1..rows + 1, 3..columns + 3).expect("it is within");
    assert_eq!(within.to_vec().expect("y"), expected.1);

    let (mut z, mut y) = (p.filled(rows, columns), p.filled(rows, columns));
    let mut prepared =
        both::prepare(&p.device, &p.x, &p.w, &p.bias, &mut z, &mut y).expect("it fits");
    prepared.launch().expect("it runs");
    prepared.launch().expect("it runs");
    drop(prepared);
    assert_eq!((z.to_vec().expect("z"), y.to_vec().expect("y")), expected);
}

#[test]
fn outputs_of_a_batch_are_batches() {
    let (device, batch) = (Device::emulator(), 3);
    let Shape { m, n, k } = SHAPE;
    let bytes = |count| numbers(count, 0).into_iter().map(|x| x as i8).collect::<Vec<i8>>();
    let (x_host, w_host) = (bytes(batch * m * k), bytes(n * k));
    let x = device.batched(batch, m, k, &x_host).expect("x");
    let w = device.matrix(n, k, &w_host).expect("w");
    let (sum, half, negative) = of_a_batch(&device, &x, &w).expect("it runs");
    let (of_sum, of_half, of_negative) =
        of_a_batch::reference(batch, SHAPE, &x_host, &w_host).expect("the lengths are right");
    assert_eq!(sum.to_vec().expect("sum"), of_sum);
    assert_eq!(half.to_vec().expect("half"), of_half);
    let saturated: Vec<u8> = of_negative.iter().map(|y| (*y).clamp(0, 255) as u8).collect();
    assert_eq!(negative.to_vec().expect("negative"), saturated);
    assert_eq!((sum.batch(), negative.rows(), negative.columns()), (batch, n, m));
}

#[test]
fn the_block_that_adds_up_the_sums_stores_all_outputs() {
    let p = problem(SHAPE);
    let (z, y) = split(&p.device, &p.x, &p.w).expect("it runs");
    let expected = split::reference(SHAPE, &p.x_host, &p.w_host).expect("the lengths are right");
    assert_eq!((z.to_vec().expect("z"), y.to_vec().expect("y")), expected);
}

#[test]
fn schedules_among_which_a_launch_chooses_store_all_outputs() {
    let p = problem(SHAPE);
    let expected = chosen::reference(SHAPE, &p.x_host, &p.w_host).expect("the lengths are right");
    let (z, y) = chosen(&p.device, &p.x, &p.w).expect("it runs");
    assert_eq!((z.to_vec().expect("z"), y.to_vec().expect("y")), expected);
    // One of the function as it is, one with M and N swapped.
    let swapped = chosen::KERNELS.choices().find(|choice| choice.is_swapped());
    let swapped = swapped.expect("there are some").kernel();
    assert_ne!(swapped.parameters[3].kind, chosen::KERNEL.parameters[3].kind);
    for kernel in [&chosen::KERNEL, swapped] {
        let operands = vec![AsMatrix::argument(&p.x), AsMatrix::argument(&p.w)];
        type Both = (Matrix<f32>, Matrix<f32>);
        let both = launch::run_several::<Both>(&p.device, kernel, operands);
        let (z, y) = both.expect("it runs");
        assert_eq!((z.to_vec().expect("z"), y.to_vec().expect("y")), expected);
    }
}

#[test]
fn outputs_without_elements_are_empty() {
    let p = problem(Shape { m: 0, ..SHAPE });
    let (z, y) = both(&p.device, &p.x, &p.w, &p.bias).expect("there is nothing to do");
    assert_eq!([z.rows(), y.rows()], [0, 0]);
    assert_eq!([z.columns(), y.columns()], [SHAPE.n, SHAPE.n]);
}

#[test]
fn a_wrong_extent_names_the_output_and_nothing_is_written() {
    let p = problem(SHAPE);
    let (m, n) = (SHAPE.m, SHAPE.n);
    let fails = |[z_rows, z_columns]: [usize; 2], [y_rows, y_columns]: [usize; 2]| {
        let (mut z, mut y) = (p.filled(z_rows, z_columns), p.filled(y_rows, y_columns));
        let error = both::into(&p.device, &p.x, &p.w, &p.bias, &mut z, &mut y);
        assert!(is_untouched::<f32>(&z) && is_untouched::<f16>(&y));
        error.expect_err("they do not fit")
    };
    let error = fails([m, n], [m, n + 1]);
    assert_eq!(error.to_string(), "both: out1: expected 21 columns (N of w), got 22");
    assert!(matches!(error, Error::ShapeMismatch { axis: Axis::N, expected: 21, got: 22, .. }));
    let error = fails([m + 1, n], [m, n]);
    assert_eq!(error.to_string(), "both: out0: expected 35 rows (M of x), got 36");
    let error = fails([m + 1, n], [m + 1, n]);
    assert_eq!(error.to_string(), "both: out0: expected 35 rows (M of x), got 36");
}

#[test]
fn an_output_elsewhere_or_of_another_type_is_named() {
    let p = problem(SHAPE);
    let other = Device::emulator();
    let mut z = p.filled(SHAPE.m, SHAPE.n);
    let mut y = other.zeros(SHAPE.m, SHAPE.n).expect("it fits");
    let error = both::into(&p.device, &p.x, &p.w, &p.bias, &mut z, &mut y);
    let error = error.expect_err("y is elsewhere");
    assert!(error.to_string().starts_with("both: out1: in the memory of"), "{error}");
    assert!(is_untouched(&z));

    let mut y = p.filled::<bf16>(SHAPE.m, SHAPE.n);
    let outputs = [z.view_mut().argument(), y.view_mut().argument()];
    let arguments: Vec<_> = p.operands().into_iter().chain(outputs).collect();
    let error = launch::into(&p.device, &both::KERNEL, arguments).expect_err("y is bf16");
    assert!(matches!(
        &error,
        Error::ElementMismatch { operand, expected: Element::F16, got: Element::Bf16 }
            if operand == "out1"
    ));
    assert!(is_untouched(&z) && is_untouched(&y));
}

#[test]
fn a_kernel_is_asked_for_as_many_outputs_as_it_has() {
    let p = problem(SHAPE);
    let fault = |error: Error| match error {
        Error::Kernel { what, .. } => what,
        other => panic!("{other}"),
    };
    let error = launch::run::<f32>(&p.device, &both::KERNEL, p.operands()).expect_err("it has two");
    assert_eq!(error.to_string(), "both: it has 2 outputs, not 1: launch it with `run_several`");
    assert_eq!(fault(error), KernelFault::OutputCount { outputs: 2, asked: 1 });
    type Three = (Matrix<f32>, Matrix<f16>, Matrix<f16>);
    let error = launch::run_several::<Three>(&p.device, &both::KERNEL, p.operands());
    let error = error.expect_err("it has two");
    assert_eq!(fault(error), KernelFault::OutputCount { outputs: 2, asked: 3 });
    type Batch = (Matrix<f32>, BatchedMatrix<f16>);
    let error = launch::run_several::<Batch>(&p.device, &both::KERNEL, p.operands());
    let error = error.expect_err("it is one matrix");
    assert_eq!(fault(error), KernelFault::OutputForm { form: launch::OutputForm::Matrix });
    type Swapped = (Matrix<f16>, Matrix<f32>);
    let error = launch::run_several::<Swapped>(&p.device, &both::KERNEL, p.operands());
    let error = error.expect_err("the first is of f32");
    assert!(matches!(&error, Error::ElementMismatch { operand, .. } if operand == "out0"));
}

#[test]
fn all_outputs_are_among_the_arguments() {
    let p = problem(SHAPE);
    let mut z = p.filled(SHAPE.m, SHAPE.n);
    let one = [z.view_mut().argument()];
    let arguments: Vec<_> = p.operands().into_iter().chain(one).collect();
    let error = launch::into(&p.device, &both::KERNEL, arguments).expect_err("there is no out1");
    assert!(matches!(error, Error::ArgumentCount { expected: 3, got: 2, .. }), "{error}");
    let error = launch::into(&p.device, &both::KERNEL, Vec::new()).expect_err("there is nothing");
    assert!(matches!(error, Error::ArgumentCount { expected: 3, got: 0, .. }), "{error}");
    assert!(is_untouched::<f32>(&z));
}
