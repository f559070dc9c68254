//! Measured choices on the emulator, by a clock of the tests' own.

mod groups;
mod invariant;
mod records;

use std::sync::{Arc, Mutex};

use gemm_codegen::Kernel;

use crate::cache::Cache;
use crate::launch::choice::candidate::candidates;
use crate::launch::choice::query::LaunchQuery;
use crate::launch::{Choice, Kernels, choose};
use crate::prelude::*;
use crate::tuning::{Clock, Launch};
use crate::{Argument, AsMatrix, AsMatrixMut, EmulatorOptions, Tuning};

#[gemm(auto)]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(auto)]
fn accumulate(x: Mat<f16, M, K>, w: Mat<f16, N, K>, y: &mut Mat<f32, M, N>) {
    *y += matmul(x, w)
}

/// The entry points of the kernels that a clock timed.
type Timed = Arc<Mutex<Vec<String>>>;

/// A clock whose times a function gives.
struct Fake<F> {
    timed: Timed,
    seconds: F,
}

impl<F: Fn(&Kernel) -> Result<f64, Error>> Clock for Fake<F> {
    fn ready(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn seconds(&mut self, kernel: &Kernel, launch: &mut Launch<'_>) -> Result<f64, Error> {
        launch()?;
        self.timed.lock().expect("not poisoned").push(kernel.entry.to_string());
        (self.seconds)(kernel)
    }
}

/// A folder of a cache of its own, which outlives the test's threads.
fn cache() -> (tempfile::TempDir, &'static Cache) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::open(folder.path(), 1 << 20).expect("it is private");
    (folder, Box::leak(Box::new(cache)))
}

/// A tuning with this clock, and the kernels that it times.
fn tuning(
    cache: &'static Cache,
    seconds: impl Fn(&Kernel) -> Result<f64, Error> + Clone + Send + Sync + 'static,
) -> (Tuning, Timed) {
    let timed = Timed::default();
    let all = timed.clone();
    let tuning = Tuning::new().with_cache(cache).with_clock(move || {
        let (timed, seconds) = (timed.clone(), seconds.clone());
        Box::new(Fake { timed, seconds })
    });
    (tuning, all)
}

/// A device on which all kernels take the same time, and the kernels that it times.
fn tuned() -> (Device, Timed, tempfile::TempDir) {
    let (folder, cache) = cache();
    let (tuning, timed) = tuning(cache, |_| Ok(1e-6));
    (Device::emulator().with_tuning(tuning), timed, folder)
}

/// Says that this kernel is the fastest.
fn prefer(entry: &str) -> impl Fn(&Kernel) -> Result<f64, Error> + Clone + use<> {
    let entry = entry.to_owned();
    move |kernel| Ok(if kernel.entry == entry { 1e-6 } else { 2e-6 })
}

fn count(timed: &Timed) -> usize {
    timed.lock().expect("not poisoned").len()
}

/// Small whole numbers, of which sums in any order are exact.
fn halves(count: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f32(((i * 7) % 11) as f32 - 5.0)).collect()
}

/// Operands of [`linear`].
fn operands(device: &Device, [m, n, k]: [usize; 3]) -> [Matrix<f16>; 2] {
    [m, n].map(|rows| device.matrix(rows, k, &halves(rows * k)).expect("it fits"))
}

/// The kernel of [`linear`] that is chosen for a shape.
fn chosen(device: &Device, shape: [usize; 3]) -> &'static Kernel {
    let [x, w] = operands(device, shape);
    choose(device, &linear::KERNELS, &[x.argument(), w.argument()])
}

/// The kernel that is estimated to be the second fastest for this shape.
fn another(device: &Device, shape: [usize; 3]) -> &'static Kernel {
    let [x, w] = operands(device, shape);
    let arguments = [x.argument(), w.argument()];
    let query = LaunchQuery::new(device, &linear::KERNELS, &arguments).expect("they fit");
    let second = candidates(&query, None).get(1).map(|candidate| candidate.number);
    linear::KERNELS.numbered(second.expect("there are two"))
}

const SHAPE: [usize; 3] = [70, 90, 260];

#[test]
fn the_fastest_is_chosen_and_remembered() {
    let (plain, (_folder, cache)) = (Device::emulator(), cache());
    let preferred = another(&plain, SHAPE);
    let (tuning, timed) = tuning(cache, prefer(&preferred.entry));
    let device = plain.clone().with_tuning(tuning);
    assert_eq!(chosen(&device, SHAPE), preferred);
    let once = count(&timed);
    assert!((2..=linear::KERNELS.choices().count()).contains(&once), "{once}");
    for shape in [SHAPE, [65, 94, 268], [96, 90, 276]] {
        assert_eq!(chosen(&device, shape), preferred, "one bucket");
    }
    assert_eq!(count(&timed), once);
    assert_eq!(chosen(&device, [97, 90, 260]), preferred, "another bucket");
    assert!(count(&timed) > once);
    assert_ne!(chosen(&plain, SHAPE), preferred, "a device without tuning");
    let [x, w] = operands(&device, SHAPE);
    let shape = Shape { m: SHAPE[0], n: SHAPE[1], k: SHAPE[2] };
    let expected = linear::reference(shape, &x.to_vec().expect("x"), &w.to_vec().expect("w"))
        .expect("it fits");
    assert_eq!(linear(&device, &x, &w).expect("it runs").to_vec().expect("y"), expected);
}

