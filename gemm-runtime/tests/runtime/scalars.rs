//! Scalars in device memory: read when the kernel runs.

use crate::common::{factors, halves, numbers, violation};
use gemm_runtime::prelude::*;
use gemm_runtime::{ArgumentKind, AsMatrix, AsMatrixMut, AsScalar, AsVector, Kernel, launch};

/// `c = alpha · a · bᵀ + beta · c`
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn axpby(
    a: Mat<f16, M, K>,
    b: Mat<f16, N, K>,
    alpha: Scalar<f32>,
    beta: Scalar<f16>,
    c: &mut Mat<f32, M, N>,
) {
    *c = alpha * matmul(a, b) + beta * *c
}

/// Integers.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn shifted(a: Mat<u8, M, K>, b: Mat<i8, N, K>, by: Scalar<i32>) -> Mat<i32, M, N> {
    matmul(a, b) - by
}

/// Each matrix of a batch is scaled alike, in doubles.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn doubles(
    a: Batched<f16, B, M, K>,
    b: Mat<f16, N, K>,
    alpha: Scalar<f64>,
) -> Batched<f64, B, M, N> {
    alpha * matmul(a, b) as f64
}

const ALPHA: f32 = 0.5;
const OFFSET: i32 = 3;

/// A constant is an f32, or what its `let` says.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn with_constants(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    let offset: i32 = OFFSET;
    ALPHA * matmul(a, b) + offset as f32
}

/// Constants of the types have their values, and none is a parameter.
#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn with_constants_of_types(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    let y = matmul(a, b);
    let least =
        (if y == 0.5 { i32::MIN } else { y as i32 }) as f32 + std::f32::consts::PI + f32::EPSILON;
    if y > 4.0 {
        f32::INFINITY
    } else if y < -4.0 {
        f32::NEG_INFINITY
    } else {
        least.min(f32::MAX)
    }
}

/// Bounds in any order, in the body and in a function of its own.
#[gemm]
mod bounded {
    use gemm_runtime::prelude::*;

    fn inside(z: f32, lo: f32, hi: f32) -> f32 {
        z.clamp(lo, hi)
    }

    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    pub fn clamped(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        lo: f32,
        hi: f32,
    ) -> (Mat<f32, M, N>, Mat<f32, M, N>) {
        let z = matmul(a, b);
        (z.clamp(lo, hi), inside(z, lo, hi))
    }
}

const SHAPE: Shape = Shape { m: 35, n: 21, k: 19 };

struct Problem {
    device: Device,
    a: Matrix<f16>,
    b: Matrix<f16>,
}

fn problem() -> Problem {
    let device = Device::emulator();
    let [a, b] = factors(&device, SHAPE.into(), halves);
    Problem { device, a, b }
}

impl Problem {
    fn c(&self) -> Matrix<f32> {
        self.device.matrix(SHAPE.m, SHAPE.n, &numbers(SHAPE.m * SHAPE.n, 3)).expect("it fits")
    }

    fn expected(&self, alpha: f32, beta: f32, old: &[f32]) -> Vec<f32> {
        let (a, b) = (self.a.to_vec().expect("a"), self.b.to_vec().expect("b"));
        axpby::reference(SHAPE, &a, &b, alpha, f16::from_f32(beta), old).expect("it fits")
    }
}

#[test]
fn bounds_in_the_wrong_order_give_the_upper_one_on_the_host_too() {
    let p = problem();
    let (a, b) = (p.a.to_vec().expect("a"), p.b.to_vec().expect("b"));
    for (lo, hi) in [(-1.0, 1.0), (1.0, -1.0), (f32::NAN, 1.0)] {
        let made = bounded::clamped(&p.device, &p.a, &p.b, lo, hi).expect("it runs");
        let made = [made.0, made.1].map(|of| of.to_vec().expect("it is there"));
        let expected = bounded::clamped::reference(SHAPE, &a, &b, lo, hi).expect("it fits");
        assert_eq!(made, [expected.0, expected.1], "{lo}..{hi}");
        assert_eq!(lo > hi, made[0].iter().all(|z| *z == hi), "{lo}..{hi}");
    }
}

