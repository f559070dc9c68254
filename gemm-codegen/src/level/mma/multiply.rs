//! What a k-step multiplies, in which unit, and how its factors are rounded.

use std::borrow::Cow;

use super::atom::Atom;
use super::conversion::{self, Conversion};
use super::fragment::{AtomMatrix, Fragment};
use super::register_tile::RegisterTile;
use super::wgmma::Wgmma;
use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::part::Part;
use crate::spec::{Accumulator, Mma};
use crate::text::Sections;

/// The multiplication of a k-step: elements, accumulators and the unit that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiply {
    /// Element types of both sides, as they are multiplied.
    pub elements: PerSide<Element>,
    /// The same, as they are stored: of a factor that is converted they differ.
    pub stored: PerSide<Element>,
    /// Neighbours along K that a lane has of each line of both factors, where warps convert one.
    pub run: u32,
    /// Type of the sums.
    pub accumulator: Accumulator,
    /// The unit that performs it.
    pub unit: Unit,
}

/// The unit of an SM that multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Tensor cores, one `mma.sync` of a warp at a time.
    TensorCore(&'static Atom),
    /// The FMA units: each lane multiplies a register tile.
    Fma(RegisterTile),
    /// Tensor cores, which the four warps of a warpgroup feed from shared memory.
    Warpgroup(Wgmma),
}

impl Unit {
    /// What an atom is issued as by warps, or warpgroups, with these columns of a tile. `orders` says
    /// which side's rows run along K.
    pub(crate) fn of(atom: &'static Atom, columns: u32, orders: PerSide<bool>) -> Unit {
        match atom.shape {
            Mma::Wgmma(_) => Unit::Warpgroup(Wgmma {
                columns,
                element: atom.elements[0],
                transposed: [!orders.a, !orders.b],
            }),
            _ => Unit::TensorCore(atom),
        }
    }
}

/// How a factor is rounded before it is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factors {
    /// Not at all.
    Exact,
    /// To tf32 in registers: 11 significant bits, to nearest with ties away from zero.
    Tf32TiesAway,
    /// To tf32 by the unit that copies it to shared memory: to nearest with ties to even.
    Tf32TiesEven,
    /// Not at all: told as the sum of two f16 each, scaled by rows ([`Planes::F16x3`](crate::Planes)).
    F16x3,
    /// Not at all: told as the sum of three bf16 each ([`Planes::Bf16x6`](crate::Planes)).
    Bf16x6,
}

impl Factors {
    /// How f32 factors are rounded, in words, if they are.
    pub const fn rounding(self) -> Option<&'static str> {
        match self {
            Factors::Exact => None,
            Factors::Tf32TiesAway => {
                Some("f32 factors rounded to tf32, 10 bits of fraction, ties away from zero")
            }
            Factors::Tf32TiesEven => {
                Some("f32 factors rounded to tf32, 10 bits of fraction, ties to even")
            }
            Factors::F16x3 => {
                Some("f32 factors as sums of two f16, scaled by rows; three products")
            }
            Factors::Bf16x6 => Some("f32 factors as sums of three bf16; six products"),
        }
    }

    /// The device function `mma`, which multiplies the fragments of a k-step, and what it calls.
    fn write_step(self, text: &mut Sections) {
        let rounds = self == Factors::Tf32TiesAway;
        if rounds {
            text.add(include_str!("../../ptx/round_tf32.cuh"));
        }
        text.of(Part::Multiply).add(match rounds {
            true => include_str!("mma_tf32.cuh"),
            false => include_str!("mma.cuh"),
        });
    }
}

impl Multiply {
    /// The device function `mma`, which multiplies the fragments of a k-step, and what it calls. `two_sums` says
    /// whether its instructions add to [two sums](super::Scaling::two_sums).
    pub(crate) fn write_step(&self, text: &mut Sections, by_tensor_copies: bool, two_sums: bool) {
        match self.conversion() {
            Some(conversion) if conversion.packs() => {
                conversion.write_packed_step(text, self.instructions(), two_sums);
            }
            Some(conversion) => conversion.write_step(text, self.run, self.instructions()),
            None => self.factors(by_tensor_copies).write_step(text),
        }
    }

    /// The multiplication of an atom's first elements with its default sums.
    #[cfg(test)]
    pub(crate) fn of(atom: &'static Atom) -> Multiply {
        Multiply {
            elements: PerSide::both(atom.elements[0]),
            stored: PerSide::both(atom.elements[0]),
            run: 8,
            accumulator: atom.accumulators[0],
            unit: Unit::TensorCore(atom),
        }
    }

