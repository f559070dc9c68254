//! Whether an output shares memory with an operand, or with another output.
//!
//! Borrowing keeps them apart: outputs are borrowed mutably. Shared handles are not borrowed,
//! and views that unsafe code made of one allocation may overlap too. If one block reads elements that
//! another writes, the result depends on the order of the blocks.

use crate::argument::{Argument, Named, Region};
use crate::error::{Error, Operand};
use crate::memory::{Batch, Steps};

/// The bytes of a matrix: rows of the same length, at the same distance.
#[derive(Clone, Copy, Debug)]
struct Rows {
    start: u128,
    count: u128,
    bytes: u128,
    pitch: u128,
}

/// The bytes of an argument: matrices at the same distance.
#[derive(Clone, Copy, Debug)]
struct Matrices {
    first: Rows,
    count: u128,
    stride: u128,
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
    let written = matrices(output);
    let meets = |other: &Argument<'_>| {
        let others = matrices(other);
        written.iter().any(|one| others.iter().any(|other| share_bytes(*one, *other)))
    };
    others.iter().find(|(_, other)| meets(other)).map(|(parameter, _)| parameter.name.to_string())
}

/// The matrices of a batch, a matrix, a vector or a scalar; of a batch over two indices those of each
/// value of the outer one, where no single stride steps through both. None for a value, and if there are
/// no elements.
fn matrices(argument: &Argument<'_>) -> Vec<Matrices> {
    let Some(region) = argument.region() else { return Vec::new() };
    let batch = region.batch.unwrap_or(Batch::one(1, 0));
    let (outer, inner) = batch.merged().map_or((batch.outer, batch.inner), |all| (Steps::ONE, all));
    let starts = (0..outer.distinct()).map(|number| number * outer.stride);
    starts.filter_map(|start| matrices_from(&region, start, inner)).collect()
}

/// The matrices from an element on.
fn matrices_from(region: &Region, from: usize, inner: Steps) -> Option<Matrices> {
    let &Region { address, element, layout, .. } = region;
    let bytes = |elements: usize| elements as u128 * u128::from(element.bytes());
    let first = Rows {
        start: u128::from(address) + bytes(from),
        count: layout.rows as u128,
        bytes: bytes(layout.columns),
        pitch: bytes(layout.leading_dimension),
    };
    // Where all are the same, one of them has their bytes.
    let count = inner.distinct() as u128;
    let bytes_in_all = count * first.count * first.bytes;
    (bytes_in_all > 0).then_some(Matrices { first, count, stride: bytes(inner.stride) })
}

impl Matrices {
    /// One past the last byte.
    fn end(&self) -> u128 {
        self.first.end() + (self.count - 1) * self.stride
    }

    fn matrix(&self, number: u128) -> Rows {
        Rows { start: self.first.start + number * self.stride, ..self.first }
    }

    /// Those whose bytes, from the first to the last, overlap `start..end`.
    fn near(&self, start: u128, end: u128) -> impl Iterator<Item = Rows> + '_ {
        // The first matrix that ends after `start`.
        let short = (start + 1).saturating_sub(self.first.end());
        let from = if short == 0 { 0 } else { short.div_ceil(self.stride.max(1)) };
        let matrices = (from..self.count).map(|number| self.matrix(number));
        matrices.take_while(move |matrix| matrix.start < end)
    }
}

impl Rows {
    /// One past the last byte.
    fn end(&self) -> u128 {
        self.start + (self.count - 1) * self.pitch + self.bytes
    }

    /// Whether a byte of these rows lies in `start..end`, which is not empty.
    fn meet(&self, start: u128, end: u128) -> bool {
        // The first row that ends after `start`; it meets the range if it begins before `end`.
        let row = match start.checked_sub(self.start + self.bytes) {
            None => 0,
            Some(past) => past / self.pitch + 1,
        };
        row < self.count && self.start + row * self.pitch < end
    }
}

/// Whether two arguments have a byte in common. Disjoint ranges are found at once, also of
/// their matrices.
fn share_bytes(a: Matrices, b: Matrices) -> bool {
    if a.end() <= b.first.start || b.end() <= a.first.start {
        return false;
    }
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    (0..few.count)
        .map(|number| few.matrix(number))
        .any(|one| many.near(one.start, one.end()).any(|other| rows_meet(one, other)))
}

/// Whether two matrices have a byte in common: the rows of the one with fewer are looked at.
fn rows_meet(a: Rows, b: Rows) -> bool {
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    (0..few.count).any(|row| {
        let start = few.start + row * few.pitch;
        many.meet(start, start + few.bytes)
    })
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
        let all: Vec<Rows> = (0..6)
            .flat_map(|start| (1..4).map(move |count| (start, count)))
            .flat_map(|(start, count)| (1..4).map(move |bytes| (start, count, bytes)))
            .flat_map(|(start, count, bytes)| {
                (bytes..6).map(move |pitch| Rows { start, count, bytes, pitch })
            })
            .collect();
        let bytes = |rows: &Rows| -> Vec<u128> {
            let starts = (0..rows.count).map(|row| rows.start + row * rows.pitch);
            starts.flat_map(|start| start..start + rows.bytes).collect()
        };
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let of_b = bytes(b);
            let expected = bytes(a).iter().any(|byte| of_b.contains(byte));
            assert_eq!(rows_meet(*a, *b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn matrices_meet_where_their_rows_do() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut met = 0;
        for _ in 0..40_000 {
            let [a, b] = [(); 2].map(|()| {
                let bytes = rng.u128(1..4);
                let (count, pitch) = (rng.u128(1..4), rng.u128(bytes..8));
                let first = Rows { start: rng.u128(0..40), count, bytes, pitch };
                Matrices { first, count: rng.u128(1..5), stride: rng.u128(1..30) }
            });
            let bytes = |matrices: Matrices| -> Vec<u128> {
                let rows =
                    |matrix: Rows| (0..matrix.count).map(move |r| matrix.start + r * matrix.pitch);
                let starts = (0..matrices.count).flat_map(|number| rows(matrices.matrix(number)));
                starts.flat_map(|start| start..start + matrices.first.bytes).collect()
            };
            let of_b = bytes(b);
            let expected = bytes(a).iter().any(|byte| of_b.contains(byte));
            assert_eq!(share_bytes(a, b), expected, "{a:?} {b:?}");
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
            align_macro: None,
            tensor: None,
            slab: None,
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
        assert!(share_bytes(matrices(&operand)[0], matrices(&operand)[0]));
    }
}
