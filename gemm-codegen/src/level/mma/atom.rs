//! The table of MMA atoms: rules, defaults, diagnostics and emission read it and nothing else.

use super::fragment::{AtomMatrix, Fragment};
use super::register_tile::LANES;
use super::wgmma;
use crate::axis::Side;
use crate::element::{Element, FLOATS8};
use crate::hardware::{Availability, Target, WARP};
use crate::registers::REGISTER_BYTES;
use crate::spec::{Accumulator, Mma};

use Element::{Bf16, F16, F32, F64, I8, U8};

impl Mma {
    /// Warps that execute one instruction together.
    pub const fn warps(self) -> u32 {
        match self {
            Mma::Wgmma(_) => wgmma::WARPS,
            _ => 1,
        }
    }

    /// The targets that have its instruction whatever it multiplies, where that is known.
    pub(crate) const fn on(self) -> Option<Availability> {
        match self {
            Mma::Wgmma(_) => Some(wgmma::ON),
            _ => None,
        }
    }

    /// m, n, k of one instruction; of register tiles, what a warp does with one product in each, and a
    /// k-step may have several of these; of `wgmma` the narrowest of elements of 2 bytes.
    pub const fn shape(self) -> [u32; 3] {
        match self {
            Mma::M8n8k4 => [8, 8, 4],
            Mma::M16n8k4 => [16, 8, 4],
            Mma::M16n8k8 => [16, 8, 8],
            Mma::M16n8k16 => [16, 8, 16],
            Mma::M16n8k32 => [16, 8, 32],
            Mma::Wgmma(_) => wgmma::shape(wgmma::COLUMN_STEP, 2),
            Mma::Fma { m, n } => [LANES[0] * m.get() as u32, LANES[1] * n.get() as u32, 1],
        }
    }

    /// 32-bit registers in which a lane holds its share of a side's elements of this size in bytes.
    pub(crate) fn registers(self, side: Side, element_bytes: u32) -> u32 {
        self.registers_of(side, 8 * element_bytes, self.shape()[2])
    }

    /// Those for this K, of elements of this size in bits.
    pub(crate) fn registers_of(self, side: Side, bits: u32, k: u32) -> u32 {
        let [m, n, _] = self.shape();
        let lines = if side == Side::A { m } else { n };
        (lines * k * bits).div_ceil(WARP * 8 * REGISTER_BYTES)
    }
}

/// A row of the table: an instruction for every pair of these elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Its shape.
    pub shape: Mma,
    /// Each side has one of them, in any mix.
    pub elements: &'static [Element],
    /// What it can sum in, the default first.
    pub accumulators: &'static [Accumulator],
    /// The targets that have it.
    pub on: Availability,
}

impl Atom {
    /// The atom of this shape that multiplies `a` by `b`, if there is one.
    pub fn find(shape: Mma, a: Element, b: Element) -> Option<&'static Atom> {
        let of_shape = |atom: &&Atom| match shape {
            Mma::Wgmma(_) => matches!(atom.shape, Mma::Wgmma(_)),
            _ => atom.shape == shape,
        };
        ATOMS.iter().filter(of_shape).find(|atom| atom.multiplies(a, b))
    }

    fn multiplies(&self, a: Element, b: Element) -> bool {
        self.elements.contains(&a) && self.elements.contains(&b)
    }

    /// The ownership map of one of its matrices.
    ///
    /// # Panics
    /// Never for an atom of one warp: a test makes the maps of each.
    pub fn fragment(&self, matrix: AtomMatrix) -> Fragment {
        let bits = match matrix {
            AtomMatrix::A | AtomMatrix::B => 8 * self.elements[0].bytes(),
            AtomMatrix::C => self.accumulators[0].bits(),
        };
        Fragment::new(self.shape.shape(), matrix, bits)
            .expect("the atoms of the table fit the rule")
    }
}

const HALVES: &[Accumulator] = &[Accumulator::F32, Accumulator::F16];
const FLOATS: &[Accumulator] = &[Accumulator::F32];
const DOUBLES: &[Accumulator] = &[Accumulator::F64];
const INTEGERS: &[Accumulator] = &[Accumulator::I32];

