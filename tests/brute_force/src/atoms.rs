//! The MMA instructions, from the tables of the PTX ISA's chapter on `mma`.

use gemm_codegen::{Accumulator, Element, ScalarType};

use super::limits::Capability;

/// m, n, k of each instruction that multiplies these elements.
pub(super) fn shapes(elements: [Element; 2]) -> Vec<[u32; 3]> {
    use Element::{Bf16, E4m3, E5m2, F16, F32, F64, I8, U8};
    match elements {
        [F16, F16] | [Bf16, Bf16] => vec![[16, 8, 8], [16, 8, 16]],
        [F32, F32] => vec![[16, 8, 4], [16, 8, 8]],
        [F64, F64] => vec![[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]],
        [I8 | U8, I8 | U8] => vec![[16, 8, 16], [16, 8, 32]],
        [E4m3 | E5m2, E4m3 | E5m2] => vec![[16, 8, 32]],
        _ => Vec::new(),
    }
}

/// What the instructions that multiply these elements can sum in, the default first.
pub(super) fn accumulators(element: Element) -> Vec<Accumulator> {
    match element {
        Element::F16 => vec![Accumulator::F32, Accumulator::F16],
        Element::F64 => vec![Accumulator::F64],
        element if value(element) == ScalarType::I32 => vec![Accumulator::I32],
        _ => vec![Accumulator::F32],
    }
}

/// The architecture that the instruction of this shape came with.
pub(super) fn first_target(element: Element, shape: [u32; 3]) -> Capability {
    match (element, shape) {
        (Element::F16, [_, _, 8]) => (7, 5),
        (Element::F64, [16, _, _]) => (9, 0),
        (Element::E4m3 | Element::E5m2, _) => (8, 9),
        _ => (8, 0),
    }
}

/// The architecture that the conversion from an element came with, from the tables of the PTX ISA's
/// section on `cvt`; a bf16 is read by a shift.
pub(super) fn first_to_read(element: Element) -> Capability {
    if matches!(element, Element::E4m3 | Element::E5m2) { (8, 9) } else { (7, 5) }
}

/// The architecture that the conversion to an element came with.
pub(super) fn first_to_store(element: Element) -> Capability {
    if element == Element::Bf16 { (8, 0) } else { first_to_read(element) }
}

/// Bytes of an element.
pub(super) fn bytes(element: Element) -> u32 {
    match element {
        Element::I8 | Element::U8 | Element::E4m3 | Element::E5m2 => 1,
        Element::I4x2 | Element::U4x2 => 1,
        Element::F16 | Element::Bf16 => 2,
        Element::F32 | Element::I32 => 4,
        Element::F64 => 8,
        Element::I4x32 | Element::U4x32 | Element::I8x16 | Element::U8x16 => 16,
    }
}

/// The numbers of an element along K of each of its lines: two of 4 bits in a byte, of packed ones in the mean, else one.
pub(super) fn numbers(element: Element) -> u32 {
    match element {
        Element::I4x2 | Element::U4x2 | Element::I4x32 | Element::U4x32 => 2,
        _ => 1,
    }
}

/// The lines that an element has numbers of: those of an instruction's first factor where they are packed.
pub(super) fn lines(element: Element) -> u32 {
    if is_packed(element) { 16 } else { 1 }
}

/// Whether an element has numbers of several lines.
pub(super) fn is_packed(element: Element) -> bool {
    use Element::{I4x32, I8x16, U4x32, U8x16};
    matches!(element, I4x32 | U4x32 | I8x16 | U8x16)
}

/// Bytes of this many neighbours along K of a line; the last may lack the second number of a pair.
pub(super) fn bytes_along_k(element: Element, k: u32) -> u32 {
    k / numbers(element) * bytes(element) / lines(element)
}

/// What an element is inside a body; what is multiplied, what its product is.
pub(super) fn value(element: Element) -> ScalarType {
    match element {
        Element::I8 | Element::U8 | Element::I32 => ScalarType::I32,
        Element::I4x2 | Element::U4x2 => ScalarType::I32,
        Element::I4x32 | Element::U4x32 | Element::I8x16 | Element::U8x16 => ScalarType::I32,
        Element::F64 => ScalarType::F64,
        Element::F16 | Element::Bf16 | Element::F32 | Element::E4m3 | Element::E5m2 => {
            ScalarType::F32
        }
    }
}
