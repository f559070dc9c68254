//! Swizzles of tiles that have no rows to swizzle.

use fastrand::Rng;
use gemm_codegen::{Element, OperandKind, PerSide, Schedule, Spec, Swizzle};

use super::super::schedule::EIGHT_BY_EIGHT;

/// Makes a product of floats one of f32 by lanes, with swizzles: those that lie along K are transposed.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec) {
    for operand in &mut spec.operands {
        if let OperandKind::Matrix { element, .. } = &mut operand.kind
            && !element.is_integer()
            && *element != Element::F64
        {
            *element = Element::F32;
        }
    }
    let mut any = || Some(Swizzle { b: rng.u8(0..4), m: 2, s: rng.u8(3..6) });
    let swizzle = PerSide { a: any(), b: any() };
    let targets = spec.schedule.targets.take();
    spec.schedule = Schedule { mma: Some(EIGHT_BY_EIGHT), swizzle, targets, ..Schedule::default() };
}
