//! Offsets of scaled factors: what they add to a tile is the offset times the sum of the other factor's lines,
//! which tensor cores sum as products by ones.

use super::multiply::{Factors, Multiply};
use super::scaling::Scaled;
use crate::axis::Side;
use crate::body::Offset;
use crate::element::Element;
use crate::field::Field;
use crate::part::Part;
use crate::problem::Scale;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

impl Scaled {
    /// One factor has an offset, as the lines of the other one are summed beside the products.
    pub(super) fn one_offset(self) -> Option<Diagnostic> {
        let offset = |side| (*self.scales.get(side)).and_then(|scale: Scale| scale.offset);
        Side::BOTH.into_iter().all(|side| offset(side).is_some()).then(|| {
            let message =
                "both factors have offsets: a kernel sums the lines of one beside the products";
            let help = "give one of the factors an offset, and the other one scales alone";
            Diagnostic::new(Rule::ScaledFactor, Field::Function, message, help)
        })
    }
}

/// The device functions that sum lines, and scale sums with the offsets of a side.
pub(super) fn write(text: &mut Sections, (side, applied): (Side, Offset), multiply: &Multiply) {
    let of_a = [("OF_A", side == Side::A)];
    write_ones(text, *multiply.elements.get(side));
    text.of(Part::Multiply).add_file(include_str!("offsets/summed_lines.cuh"), &of_a);
    text.of(Part::Multiply).add(match (multiply.conversion(), multiply.factors(false)) {
        (Some(of), _) if of.packs() && of.side == side => {
            include_str!("offsets/sum_lines_steps.cuh")
        }
        (Some(of), _) if of.packs() => include_str!("offsets/sum_lines_packed.cuh"),
        (Some(_), _) if multiply.run == 4 => include_str!("offsets/sum_lines_halves.cuh"),
        (Some(_), _) => include_str!("offsets/sum_lines_converted.cuh"),
        (None, Factors::Tf32TiesAway) => include_str!("offsets/sum_lines_tf32.cuh"),
        (None, _) => include_str!("offsets/sum_lines.cuh"),
    });
    text.of(Part::Multiply).add(cuda_add(applied));
    text.of(Part::Multiply).add_file(include_str!("offsets/scale_sums.cuh"), &of_a);
}

/// What warpgroups scale their sums with, of products of this element.
pub(super) fn write_sums(text: &mut Sections, applied: Offset, element: Element) {
    write_ones(text, element);
    text.of(Part::Multiply).add(cuda_add(applied));
}

/// The function `add_scaled`.
fn cuda_add(applied: Offset) -> &'static str {
    match applied {
        Offset::Zero => include_str!("offsets/zero.cuh"),
        Offset::Added => include_str!("offsets/added.cuh"),
    }
}

fn write_ones(text: &mut Sections, element: Element) {
    let ones = ones(element);
    text.of(Part::Multiply)
        .add(format!("constexpr unsigned ONES = {ones:#010x};  // a register of 1\n"));
}

/// A register of elements of a fragment that are 1.
fn ones(element: Element) -> u32 {
    match element {
        Element::F16 => 0x3c00_3c00,
        Element::Bf16 => 0x3f80_3f80,
        Element::E4m3 => 0x3838_3838,
        Element::E5m2 => 0x3c3c_3c3c,
        // Scaled sums are f32, of tf32 factors beside these.
        _ => 1f32.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_ones_are_the_factors() {
        let of = |element: Element, mantissa: u32, bias: u32| {
            let one = u64::from(bias << mantissa);
            let one = (0..32 / element.bits()).fold(0, |all, _| all << element.bits() | one);
            assert_eq!(u64::from(ones(element)), one, "{element}");
        };
        of(Element::F16, 10, 15);
        of(Element::Bf16, 7, 127);
        of(Element::E4m3, 3, 7);
        of(Element::E5m2, 2, 15);
        of(Element::F32, 23, 127);
    }
}
