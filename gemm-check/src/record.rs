//! What a launch read and wrote, and the comparison of what two devices wrote, bit by bit.

use std::fmt;

use gemm_codegen::{Axis, Element as ElementType};
use gemm_runtime::{Element as _, with_element};

use crate::judge::TestElement;

/// What a launch read and wrote.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The matrices that it read, in the order of the operands.
    pub matrices: Vec<RecordedMatrix>,
    /// Its outputs, in their order.
    pub outputs: Vec<Written>,
}

/// A matrix that a launch read, or a batch of them.
#[derive(Clone, Debug)]
pub struct RecordedMatrix {
    /// The axes of its rows and columns.
    pub axes: [Axis; 2],
    /// Rows and columns of each matrix; of elements of several numbers, those of the numbers.
    pub shape: [usize; 2],
    /// Its elements or their numbers, row by row; exact.
    pub elements: Vec<f64>,
}

/// An output after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The type of its elements.
    pub element: ElementType,
    /// Rows and columns of each matrix; a vector is one row.
    pub shape: [usize; 2],
    /// Its elements, row by row.
    pub bytes: Vec<u8>,
}

/// How much of an output is equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equal {
    /// Elements that were compared.
    pub elements: usize,
    /// Those that are NaN on both devices, with different bits: PTX does not state the payload of every NaN.
    pub payloads: usize,
}

/// The first element in which two outputs differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The matrix of a batch, the row and the column.
    pub at: [usize; 3],
    /// The values and their bits.
    pub values: [(f64, u64); 2],
    /// How many elements differ, among how many.
    pub count: [usize; 2],
}

impl Written {
    /// The elements of an output.
    pub fn of<T: TestElement>(elements: &[T], rows: usize, columns: usize) -> Written {
        let bytes = bytemuck::cast_slice(elements).to_vec();
        Written { element: T::ELEMENT, shape: [rows, columns], bytes }
    }

    /// The value of each element, with its bits.
    fn values(&self) -> impl Iterator<Item = (f64, u64)> {
        let of_bytes = |bytes: &[u8]| {
            let value =
                with_element!(self.element, T => bytemuck::pod_read_unaligned::<T>(bytes).to_f64());
            let mut bits = [0; 8];
            bits[..bytes.len()].copy_from_slice(bytes);
            (value, u64::from_le_bytes(bits))
        };
        self.bytes.chunks(self.element.bytes() as usize).map(of_bytes)
    }

    /// Compares every bit of two outputs of the same type and shape; NaN equals NaN.
    ///
    /// # Errors
    /// They differ.
    pub fn compare(&self, other: &Written) -> Result<Equal, Difference> {
        let is_same = |[(x, a), (y, b)]: [(f64, u64); 2]| a == b || x.is_nan() && y.is_nan();
        let mut equal = Equal::default();
        let (mut first, mut count) = (None, 0);
        for pair in self.values().zip(other.values()).map(|(a, b)| [a, b]) {
            if !is_same(pair) {
                first = first.or(Some((equal.elements, pair)));
                count += 1;
            }
            equal.elements += 1;
            equal.payloads += usize::from(is_same(pair) && pair[0].1 != pair[1].1);
        }
        let Some((index, values)) = first else { return Ok(equal) };
        let [rows, columns] = self.shape.map(|extent| extent.max(1));
        let at = [index / columns / rows, index / columns % rows, index % columns];
        Err(Difference { at, values, count: [count, equal.elements] })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { at: [matrix, row, column], values: [(x, a), (y, b)], count } = self;
        write!(f, "matrix {matrix}, row {row}, column {column}: {x:e} ({a:#x}) on the device, ")?;
        write!(f, "{y:e} ({b:#x}) on the emulator; {} of {} elements differ", count[0], count[1])
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;

    #[test]
    fn one_bit_of_one_element_is_found_with_its_place() {
        let elements: Vec<f16> = (0..24u8).map(|i| f16::from_f32(i.into())).collect();
        let mut other = elements.clone();
        other[17] = f16::from_bits(elements[17].to_bits() ^ 1);
        let [a, b] = [elements, other].map(|elements| Written::of(&elements, 3, 4));
        assert_eq!(a.compare(&a), Ok(Equal { elements: 24, payloads: 0 }));
        let difference = a.compare(&b).unwrap_err();
        assert_eq!((difference.at, difference.count), ([1, 1, 1], [1, 24]));
        assert_eq!(difference.values[0].1 ^ difference.values[1].1, 1);
    }

    #[test]
    fn nan_equals_nan_and_zeros_of_both_signs_differ() {
        let [a, b] = [0x7fff_ffff, 0x7fc0_0000].map(f32::from_bits);
        let of = |x: f32| Written::of(&[1.0, x], 1, 2);
        assert_eq!(of(a).compare(&of(b)), Ok(Equal { elements: 2, payloads: 1 }));
        assert_eq!(of(a).compare(&of(f32::INFINITY)).unwrap_err().at, [0, 0, 1]);
        assert_eq!(of(0.0).compare(&of(-0.0)).unwrap_err().at, [0, 0, 1]);
    }
}