#[test]
fn a_prepared_launch_reads_the_value_of_the_moment() {
    let p = problem();
    let alpha = p.device.scalar(0.5f32).expect("alpha");
    let beta = p.device.scalar(f16::from_f32(-2.0)).expect("beta");
    let mut c = p.c();
    let old = c.to_vec().expect("c");
    let once = p.expected(0.5, -2.0, &old);
    let twice = p.expected(-3.0, 0.5, &once);

    let mut prepared =
        axpby::prepare(&p.device, &p.a, &p.b, &alpha, &beta, &mut c).expect("it fits");
    prepared.launch().expect("it runs");
    alpha.write(-3.0).expect("alpha");
    beta.write(f16::from_f32(0.5)).expect("beta");
    prepared.launch().expect("it runs");
    drop(prepared);
    assert_eq!(c.to_vec().expect("c"), twice);
    assert_ne!(once, twice);
    assert_eq!(
        (alpha.read().expect("alpha"), beta.view().read().expect("beta").to_f32()),
        (-3.0, 0.5)
    );
}

#[test]
fn a_scalar_may_be_an_element_of_a_vector() {
    let p = problem();
    let values = p.device.vector(&[7, -5, 9]).expect("values");
    let (a, b) = (vec![2u8; SHAPE.m * SHAPE.k], vec![-3i8; SHAPE.n * SHAPE.k]);
    let a_device = p.device.matrix(SHAPE.m, SHAPE.k, &a).expect("a");
    let b_device = p.device.matrix(SHAPE.n, SHAPE.k, &b).expect("b");
    let second = ScalarRef::new(values.slice(1..3).expect("a part")).expect("one");
    let out = shifted(&p.device, &a_device, &b_device, second).expect("it runs");
    let expected = shifted::reference(SHAPE, &a, &b, -5).expect("it fits");
    assert_eq!(out.to_vec().expect("out"), expected);
    assert_eq!(expected[0], -6 * SHAPE.k as i32 + 5);

    let none = ScalarRef::new(values.slice(1..1).expect("nothing")).expect_err("there is none");
    assert!(matches!(none, Error::BufferTooSmall { needed: 1, got: 0, .. }), "{none}");
}

#[test]
fn a_scalar_may_be_a_double() {
    let device = Device::emulator();
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (halves(2 * m * k, 1), halves(n * k, 2));
    let a_device = device.batched(2, m, k, &a).expect("a");
    let b_device = device.matrix(n, k, &b).expect("b");
    // No float has it.
    let alpha = device.scalar(1.0 + f64::EPSILON).expect("alpha");
    let out = doubles(&device, &a_device, &b_device, &alpha).expect("it runs");
    let of = |alpha| doubles::reference(2, SHAPE, &a, &b, alpha).expect("it fits");
    assert_eq!(out.to_vec().expect("out"), of(1.0 + f64::EPSILON));
    assert_ne!(of(1.0 + f64::EPSILON), of(1.0));
}

