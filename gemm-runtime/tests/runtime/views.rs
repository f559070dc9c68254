//! Strides, parts and views of matrices: what each reads, and those that are refused.

use crate::arguments::{K, M, N, problem};
use crate::common::{numbers, run};
use gemm_runtime::prelude::*;

#[test]
fn a_leading_dimension_shorter_than_a_row_is_refused() {
    let p = problem();
    let error = p.device.matrix_from(2, 5, 4, &[0.0f32; 10]).expect_err("4 is less than 5");
    assert_eq!(error.to_string(), "the leading dimension 4 is less than the 5 elements of a row");
    let error = p.x.view().with_leading_dimension(K - 1).expect_err("it is shorter");
    assert!(matches!(error, Error::LeadingDimension { leading_dimension: 3, columns: 4 }));
}

#[test]
fn strides_that_are_not_of_rows_are_refused() {
    let device = Device::emulator();
    let host = numbers(24, 1);
    let strided = |rows, columns, strides| device.matrix_strided(rows, columns, strides, &host);
    let matrix = strided(3, 4, [8, 1]).expect("2 · 8 + 4 elements");
    assert_eq!(matrix.leading_dimension(), 8);
    assert_eq!(matrix.to_vec().expect("it"), [&host[..4], &host[8..12], &host[16..20]].concat());

    for strides in [[1, 3], [8, 2], [3, 1], [0, 1], [-4, 1], [4, -1], [4, 0], [isize::MIN; 2]] {
        let error = strided(3, 4, strides).expect_err("it is not stored row by row");
        assert!(
            matches!(error, Error::Strides { rows: 3, columns: 4, strides: s } if s == strides)
        );
    }
    let error = strided(3, 4, [1, 3]).expect_err("it is stored column by column").to_string();
    assert!(error.starts_with("a 3×4 matrix with strides [1, 3] is not row-major"));
    assert!(error.contains("pass its transpose"), "{error}");
    assert!(strided(3, 4, [9, 2]).is_err_and(|error| error.to_string().contains("copy it")));
    assert!(matches!(strided(3, 4, [11, 1]), Err(Error::BufferTooSmall { needed: 26, .. })));

    // The stride of a single row or column may be any.
    assert_eq!(strided(1, 4, [-7, 1]).expect("a row").leading_dimension(), 4);
    assert_eq!(strided(3, 1, [5, 0]).expect("a column").leading_dimension(), 5);
    assert_eq!(strided(0, 4, [0, 1]).expect("nothing").rows(), 0);
}

#[test]
fn strides_of_a_view_are_its_leading_dimension() {
    let p = problem();
    let mut buffer = p.device.vector(&numbers(M * 9, 1)).expect("a vector");
    let window = buffer.slice(2..M * 9).expect("a part");
    let x = MatrixRef::strided(window.clone(), M, K, [9, 1]).expect("it fits");
    let expected = p.device.matrix(M, K, &x.to_vec().expect("x")).expect("a copy");
    let of = |x: MatrixRef<'_, f32>| {
        run(&p.device, x, &p.w, &p.bias, 1.0).expect("it runs").to_vec().expect("out")
    };
    assert_eq!(of(x), of(expected.view()));

    let error = MatrixRef::strided(window, K, M, [1, 9]).expect_err("columns");
    assert!(matches!(error, Error::Strides { strides: [1, 9], .. }));
    let out = MatrixMut::strided(&mut buffer, M, N, [9, 1]).expect("it fits");
    assert_eq!((out.rows(), out.columns(), out.leading_dimension()), (M, N, 9));
    let error = MatrixMut::strided(&mut buffer, M, N, [9, 2]).expect_err("every other element");
    assert!(matches!(error, Error::Strides { strides: [9, 2], .. }));
}

#[test]
fn a_buffer_that_ends_too_early_is_refused() {
    let device = Device::emulator();
    let mut buffer = device.vector(&[0.0f32; 20]).expect("a vector");
    // The last row need not be as long as the leading dimension.
    let view = MatrixRef::new(&buffer, 3, 4).and_then(|m| m.with_leading_dimension(8));
    assert_eq!(view.expect("2 · 8 + 4 elements").leading_dimension(), 8);

    let error = MatrixRef::new(&buffer, 3, 4).and_then(|m| m.with_leading_dimension(9));
    assert!(matches!(
        error.expect_err("2 · 9 + 4 elements"),
        Error::BufferTooSmall { needed: 22, got: 20, leading_dimension: 9, .. }
    ));
    let error = MatrixRef::new(buffer.slice(15..20).expect("5 elements"), 2, 3);
    assert!(matches!(error, Err(Error::BufferTooSmall { needed: 6, got: 5, .. })));
    assert!(matches!(MatrixMut::new(&mut buffer, 3, 7), Err(Error::BufferTooSmall { .. })));
    let error = VectorRef::new(&buffer, 21).expect_err("there are 20");
    assert!(matches!(error, Error::BufferTooSmall { needed: 21, got: 20, .. }));
}

#[test]
fn parts_outside_are_refused() {
    let p = problem();
    let error = p.x.submatrix(0..M + 1, 0..K).expect_err("there are fewer rows");
    assert_eq!(error.to_string(), "rows 0..7 are out of range, the limit is 6");
    assert!(matches!(p.x.submatrix(0..1, 3..5), Err(Error::OutOfRange { .. })));
    assert!(matches!(p.bias.slice(4..6), Err(Error::OutOfRange { .. })));
}

#[test]
fn parts_have_the_elements_they_should() {
    let p = problem();
    let host = numbers(M * K, 1);
    assert_eq!(p.x.to_vec().expect("x"), host);
    let part = p.x.submatrix(2..4, 1..3).expect("it is within");
    let expected: Vec<f32> =
        [2, 3].iter().flat_map(|r| host[r * K + 1..r * K + 3].to_vec()).collect();
    assert_eq!(part.to_vec().expect("the part"), expected);
    assert_eq!(part.leading_dimension(), K);
    assert!(p.x.submatrix(M..M, K..K).expect("it is empty").to_vec().expect("nothing").is_empty());
}

#[test]
fn gaps_between_rows_are_neither_read_nor_kept() {
    let device = Device::emulator();
    let host = numbers(2 * 5 + 3, 4);
    let matrix = device.matrix_from(3, 3, 5, &host).expect("a matrix");
    let expected: Vec<f32> = (0..3).flat_map(|r| host[r * 5..r * 5 + 3].to_vec()).collect();
    assert_eq!(matrix.to_vec().expect("the matrix"), expected);
    assert_eq!((matrix.rows(), matrix.columns(), matrix.leading_dimension()), (3, 3, 5));
}
