//! Packing and unpacking integer weights, on the device and on the host.

mod products;

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
