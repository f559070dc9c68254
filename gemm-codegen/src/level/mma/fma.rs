//! The atom without tensor cores: every lane sums a register tile by outer products.

use crate::spec::{Accumulator, Mma};

use crate::axis::Axis;
use crate::element::{Element, pair};
use crate::field::Field;
use crate::hardware::WARP;
use crate::help::{Edit, Values};
use crate::registers::Registers;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

/// The elements that it multiplies, each by its own kind.
pub(crate) const ELEMENTS: [Element; 4] = [Element::F16, Element::Bf16, Element::F32, Element::F64];

/// What a lane sums products of these elements in.
pub(crate) const fn sums(element: Element) -> Accumulator {
    match element {
        Element::F64 => Accumulator::F64,
        _ => Accumulator::F32,
    }
}

/// The device function `mma_atom` for elements of this size, and what it calls.
pub(super) fn write(text: &mut Sections, element: Element) {
    text.add(match element.bytes() {
        8 => include_str!("factor_doubles.cuh"),
        4 => include_str!("factor_singles.cuh"),
        _ => include_str!("factor_halves.cuh"),
    });
    match element.bytes() {
        4 => text.add(include_str!("fma_serpentine.cuh")),
        bytes => text.add_file(include_str!("fma.cuh"), &[("DOUBLES", bytes == 8)]),
    }
}

/// Proves that lanes can multiply these elements.
pub(super) fn check_elements(
    mma: Mma,
    elements: [Element; 2],
    operands: [usize; 2],
) -> Result<(), Vec<Diagnostic>> {
    let [a, b] = elements;
    let at = match ELEMENTS.contains(&a) {
        true if a == b => return Ok(()),
        true => Field::OperandElement(operands[1]),
        false => Field::Mma,
    };
    Err(vec![Diagnostic::new(
        Rule::ElementsMatchAtom,
        at,
        format!("{} does not multiply {}", mma.name(), pair(elements)),
        "make both operands f16, bf16, f32 or f64",
    )])
}

/// Proves that a lane has registers for its sums and the factors of one outer product of these
/// elements.
pub(crate) fn check(mma: Mma, element: Element) -> Result<Mma, Vec<Diagnostic>> {
    let Mma::Fma { m, n } = mma else { return Ok(mma) };
    let [m, n] = [m, n].map(|extent| u32::from(extent.get()));
    // A factor takes as many as a sum: what is narrower is widened.
    let each = sums(element).bits() / 32;
    let of_lane = |m: u32, n: u32| {
        let sums = (m * n).saturating_mul(each).saturating_mul(WARP);
        Registers::new(sums, (m + n) * each, 0, WARP)
    };
    if of_lane(m, n).fit() {
        return Ok(mma);
    }
    // The larger extent is the one to make smaller.
    let axis = if m >= n { Axis::M } else { Axis::N };
    let with = |extent: u32| if m >= n { [extent, n] } else { [m, extent] };
    let most = (1..=255).rev().find(|extent| {
        let [m, n] = with(*extent);
        of_lane(m, n).fit()
    });
    // The largest, and a few that divide more tiles.
    let smaller = most.into_iter().flat_map(|most| [most, most / 4 * 4, most.min(8), most.min(4)]);
    let edits = smaller.map(with).chain([[8, 8]]).map(Edit::RegisterTile);
    let registers = of_lane(m, n);
    let broken = Diagnostic::new(
        Rule::RegisterTileFits,
        Field::FmaExtent(axis),
        format!(
            "{} needs {} sums and {} factors {}per thread, but a thread has at most {} registers",
            mma.name(),
            m * n,
            m + n,
            if each == 1 { "" } else { "of two registers each " },
            registers.limit
        ),
        "use a smaller register tile and more warps",
    );
    Err(vec![broken.naming(Values::one(edits, ""))])
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    fn fma(m: u16, n: u16) -> Mma {
        let [m, n] = [m, n].map(|extent| NonZeroU16::new(extent).unwrap());
        Mma::Fma { m, n }
    }

    #[test]
    fn register_tiles_at_the_limit() {
        let broken = |element, m, n| {
            check(fma(m, n), element).map_err(|broken| {
                let values = broken[0].values.as_ref().expect("register tiles that fit");
                (broken[0].at, values.edits[0])
            })
        };
        let fits = |axis, tile| Err((Field::FmaExtent(axis), Edit::RegisterTile(tile)));
        let single = |m, n| broken(Element::F32, m, n);
        assert!(single(15, 14).is_ok(), "210 + 29 + 16 = 255");
        assert_eq!(single(15, 15), fits(Axis::M, [14, 15]));
        assert_eq!(single(8, 30), fits(Axis::N, [8, 25]));
        assert_eq!(single(1, 65_535), fits(Axis::N, [1, 119]));
        assert_eq!(single(65_535, 65_535), fits(Axis::M, [8, 8]));
        let double = |m, n| broken(Element::F64, m, n);
        assert!(double(8, 12).is_ok(), "192 + 40 + 16 = 248");
        assert_eq!(double(8, 13), fits(Axis::N, [8, 12]));
        assert_eq!(double(65_535, 65_535), fits(Axis::M, [8, 8]));
    }

    #[test]
    fn lanes_multiply_floats_of_one_kind() {
        use Element::{Bf16, F16, F32, F64, I8};
        let at = |a, b| check_elements(fma(8, 8), [a, b], [0, 1]).map_err(|broken| broken[0].at);
        assert_eq!([at(F16, F16), at(Bf16, Bf16), at(F32, F32), at(F64, F64)], [Ok(()); 4]);
        assert_eq!(at(F64, F32), Err(Field::OperandElement(1)));
        assert_eq!(at(F16, Bf16), Err(Field::OperandElement(1)));
        assert_eq!(at(I8, I8), Err(Field::Mma));
    }
}