#[test]
fn alignments_are_measured_apart() {
    let (device, timed, _folder) = tuned();
    let ask = |leading_dimension: usize| {
        let host = halves(70 * leading_dimension);
        let x = device.matrix_from(70, 256, leading_dimension, &host).expect("x");
        let [_, w] = operands(&device, [70, 90, 256]);
        choose(&device, &linear::KERNELS, &[x.argument(), w.argument()]);
        count(&timed)
    };
    let aligned = ask(264);
    assert_eq!(ask(272), aligned, "16 bytes again");
    assert!(ask(257) > aligned);
}

#[test]
fn threads_that_ask_at_once_measure_once() {
    let (device, timed, _folder) = tuned();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| chosen(&device, SHAPE));
        }
    });
    let mut entries = timed.lock().expect("not poisoned").clone();
    let all = entries.len();
    entries.sort();
    entries.dedup();
    assert_eq!(entries.len(), all, "none was timed twice");
}

/// Of the kernels of [`linear`] the derived one, and one that a measurement is to leave out. The clock
/// would prefer it.
#[track_caller]
fn assert_left_out(other: Kernel, timed_at_all: usize) {
    let (_folder, cache) = cache();
    let (tuning, timed) = tuning(cache, prefer(&other.entry));
    let device = Device::emulator().with_tuning(tuning);
    let [x, w] = operands(&device, SHAPE);
    let others = [Choice::new("other", &other)];
    let kernels = Kernels::new(&linear::KERNEL, &others);
    assert_eq!(*choose(&device, &kernels, &[x.argument(), w.argument()]), linear::KERNEL);
    assert_eq!(count(&timed), timed_at_all);
}

#[test]
fn a_kernel_that_does_not_compile_is_left_out() {
    assert_left_out(
        Kernel { text: "no kernel".into(), entry: "none".into(), ..linear::KERNEL.clone() },
        1,
    );
}

#[test]
fn a_kernel_that_computes_something_else_is_left_out() {
    #[gemm]
    fn negative(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
        -matmul(x, w)
    }
    assert_left_out(negative::KERNEL.clone(), 1);
}

#[test]
fn a_kernel_that_cannot_be_timed_is_left_out() {
    let (plain, (_folder, cache)) = (Device::emulator(), cache());
    let failing = chosen(&plain, SHAPE).entry.to_string();
    let entry = failing.clone();
    let (tuning, _) = tuning(cache, move |kernel| match kernel.entry == entry {
        true => Err(Error::NoGpu),
        false => Ok(1e-6),
    });
    assert_ne!(chosen(&plain.with_tuning(tuning), SHAPE).entry, failing);
}

#[test]
fn without_a_measurement_the_estimate_decides() {
    let (plain, (_folder, cache)) = (Device::emulator(), cache());
    let estimated = chosen(&plain, SHAPE);
    let (all_fail, _) = tuning(cache, |_| Err(Error::NoGpu));
    assert_eq!(chosen(&plain.clone().with_tuning(all_fail), SHAPE), estimated);
    let no_clock = plain.clone().with_tuning(Tuning::new().with_cache(cache));
    assert_eq!(chosen(&no_clock, SHAPE), estimated);
    // Room for the operands, and not for another output.
    let [m, n, k] = SHAPE;
    let options = EmulatorOptions::default().memory_limit(2 * ((m + n) * k) as u64 + 4096);
    let (tuning, timed) = tuning(cache, |_| Ok(1e-6));
    assert_eq!(chosen(&Device::emulator_with(options).with_tuning(tuning), SHAPE), estimated);
    assert_eq!(count(&timed), 0);
}

#[test]
fn outputs_are_untouched_by_a_measurement() {
    let (device, timed, _folder) = tuned();
    let [x, w] = operands(&device, SHAPE);
    let [m, n, _] = SHAPE;
    let old = vec![3.0; m * n];
    let mut y = device.matrix(m, n, &old).expect("y");
    let mut prepared = accumulate::prepare(&device, &x, &w, &mut y).expect("it is legal");
    assert!(count(&timed) > 1);
    prepared.launch().expect("it runs");
    drop(prepared);
    let shape = Shape { m, n, k: SHAPE[2] };
    let [x, w] = [x, w].map(|matrix| matrix.to_vec().expect("a matrix"));
    let expected = accumulate::reference(shape, &x, &w, &old).expect("it fits");
    assert_eq!(y.to_vec().expect("y"), expected, "one launch, not one for each measurement");
}

#[test]
fn arguments_that_do_not_fit_are_not_measured() {
    let (device, timed, _folder) = tuned();
    let [x, w] = operands(&device, SHAPE);
    let elsewhere = operands(&Device::emulator(), SHAPE);
    let mut y = device.matrix(SHAPE[0], SHAPE[1], &[5.0; SHAPE[0] * SHAPE[1]]).expect("y");
    let error = linear::into(&device, &elsewhere[0], &w, &mut y).expect_err("another device");
    assert!(matches!(error, Error::DeviceMismatch { .. }), "{error}");
    let arguments: [Argument<'_>; 3] = [x.argument(), x.argument(), AsMatrixMut::argument(&mut y)];
    choose(&device, &linear::KERNELS, &arguments);
    assert_eq!(count(&timed), 0);
    assert_eq!(y.to_vec().expect("y"), [5.0; SHAPE[0] * SHAPE[1]]);
}
