//! Packing and unpacking integer weights, on the device and on the host.

use gemm_runtime::packing::{self, Packed, Packs};
use gemm_runtime::prelude::*;
use gemm_runtime::{Dimension, Element, Factors, PackedPlace};

/// Lines and K. An odd K has any bits in the last half of a row of pairs.
const SHAPES: [[usize; 2]; 5] = [[1, 1], [16, 64], [17, 65], [139, 640], [300, 129]];

/// Elements of any bits.
fn plain<E: Packs>(count: usize) -> Vec<E> {
    let mut rng = fastrand::Rng::with_seed(count as u64);
    (0..count).map(|_| bytemuck::cast(rng.u8(..))).collect()
}

/// Columns of a plain matrix with this K.
fn columns<E: Packs>(k: usize) -> usize {
    k.div_ceil(E::ELEMENT.numbers() as usize)
}

/// Compares each number of a packed matrix with that of the plain one, or with zero outside of it.
fn assert_numbers_are_in_place<E: Packs>(
    [rows, columns]: [usize; 2],
    w: &[E],
    packed: &[E::Packed],
) {
    let of_element = E::ELEMENT.numbers() as usize;
    let [packed_rows, packed_columns] = packing::extents::<E>(rows, columns);
    assert_eq!([packed_rows, packed_columns], [rows.div_ceil(16), columns.next_multiple_of(32)]);
    assert_eq!(packed.len(), packed_rows * packed_columns);
    for line in 0..16 * packed_rows {
        for k in 0..packed_columns * of_element {
            let PackedPlace { row, column, number } = E::Packed::ORDER.place(line, k);
            let got = packed[row * packed_columns + column].number(number, Factors::Exact);
            let expected = match (line < rows, k / of_element) {
                (true, column) if column < columns => {
                    w[line * columns + column].number(k % of_element, Factors::Exact)
                }
                _ => 0,
            };
            assert_eq!(got, expected, "{} {rows} {columns}: {line} {k}", E::ELEMENT);
        }
    }
}

fn check_shapes<E: Packs>() {
    let device = Device::emulator();
    for [rows, k] in SHAPES {
        let columns = columns::<E>(k);
        let w = plain::<E>(rows * columns);
        let of_w = device.matrix(rows, columns, &w).expect("it fits");
        let packed = device.pack(&of_w).expect("it runs");
        drop(of_w);
        let unpacked = device.unpack(&packed, rows, columns).expect("it runs");
        assert_eq!([unpacked.rows(), unpacked.columns()], [rows, columns]);
        assert_eq!(unpacked.to_vec().expect("w"), w);
        let packed = packed.to_vec().expect("packed");
        assert_numbers_are_in_place([rows, columns], &w, &packed);
        assert_eq!(packing::pack(rows, columns, &w).expect("it fits"), packed);
        assert_eq!(packing::unpack(rows, columns, &packed).expect("it fits"), w);
    }
}

#[test]
fn each_number_is_where_the_order_says_and_comes_back() {
    check_shapes::<i4x2>();
    check_shapes::<u4x2>();
    check_shapes::<i8>();
    check_shapes::<u8>();
}

#[test]
fn a_matrix_may_have_any_address_and_leading_dimension() {
    let (device, [rows, columns]) = (Device::emulator(), [21, 77]);
    let w = plain::<i8>(30 * 101);
    let of_w = device.matrix_from(30, 101, 101, &w).expect("it fits");
    let view = of_w.submatrix(3..3 + rows, 7..7 + columns).expect("it is within");
    let packed = device.pack(&view).expect("it runs");
    let part = view.to_vec().expect("a copy");
    assert_numbers_are_in_place([rows, columns], &part, &packed.to_vec().expect("packed"));
    // Some rows of the packed matrix are the same lines of the plain one.
    let second = packed.submatrix(1..2, 0..96).expect("it is within");
    let lines = device.unpack(&second, rows - 16, columns).expect("it runs");
    assert_eq!(lines.to_vec().expect("w"), part[16 * columns..]);
    let first = device.unpack(&packed, 2, 40).expect("it runs").to_vec().expect("w");
    assert_eq!(first[..40], part[..40]);
    assert_eq!(first[40..], part[columns..columns + 40]);
}

#[test]
fn a_matrix_without_elements_has_none_packed() {
    let device = Device::emulator();
    for [rows, columns] in [[0, 0], [0, 40], [20, 0]] {
        let w = device.matrix::<u8>(rows, columns, &[]).expect("it fits");
        let packed = device.pack(&w).expect("nothing runs");
        assert_eq!([packed.rows(), packed.columns()], packing::extents::<u8>(rows, columns));
        let unpacked = device.unpack(&packed, rows, columns).expect("nothing runs");
        assert_eq!([unpacked.rows(), unpacked.columns()], [rows, columns]);
    }
}