#[test]
fn arguments_that_are_not_the_scalar_are_refused_and_nothing_is_written() {
    let p = problem();
    let mut c = p.c();
    let old = c.to_vec().expect("c");
    let (alpha, beta) = (p.device.scalar(0.5f32), p.device.scalar(f16::ONE));
    let (alpha, beta) = (alpha.expect("alpha"), beta.expect("beta"));
    let vector = p.device.vector(&[0.5f32]).expect("a vector");
    let mut into = |alpha: gemm_runtime::Argument<'_>| {
        let (a, b) = (AsMatrix::argument(&p.a), AsMatrix::argument(&p.b));
        let arguments = vec![a, b, alpha, AsScalar::argument(&beta), AsMatrixMut::argument(&mut c)];
        launch::into(&p.device, &axpby::KERNEL, arguments)
    };
    let error = into(AsScalar::argument(&beta)).expect_err("alpha is an f32");
    assert_eq!(error.to_string(), "axpby: alpha: expected elements of f32, got f16");
    let error = into(AsVector::argument(&vector)).expect_err("alpha is a scalar");
    assert_eq!(error.to_string(), "axpby: alpha: expected a scalar in device memory, got a vector");
    let error = into(0.5f32.into()).expect_err("alpha is in device memory");
    let got = ArgumentKind::F32;
    assert!(matches!(error, Error::KindMismatch { got: found, .. } if found == got));
    let elsewhere = Device::emulator().scalar(0.5f32).expect("alpha");
    let error = into(AsScalar::argument(&elsewhere)).expect_err("it is elsewhere");
    assert!(matches!(error, Error::DeviceMismatch { operand, .. } if operand == "alpha"));
    into(AsScalar::argument(&alpha)).expect("it fits");
    assert_ne!(c.to_vec().expect("c"), old);
}

#[test]
fn memory_next_to_a_scalar_is_not_read() {
    let p = problem();
    let read = "to_value(*alpha)";
    assert_eq!(axpby::KERNEL.text.matches(read).count(), 1);
    let mut kernel = Kernel::clone(&axpby::KERNEL);
    let values = p.device.vector(&[1.0f32, 2.0, 3.0]).expect("values");
    let beta = p.device.scalar(f16::ONE).expect("beta");
    for (wrong, place) in
        [("to_value(alpha[1])", "at byte 4"), ("to_value(alpha[-1])", "4 B before")]
    {
        kernel.text = axpby::KERNEL.text.replace(read, wrong).into();
        let alpha = ScalarRef::new(values.slice(1..3).expect("a part")).expect("one");
        let mut c = p.c();
        let (a, b) = (AsMatrix::argument(&p.a), AsMatrix::argument(&p.b));
        let beta = AsScalar::argument(&beta);
        let arguments = [a, b, alpha.argument(), beta, AsMatrixMut::argument(&mut c)];
        let text = violation(launch::into(&p.device, &kernel, arguments)).to_string();
        assert!(text.contains(place) && text.ends_with("the 4 B of alpha"), "{text}");
    }
}

#[test]
fn constants_of_a_body_are_passed_to_the_kernel() {
    let p = problem();
    let sums = p.expected(1.0, 0.0, &vec![0.0; SHAPE.m * SHAPE.n]);
    let expected: Vec<f32> = sums.iter().map(|sum| ALPHA * sum + OFFSET as f32).collect();
    let (a, b) = (p.a.to_vec().expect("a"), p.b.to_vec().expect("b"));
    assert_eq!(with_constants::reference(SHAPE, &a, &b).expect("it fits"), expected);
    let c = with_constants(&p.device, &p.a, &p.b).expect("it runs");
    assert_eq!(c.to_vec().expect("c"), expected);
}

#[test]
fn constants_of_types_are_the_same_on_device_and_host() {
    let p = problem();
    let of = |y: f32| {
        let least = (if y == 0.5 { i32::MIN } else { y as i32 }) as f32
            + std::f32::consts::PI
            + f32::EPSILON;
        if y > 4.0 {
            f32::INFINITY
        } else if y < -4.0 {
            f32::NEG_INFINITY
        } else {
            least.min(f32::MAX)
        }
    };
    let sums = p.expected(1.0, 0.0, &vec![0.0; SHAPE.m * SHAPE.n]);
    let expected: Vec<f32> = sums.into_iter().map(of).collect();
    assert!(expected.iter().any(|y| y.is_infinite()) && expected.iter().any(|y| y.is_finite()));
    let [a, b] = [&p.a, &p.b].map(|factor| factor.to_vec().expect("its elements"));
    let reference = with_constants_of_types::reference(SHAPE, &a, &b).expect("it fits");
    assert_eq!(reference, expected);
    let c = with_constants_of_types(&p.device, &p.a, &p.b).expect("it runs");
    assert_eq!(c.to_vec().expect("c"), expected);
}
