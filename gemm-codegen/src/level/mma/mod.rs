//! Warp tile → MMA atoms.

mod atom;
mod fma;
mod fragment;
mod instruction;
mod register_tile;

use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::field::Field;
use crate::hardware::Target;
use crate::level::global_to_shared::CopyAtom;
use crate::rule::{Diagnostic, Rule, one_of};
use crate::text::Sections;

pub use atom::{ATOMS, Accumulator, Atom, Mma, multiplied};
pub(crate) use atom::{of, product};
pub(crate) use fma::{check, sums as sums_of_lane};
pub use fragment::{AtomMatrix, Fragment, Owner};
pub(crate) use fragment::{BAND, LANES_OF_LINE};
pub(crate) use register_tile::LANES;
pub use register_tile::RegisterTile;

/// The proof that an atom multiplies these elements on these targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiply {
    /// Its shape.
    pub atom: Mma,
    /// Element types of both sides.
    pub elements: PerSide<Element>,
    /// What it sums in.
    pub accumulator: Accumulator,
    /// How the lanes share an atom without tensor cores.
    pub tile: Option<RegisterTile>,
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
}

impl Factors {
    /// The device function `mma`, which multiplies the fragments of a k-step, and what it calls.
    pub(crate) fn write_step(self, text: &mut Sections) {
        let rounds = self == Factors::Tf32TiesAway;
        if rounds {
            text.add(include_str!("../../ptx/round_tf32.cuh"));
        }
        text.add_file(include_str!("mma.cuh"), &[("TF32", rounds)]);
    }
}

impl Multiply {
    /// The device function `mma_atom`, which multiplies the fragments of one atom.
    pub(crate) fn write_atom(&self, text: &mut Sections) {
        match self.tile {
            Some(_) => fma::write(text, self.elements.a),
            None => text.add(instruction::cuda(self)),
        }
    }

    /// How both factors are rounded whose tiles are copied by this atom. Tensor cores would drop the
    /// bits of an f32 that tf32 lacks.
    pub(crate) fn factors(&self, copy: CopyAtom) -> Factors {
        match (self.elements.a, self.tile, copy) {
            (Element::F32, None, CopyAtom::Tma) => Factors::Tf32TiesEven,
            (Element::F32, None, _) => Factors::Tf32TiesAway,
            _ => Factors::Exact,
        }
    }

    /// The side whose fragments are loaded first. A serpentine outer product starts with one factor of
    /// A and all of B. Where the output runs along M, ptxas then lacks a register at 128 a thread.
    pub(crate) fn first(&self) -> Side {
        match (self.elements.b, self.tile) {
            (Element::F32, Some(tile)) if tile.n_contiguous => Side::B,
            _ => Side::A,
        }
    }

    /// m, n, k of a k-step of one atom.
    pub fn shape(&self) -> [u32; 3] {
        self.tile.map_or(self.atom.shape(), |tile| tile.shape())
    }

    /// Whether there is such an atom, so that its matrices have maps.
    pub(crate) fn is_known(&self) -> bool {
        let sums = |atom: &Atom| atom.accumulators.contains(&self.accumulator);
        self.tile.is_some()
            || Atom::find(self.atom, self.elements.a, self.elements.b).is_some_and(sums)
    }

    /// The ownership map of one of its matrices.
    pub fn fragment(&self, matrix: AtomMatrix) -> Fragment {
        let bits = match matrix {
            AtomMatrix::A => 8 * self.elements.a.bytes(),
            AtomMatrix::B => 8 * self.elements.b.bytes(),
            AtomMatrix::C => self.accumulator.bits(),
        };
        match self.tile {
            Some(tile) => tile.fragment(matrix, bits),
            None => Fragment::new(self.atom.shape(), matrix, bits)
                .expect("the atoms of the table fit the rule"),
        }
    }
}

