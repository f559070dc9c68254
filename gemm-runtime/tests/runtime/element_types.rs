//! Functions with type parameters: a kernel for each listed element type.

use crate::common::{factors, halves, numbers};
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;
use gemm_runtime::{Element, Kernel};

/// `y = relu(x · wᵀ + bias)`
#[gemm(T = [f16, f32], tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn linear<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
    relu(matmul(x, w) + bias)
}

/// The output has an element type of its own.
#[gemm(T = [f16, i8], U = [f32, f16], tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn scaled<T, U>(x: Mat<T, M, K>, w: Mat<T, N, K>, alpha: f32) -> Mat<U, M, N> {
    matmul(x, w) as f32 * alpha
}

/// Without a schedule, each element type has candidates of its own.
#[gemm(T = [f16, bf16])]
fn candidates<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

const SHAPE: Shape = Shape { m: 35, n: 21, k: 24 };

/// A layer of a model that is generic over its elements: launches, and the host's values.
fn layer<T>(device: &Device, like: fn(usize, usize) -> Vec<T>) -> [Vec<T>; 2]
where
    T: linear::Element<Reference = Vec<f32>>,
{
    let [x, w] = [(SHAPE.m, 1), (SHAPE.n, 2)].map(|(rows, seed)| {
        device.matrix(rows, SHAPE.k, &like(rows * SHAPE.k, seed)).expect("it fits")
    });
    let bias = device.vector(&like(SHAPE.n, 3)).expect("it fits");
    let y = linear(device, &x, &w, &bias).expect("it runs");

    let mut into = device.zeros(SHAPE.m, SHAPE.n).expect("it fits");
    linear::into(device, &x, &w, &bias, &mut into).expect("it runs");
    assert_eq!(into.to_vec().expect("y"), y.to_vec().expect("y"));

    let [x, w] = [&x, &w].map(|operand| operand.to_vec().expect("it is there"));
    let bias = bias.to_vec().expect("it is there");
    let expected = linear::reference(SHAPE, &x, &w, &bias).expect("it fits");
    let rounded = expected.into_iter().map(|value| T::from_f64(value.into()));
    [y.to_vec().expect("y"), rounded.collect()]
}

#[test]
fn the_argument_chooses_the_kernel() {
    let device = Device::emulator();
    let [y, expected] = layer::<f16>(&device, halves);
    assert_eq!(y, expected);
    let [y, expected] = layer::<f32>(&device, numbers);
    assert_eq!(y, expected);
    assert_ne!(linear::f16::SOURCE, linear::f32::SOURCE);
    let report = linear::report::<f32>(&device).expect("it compiles");
    assert_eq!(report.shared_bytes, linear::f32::KERNEL.launch.shared_bytes);
}

#[test]
fn an_element_type_of_the_output_is_inferred() {
    let device = Device::emulator();
    let [x, w] = factors(&device, SHAPE.into(), halves);
    let mut y: Matrix<f32> = scaled(&device, &x, &w, 0.5).expect("it runs");
    let single = y.to_vec().expect("y");
    scaled::prepare(&device, &x, &w, 0.5, &mut y).expect("it fits").launch().expect("it runs");
    let half = scaled::<_, f16>(&device, &x, &w, 0.5).expect("it runs").to_vec().expect("y");
    let rounded = single.iter().map(|value| f16::from_f32(*value));
    assert!(half.into_iter().eq(rounded));
    let (x, w) = (x.to_vec().expect("x"), w.to_vec().expect("w"));
    assert_eq!(scaled::reference::<_, f32>(SHAPE, &x, &w, 0.5).expect("it fits"), single);
    assert_eq!(scaled::f16_f32::reference(SHAPE, &x, &w, 0.5).expect("it fits"), single);

    let integers =
        |rows: usize| device.matrix(rows, SHAPE.k, &vec![3i8; rows * SHAPE.k]).expect("it fits");
    let [x, w] = [integers(SHAPE.m), integers(SHAPE.n)];
    let y = scaled::<_, f32>(&device, &x, &w, 2.0).expect("it runs").to_vec().expect("y");
    assert!(y.iter().all(|value| *value == 2.0 * 9.0 * SHAPE.k as f32));
}

#[test]
fn each_kernel_has_the_elements_of_its_module() {
    let name = |kernel: &Kernel| kernel.name.clone().into_owned();
    let kernels = [&scaled::f16_f16::KERNEL, &scaled::i8_f32::KERNEL, &candidates::bf16::KERNEL];
    assert_eq!(kernels.map(name), ["scaled_f16_f16", "scaled_i8_f32", "candidates_bf16"]);
    let _: &Kernels<'_> = &candidates::f16::KERNELS;
    assert!(candidates::f16::PLAN.contains("f16") && !candidates::f16::PLAN.contains("bf16"));
    assert_eq!(<f16 as Element>::ELEMENT.name(), "f16");
}
