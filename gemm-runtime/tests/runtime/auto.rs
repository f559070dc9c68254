//! `#[gemm(auto)]`: several kernels of one product; a launch chooses one.

use crate::common::{factors, halves, hopper, numbers, one_in};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix, AsMatrixMut, AsVector, ByThreads, EmulatorOptions, Form, Kernel, Target,
    launch,
};

#[gemm(auto)]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    relu(matmul(x, w) + bias)
}

#[gemm(auto)]
fn accumulate(x: Batched<i8, B, M, K>, w: Mat<i8, N, K>, y: &mut Batched<i32, B, M, N>) {
    *y += matmul(x, w)
}

/// What is chosen is what is legal on all of these.
#[gemm(auto, targets = [sm_80], raster = along_n(2))]
fn named(x: Mat<bf16, M, K>, w: Mat<bf16, K, N>) -> Mat<bf16, N, M> {
    matmul(x, w)
}

/// Operands of [`linear`].
fn operands(
    device: &Device,
    Shape { m, n, k }: Shape,
) -> (Matrix<f16>, Matrix<f16>, DeviceVector<f32>) {
    let [x, w] = factors(device, [m, n, k], halves);
    (x, w, device.vector(&numbers(n, 3)).expect("it fits"))
}

fn expected(shape: Shape) -> Vec<f32> {
    let Shape { m, n, k } = shape;
    linear::reference(shape, &halves(m * k, 1), &halves(n * k, 2), &numbers(n, 3)).expect("it fits")
}

/// The kernel of [`linear`] that a launch of this shape chooses.
fn chosen(device: &Device, shape: Shape) -> &'static Kernel {
    let (x, w, bias) = operands(device, shape);
    let arguments: [Argument<'_>; 3] = [x.argument(), w.argument(), bias.argument()];
    launch::choose(device, &linear::KERNELS, &arguments)
}

#[test]
fn every_kernel_gives_the_same() {
    let device = hopper();
    // The longest split has a tile of K for each of its four blocks, and rows of K begin at multiples
    // of 16 bytes, as tensor copies need it.
    let shape = Shape { m: 37, n: 141, k: 536 };
    let (x, w, bias) = operands(&device, shape);
    let expected = expected(shape);
    for form in [Form::Warps(ByThreads::CpAsync), Form::WarpsByTensors, Form::Groups] {
        let of_form = linear::KERNELS.choices().filter(|one| one.footprint().form == form);
        assert!(of_form.count() > 8, "{form:?}");
    }
    for kernel in one_in(48, linear::KERNELS.iter()) {
        let mut y = device.matrix(shape.m, shape.n, &vec![f32::NAN; shape.m * shape.n]).expect("y");
        let arguments =
            [x.argument(), w.argument(), bias.argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, kernel, arguments).expect("it runs");
        assert!(y.to_vec().expect("y") == expected, "{:?}", kernel.footprint);
    }
}

#[test]
fn the_shape_decides() {
    let device = hopper();
    let tile = |m, n, k| chosen(&device, Shape { m, n, k }).launch.block_tile;
    assert_eq!(tile(1024, 2048, 512)[0], 128);
    assert_eq!(tile(1, 2048, 2048)[0], 16);
    assert_eq!(tile(2048, 1, 512)[1], 32);
    let shares_k = |k| {
        let launch = &chosen(&device, Shape { m: 16, n: 16, k }).launch;
        launch.split_k.is_some() || launch.cluster[2] > 1
    };
    assert!(!shares_k(256) && shares_k(16384), "few tiles, a long sum");
}

#[test]
fn a_launch_runs_what_it_chooses() {
    for device in [Device::emulator(), hopper()] {
        for (m, n, k) in [(1, 200, 300), (130, 70, 40), (33, 1, 600), (0, 8, 8), (5, 5, 0)] {
            let shape = Shape { m, n, k };
            let (x, w, bias) = operands(&device, shape);
            let y = linear(&device, &x, &w, &bias).expect("it runs");
            assert_eq!(y.to_vec().expect("y"), expected(shape), "{shape:?}");
            let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("y");
            let mut prepared =
                linear::prepare(&device, &x, &w, &bias, &mut y).expect("it is legal");
            prepared.launch().expect("it runs");
            drop(prepared);
            assert_eq!(y.to_vec().expect("y"), expected(shape), "{shape:?}");
        }
    }
}