/// Packed weights, and the same function of plain ones.
macro_rules! functions {
    ($($packed:ident, $plain:ident: $P:ty, $W:ty;)+) => {$(
        #[gemm(tile = [16, 64, 128], warps = [1, 4])]
        fn $packed(
            x: Mat<f16, M, K>,
            w: Mat<$P, N, K>,
            s: Tiled<f16, N, K, 1, 64>,
        ) -> Mat<f32, M, N> {
            matmul(x, w * s)
        }

        #[gemm(tile = [16, 64, 128], warps = [1, 4])]
        fn $plain(
            x: Mat<f16, M, K>,
            w: Mat<$W, N, K>,
            s: Tiled<f16, N, K, 1, 64>,
        ) -> Mat<f32, M, N> {
            matmul(x, w * s)
        }
    )+};
}

functions! {
    packed_i4, plain_i4: i4x32, i4x2;
    packed_u4, plain_u4: u4x32, u4x2;
    packed_i8, plain_i8: i8x16, i8;
    packed_u8, plain_u8: u8x16, u8;
}

/// The sums are exact: small multiples of powers of two.
macro_rules! check_product {
    ($device:expr, $packed:ident, $plain:ident: $W:ty) => {
        // The second K is not a multiple of BLK_K.
        check_product!($device, $packed, $plain: $W, [19, 139, 640]);
        check_product!($device, $packed, $plain: $W, [19, 139, 192]);
    };
    ($device:expr, $packed:ident, $plain:ident: $W:ty, $shape:expr) => {
        let (device, [m, n, k]) = ($device, $shape);
        let x = (0..m * k).map(|at| f16::from_f32((at * 37 % 19) as f32 - 9.0));
        let x = device.matrix(m, k, &x.collect::<Vec<_>>()).expect("it fits");
        let s = (0..n * k / 64).map(|at| f16::from_f32(0.5f32.powi((at * 7 % 5) as i32)));
        let s = device.matrix(n, k / 64, &s.collect::<Vec<_>>()).expect("it fits");
        let w = plain::<$W>(n * columns::<$W>(k));
        let w = device.matrix(n, columns::<$W>(k), &w).expect("it fits");
        // N is that of the output: packed rows have a multiple of 16 lines.
        let mut y = [(); 2].map(|()| device.zeros(m, n).expect("it fits"));
        $plain::into(device, &x, &w, &s, &mut y[0]).expect("it runs");
        let w = device.pack(&w).expect("it runs");
        $packed::into(device, &x, &w, &s, &mut y[1]).expect("it runs");
        let [expected, y] = y.map(|y| y.to_vec().expect("y"));
        assert!(expected.iter().any(|y| *y != 0.0));
        assert_eq!(y, expected);
    };
}

#[test]
fn a_product_of_packed_weights_has_the_bits_of_plain_ones() {
    let device = &Device::emulator();
    check_product!(device, packed_i4, plain_i4: i4x2);
    check_product!(device, packed_u4, plain_u4: u4x2);
    check_product!(device, packed_i8, plain_i8: i8);
    check_product!(device, packed_u8, plain_u8: u8);
}

#[test]
fn extents_that_a_packed_matrix_lacks_are_refused() {
    let device = Device::emulator();
    let w = device.zeros::<i8>(17, 33).expect("it fits");
    let packed = device.pack(&w).expect("it runs");
    let refused = |rows, columns| device.unpack(&packed, rows, columns).expect_err("too many");
    let error = refused(33, 33);
    let Error::OutOfRange { dimension, end, extent, .. } = error else { panic!("{error}") };
    assert_eq!((dimension, end, extent), (Dimension::Rows, 33, 32));
    let error = refused(17, usize::MAX);
    let Error::OutOfRange { dimension, end, extent, .. } = error else { panic!("{error}") };
    assert_eq!((dimension, end, extent), (Dimension::Columns, usize::MAX, 64));
    // Less than 32 columns are no column of the plain matrix.
    let part = packed.submatrix(0..1, 0..40).expect("it is within");
    let error = device.unpack(&part, 1, 33).expect_err("too many");
    assert!(matches!(error, Error::OutOfRange { extent: 32, .. }), "{error}");
}

#[test]
fn matrices_of_another_device_are_refused() {
    let (device, other) = (Device::emulator(), Device::emulator());
    let w = other.zeros::<u4x2>(16, 32).expect("it fits");
    let error = device.pack(&w).expect_err("of another device");
    assert!(matches!(&error, Error::DeviceMismatch { .. }), "{error}");
    let packed = other.pack(&w).expect("it runs");
    let error = device.unpack(&packed, 16, 32).expect_err("of another device");
    assert!(matches!(&error, Error::DeviceMismatch { .. }), "{error}");
}

