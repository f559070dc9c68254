//! Whether an output shares memory with an operand, or with another output.
//!
//! Borrowing keeps them apart: outputs are borrowed mutably. Shared handles are not borrowed,
//! and views that unsafe code made of one allocation may overlap too. If one block reads elements that
//! another writes, the result depends on the order of the blocks.

use std::cmp::Reverse;
use std::ops::Range;

use crate::argument::{Argument, Named, Region};
use crate::error::{Error, Operand};
use crate::memory::{Batch, Multiples, Steps, sum_within};

/// The bytes of an argument: rows, at distances along the rows of a matrix and along each batch index.
#[derive(Clone, Debug)]
struct Rows {
    /// Of the first.
    start: i128,
    /// Of each.
    bytes: i128,
    /// In bytes.
    steps: Vec<Multiples>,
}

/// Fails if an output has a byte that an operand has too, or an earlier output. The bytes between two
/// rows belong to neither, so the halves of a matrix can be multiplied into each other.
pub(super) fn check(read: &[Named<'_, '_>], written: &[Named<'_, '_>]) -> Result<(), Error> {
    for (number, (parameter, output)) in written.iter().enumerate() {
        let output_name = || Operand::new(&parameter.name);
        if let Some(operand) = first_that_meets(output, read) {
            return Err(Error::Overlap { output: output_name(), operand });
        }
        if let Some(other) = first_that_meets(output, &written[..number]) {
            return Err(Error::OutputsOverlap { output: output_name(), other });
        }
    }
    Ok(())
}

/// The name of the first argument that has a byte of the output's.
fn first_that_meets(output: &Argument<'_>, others: &[Named<'_, '_>]) -> Option<String> {
    let written = span(output)?;
    // Nearly all lie apart, which is found without an allocation.
    let is_near = |other: Range<i128>| other.start < written.end && written.start < other.end;
    let share = |(a, b): (Rows, Rows)| share_bytes(&a, &b);
    let meets = |other| {
        span(other).is_some_and(is_near) && rows(output).zip(rows(other)).is_some_and(share)
    };
    others.iter().find(|(_, other)| meets(other)).map(|(parameter, _)| parameter.name.to_string())
}

/// From the first byte of an argument to its last one, with all that lies between. None for a value, and if there are no
/// elements.
pub(in crate::launch) fn span(argument: &Argument<'_>) -> Option<Range<i128>> {
    let region = argument.region()?;
    let bytes = row_bytes(&region);
    let any = bytes > 0 && steps(&region).all(|of| of.most >= 0);
    let last = || steps(&region).map(|of| of.most * of.distance).sum::<i128>();
    let start = i128::from(region.address);
    any.then(|| start..start + last() + bytes)
}

/// The rows of a batch, a matrix, a vector or a scalar. None for a value, and if there are no elements.
fn rows(argument: &Argument<'_>) -> Option<Rows> {
    let start = span(argument)?.start;
    let region = argument.region()?;
    Some(Rows { start, bytes: row_bytes(&region), steps: steps(&region).collect() })
}

fn row_bytes(region: &Region<'_>) -> i128 {
    region.layout.columns as i128 * i128::from(region.element.bytes())
}

/// From row to row, and along each batch index, in bytes.
fn steps(region: &Region<'_>) -> impl Iterator<Item = Multiples> {
    let Region { element, layout, batch, .. } = *region;
    let of_rows = Steps { count: layout.rows, stride: layout.leading_dimension };
    let steps = batch.map_or(&[][..], Batch::steps).iter().copied().chain([of_rows]);
    steps.map(move |of| Multiples::forth(of).scaled(element.bytes().into()))
}

/// Whether two arguments have a byte in common.
fn share_bytes(a: &Rows, b: &Rows) -> bool {
    // From a place of `b` to one of `a`, each relative to its first.
    let back = b.steps.iter().map(|of| of.back());
    let mut steps: Vec<Multiples> = a.steps.iter().copied().chain(back).collect();
    steps.sort_by_key(|of| Reverse(of.distance));
    // Two indices of one distance are as one: they step to the same places.
    steps.dedup_by(|next, kept| {
        let same = next.distance == kept.distance;
        if same {
            kept.least += next.least;
            kept.most += next.most;
        }
        same
    });
    let apart = b.start - a.start;
    sum_within(&steps, &(apart - a.bytes + 1..apart + b.bytes)).is_some()
}

#[cfg(test)]
pub(super) mod tests {
    use gemm_codegen::{Axis, Parameter, ParameterKind};

    use super::*;
    use crate::argument::{AsMatrixMut as _, AsVector as _, Value};
    use crate::element::Element as _;
    use crate::memory::{Matrix, Storage, StorageMut};
    use crate::{BatchedRef, Device, MatrixRef};

