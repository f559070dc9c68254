//! Where packed elements have the numbers of a factor.

use crate::element::Element;
use crate::hardware::WARP;

/// K of an MMA atom of 16-bit factors.
const STEP: u32 = 16;

/// The order of the numbers of a packed factor.
///
/// A row of such a matrix has the numbers of 16 lines of the factor. 32 elements in turn have the K of one load of a warp,
/// an element for each lane: what it multiplies of these k-steps, one after the other. Of a k-step that are eight numbers,
/// two neighbours along K for each 32-bit register (PTX ISA, "Matrix Fragments for mma.m16n8k16"); the second of two lies
/// 16 bits above the first, as they are converted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedOrder {
    bits: u32,
}

/// Where a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPlace {
    /// The row of its element.
    pub row: usize,
    /// The column of its element.
    pub column: usize,
    /// Which of the numbers of the element it is, in the order of their bits.
    pub number: usize,
}

impl PackedOrder {
    /// That of an element, if it is packed.
    pub const fn of(element: Element) -> Option<PackedOrder> {
        match element.unpacked() {
            Some(_) => Some(PackedOrder { bits: element.bits() }),
            None => None,
        }
    }

    /// Lines and K that 32 elements in turn have: a packed matrix has a multiple of both.
    pub fn block(self) -> [usize; 2] {
        [16, (WARP * 8 / self.bits) as usize]
    }

    /// Rows and columns of the matrix that has these lines and this K of a factor.
    pub fn extents(self, lines: usize, k: usize) -> [usize; 2] {
        let [of_row, of_block] = self.block();
        [lines.div_ceil(of_row), k.div_ceil(of_block).saturating_mul(WARP as usize)]
    }

    /// Where the number of a line of the factor at `k` is.
    pub fn place(self, line: usize, k: usize) -> PackedPlace {
        let [lines, of_block] = self.block();
        let (row, column) = (line / lines, k / of_block * WARP as usize);
        let (line, k) = ((line % lines) as u32, (k % of_block) as u32);
        let (step, k) = (k / STEP, k % STEP);
        let lane = line % 8 * 4 + k % 8 / 2;
        let register = line / 8 + k / 8 * 2;
        // Registers of a word follow each other within 16 bits.
        let of_word = 16 / self.bits;
        let word = (step * 4 + register) / of_word;
        let number = word * 2 * of_word + register % of_word + k % 2 * of_word;
        PackedPlace { row, column: column + lane as usize, number: number as usize }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_block_has_each_number_once() {
        for element in Element::ALL {
            let Some(order) = PackedOrder::of(element) else { continue };
            let [lines, depth] = order.block();
            let numbers = (0..2 * lines).flat_map(|line| (0..2 * depth).map(move |k| (line, k)));
            let places = numbers.map(|(line, k)| order.place(line, k));
            let mut seen = HashSet::new();
            let count = (128 / element.bits()) as usize;
            for PackedPlace { row, column, number } in places {
                assert!(row < 2 && column < 64 && number < count, "{element}");
                assert!(seen.insert((row, column, number)), "{element}");
            }
            assert_eq!(seen.len(), 2 * 64 * count);
        }
    }

    #[test]
    fn a_lane_has_what_its_instruction_takes() {
        let order = PackedOrder::of(Element::I4x32).expect("it is packed");
        // Lane 6 has row 1 and row 9, k = 4, 5, 12, 13 of each step.
        let numbers = [(1, 4), (9, 4), (1, 12), (9, 12), (1, 5), (9, 5), (1, 13), (9, 13)];
        for (nibble, (line, k)) in (0..).zip(numbers) {
            let at = |number| PackedPlace { row: 1, column: 32 + 6, number };
            assert_eq!(order.place(16 + line, 64 + k), at(nibble), "{line} {k}");
            assert_eq!(order.place(16 + line, 64 + 32 + k), at(16 + nibble));
        }
        let order = PackedOrder::of(Element::U8x16).expect("it is packed");
        let bytes = numbers.map(|(line, k)| order.place(line, 16 + k).number - 8);
        assert_eq!(bytes, [0, 1, 4, 5, 2, 3, 6, 7]);
    }
}
