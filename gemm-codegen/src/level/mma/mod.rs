//! Warp tile → MMA atoms.

mod accumulator;
mod atom;
mod conversion;
mod converting;
mod factor_scaling;
mod fma;
mod fragment;
mod fragment_table;
mod instruction;
mod lane_scales;
mod multiply;
mod no_atom;
mod offsets;
mod packed;
mod precision;
mod promotion;
mod register_tile;
mod scales_in;
mod scaling;
mod staged_scales;
mod steps;
mod two_sums;
mod warp_scales;
pub(crate) mod wgmma;

use crate::axis::{PerSide, Side};
use crate::element::{Element, pair};
use crate::field::Field;
use crate::hardware::Target;
use crate::help::one_of;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Mma};
use crate::targets;
use crate::text::Sections;

pub(crate) use atom::of;
pub use atom::{ATOMS, Atom, multiplied};
pub use conversion::Conversion;
pub(crate) use conversion::{
    check as check_conversion, converted_k, multiplied as multiplied_as, run_of, step_of,
};
pub use factor_scaling::ScaledBy;
pub(crate) use fma::check;
pub use fragment::{AtomMatrix, Fragment, Owner};
pub(crate) use fragment::{BAND, LANES_OF_LINE};
pub use multiply::{Factors, Multiply, Unit};
pub(crate) use packed::check_packed;
pub(crate) use precision::{check as check_precision, is_by_lanes, planes};
pub(crate) use promotion::Promoted;
pub use promotion::Promoting;
pub(crate) use register_tile::LANES;
pub use register_tile::RegisterTile;
pub use scales_in::ScalesIn;
pub(crate) use scaling::Scaled;
pub use scaling::Scaling;
pub(crate) use staged_scales::StagedTile;
pub(crate) use steps::steps_of;
pub use wgmma::Wgmma;

/// The device function `mma_atom`, which multiplies the fragments of one atom.
pub(crate) fn write_atom(text: &mut Sections, multiply: &Multiply, promoting: Option<Promoting>) {
    match multiply.unit {
        Unit::Fma(_) => fma::write(text, multiply.elements.a),
        Unit::TensorCore(atom) => text.add(instruction::cuda(multiply, atom.shape)),
        Unit::Warpgroup(wgmma) => {
            let PerSide { a, b } = multiply.elements;
            let wgmma = match promoting {
                Some(Promoting::Halves) => wgmma.half(),
                _ => wgmma,
            };
            let from = match multiply.converts(Side::A) {
                true => wgmma::SourceOfA::Registers,
                false => wgmma::SourceOfA::Shared,
            };
            wgmma.write(text, [a, b].map(Element::ptx), multiply.accumulator, from);
        }
    }
}

