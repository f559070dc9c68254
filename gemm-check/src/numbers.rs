//! The numbers of a matrix whose elements have several: pairs and packed integers.

use gemm_codegen::Element as ElementType;
use gemm_codegen::packing::PackedOrder;

use crate::judge::TestElement;

/// Rows and columns of the matrix of `lines` of a factor with this K: elements of several numbers are fewer, and those of
/// the last lines and of the end of K may have numbers that are not used.
pub(crate) fn extents(element: ElementType, lines: usize, k: usize) -> [usize; 2] {
    let [of_rows, of_columns] = of_block(element);
    let in_turn = element.in_turn() as usize;
    [lines.div_ceil(of_rows), k.div_ceil(of_columns) * in_turn]
}

/// Lines and K of the numbers of such a matrix, with those that are not used.
pub(crate) fn padded(element: ElementType, [lines, k]: [usize; 2]) -> [usize; 2] {
    let [of_rows, of_columns] = of_block(element);
    [lines.next_multiple_of(of_rows), k.next_multiple_of(of_columns)]
}

/// Lines and K of the elements that have numbers of the same lines and the same K.
fn of_block(element: ElementType) -> [usize; 2] {
    [element.lines(), element.numbers() * element.in_turn()].map(|extent| extent as usize)
}

/// The numbers of matrices of these rows and columns, line by line; of elements that are one number each, their values.
pub(crate) fn numbers<T: TestElement>(elements: &[T], [rows, columns]: [usize; 2]) -> Vec<f64> {
    let element = T::ELEMENT;
    if !element.is_several() {
        return elements.iter().map(|element| element.to_f64()).collect();
    }
    let (lines, k) = (rows * element.lines() as usize, columns * element.numbers() as usize);
    let order = PackedOrder::of(element);
    let mut numbers = Vec::with_capacity(elements.len() * 8 * size_of::<T>());
    for matrix in elements.chunks((rows * columns).max(1)) {
        for (line, k) in (0..lines).flat_map(|line| (0..k).map(move |k| (line, k))) {
            let (row, column, number) = match order {
                Some(order) => {
                    let place = order.place(line, k);
                    (place.row, place.column, place.number)
                }
                None => (line, k / element.numbers() as usize, k % element.numbers() as usize),
            };
            numbers.push(number_of(matrix[row * columns + column], number).into());
        }
    }
    numbers
}

/// One of the integers of an element, in the order of their bits.
fn number_of<T: TestElement>(element: T, at: usize) -> i32 {
    let (bits, of) = (T::ELEMENT.bits(), T::ELEMENT.plain());
    let first = at * bits as usize;
    let byte = bytemuck::bytes_of(&element)[first / 8];
    // At the top of a word, so that a shift to the right copies the sign.
    let top = u32::from(byte) >> (first % 8) << (32 - bits);
    match of {
        ElementType::I8 | ElementType::I4x2 => top as i32 >> (32 - bits),
        _ => (top >> (32 - bits)) as i32,
    }
}

#[cfg(test)]
mod tests {
    use gemm_runtime::{i4x2, packing, u4x2};

    use super::*;

    #[test]
    fn packed_integers_are_the_numbers_that_were_packed() {
        let (rows, columns) = (19, 70);
        let plain: Vec<i8> = (0..rows * columns).map(|i| (i * 89 % 251) as i8).collect();
        let packed = packing::pack(rows, columns, &plain).unwrap();
        let extents = extents(ElementType::I8x16, rows, columns);
        assert_eq!(extents, [2, 96]);
        let [lines, k] = padded(ElementType::I8x16, [rows, columns]);
        let numbers = numbers(&packed, extents);
        assert_eq!(numbers.len(), lines * k);
        for (line, of_line) in numbers.chunks(k).enumerate() {
            for (at, number) in of_line.iter().enumerate() {
                let is_used = line < rows && at < columns;
                let expected = if is_used { plain[line * columns + at] } else { 0 };
                assert_eq!(*number, f64::from(expected), "{line} {at}");
            }
        }
    }

    #[test]
    fn integers_of_4_bits_have_their_sign() {
        let pairs = [i4x2::new(-8, 7), i4x2::new(3, -1)];
        assert_eq!(numbers(&pairs, [1, 2]), [-8.0, 7.0, 3.0, -1.0]);
        let pairs = [u4x2::new(15, 0), u4x2::new(8, 7)];
        assert_eq!(numbers(&pairs, [2, 1]), [15.0, 0.0, 8.0, 7.0]);
        let packed = packing::pack(1, 2, &[i4x2::new(-8, 7), i4x2::new(3, -1)]).unwrap();
        assert_eq!(numbers(&packed, [1, 32])[..5], [-8.0, 7.0, 3.0, -1.0, 0.0]);
    }
}
