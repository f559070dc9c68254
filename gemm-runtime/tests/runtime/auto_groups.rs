//! `#[gemm]` without a schedule on compute capability 9.0: warpgroups multiply where they are estimated to be
//! the fastest.

use crate::common::{hopper, one_in};
use gemm_codegen::hardware::H200;
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix, AsMatrixMut, AsVector, ByThreads, EmulatorOptions, Form, Kernel, MatrixRef,
    Report, Target, launch,
};

/// The program of README.md and of examples/quickstart.rs.
#[gemm]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

#[gemm]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Both factors with rows along M and N, an output with rows along M.
#[gemm]
fn transposed(x: Mat<bf16, K, M>, w: Mat<bf16, K, N>) -> Mat<f32, N, M> {
    matmul(x, w)
}

/// 8-bit floats of both kinds, scaled as a whole.
#[gemm]
fn scaled(x: Mat<e4m3, M, K>, w: Mat<e5m2, N, K>, scale: f32) -> Mat<bf16, M, N> {
    matmul(x, w) * scale
}

/// Seeded by the clock: the data differs in each run.
fn random<T>(rng: &mut fastrand::Rng, count: usize, of: fn(f32) -> T) -> Vec<T> {
    (0..count).map(|_| of(rng.i32(-5..=5) as f32)).collect()
}