#[test]
fn host_slices_of_another_length_are_refused() {
    let error = packing::pack(2, 3, &[1u8; 5]).expect_err("5 of 6");
    assert!(matches!(error, Error::HostLength { expected: 6, got: 5, .. }), "{error}");
    let error = packing::unpack(2, 33, &[u8x16::default(); 32]).expect_err("32 of 64");
    assert!(matches!(error, Error::HostLength { expected: 64, got: 32, .. }), "{error}");
    let error = packing::pack::<u8>(usize::MAX, 2, &[]).expect_err("too many");
    assert!(matches!(error, Error::SizeOverflow { .. }), "{error}");
}

/// A derived schedule, and a bias that has N.
#[gemm]
fn biased(
    x: Mat<f16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 1, 128>,
    bias: Vector<f32, N>,
) -> Mat<f32, M, N> {
    matmul(x, w * s) + bias
}

/// Nothing but the packed rows has N.
#[gemm]
fn unscaled(x: Mat<bf16, M, K>, w: Mat<u8x16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[test]
fn n_is_that_of_another_operand_or_all_lines_of_the_packed_rows() {
    let (device, [m, n, k]) = (Device::emulator(), [3, 21, 128]);
    let w = device.matrix(n, k / 2, &vec![i4x2::new(3, -1); n * k / 2]).expect("it fits");
    let w = device.pack(&w).expect("it runs");
    let x = device.matrix(m, k, &vec![f16::ONE; m * k]).expect("it fits");
    let s = device.matrix(n, 1, &vec![f16::from_f32(0.5); n]).expect("it fits");
    let bias = device.vector(&(0..n).map(|at| at as f32).collect::<Vec<_>>()).expect("it fits");
    let y = biased(&device, &x, &w, &s, &bias).expect("it runs");
    let row = (0..n).map(|at| 64.0 + at as f32).collect::<Vec<_>>();
    assert_eq!(y.to_vec().expect("y"), row.repeat(m));

    let w = device.matrix(n, k, &vec![2u8; n * k]).expect("it fits");
    let w = device.pack(&w).expect("it runs");
    let x = device.matrix(m, k, &vec![bf16::ONE; m * k]).expect("it fits");
    let y = unscaled(&device, &x, &w).expect("it runs");
    assert_eq!([y.rows(), y.columns()], [m, 32]);
    let row: Vec<f32> = (0..32).map(|at| if at < n { 256.0 } else { 0.0 }).collect();
    assert_eq!(y.to_vec().expect("y"), row.repeat(m));
}

/// Neither K of a load of a lane, nor K of a k-tile, divides any K.
#[gemm(W = [i4x32, u4x32, i8x16, u8x16], tile = [16, 64, 128], warps = [1, 4])]
fn any_k<W>(x: Mat<f16, M, K>, w: Mat<W, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(W = [i4x2, u4x2, i8, u8], tile = [16, 64, 128], warps = [1, 4])]
fn any_plain_k<W>(x: Mat<f16, M, K>, w: Mat<W, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

macro_rules! check_any_k {
    ($($W:ty),+) => {$(
        for [m, n, k] in [[1, 16, 1], [3, 21, 31], [5, 64, 66], [17, 33, 129], [2, 40, 272]] {
            let device = Device::emulator();
            let x = (0..m * k).map(|at| f16::from_f32((at * 37 % 19) as f32 - 9.0));
            let x = device.matrix(m, k, &x.collect::<Vec<_>>()).expect("it fits");
            let w = plain::<$W>(n * columns::<$W>(k));
            let w = device.matrix(n, columns::<$W>(k), &w).expect("it fits");
            let mut y = [(); 2].map(|()| device.zeros(m, n).expect("it fits"));
            any_plain_k::into(&device, &x, &w, &mut y[0]).expect("it runs");
            let w = device.pack(&w).expect("it runs");
            any_k::into(&device, &x, &w, &mut y[1]).expect("it runs");
            let [expected, y] = y.map(|y| y.to_vec().expect("y"));
            assert_eq!(y, expected, "{m} {n} {k}");
        }
    )+};
}

#[test]
fn packed_weights_may_have_any_k() {
    check_any_k!(i4x2, u4x2, i8, u8);
}

#[test]
fn columns_that_k_does_not_have_are_refused() {
    let device = Device::emulator();
    let x = device.zeros::<f16>(1, 65).expect("it fits");
    let w = device.zeros::<i4x32>(1, 32).expect("it fits");
    let error = any_k(&device, &x, &w).expect_err("64 of 65");
    let text = "w: expected 64 columns (K = 65 in tiles of 64), got 32";
    assert!(error.to_string().ends_with(text), "{error}");
}
