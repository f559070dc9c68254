//! Random data and where it lies.

use std::fmt;
use std::str::FromStr;

use fastrand::Rng;
use rayon::prelude::*;

use crate::judge::TestElement;

/// `length` random elements; the same for the same seed.
pub fn random<T: TestElement>(length: usize, seed: u64) -> Vec<T> {
    /// Elements of one generator: the work of one thread at a time.
    const BAND: usize = 1 << 16;
    let mut elements = vec![T::default(); length];
    elements.par_chunks_mut(BAND).enumerate().for_each(|(band, chunk)| {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ band as u64);
        chunk.fill_with(|| T::random(&mut rng));
    });
    elements
}

/// `length` random elements; of floats each is multiplied by a random power of two.
pub fn spread<T: TestElement>(length: usize, seed: u64) -> Vec<T> {
    // Sums of products stay finite in f16. Numbers of 8 bits have fewer exponents.
    let powers = if size_of::<T>() == 1 { -6..=2 } else { -12..=4 };
    let mut rng = Rng::with_seed(seed);
    let mut element = || match T::ELEMENT.is_integer() {
        true => T::random(&mut rng),
        false => T::from_f64(T::random(&mut rng).to_f64() * 2f64.powi(rng.i32(powers.clone()))),
    };
    (0..length).map(|_| element()).collect()
}

/// [`spread`] elements; of floats one in sixteen is a zero or subnormal, and up to three are NaN or infinite.
pub fn special<T: TestElement>(length: usize, seed: u64) -> Vec<T> {
    let mut elements = spread::<T>(length, seed);
    if T::ELEMENT.is_integer() || length == 0 {
        return elements;
    }
    let mut rng = Rng::with_seed(!seed);
    let smallest = T::ELEMENT.smallest();
    for _ in 0..length / 16 {
        let tiny = [0.0, -0.0, smallest, -smallest, 3.0 * smallest][rng.usize(0..5)];
        elements[rng.usize(0..length)] = T::from_f64(tiny);
    }
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        if rng.bool() {
            elements[rng.usize(0..length)] = T::from_f64(value);
        }
    }
    elements
}

/// What the extents of a problem are multiples of: a row of 16 elements is a whole number of the
/// widest copies, and so each alignment matters as often as the others.
pub fn unit(rng: &mut Rng) -> usize {
    const UNITS: [usize; 8] = [1, 1, 2, 4, 8, 16, 16, 16];
    UNITS[rng.usize(0..UNITS.len())]
}

/// What the elements of an operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Random: floats in -1..1, integers of 8 bits.
    Random,
    /// Random numbers whose exponents are spread over 16: their sums show the order and the truncation of terms.
    Spread,
    /// The same with zeros, negative ones too, and subnormals, and with a few NaN and infinities.
    Special,
    /// Zero: the slightest error shows.
    Zero,
}

/// Where a matrix lies in its guard: this decides how well its rows are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Columns of guard on the left, in elements.
    pub left: usize,
    /// At least this many columns of guard on the right.
    pub right: usize,
    /// The leading dimension is an odd multiple of this many elements, and `left` a multiple.
    pub unit: usize,
    /// Rows are at least this many elements apart: 0, or enough that only the rows are written.
    pub apart: usize,
}

impl Placement {
    /// The leading dimension of rows of `columns` elements.
    pub fn pitch(&self, columns: usize) -> usize {
        let least = (self.left + columns + self.right).max(self.apart);
        let units = least.div_ceil(self.unit);
        (units | 1) * self.unit
    }
}

/// How well the operands of one launch are aligned. Each alignment of each operand is a kernel
/// of its own, so a random one for each operand is the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Every row of every operand begins at a multiple of this many bytes, and not of twice as
    /// many. Elements that are larger are aligned to their size.
    Bytes(usize),
    /// Each operand has its own.
    Mixed,
}

impl Alignment {
    /// Every one that a kernel distinguishes.
    pub const ALL: [Alignment; 6] = [
        Alignment::Bytes(16),
        Alignment::Bytes(8),
        Alignment::Bytes(4),
        Alignment::Bytes(2),
        Alignment::Bytes(1),
        Alignment::Mixed,
    ];

    /// As matrices lie that were allocated for themselves: no row shares a line of 128 bytes.
    pub const LINES: Alignment = Alignment::Bytes(128);

    /// Whether every row begins at a multiple of this many bytes.
    pub fn is_at_least(self, bytes: usize) -> bool {
        matches!(self, Alignment::Bytes(aligned) if aligned >= bytes)
    }

    /// The best one as often as the others together.
    pub fn random(rng: &mut Rng) -> Alignment {
        let at = rng.usize(0..2 * (Alignment::ALL.len() - 1));
        *Alignment::ALL.get(at).unwrap_or(&Alignment::ALL[0])
    }

    /// A place for an operand whose elements have this many bytes.
    pub fn placement(self, element_bytes: usize, rng: &mut Rng) -> Placement {
        let bytes = match self {
            Alignment::Bytes(bytes) => bytes,
            Alignment::Mixed => 1 << rng.u32(0..5),
        };
        let unit = (bytes / element_bytes).max(1);
        Placement { left: unit * rng.usize(0..4), right: rng.usize(1..9), unit, apart: 0 }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alignment::Bytes(bytes) => write!(f, "{bytes}"),
            Alignment::Mixed => f.write_str("mixed"),
        }
    }
}

impl FromStr for Alignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Alignment, String> {
        let known = [Alignment::LINES].into_iter().chain(Alignment::ALL);
        let found = known.into_iter().find(|alignment| alignment.to_string() == text);
        found.ok_or_else(|| "expected 128, 16, 8, 4, 2 or mixed".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use half::f16;

    #[test]
    fn the_same_seed_gives_the_same_elements() {
        let elements = random::<f16>(200_000, 7);
        assert_eq!(elements, random::<f16>(200_000, 7));
        assert_ne!(elements, random::<f16>(200_000, 8));
        assert_ne!(elements[..65_536], elements[65_536..131_072]);
        assert!(elements.iter().all(|x| x.to_f32().abs() <= 1.0));
    }

    #[test]
    fn an_alignment_is_read_as_it_is_written() {
        for alignment in Alignment::ALL.into_iter().chain([Alignment::LINES]) {
            assert_eq!(alignment.to_string().parse(), Ok(alignment));
        }
        assert!("7".parse::<Alignment>().is_err());
        assert!(Alignment::LINES.is_at_least(16) && !Alignment::Bytes(8).is_at_least(16));
        assert!(!Alignment::Mixed.is_at_least(2));
    }

    #[test]
    fn rows_are_aligned_as_asked_and_no_better() {
        let mut rng = Rng::with_seed(1);
        for bytes in [2, 4, 8, 16] {
            for columns in 0..100 {
                let placement = Alignment::Bytes(bytes).placement(2, &mut rng);
                let pitch = placement.pitch(columns);
                assert!(pitch > placement.left + columns, "no guard on the right");
                assert_eq!(pitch * 2 % bytes, 0);
                assert_ne!(pitch * 2 % (2 * bytes), 0);
                assert_eq!(placement.left * 2 % bytes, 0);
            }
        }
    }
}