    #[test]
    fn rows_meet_where_bytes_are_the_same() {
        let (mut rng, mut met) = (fastrand::Rng::with_seed(7), 0);
        for _ in 0..40_000 {
            let [a, b] = [(); 2].map(|()| {
                let step = |most| Steps { count: rng.usize(1..4), stride: rng.usize(0..most) };
                let steps = [30, 20, 8].map(step).map(Multiples::forth);
                let steps = steps[rng.usize(0..3)..].to_vec();
                Rows { start: rng.i128(0..60), bytes: rng.i128(1..4), steps }
            });
            let bytes = |rows: &Rows| -> Vec<i128> {
                let starts = rows.steps.iter().fold(vec![rows.start], |starts, of| {
                    let later = |start| (0..=of.most).map(move |i| start + i * of.distance);
                    starts.into_iter().flat_map(later).collect()
                });
                starts.into_iter().flat_map(|start| start..start + rows.bytes).collect()
            };
            let of_b = bytes(&b);
            let expected = bytes(&a).iter().any(|byte| of_b.contains(byte));
            assert_eq!(share_bytes(&a, &b), expected, "{a:?} {b:?}");
            met += usize::from(expected);
        }
        assert!((10_000..35_000).contains(&met), "{met}");
    }

    /// A part of a matrix for writing, as only unsafe code could make it next to another.
    pub(in crate::launch) fn written(part: MatrixRef<'_, f32>) -> Argument<'_> {
        let layout = part.layout();
        let Storage::Emulated(view) = part.into_storage() else { unreachable!("emulated") };
        let storage = StorageMut::Emulated(view);
        Argument(Value::MutableMatrix { storage, element: f32::ELEMENT, layout, batch: None })
    }

    /// The same for a batch.
    fn written_batch(part: BatchedRef<'_, f32>) -> Argument<'_> {
        let (layout, batch) = part.layout().into();
        let Storage::Emulated(view) = part.into_storage() else { unreachable!("emulated") };
        let (storage, batch) = (StorageMut::Emulated(view), Some(batch));
        Argument(Value::MutableMatrix { storage, element: f32::ELEMENT, layout, batch })
    }

    fn parameter(name: &'static str) -> Parameter {
        let kind = ParameterKind::Matrix { element: f32::ELEMENT, rows: Axis::M, columns: Axis::N };
        Parameter {
            name: name.into(),
            kind,
            batch: gemm_codegen::Batching::NONE,
            align_constant: None,
            tensor: None,
            planes: None,
            epilogue_box: None,
        }
    }

    #[test]
    fn an_output_that_is_an_operand_names_both() {
        let device = Device::emulator();
        let matrix: Matrix<f32> = device.zeros(8, 8).unwrap();
        let parameters = ["a", "b", "c"].map(parameter);
        let check = |operand: MatrixRef<'_, f32>, output: MatrixRef<'_, f32>| {
            let operands = [Argument::from(1.0f32), crate::AsMatrix::argument(operand)];
            let read: Vec<Named<'_, '_>> = parameters.iter().zip(&operands).collect();
            check(&read, &[(&parameters[2], &written(output))])
        };
        let part = |rows, columns| matrix.submatrix(rows, columns).unwrap();
        let error = check(part(0..4, 0..4), part(3..6, 3..8)).unwrap_err();
        assert!(
            matches!(&error, Error::Overlap { output, operand } if output == "c" && operand == "b")
        );
        assert!(error.to_string().starts_with("c: shares memory with b"), "{error}");
        // The left half and the right half, and an empty part.
        assert!(check(part(0..8, 0..4), part(0..8, 4..8)).is_ok());
        assert!(check(part(0..8, 0..8), part(4..4, 0..8)).is_ok());
    }

    #[test]
    fn the_gaps_of_a_batch_are_not_part_of_its_matrices() {
        let device = Device::emulator();
        let buffer = device.vector(&[0.0f32; 60]).unwrap();
        // Three 2×3 matrices, rows 5 apart, in the first 10 of each 20 elements.
        let batch = |start: usize| {
            let part = buffer.slice(start..60).unwrap();
            BatchedRef::strided(part, [3, 2, 3], [20, 5, 1]).unwrap()
        };
        let (x, y) = (parameter("x"), parameter("y"));
        let overlaps = |operand: Argument<'_>, start: usize| {
            check(&[(&x, &operand)], &[(&y, &written_batch(batch(start)))]).is_err()
        };
        let scalar = |at: usize| {
            let one = crate::ScalarRef::new(buffer.slice(at..at + 1).unwrap()).unwrap();
            crate::AsScalar::argument(one)
        };
        // The rows begin at 0, 5, 20, 25, 40 and 45.
        for at in 0..60 {
            assert_eq!(overlaps(scalar(at), 0), at % 20 < 10 && at % 5 < 3, "{at}");
        }
        for start in 1..12 {
            let meet = [1, 2, 3, 4, 5, 6, 7].contains(&start);
            assert_eq!(overlaps(crate::AsBatched::argument(batch(0)), start), meet, "{start}");
        }
    }

    #[test]
    fn a_vector_is_one_row() {
        let device = Device::emulator();
        let (vector, mut matrix) =
            (device.vector(&[0.0f32; 4]).unwrap(), device.zeros(2, 2).unwrap());
        let (operand, output): (_, Argument<'_>) =
            (vector.view().argument(), <&mut Matrix<f32>>::argument(&mut matrix));
        let (x, y) = (parameter("x"), parameter("y"));
        assert!(check(&[(&x, &operand)], &[(&y, &output)]).is_ok());
        let rows = rows(&operand).expect("it has elements");
        assert!(share_bytes(&rows, &rows));
    }
}