#[test]
fn a_batch_in_place() {
    let device = hopper();
    let (batch, m, n, k) = (3, 20, 33, 100);
    let bytes = |count: usize| (0..count).map(|i| (i * 31 % 255) as i8).collect::<Vec<i8>>();
    let old = vec![7; batch * m * n];
    let x = device.batched(batch, m, k, &bytes(batch * m * k)).expect("x");
    let w = device.matrix(n, k, &bytes(n * k)).expect("w");
    let mut y = device.batched(batch, m, n, &old).expect("y");
    accumulate(&device, &x, &w, &mut y).expect("it runs");
    let (x, w) = (bytes(batch * m * k), bytes(n * k));
    let shape = Shape { m, n, k };
    let expected = accumulate::reference(batch, shape, &x, &w, &old).expect("it fits");
    assert_eq!(y.to_vec().expect("y"), expected);
}

#[test]
fn arguments_that_do_not_fit_are_errors_of_the_first_kernel() {
    let device = hopper();
    let (x, _, bias) = operands(&device, Shape { m: 4, n: 8, k: 16 });
    let (_, w, _) = operands(&device, Shape { m: 4, n: 8, k: 17 });
    let mut y = device.matrix(4, 8, &[5.0; 32]).expect("y");
    let error = linear::into(&device, &x, &w, &bias, &mut y).expect_err("17 is not 16");
    assert_eq!(error.to_string(), "linear: w: expected 16 columns (K of x), got 17");
    assert_eq!(y.to_vec().expect("y"), [5.0; 32], "nothing was launched");
}

#[test]
fn every_schedule_keeps_what_the_attribute_names() {
    assert!(named::KERNELS.choices().count() > 5);
    assert_eq!(*named::KERNELS.first(), named::KERNEL);
    for kernel in named::KERNELS.iter() {
        assert_eq!(*kernel.launch.targets, [Target::Sm80]);
        let raster = kernel.facts.as_ref().map(|facts| (facts.raster.name(), facts.raster.width()));
        assert_eq!(raster, Some(("along_n", 2)));
    }
}

#[test]
fn a_prepared_launch_says_by_what_its_kernel_was_chosen() {
    #[gemm]
    fn bare(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }
    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    fn written(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }
    let device = Device::emulator();
    let (x, w) = (device.zeros(32, 32).expect("x"), device.zeros(16, 32).expect("w"));
    let mut y = device.zeros(32, 16).expect("y");
    let chosen = bare::prepare(&device, &x, &w, &mut y).expect("it fits").report().clone();
    assert_eq!(chosen.chosen, gemm_runtime::ChosenBy::Estimate);
    assert!(chosen.to_string().contains("; chosen by estimate"), "{chosen}");
    let alone = written::prepare(&device, &x, &w, &mut y).expect("it fits").report().clone();
    assert_eq!(alone.chosen, gemm_runtime::ChosenBy::Schedule);
}

/// sm_75 has no asynchronous copies, which all candidates but the derived one take.
#[test]
fn a_launch_says_that_it_had_one_candidate() {
    #[gemm(auto, targets = [sm_75])]
    fn old(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }
    let turing = EmulatorOptions::default().target(Target::Sm75);
    let device = Device::emulator_with(turing);
    let (x, w) = (device.zeros(32, 32).expect("x"), device.zeros(16, 32).expect("w"));
    let mut y = device.zeros(32, 16).expect("y");
    let chosen = old::prepare(&device, &x, &w, &mut y).expect("it fits").report().clone();
    assert_eq!(chosen.chosen, gemm_runtime::ChosenBy::OnlyCandidate);
    assert!(chosen.to_string().contains("; the only candidate"), "{chosen}");
}