/// Proves that an atom multiplies these elements, with sums that it has. `operands` are the operand numbers
/// of A and B, `tile` is what `fma(m, n)` asks for, `unit` what an atom is issued as, `run` how many neighbours
/// along K a lane has of a line, where a factor is converted.
pub(crate) fn plan(
    shape: Mma,
    (tile, unit): (Option<RegisterTile>, impl Fn(&'static Atom) -> Unit),
    accumulator: Accumulator,
    (elements, run): ([Element; 2], u32),
    operands: [usize; 2],
) -> Result<Multiply, Vec<Diagnostic>> {
    let [a, b] = multiplied_as(elements);
    let unit = match (tile, Atom::find(shape, a, b)) {
        (Some(tile), _) => {
            fma::check_elements(shape, elements, operands)?;
            Unit::Fma(tile)
        }
        (None, Some(atom)) => unit(atom),
        (None, None) => return Err(no_atom::report(shape, elements, operands)),
    };
    let [stored_a, stored_b] = elements;
    let stored = PerSide { a: stored_a, b: stored_b };
    Ok(Multiply { elements: PerSide { a, b }, stored, run, accumulator, unit })
}

/// What an atom of these elements sums in: what is `written` if it can, else its default.
pub(crate) fn sums(
    shape: Mma,
    elements: [Element; 2],
    written: Option<Accumulator>,
) -> Accumulator {
    let possible = accumulators(shape, elements);
    written.filter(|written| possible.contains(written)).unwrap_or(possible[0])
}

/// What this atom of these elements can sum in; the default first.
fn accumulators(shape: Mma, elements: [Element; 2]) -> Vec<Accumulator> {
    let [a, b] = multiplied_as(elements);
    let of_lane = || vec![fma::sums(a)];
    Atom::find(shape, a, b).map_or_else(of_lane, |atom| atom.accumulators.to_vec())
}

/// Proves that every target has the atom of a multiplication, and that it sums in what is `written`.
pub(crate) fn check_atom(
    shape: Mma,
    multiply: &Multiply,
    written: Option<Accumulator>,
    targets: &[Target],
) -> Result<(), Vec<Diagnostic>> {
    let elements @ [a, b] = Side::BOTH.map(|side| *multiply.elements.get(side));
    let on_targets = Atom::find(shape, a, b).map(|atom| on_targets(atom, elements, targets));
    let mut broken = on_targets.and_then(Result::err).unwrap_or_default();
    let possible = accumulators(shape, elements);
    if let Some(written) = written.filter(|written| !possible.contains(written)) {
        broken.push(no_accumulator(shape, &possible, written, elements));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Every target has the atom; otherwise the help names the deepest one that all of them have.
fn on_targets(
    atom: &Atom,
    elements: [Element; 2],
    targets: &[Target],
) -> Result<(), Vec<Diagnostic>> {
    let [a, b] = elements;
    let other = of(a, b).find(|atom| atom.on.lacking(targets) == 0);
    let otherwise = other.map(|other| format!(", or use `mma = {}`", other.shape.name()));
    let what = format!("{} of {}", atom.shape.name(), pair(elements));
    let otherwise = otherwise.unwrap_or_default();
    targets::require(Rule::AtomOnTarget, &what, atom.on, targets, &otherwise)
}

/// That an atom does not sum in this.
fn no_accumulator(
    atom: Mma,
    possible: &[Accumulator],
    accumulator: Accumulator,
    elements: [Element; 2],
) -> Diagnostic {
    let (shape, what) = (atom.name(), pair(elements));
    let why = match (atom, accumulator) {
        (Mma::Wgmma(_), Accumulator::F16) => wgmma::why_not_in_f16(elements[0]),
        _ => None,
    };
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    let possible = one_of(possible.iter().map(|accumulator| accumulator.name()));
    Diagnostic::new(
        Rule::AccumulatorOfAtom,
        Field::Accumulator,
        format!("{shape} of {what} has no {} accumulator{why}", accumulator.name()),
        format!("use acc = {possible}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(shape: Mma, elements: [Element; 2], targets: &[Target]) -> Vec<(Rule, Field)> {
        let sums = sums(shape, elements, None);
        let found = plan(shape, (None, Unit::TensorCore), sums, (elements, 8), [0, 1]);
        let checked = found.and_then(|of| check_atom(shape, &of, None, targets));
        let broken = checked.err().unwrap_or_default();
        broken.into_iter().map(|diagnostic| (diagnostic.rule, diagnostic.at)).collect()
    }

    #[test]
    fn elements_match_the_atom() {
        use Element::{Bf16, E4m3, F16, F32, I8, I32, U8};
        let sm80 = &[Target::Sm80];
        let at = |field| (Rule::ElementsMatchAtom, field);
        let operand = |number| at(Field::OperandElement(number));
        assert_eq!(broken(Mma::M16n8k16, [F16; 2], sm80), []);
        assert_eq!(broken(Mma::M16n8k16, [Bf16; 2], sm80), []);
        assert_eq!(broken(Mma::M16n8k16, [F16, Bf16], sm80), [operand(1)]);
        assert_eq!(broken(Mma::M16n8k16, [I32; 2], sm80), [operand(0), operand(1)]);
        assert_eq!(broken(Mma::M16n8k16, [F16, I32], sm80), [operand(1)]);
        assert_eq!(broken(Mma::M16n8k16, [F16, I8], sm80), []);
        assert_eq!(broken(Mma::M16n8k16, [U8, Bf16], sm80), []);
        assert_eq!(broken(Mma::M16n8k32, [I8, F16], sm80), [at(Field::Mma)]);
        assert_eq!(broken(Mma::M16n8k8, [F32, I8], sm80), [operand(1)]);
        assert_eq!(broken(Mma::M16n8k32, [I8, E4m3], sm80), [operand(0)]);
        assert_eq!(broken(Mma::M16n8k32, [U8, I8], sm80), []);
        assert_eq!(broken(Mma::M16n8k8, [U8, I8], sm80), [at(Field::Mma)]);
        assert_eq!(broken(Mma::M16n8k32, [F16; 2], sm80), [at(Field::Mma)]);
    }

    #[test]
    fn halves_are_summed_in_halves_and_nothing_else_is() {
        let summed = |shape, element, accumulator| {
            let written = Some(accumulator);
            let sums = sums(shape, [element; 2], written);
            let plan = plan(shape, (None, Unit::TensorCore), sums, ([element; 2], 8), [0, 1])
                .expect("it multiplies them");
            check_atom(shape, &plan, written, &[Target::Sm80])
                .map(|()| plan.fragment(AtomMatrix::C).registers())
                .map_err(|broken| (broken[0].rule, broken[0].at))
        };
        let refused = Err((Rule::AccumulatorOfAtom, Field::Accumulator));
        assert_eq!(summed(Mma::M16n8k16, Element::F16, Accumulator::F32), Ok(4));
        assert_eq!(summed(Mma::M16n8k16, Element::F16, Accumulator::F16), Ok(2));
        assert_eq!(summed(Mma::M16n8k8, Element::F16, Accumulator::F16), Ok(2));
        assert_eq!(summed(Mma::M16n8k16, Element::F16, Accumulator::I32), refused);
        assert_eq!(summed(Mma::M16n8k16, Element::Bf16, Accumulator::F16), refused);
        assert_eq!(summed(Mma::M16n8k32, Element::I8, Accumulator::F32), refused);
        assert_eq!(summed(Mma::M16n8k32, Element::I8, Accumulator::I32), Ok(4));
    }

    #[test]
    fn atoms_have_a_first_architecture() {
        let both = &[Target::Sm75, Target::Sm80];
        let old = [(Rule::AtomOnTarget, Field::Target(0))];
        assert_eq!(broken(Mma::M16n8k8, [Element::F16; 2], both), []);
        assert_eq!(broken(Mma::M16n8k8, [Element::Bf16; 2], both), old);
        assert_eq!(broken(Mma::M16n8k16, [Element::F16; 2], both), old);
        let doubles = [Target::Sm80, Target::Sm90];
        assert_eq!(broken(Mma::M8n8k4, [Element::F64; 2], &doubles), []);
        for deeper in [Mma::M16n8k4, Mma::M16n8k8, Mma::M16n8k16] {
            assert_eq!(broken(deeper, [Element::F64; 2], &doubles), old);
            assert_eq!(broken(deeper, [Element::F64; 2], &doubles[1..]), []);
        }
    }
}