/// Every atom, the larger ones of the same elements first (PTX ISA, "mma": the tables of shapes
/// and the target notes).
pub static ATOMS: &[Atom] = &[
    atom(Mma::M16n8k16, &[F16], HALVES, Target::Sm80),
    atom(Mma::M16n8k8, &[F16], HALVES, Target::Sm75),
    atom(Mma::M16n8k16, &[Bf16], FLOATS, Target::Sm80),
    atom(Mma::M16n8k8, &[Bf16], FLOATS, Target::Sm80),
    // As tf32, to which the text rounds them.
    atom(Mma::M16n8k8, &[F32], FLOATS, Target::Sm80),
    atom(Mma::M16n8k4, &[F32], FLOATS, Target::Sm80),
    atom(Mma::M16n8k16, &[F64], DOUBLES, Target::Sm90),
    atom(Mma::M16n8k8, &[F64], DOUBLES, Target::Sm90),
    atom(Mma::M16n8k4, &[F64], DOUBLES, Target::Sm90),
    atom(Mma::M8n8k4, &[F64], DOUBLES, Target::Sm80),
    atom(Mma::M16n8k32, &[I8, U8], INTEGERS, Target::Sm80),
    atom(Mma::M16n8k16, &[I8, U8], INTEGERS, Target::Sm80),
    atom(Mma::M16n8k32, FLOATS8, FLOATS, Target::Sm89),
    warpgroup(&[F16], FLOATS),
    warpgroup(&[Bf16], FLOATS),
    warpgroup(&[F32], FLOATS),
    warpgroup(&[I8, U8], INTEGERS),
    warpgroup(FLOATS8, FLOATS),
];

const fn warpgroup(elements: &'static [Element], accumulators: &'static [Accumulator]) -> Atom {
    Atom { shape: Mma::Wgmma(None), elements, accumulators, on: wgmma::ON }
}

const fn atom(
    shape: Mma,
    elements: &'static [Element],
    accumulators: &'static [Accumulator],
    first: Target,
) -> Atom {
    Atom { shape, elements, accumulators, on: Availability::Since(first) }
}

/// The atoms of one warp that multiply `a` by `b`, the deepest first, of two as deep the one with more
/// rows.
pub(crate) fn of(a: Element, b: Element) -> impl Iterator<Item = &'static Atom> + Clone {
    ATOMS.iter().filter(move |atom| atom.shape.warps() == 1 && atom.multiplies(a, b))
}

/// The elements that some atom multiplies, in the order of [`Element::ALL`].
pub fn multiplied() -> impl Iterator<Item = Element> {
    Element::ALL.into_iter().filter(|element| of(*element, *element).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_elements_has_one_atom_of_a_shape() {
        for a in Element::ALL {
            for b in Element::ALL {
                let shapes: Vec<Mma> = of(a, b).map(|atom| atom.shape).collect();
                let size = |shape: &Mma| (shape.shape()[2], shape.shape()[0]);
                assert!(shapes.is_sorted_by(|x, y| size(x) > size(y)), "{a} {b}: {shapes:?}");
            }
        }
    }

    #[test]
    fn a_product_has_the_type_of_its_factors_values() {
        for atom in ATOMS {
            let factors = atom.elements.iter().map(|element| element.value());
            let sums = atom.accumulators.iter().map(|accumulator| accumulator.value());
            assert!(factors.chain(sums).all(|value| value == atom.elements[0].value()));
        }
    }

    #[test]
    fn a_lane_holds_its_share_in_whole_registers() {
        for atom in ATOMS.iter().filter(|atom| atom.shape.warps() == 1) {
            for side in Side::BOTH {
                let registers = atom.shape.registers(side, atom.elements[0].bytes());
                assert_eq!(registers, atom.fragment(AtomMatrix::of(side)).words(), "{atom:?}");
            }
        }
    }

    #[test]
    fn both_sides_have_elements_of_one_size() {
        for atom in ATOMS {
            assert!(atom.elements.iter().all(|e| e.bytes() == atom.elements[0].bytes()));
        }
    }
}