/// Proves it. `operands` are the operand numbers of A and B; `tile` is what `fma(m, n)` asks for.
pub(crate) fn plan(
    shape: Mma,
    tile: Option<RegisterTile>,
    accumulator: Option<Accumulator>,
    elements: [Element; 2],
    operands: [usize; 2],
    targets: &[Target],
) -> Result<Multiply, Vec<Diagnostic>> {
    if let Some(tile) = tile {
        return fma::plan(shape, tile, accumulator, elements, operands);
    }
    let [a, b] = elements;
    let Some(atom) = of(a, b).find(|atom| atom.shape == shape) else {
        return Err(no_atom(shape, elements, operands));
    };
    let mut broken = too_old(atom, elements, targets);
    let accumulator = accumulator.unwrap_or(atom.accumulators[0]);
    if !atom.accumulators.contains(&accumulator) {
        broken.push(no_accumulator(shape, atom.accumulators, accumulator, elements));
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let elements = PerSide { a, b };
    Ok(Multiply { atom: shape, elements, accumulator, tile: None })
}

/// That some targets lack an atom.
fn too_old(atom: &Atom, elements: [Element; 2], targets: &[Target]) -> Vec<Diagnostic> {
    let [a, b] = elements;
    let (shape, what, oldest) = (atom.shape.name(), pair(elements), atom.oldest);
    let mut help = format!("name only targets from {oldest} on");
    if let Some(older) = of(a, b).find(|atom| targets.iter().all(|target| *target >= atom.oldest)) {
        help += &format!(", or use `mma = {}`", older.shape.name());
    }
    let lacking = targets.iter().enumerate().filter(|(_, target)| **target < oldest);
    lacking
        .map(|(number, target)| {
            Diagnostic::new(
                Rule::AtomOnTarget,
                Field::Target(number),
                format!("{shape} of {what} requires {oldest}, but {target} is a target"),
                help.clone(),
            )
        })
        .collect()
}

/// That an atom does not sum in this.
fn no_accumulator(
    atom: Mma,
    possible: &[Accumulator],
    accumulator: Accumulator,
    elements: [Element; 2],
) -> Diagnostic {
    let (shape, what) = (atom.name(), pair(elements));
    let possible = one_of(possible.iter().map(|accumulator| accumulator.name()));
    Diagnostic::new(
        Rule::AccumulatorOfAtom,
        Field::Accumulator,
        format!("{shape} of {what} has no {} accumulator", accumulator.name()),
        format!("use acc = {possible}"),
    )
}

/// `f16`, or `i8 and u8`.
fn pair([a, b]: [Element; 2]) -> String {
    if a == b { a.to_string() } else { format!("{a} and {b}") }
}

/// Why no atom of this shape multiplies these elements.
fn no_atom(shape: Mma, elements: [Element; 2], operands: [usize; 2]) -> Vec<Diagnostic> {
    let [a, b] = elements;
    let others: Vec<_> = of(a, b).map(|atom| atom.shape.name()).collect();
    if !others.is_empty() {
        return vec![Diagnostic::new(
            Rule::ElementsMatchAtom,
            Field::Mma,
            format!("{} does not multiply {}", shape.name(), pair(elements)),
            format!("use {} for {}", one_of(others.iter().map(|name| &**name)), pair(elements)),
        )];
    }
    let nothing = |element: Element| of(element, element).next().is_none();
    let all = || one_of(multiplied().map(Element::name));
    let broken: Vec<Diagnostic> = elements
        .into_iter()
        .zip(operands)
        .filter(|(element, _)| nothing(*element))
        .map(|(element, operand)| {
            Diagnostic::new(
                Rule::ElementsMatchAtom,
                Field::OperandElement(operand),
                format!("no MMA atom multiplies {element}"),
                format!("store the operand as {}", all()),
            )
        })
        .collect();
    if !broken.is_empty() {
        return broken;
    }
    vec![Diagnostic::new(
        Rule::ElementsMatchAtom,
        Field::OperandElement(operands[1]),
        format!("no MMA atom multiplies {a} by {b}"),
        format!("make both {a} or both {b}"),
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(shape: Mma, elements: [Element; 2], targets: &[Target]) -> Vec<(Rule, Field)> {
        plan(shape, None, None, elements, [0, 1], targets).map_or_else(
            |broken| {
                broken.into_iter().map(|diagnostic| (diagnostic.rule, diagnostic.at)).collect()
            },
            |_| Vec::new(),
        )
    }

    #[test]
    fn elements_match_the_atom() {
        use Element::{Bf16, F16, I8, I32, U8};
        let sm80 = &[Target::Sm80];
        let at = |field| (Rule::ElementsMatchAtom, field);
        let operand = |number| at(Field::OperandElement(number));
        assert_eq!(broken(Mma::M16n8k16, [F16; 2], sm80), []);
        assert_eq!(broken(Mma::M16n8k16, [Bf16; 2], sm80), []);
        assert_eq!(broken(Mma::M16n8k16, [F16, Bf16], sm80), [operand(1)]);
        assert_eq!(broken(Mma::M16n8k16, [I32; 2], sm80), [operand(0), operand(1)]);
        assert_eq!(broken(Mma::M16n8k16, [F16, I32], sm80), [operand(1)]);
        assert_eq!(broken(Mma::M16n8k32, [U8, I8], sm80), []);
        assert_eq!(broken(Mma::M16n8k8, [U8, I8], sm80), [at(Field::Mma)]);
        assert_eq!(broken(Mma::M16n8k32, [F16; 2], sm80), [at(Field::Mma)]);
    }

    #[test]
    fn halves_are_summed_in_halves_and_nothing_else_is() {
        let sums = |shape, element, accumulator| {
            let plan = plan(shape, None, Some(accumulator), [element; 2], [0, 1], &[Target::Sm80]);
            plan.map(|plan| plan.fragment(AtomMatrix::C).registers())
                .map_err(|broken| (broken[0].rule, broken[0].at))
        };
        let refused = Err((Rule::AccumulatorOfAtom, Field::Accumulator));
        assert_eq!(sums(Mma::M16n8k16, Element::F16, Accumulator::F32), Ok(4));
        assert_eq!(sums(Mma::M16n8k16, Element::F16, Accumulator::F16), Ok(2));
        assert_eq!(sums(Mma::M16n8k8, Element::F16, Accumulator::F16), Ok(2));
        assert_eq!(sums(Mma::M16n8k16, Element::F16, Accumulator::I32), refused);
        assert_eq!(sums(Mma::M16n8k16, Element::Bf16, Accumulator::F16), refused);
        assert_eq!(sums(Mma::M16n8k32, Element::I8, Accumulator::F32), refused);
        assert_eq!(sums(Mma::M16n8k32, Element::I8, Accumulator::I32), Ok(4));
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
