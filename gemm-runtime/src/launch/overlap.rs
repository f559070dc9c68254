//! Whether the output shares memory with an operand.
//!
//! Borrowing keeps them apart: an output is borrowed mutably. Views that unsafe code made of one
//! allocation may overlap all the same, and a kernel that reads in one block what another writes
//! gives numbers that depend on the order of the blocks.

use crate::argument::{Argument, Value};
use crate::error::Error;
use crate::kernel::Parameter;

/// The bytes of an argument: rows of the same length, at the same distance.
#[derive(Clone, Copy, Debug)]
struct Rows {
    start: u128,
    count: u128,
    bytes: u128,
    pitch: u128,
}

/// Fails if an operand has a byte that the output has too. The bytes between two rows belong to
/// neither, so the halves of a matrix can be multiplied into each other.
pub(super) fn check<'p, 'a: 'p>(
    (output_parameter, output): (&Parameter, &Argument<'_>),
    operands: impl Iterator<Item = (&'p Parameter, &'p Argument<'a>)>,
) -> Result<(), Error> {
    let Some(written) = rows(output) else { return Ok(()) };
    for (parameter, operand) in operands {
        if rows(operand).is_some_and(|read| share_bytes(written, read)) {
            return Err(Error::Overlap {
                output: output_parameter.name.to_string(),
                operand: parameter.name.to_string(),
            });
        }
    }
    Ok(())
}

/// The rows of a matrix or vector; `None` of a scalar, and where there are no elements.
fn rows(argument: &Argument<'_>) -> Option<Rows> {
    let (address, element, count, columns, pitch) = match &argument.0 {
        Value::Matrix { storage, element, layout } => {
            let pitch = layout.leading_dimension;
            (storage.address(), *element, layout.rows, layout.columns, pitch)
        }
        Value::MutableMatrix { storage, element, layout } => {
            let pitch = layout.leading_dimension;
            (storage.address(), *element, layout.rows, layout.columns, pitch)
        }
        Value::Vector { storage, element, length } => {
            (storage.address(), *element, 1, *length, *length)
        }
        Value::F32(_) | Value::I32(_) => return None,
    };
    let bytes = |elements: usize| elements as u128 * u128::from(element.bytes());
    (count > 0 && columns > 0).then(|| Rows {
        start: u128::from(address),
        count: count as u128,
        bytes: bytes(columns),
        pitch: bytes(pitch),
    })
}

impl Rows {
    /// One past the last byte.
    fn end(&self) -> u128 {
        self.start + (self.count - 1) * self.pitch + self.bytes
    }

    /// Whether a byte of these rows lies in `start..end`, which is not empty.
    fn meet(&self, start: u128, end: u128) -> bool {
        // The first row that ends behind `start`; it meets the range if it begins before `end`.
        let row = match start.checked_sub(self.start + self.bytes) {
            None => 0,
            Some(past) => past / self.pitch + 1,
        };
        row < self.count && self.start + row * self.pitch < end
    }
}

/// Whether two arguments have a byte in common. Those that lie apart are told at once; else the
/// rows of the one with fewer are looked at.
fn share_bytes(a: Rows, b: Rows) -> bool {
    if a.end() <= b.start || b.end() <= a.start {
        return false;
    }
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    (0..few.count).any(|row| {
        let start = few.start + row * few.pitch;
        many.meet(start, start + few.bytes)
    })
}

#[cfg(test)]
mod tests {
    use gemm_codegen::{Axis, ParameterKind};

    use super::*;
    use crate::argument::AsMatrixMut as _;
    use crate::argument::AsVector as _;
    use crate::element::Element as _;
    use crate::memory::{Matrix, Storage, StorageMut};
    use crate::{Device, MatrixRef};

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
            assert_eq!(share_bytes(*a, *b), expected, "{a:?} {b:?}");
        }
    }

    /// A part of a matrix for writing, as only unsafe code could make it beside another.
    fn written(part: MatrixRef<'_, f32>) -> Argument<'_> {
        let layout = part.layout();
        let Storage::Emulated(view) = part.into_storage() else { unreachable!("emulated") };
        let storage = StorageMut::Emulated(view);
        Argument(Value::MutableMatrix { storage, element: f32::ELEMENT, layout })
    }

    fn parameter(name: &'static str) -> Parameter {
        let kind = ParameterKind::Matrix { element: f32::ELEMENT, rows: Axis::M, columns: Axis::N };
        Parameter { name: name.into(), kind, align_macro: None }
    }

    #[test]
    fn an_output_that_is_an_operand_names_both() {
        let device = Device::emulator();
        let matrix: Matrix<f32> = device.zeros(8, 8).unwrap();
        let parameters = ["a", "b", "c"].map(parameter);
        let check = |operand: MatrixRef<'_, f32>, output: MatrixRef<'_, f32>| {
            let operands = [Argument::from(1.0), crate::AsMatrix::argument(operand)];
            let output = written(output);
            check((&parameters[2], &output), parameters.iter().zip(&operands))
        };
        let part = |rows, columns| matrix.submatrix(rows, columns).unwrap();
        let error = check(part(0..4, 0..4), part(3..6, 3..8)).unwrap_err();
        assert!(
            matches!(&error, Error::Overlap { output, operand } if output == "c" && operand == "b")
        );
        assert!(error.to_string().starts_with("c: shares memory with b"), "{error}");
        // The left half and the right half, and what has no elements.
        assert!(check(part(0..8, 0..4), part(0..8, 4..8)).is_ok());
        assert!(check(part(0..8, 0..8), part(4..4, 0..8)).is_ok());
    }

    #[test]
    fn a_vector_is_one_row() {
        let device = Device::emulator();
        let (vector, mut matrix) =
            (device.vector(&[0.0f32; 4]).unwrap(), device.zeros(2, 2).unwrap());
        let (operand, output): (_, Argument<'_>) =
            (vector.view().argument(), <&mut Matrix<f32>>::argument(&mut matrix));
        let (x, y) = (parameter("x"), parameter("y"));
        assert!(check((&y, &output), [(&x, &operand)].into_iter()).is_ok());
        assert!(share_bytes(rows(&operand).unwrap(), rows(&operand).unwrap()));
    }
}