/// The kernel that a launch of [`product`] chooses.
fn choice(device: &Device, [x, w]: [MatrixRef<'_, f16>; 2]) -> &'static Kernel {
    let arguments: [Argument<'_>; 2] = [x.argument(), w.argument()];
    launch::choose(device, &product::KERNELS, &arguments)
}

/// The architecture for which that kernel is compiled, and its form.
fn chosen(device: &Device, factors: [MatrixRef<'_, f16>; 2]) -> (Report, Form) {
    let kernel = choice(device, factors);
    (launch::report(device, kernel).expect("it compiles"), kernel.footprint.form)
}

/// Factors of ones, whose rows are so far apart.
fn ones(device: &Device, [m, n, k]: [usize; 3], pitch: usize) -> [Matrix<f16>; 2] {
    let host = |rows: usize| vec![f16::ONE; rows * pitch];
    [m, n].map(|rows| device.matrix_from(rows, k, pitch, &host(rows)).expect("it fits"))
}

#[test]
fn the_program_of_the_readme_runs_on_warpgroups() {
    let options = EmulatorOptions::default().target(Target::Sm90).profile(true);
    for device in [hopper(), Device::emulator_with(options.machine(H200))] {
        let mut rng = fastrand::Rng::new();
        let shape @ Shape { m, n, k } = Shape { m: 500, n: 400, k: 320 };
        let of = |number: f32| f16::from_f32(number / 16.0);
        let [x_host, w_host, bias_host] =
            [m * k, n * k, n].map(|count| random(&mut rng, count, of));
        let x = device.matrix(m, k, &x_host).expect("x");
        let w = device.matrix(n, k, &w_host).expect("w");
        let bias = device.vector(&bias_host).expect("bias");
        let arguments = [x.argument(), w.argument(), bias.argument()];
        let kernel = launch::choose(&device, &linear_gelu::KERNELS, &arguments);
        assert_eq!(kernel.footprint.form, Form::Groups);
        let y = linear_gelu(&device, &x, &w, &bias).expect("it runs").to_vec().expect("y");
        if let Some(profile) = device.last_profile() {
            assert_eq!(profile.target, Target::Sm90a);
        }
        let expected =
            linear_gelu::reference(shape, &x_host, &w_host, &bias_host).expect("it fits");
        let error = y.iter().zip(&expected).map(|(y, e)| (y.to_f32() - e).abs());
        let error = error.fold(0.0, f32::max);
        assert!(error < 0.01, "{error}, seed {}", rng.get_seed());
    }
}

#[test]
fn floats_of_8_bits_run_on_warpgroups() {
    let device = hopper();
    let mut rng = fastrand::Rng::new();
    // Sums of small numbers are exact in the 14 bits that are kept of them.
    let shape @ Shape { m, n, k } = Shape { m: 640, n: 512, k: 256 };
    let x_host = random(&mut rng, m * k, e4m3::from_f32);
    let w_host = random(&mut rng, n * k, e5m2::from_f32);
    let x = device.matrix(m, k, &x_host).expect("x");
    let w = device.matrix(n, k, &w_host).expect("w");
    let arguments = [x.argument(), w.argument(), Argument::from(0.5)];
    let kernel = launch::choose(&device, &scaled::KERNELS, &arguments);
    assert_eq!(kernel.footprint.form, Form::Groups);
    let y = scaled(&device, &x, &w, 0.5).expect("it runs").to_vec().expect("y");
    let expected = scaled::reference(shape, &x_host, &w_host, 0.5).expect("it fits");
    let is_right = |(y, expected): (&bf16, &f32)| *y == bf16::from_f32(*expected);
    assert!(y.iter().zip(&expected).all(is_right), "seed {}", rng.get_seed());
}

#[test]
fn a_product_for_which_a_copy_takes_too_long_is_left_to_warps() {
    let device = hopper();
    let [m, n, k] = [1024, 1024, 256];
    for (pitch, form) in [(k, Form::Groups), (k + 1, Form::Warps(ByThreads::CpAsync))] {
        let [x, w] = ones(&device, [m, n, k], pitch);
        let (report, chosen) = chosen(&device, [x.view(), w.view()]);
        assert_eq!(chosen, form, "{pitch}: {report}");
        let architecture = if form == Form::Groups { "sm_90a" } else { "sm_90" };
        assert_eq!(report.architecture, architecture, "{report}");
        let y = product(&device, &x, &w).expect("it runs").to_vec().expect("y");
        assert!(y.iter().all(|sum| *sum == k as f32), "{pitch}");
    }
}

#[test]
fn operands_of_a_large_product_are_copied_for_warpgroups() {
    let options = EmulatorOptions::default().target(Target::Sm90).machine(H200);
    let device = Device::emulator_with(options);
    let buffer = device.vector(&vec![f16::ZERO; 14336 * 4095]).expect("it fits");
    let form = |[m, n, k]: [usize; 3]| {
        let factor = |rows| MatrixRef::new(&buffer, rows, k).expect("it fits");
        choice(&device, [factor(m), factor(n)]).footprint.form
    };
    for shape in [[4095; 3], [4098; 3], [2053, 4099, 4097], [2048, 4096, 4095]] {
        assert_eq!(form(shape), Form::Groups, "{shape:?}");
    }
    // Of few rows the weights are all that takes time.
    for shape in [[1, 4096, 4095], [16, 14336, 4095]] {
        assert_eq!(form(shape), Form::Warps(ByThreads::CpAsync), "{shape:?}");
    }
}

#[test]
fn other_compute_capabilities_choose_warps() {
    let shape = [512, 512, 512];
    for target in [Target::Sm80, Target::Sm89, Target::Sm100, Target::Sm120] {
        let device = Device::emulator_with(EmulatorOptions::default().target(target));
        let [x, w] = ones(&device, shape, shape[2]);
        let (report, form) = chosen(&device, [x.view(), w.view()]);
        assert_ne!(form, Form::Groups, "{target}");
        assert_eq!(report.architecture, target.name());
    }
    // It runs kernels of any architecture, but chooses as an A100 does.
    let device = Device::emulator();
    let [x, w] = ones(&device, shape, shape[2]);
    let (report, form) = chosen(&device, [x.view(), w.view()]);
    assert_eq!((report.architecture.as_str(), form), ("sm_80", Form::Warps(ByThreads::CpAsync)));
    for target in [Target::Sm90, Target::Sm90a] {
        let device = Device::emulator_with(EmulatorOptions::default().target(target));
        let [x, w] = ones(&device, shape, shape[2]);
        let (report, form) = chosen(&device, [x.view(), w.view()]);
        assert_eq!((report.architecture.as_str(), form), ("sm_90a", Form::Groups));
    }
}

/// Launches a kernel of [`transposed`] on these matrices.
fn run(device: &Device, id: &str, [x, w]: [&Matrix<bf16>; 2]) -> Vec<f32> {
    let choice = transposed::KERNELS.choices().find(|choice| choice.id() == id);
    let mut y = device.matrix(w.columns(), x.columns(), &vec![f32::NAN; w.columns() * x.columns()]);
    let y = y.as_mut().expect("y");
    let arguments = [x.argument(), w.argument(), AsMatrixMut::argument(&mut *y)];
    launch::into(device, choice.expect("an id").kernel(), arguments).expect("it runs");
    y.to_vec().expect("y")
}

#[test]
fn warpgroups_multiply_factors_of_the_other_order() {
    let device = hopper();
    let mut rng = fastrand::Rng::new();
    let seed = rng.get_seed();
    let of_groups = transposed::KERNELS.choices();
    let of_groups = of_groups.filter(|one| one.footprint().form == Form::Groups);
    let ids: Vec<&str> = of_groups.map(|choice| choice.id()).collect();
    assert!(ids.len() > 3, "{ids:?}");
    for id in one_in(48, ids.into_iter()) {
        let [m, n] = [(); 2].map(|()| 8 * rng.usize(1..=36));
        let k = rng.usize(1..=300);
        let of = bf16::from_f32;
        let (x_host, w_host) = (random(&mut rng, k * m, of), random(&mut rng, k * n, of));
        let x = device.matrix(k, m, &x_host).expect("x");
        let w = device.matrix(k, n, &w_host).expect("w");
        let shape = Shape { m, n, k };
        let expected = transposed::reference(shape, &x_host, &w_host).expect("it fits");
        assert!(run(&device, id, [&x, &w]) == expected, "{id}, {shape:?}, seed {seed}");
    }
}
