//! Warp tile → MMA atoms.

mod fragment;

use crate::element::Element;
use crate::field::Field;
use crate::hardware::Target;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Side;

pub use fragment::{AtomMatrix, Fragment, Owner};

/// An MMA atom: the instruction a warp multiplies with. Named by its shape, m n k.
///
/// PTX ISA, "Matrix Fragments for mma.m16n8k8" and "… mma.m16n8k16".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mma {
    /// `mma.sync.aligned.m16n8k8` of f16 or bf16 with f32 accumulation.
    M16n8k8,
    /// `mma.sync.aligned.m16n8k16` of f16 or bf16 with f32 accumulation.
    M16n8k16,
}

impl Mma {
    /// Every atom.
    pub const ALL: [Mma; 2] = [Mma::M16n8k8, Mma::M16n8k16];

    /// Element types that it multiplies.
    pub const ELEMENTS: [Element; 2] = [Element::F16, Element::Bf16];

    /// Bytes of each of them.
    pub(crate) const ELEMENT_BYTES: u32 = 2;

    /// The name in `mma = ..`.
    pub const fn name(self) -> &'static str {
        match self {
            Mma::M16n8k8 => "m16n8k8",
            Mma::M16n8k16 => "m16n8k16",
        }
    }

    /// m, n, k of one instruction.
    pub const fn shape(self) -> [u32; 3] {
        match self {
            Mma::M16n8k8 => [16, 8, 8],
            Mma::M16n8k16 => [16, 8, 16],
        }
    }

    /// The oldest architecture that has it (PTX ISA, "mma", target notes; bf16 came with sm_80,
    /// and so did m16n8k16; f16 m16n8k8 with sm_75).
    pub fn oldest_target(self, element: Element) -> Target {
        match (self, element) {
            (Mma::M16n8k8, Element::F16) => Target::Sm75,
            _ => Target::Sm80,
        }
    }

    /// 32-bit registers of one lane for its part of a side of one atom.
    pub const fn registers(self, side: Side) -> u32 {
        let k_halves = self.shape()[2] / 8;
        match side {
            Side::A => 2 * k_halves,
            Side::B => k_halves,
        }
    }

    /// The wrapper of the instruction, one `.cuh` file for each element type.
    pub(crate) fn cuda(self, element: Element) -> &'static str {
        match (self, element) {
            (Mma::M16n8k8, Element::Bf16) => include_str!("../../ptx/mma_m16n8k8_bf16.cuh"),
            (Mma::M16n8k8, _) => include_str!("../../ptx/mma_m16n8k8_f16.cuh"),
            (Mma::M16n8k16, Element::Bf16) => include_str!("../../ptx/mma_m16n8k16_bf16.cuh"),
            (Mma::M16n8k16, _) => include_str!("../../ptx/mma_m16n8k16_f16.cuh"),
        }
    }
}

/// The proof that an atom multiplies these elements on these targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiply {
    /// The atom.
    pub atom: Mma,
    /// Element type of both sides.
    pub element: Element,
}

/// Proves it. `operands` are the operand numbers of A and B.
pub(crate) fn plan(
    atom: Mma,
    elements: [Element; 2],
    operands: [usize; 2],
    targets: &[Target],
) -> Result<Multiply, Vec<Diagnostic>> {
    let mut broken = Vec::new();
    for (element, operand) in elements.into_iter().zip(operands) {
        if !Mma::ELEMENTS.contains(&element) {
            broken.push(Diagnostic::new(
                Rule::ElementsMatchAtom,
                Field::OperandElement(operand),
                format!("{} multiplies f16 or bf16, this operand is {element}", atom.name()),
                "store the operand as f16 or bf16; sums are f32 either way",
            ));
        }
    }
    if broken.is_empty() && elements[0] != elements[1] {
        broken.push(Diagnostic::new(
            Rule::ElementsMatchAtom,
            Field::OperandElement(operands[1]),
            format!(
                "{} multiplies two operands of one type, these are {} and {}",
                atom.name(),
                elements[0],
                elements[1]
            ),
            format!("make both {} or both {}", elements[0], elements[1]),
        ));
    }
    let oldest = atom.oldest_target(elements[0]);
    for (number, target) in targets.iter().enumerate() {
        if broken.is_empty() && *target < oldest {
            broken.push(Diagnostic::new(
                Rule::AtomOnTarget,
                Field::Target(number),
                format!(
                    "{} of {} came with {oldest}, {target} does not have it",
                    atom.name(),
                    elements[0]
                ),
                format!("name targets from {oldest} on"),
            ));
        }
    }
    if broken.is_empty() { Ok(Multiply { atom, element: elements[0] }) } else { Err(broken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(atom: Mma, elements: [Element; 2], targets: &[Target]) -> Vec<Rule> {
        plan(atom, elements, [0, 1], targets).map_or_else(
            |broken| broken.into_iter().map(|diagnostic| diagnostic.rule).collect(),
            |_| Vec::new(),
        )
    }

    #[test]
    fn elements_match_the_atom() {
        let sm80 = &[Target::Sm80];
        assert_eq!(rules(Mma::M16n8k16, [Element::F16; 2], sm80), []);
        assert_eq!(rules(Mma::M16n8k16, [Element::Bf16; 2], sm80), []);
        let mixed = [Element::F16, Element::Bf16];
        assert_eq!(rules(Mma::M16n8k16, mixed, sm80), [Rule::ElementsMatchAtom]);
        assert_eq!(rules(Mma::M16n8k16, [Element::F32; 2], sm80), [Rule::ElementsMatchAtom; 2]);
    }

    #[test]
    fn atoms_have_a_first_architecture() {
        let both = &[Target::Sm75, Target::Sm80];
        assert_eq!(rules(Mma::M16n8k8, [Element::F16; 2], both), []);
        assert_eq!(rules(Mma::M16n8k8, [Element::Bf16; 2], both), [Rule::AtomOnTarget]);
        assert_eq!(rules(Mma::M16n8k16, [Element::F16; 2], both), [Rule::AtomOnTarget]);
    }
}
