//! Copies on the emulator, which accesses nothing outside the rows of an operand.

use gemm_codegen::Target;

use super::*;
use crate::EmulatorOptions;
use crate::argument::{AsBatched as _, AsMatrix as _, AsMatrixMut as _};
use crate::element::Element;
use crate::launch::backend::accesses::writes;
use crate::launch::overlap::span;
use crate::launch::prepared::Work;
use crate::launch::run::prepare;
use crate::memory::{Storage, StorageMut};
use crate::prelude::*;

/// Counts up, so that each element has other bits than those near it.
fn numbers<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i % 119) as f64)).collect()
}

/// The launches that copy an operand, which is replaced.
fn padded<'a>(device: &Device, argument: &mut Argument<'a>) -> Vec<Copying<'a>> {
    let region = argument.region().expect("it is in memory");
    let target = CopyTarget::padded(region.layout, region.element).expect("it fits");
    let copied = target.copied(device, "x", argument).expect("it fits").expect("a matrix");
    *argument = copied.argument;
    copied.launches
}

/// The elements of the copy of an operand, each matrix row by row.
fn copied<T: Element>(device: &Device, operand: BatchedRef<'_, T>) -> Vec<T> {
    let mut argument = operand.argument();
    for copy in padded(device, &mut argument) {
        assert_eq!(copy.report.pitch_bytes % 128, 0);
        let mut work = Work::new(device, copy.kernel, copy.bound).expect("it compiles");
        work.launch().expect("the copy stays within the rows");
    }
    let Value::Matrix { storage, layout, batch: Some(batch), .. } = argument.0 else {
        panic!("the copy replaces the operand");
    };
    let mut host = vec![T::default(); storage.bytes() / size_of::<T>()];
    storage.download(bytemuck::cast_slice_mut(&mut host)).expect("it was written");
    let row = |matrix: usize, row: usize| {
        let start = batch.offset(matrix) + row * layout.leading_dimension;
        &host[start..start + layout.columns]
    };
    let rows = (0..batch.total()).flat_map(|matrix| (0..layout.rows).map(move |i| (matrix, i)));
    rows.flat_map(|(matrix, i)| row(matrix, i).to_vec()).collect()
}

/// Copies matrices that begin `left` elements after an aligned address, all strides drawn.
fn check<T: Element>(rng: &mut fastrand::Rng) {
    let device = Device::emulator();
    for _ in 0..40 {
        let [count, rows] = [rng.usize(1..4), rng.usize(1..70)];
        let columns = rng.usize(1..=(600 / size_of::<T>()));
        let (left, ld) = (rng.usize(0..17), columns + rng.usize(0..9));
        let stride = if rng.bool() { 0 } else { rows * ld + rng.usize(0..9) };
        let buffer = numbers::<T>(left + count * (rows * ld + 9));
        let buffer = device.vector(&buffer).expect("a buffer");
        let part = buffer.slice(left..buffer.len()).expect("it begins there");
        let strides = [stride, ld, 1].map(|stride| stride as isize);
        let operand = BatchedRef::strided(part, [count, rows, columns], strides).expect("it fits");
        let expected = operand.to_vec().expect("it is there");
        let what = format!("{count} of {rows}×{columns}, {left} + {stride}, {ld}");
        assert!(copied(&device, operand) == expected, "{what}, seed {}", rng.get_seed());
    }
}

#[test]
fn a_copy_has_the_elements_of_rows_that_begin_anywhere() {
    let mut rng = fastrand::Rng::new();
    check::<i8>(&mut rng);
    check::<f16>(&mut rng);
    check::<f32>(&mut rng);
    check::<f64>(&mut rng);
}

#[test]
fn it_compiles_for_every_target_and_size_without_spills() {
    let sizes = [f64::ELEMENT, f32::ELEMENT, f16::ELEMENT].map(|element| (Target::Sm90, element));
    for (target, element) in
        Target::ALL.map(|target| (target, i8::ELEMENT)).into_iter().chain(sizes)
    {
        let device = Device::emulator_with(EmulatorOptions::default().target(target));
        let report = device.report(padder(element)).expect("it compiles");
        assert!(!report.spills() && report.blocks_per_sm >= 4, "{element}: {report}");
    }
}