    /// How both factors are rounded: by the copy unit where tensor copies bring them, else in registers.
    /// Tensor cores would drop the bits of an f32 that tf32 lacks.
    pub(crate) fn factors(&self, by_tensor_copies: bool) -> Factors {
        match (self.elements.a, self.unit, by_tensor_copies) {
            (Element::F32, Unit::TensorCore(_) | Unit::Warpgroup(_), true) => Factors::Tf32TiesEven,
            (Element::F32, Unit::TensorCore(_), false) => Factors::Tf32TiesAway,
            _ => Factors::Exact,
        }
    }

    /// The side whose fragments are loaded first. A serpentine outer product starts with one factor of
    /// A and all of B. Where the output runs along M, ptxas then lacks a register at 128 a thread.
    pub(crate) fn first(&self) -> Side {
        match (self.elements.b, self.unit) {
            (Element::F32, Unit::Fma(tile)) if tile.n_contiguous => Side::B,
            _ => Side::A,
        }
    }

    /// The factor that is converted, if one is.
    pub fn conversion(&self) -> Option<Conversion> {
        Conversion::of([self.stored.a, self.stored.b])
    }

    /// Whether a side is converted.
    pub(crate) fn converts(&self, side: Side) -> bool {
        self.conversion().is_some_and(|conversion| conversion.side == side)
    }

    /// Instructions of an atom for a k-step: of a factor that is converted there may be several.
    pub fn instructions(&self) -> u32 {
        match self.unit {
            Unit::TensorCore(atom) => self.shape()[2] / atom.shape.shape()[2],
            Unit::Fma(_) | Unit::Warpgroup(_) => 1,
        }
    }

    /// m, n, k of a k-step of one atom.
    pub fn shape(&self) -> [u32; 3] {
        match self.unit {
            Unit::TensorCore(atom) => match (self.conversion(), atom.shape.shape()) {
                (None, shape) => shape,
                (Some(_), [m, n, _]) => [m, n, conversion::step_of(self.run)],
            },
            Unit::Fma(tile) => tile.shape(),
            Unit::Warpgroup(wgmma) => wgmma.shape(),
        }
    }

    /// The atom as in `mma = ..`; of a warpgroup `wgmma`.
    pub fn name(&self) -> Cow<'static, str> {
        match self.unit {
            Unit::TensorCore(atom) => atom.shape.name(),
            Unit::Fma(RegisterTile { extents: [m, n], .. }) => format!("fma({m}, {n})").into(),
            Unit::Warpgroup(_) => Mma::Wgmma(None).name(),
        }
    }

    /// The atom as in `mma = ..`, of a warpgroup outright.
    pub(crate) fn full_name(&self) -> Cow<'static, str> {
        match self.unit {
            Unit::Warpgroup(wgmma) => wgmma.name().into(),
            Unit::TensorCore(_) | Unit::Fma(_) => self.name(),
        }
    }

    /// The ownership map of one of its matrices; of a warpgroup, what one of its warps has of 16 rows and
    /// 8 columns of the sums (PTX ISA, "Register fragments for wgmma.mma_async.m64nNk16", D), and its
    /// factors as if they passed through registers.
    pub fn fragment(&self, matrix: AtomMatrix) -> Fragment {
        // A warpgroup multiplies a factor as it has been converted.
        let factors = match self.unit {
            Unit::Warpgroup(_) => self.elements,
            Unit::TensorCore(_) | Unit::Fma(_) => self.stored,
        };
        let bits = match matrix {
            AtomMatrix::A => factors.a.bits(),
            AtomMatrix::B => factors.b.bits(),
            AtomMatrix::C => self.accumulator.bits(),
        };
        match self.unit {
            Unit::Fma(tile) => tile.fragment(matrix, bits),
            Unit::TensorCore(_) if matrix != AtomMatrix::C => self.fragment_of_factor(matrix, bits),
            Unit::TensorCore(atom) => Fragment::new(atom.shape.shape(), matrix, bits)
                .expect("the atoms of the table fit the rule"),
            Unit::Warpgroup(_) => Fragment::new(Mma::M16n8k16.shape(), matrix, bits)
                .expect("sums lie as those of an atom of one warp"),
        }
    }

    /// The ownership map of a factor of tensor cores whose elements have these bits.
    fn fragment_of_factor(&self, matrix: AtomMatrix, bits: u32) -> Fragment {
        let is_stored = |side| matrix == AtomMatrix::of(side);
        match self.conversion() {
            Some(of) if of.packs() && is_stored(of.side) => {
                Fragment::of_packed(self.shape(), matrix, bits)
            }
            Some(of) if !of.packs() => Fragment::of_runs(self.shape(), matrix, bits, self.run),
            _ => Fragment::new(self.shape(), matrix, bits).expect("whole atoms fit the rule"),
        }
    }
}
