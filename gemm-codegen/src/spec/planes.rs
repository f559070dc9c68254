//! [`Planes`]: f32 factors as sums of smaller floats, which tensor cores multiply.

use crate::element::Element;
use crate::spec::Precision;

/// How an f32 factor is told as several matrices of smaller floats, its planes: the first has the leading
/// bits of each element, the next one those of the rest.
///
/// A kernel reads them as one matrix, whose rows run along K whatever the order of the factor. A row has,
/// for each [`unit`](Planes::unit) of K in turn, what the first plane has of it, then what the second one
/// has; beyond K there are zeros up to a whole unit. So a copy that is a unit wide brings all planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Planes {
    /// High and low halves, of rows that are scaled by powers of two so that the largest element of each
    /// is in 2^14..2^15. What is left out, low by low, is less than the rounding of an f32. A unit of both
    /// has 128 bytes, a row of a tensor copy's box.
    F16x3,
    /// Three bf16, which together have the 24 bits of an f32: each element by itself, without a scale. The
    /// three least of the nine products are left out.
    Bf16x6,
}

impl Planes {
    /// Every one.
    pub const ALL: [Planes; 2] = [Planes::F16x3, Planes::Bf16x6];

    /// The precision that has them.
    pub const fn precision(self) -> Precision {
        match self {
            Planes::F16x3 => Precision::F16x3,
            Planes::Bf16x6 => Precision::Bf16x6,
        }
    }

    /// Type of the elements of each plane.
    pub const fn element(self) -> Element {
        match self {
            Planes::F16x3 => Element::F16,
            Planes::Bf16x6 => Element::Bf16,
        }
    }

    /// How many there are.
    pub const fn count(self) -> u32 {
        match self {
            Planes::F16x3 => 2,
            Planes::Bf16x6 => 3,
        }
    }

    /// The K whose elements of one plane lie next to each other.
    pub const fn unit(self) -> u32 {
        32
    }

    /// Which plane of A is multiplied by which plane of B, the least products first.
    pub const fn terms(self) -> &'static [[u32; 2]] {
        match self {
            Planes::F16x3 => &[[0, 1], [1, 0], [0, 0]],
            Planes::Bf16x6 => &[[0, 2], [2, 0], [1, 1], [0, 1], [1, 0], [0, 0]],
        }
    }

    /// Whether each row has a power of two by which it is scaled.
    pub const fn is_scaled(self) -> bool {
        match self {
            Planes::F16x3 => true,
            Planes::Bf16x6 => false,
        }
    }

    /// Columns of the matrix of planes for this K.
    pub const fn columns(self, k: usize) -> usize {
        k.next_multiple_of(self.unit() as usize) * self.count() as usize
    }

    /// The k-steps of a unit that are multiplied with each other, `step` columns each, the least products
    /// first.
    pub(crate) fn pairs_of_steps(self, step: u32) -> Vec<[u32; 2]> {
        let steps = self.unit() / step;
        let of_term = |term: &[u32; 2]| {
            let [a, b] = term.map(|plane| plane * steps);
            (0..steps).map(move |step| [a + step, b + step])
        };
        self.terms().iter().flat_map(of_term).collect()
    }
}

impl Precision {
    /// What f32 factors are multiplied as, if that is planes.
    pub const fn planes(self) -> Option<Planes> {
        match self {
            Precision::F32 | Precision::Tf32 => None,
            Precision::F16x3 => Some(Planes::F16x3),
            Precision::Bf16x6 => Some(Planes::Bf16x6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_whole_units_of_all_planes() {
        let columns = [0, 1, 32, 33].map(|k| Planes::F16x3.columns(k));
        assert_eq!(columns, [0, 64, 64, 128]);
        assert_eq!([1, 32, 33].map(|k| Planes::Bf16x6.columns(k)), [96, 96, 192]);
    }

    #[test]
    fn each_step_of_a_term_meets_the_same_k_of_the_other_factor() {
        let pairs = Planes::F16x3.pairs_of_steps(16);
        assert_eq!(pairs, [[0, 2], [1, 3], [2, 0], [3, 1], [0, 0], [1, 1]]);
        for [a, b] in Planes::F16x3.pairs_of_steps(8) {
            assert_eq!(a % 4, b % 4);
        }
        let pairs = Planes::Bf16x6.pairs_of_steps(16);
        assert_eq!((pairs.len(), pairs[0], pairs[2], pairs[11]), (12, [0, 4], [4, 0], [1, 1]));
    }
}
