//! The form in place: a launch that reads what it writes.

use crate::common::{halves, numbers};
use gemm_codegen::Axis;
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, KernelFault, launch};

/// `c = alpha · a · bᵀ + beta · c`
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn axpby(a: Mat<f16, M, K>, b: Mat<f16, N, K>, alpha: f32, beta: f32, c: &mut Mat<f32, M, N>) {
    *c = alpha * matmul(a, b) + beta * *c
}

/// The old elements are not read.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn overwrite(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c = matmul(a, b)
}

const SHAPE: Shape = Shape { m: 35, n: 21, k: 19 };

struct Problem {
    device: Device,
    a: Vec<f16>,
    b: Vec<f16>,
    old: Vec<f32>,
}

fn problem(shape: Shape) -> Problem {
    Problem {
        device: Device::emulator(),
        a: halves(shape.m * shape.k, 0),
        b: halves(shape.n * shape.k, 0),
        old: numbers(shape.m * shape.n, 2),
    }
}

impl Problem {
    fn operands(&self, shape: Shape) -> [Matrix<f16>; 2] {
        let matrix = |rows, host| self.device.matrix(rows, shape.k, host).expect("it fits");
        [matrix(shape.m, &self.a), matrix(shape.n, &self.b)]
    }

    fn output(&self, shape: Shape) -> Matrix<f32> {
        self.device.matrix(shape.m, shape.n, &self.old).expect("it fits")
    }
}

#[test]
fn each_launch_builds_on_the_one_before() {
    let p = problem(SHAPE);
    let ([a, b], mut c) = (p.operands(SHAPE), p.output(SHAPE));
    let reference =
        |old: &[f32]| axpby::reference(SHAPE, &p.a, &p.b, 0.5, -2.0, old).expect("it fits");
    let once = reference(&p.old);
    assert_ne!(once, p.old);

    axpby(&p.device, &a, &b, 0.5, -2.0, &mut c).expect("it runs");
    assert_eq!(c.to_vec().expect("c"), once);
    axpby::into(&p.device, &a, &b, 0.5, -2.0, c.view_mut()).expect("it runs");
    let twice = reference(&once);
    assert_eq!(c.to_vec().expect("c"), twice);

    let mut prepared =
        axpby::prepare(&p.device, &a, &b, 0.5, -2.0, &mut c).expect("everything fits");
    prepared.launch().expect("it runs");
    prepared.launch().expect("it runs");
    drop(prepared);
    assert_eq!(c.to_vec().expect("c"), reference(&reference(&twice)));
}

#[test]
fn with_a_k_of_0_the_body_gets_a_zero() {
    let shape = Shape { k: 0, ..SHAPE };
    let p = problem(shape);
    let ([a, b], mut c) = (p.operands(shape), p.output(shape));
    axpby(&p.device, &a, &b, 0.5, -2.0, &mut c).expect("it runs");
    let expected: Vec<f32> = p.old.iter().map(|old| -2.0 * old).collect();
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn old_elements_that_are_read_must_be_initialised() {
    let p = problem(SHAPE);
    let [a, b] = p.operands(SHAPE);
    let mut c = p.device.uninitialized(SHAPE.m, SHAPE.n).expect("it fits");
    let error = axpby(&p.device, &a, &b, 0.5, -2.0, &mut c).expect_err("c was never written");
    assert!(matches!(error, Error::Fault { .. }), "{error}");
    assert!(error.to_string().contains("never written"), "{error}");
    // A body that does not read them needs none.
    overwrite(&p.device, &a, &b, &mut c).expect("it runs");
    let expected = overwrite::reference(SHAPE, &p.a, &p.b, &p.old).expect("it fits");
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn a_kernel_that_reads_its_output_is_not_given_a_new_one() {
    let p = problem(SHAPE);
    let [a, b] = p.operands(SHAPE);
    let operands = || {
        let scalar = gemm_runtime::Argument::from(1.0f32);
        vec![AsMatrix::argument(&a), AsMatrix::argument(&b), scalar, 1.0f32.into()]
    };
    let error = launch::run::<f32>(&p.device, &axpby::KERNEL, operands()).expect_err("it reads c");
    assert!(matches!(error, Error::Kernel { what: KernelFault::ReadsOutput, .. }));
    let mut c = p.output(SHAPE);
    let arguments: Vec<_> = operands().into_iter().chain([c.view_mut().argument()]).collect();
    launch::into(&p.device, &axpby::KERNEL, arguments).expect("it runs");
}

#[test]
fn errors_name_the_output_as_it_was_declared() {
    let p = problem(SHAPE);
    let [a, b] = p.operands(SHAPE);
    let other = Device::emulator();
    let mut c = other.zeros(SHAPE.m, SHAPE.n).expect("it fits");
    let error = axpby(&p.device, &a, &b, 1.0, 1.0, &mut c).expect_err("c is elsewhere");
    assert!(error.to_string().starts_with("axpby: c: in the memory of"), "{error}");
    let mut c = p.device.zeros(SHAPE.m, SHAPE.n + 1).expect("it fits");
    let error = axpby(&p.device, &a, &b, 1.0, 1.0, &mut c).expect_err("c is too wide");
    assert!(matches!(error, Error::ShapeMismatch { axis: Axis::N, .. }), "{error}");
}