#[test]
fn a_copy_has_the_matrices_along_each_of_four_indices() {
    let device = Device::emulator();
    let buffer = device.vector(&numbers::<f16>(1 << 12)).expect("a buffer");
    // No stride steps through two of the first three; along the last all matrices are the same.
    let strides = [900, 200, 30, 0, 7, 1];
    let operand = BatchedRef::strided(&buffer, [3, 2, 4, 5, 3, 7], strides).expect("it fits");
    let copies = padded(&device, &mut operand.clone().argument());
    assert_eq!(copies.len(), 3, "one for each value of the outermost");
    let expected = operand.to_vec().expect("it is there");
    assert!(copied(&device, operand) == expected);
}

#[test]
fn a_copy_that_reads_past_the_ends_of_a_row_is_found() {
    let device = Device::emulator();
    let buffer = device.vector(&numbers::<f16>(2 * 300)).expect("a buffer");
    let strides = [0, 300, 1];
    // Between two rows lie elements that belong to none.
    let rows = |left: usize| {
        let part = buffer.slice(left..buffer.len()).expect("it begins there");
        BatchedRef::strided(part, [1, 2, 270], strides).expect("it fits")
    };
    let reads_past = |left: usize, checked: &str| {
        let mut argument = rows(left).argument();
        let copies = padded(&device, &mut argument);
        let [copy] = <[_; 1]>::try_from(copies).ok().expect("one launch");
        assert!(copy.kernel.text.contains(checked), "{checked}");
        let text = copy.kernel.text.replace(checked, "true").into();
        let kernel = Kernel { text, ..copy.kernel.clone() };
        let mut work = Work::new(&device, &kernel, copy.bound).expect("it compiles");
        matches!(work.launch(), Err(Error::Fault { .. }))
    };
    assert!(reads_past(1, "before >= skewed"));
    assert!(reads_past(0, "after >= (skewed == 0 ? 16 : 20 - skewed)"));
}

#[gemm(tile = [64, 32, 64], mma = wgmma, stages = 2)]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same memory for writing, as a kernel that ran before would write it.
fn alias<'a>(matrix: &MatrixRef<'a, f16>) -> StorageMut<'a> {
    let Storage::Emulated(view) = matrix.clone().into_storage() else { unreachable!("emulated") };
    StorageMut::Emulated(view)
}

#[test]
fn each_launch_copies_what_the_operand_has_then() {
    let device = Device::emulator();
    let shape @ Shape { m, n, k } = Shape { m: 70, n: 40, k: 67 };
    let (x, w) = (device.vector(&numbers::<f16>(m * k)), device.vector(&numbers::<f16>(n * k)));
    let (x, w) = (x.expect("x"), w.expect("w"));
    let x = MatrixRef::new(&x, m, k).expect("it fits");
    let w = MatrixRef::new(&w, n, k).expect("it fits");
    let mut y = device.zeros::<f32>(m, n).expect("y");
    let arguments = [x.clone().argument(), w.clone().argument(), y.view_mut().argument()];
    let mut prepared = prepare(&device, &product::KERNEL, arguments).expect("it is right");
    let names: Vec<_> =
        prepared.report().copies.iter().map(|copy| (&*copy.operand, copy.pitch_bytes)).collect();
    assert_eq!(names, [("x", 256), ("w", 256)]);
    prepared.launch().expect("it runs");
    let later: Vec<f16> = (0..m * k).map(|i| f16::from_f32((i % 7) as f32)).collect();
    alias(&x).upload(bytemuck::cast_slice(&later)).expect("it fits");
    prepared.launch().expect("it runs");
    drop(prepared);
    let expected = product::reference(shape, &later, &w.to_vec().expect("w")).expect("it fits");
    assert!(y.to_vec().expect("y") == expected);
}

/// What a launch writes is told from what it reads: a launch that follows it and reads a copy early waits for it.
#[test]
fn a_copy_writes_what_takes_the_place_of_the_operand() {
    let device = Device::emulator();
    let w = device.matrix(5, 70, &numbers::<f32>(350)).expect("a matrix");
    let (given, region) = (w.argument(), w.argument());
    let layout = region.region().expect("it is in memory").layout;
    let targets = [
        CopyTarget::padded(layout, f32::ELEMENT).expect("it fits"),
        CopyTarget::of_planes(Planes::F16x3, true, layout).expect("it fits"),
    ];
    for target in targets {
        let copied = target.copied(&device, "w", &given).expect("it fits").expect("a matrix");
        let read: Vec<_> =
            [Some(copied.argument), copied.exponents].into_iter().flatten().collect();
        let read: Vec<_> = read.iter().rev().filter_map(span).collect();
        let [launch] = &copied.launches[..] else { panic!("one matrix is copied at once") };
        assert_eq!(*writes(launch.kernel, &launch.bound), read);
    }
}
