//! Launches of kernels whose tiles a unit of the SM copies: it reads rows that begin at multiples of
//! 16 bytes alone, and the runtime refuses all others.

use fastrand::Rng;
use gemm_codegen::{CopyAtom, Plan, Side};
use gemm_runtime::{Error, Shape};

use super::draw::Drawn;
use crate::Failure;
use crate::data::Alignment;
use crate::judge::Verdict;

/// Whether such copies bring the tiles of a plan.
fn feed(plan: &Plan) -> bool {
    plan.global_to_shared(Side::A).atom == CopyAtom::Tma
}

/// How the operands of a launch of this number are aligned: those of the first so that it runs.
pub(super) fn alignment(rng: &mut Rng, plan: &Plan, number: usize) -> Alignment {
    if feed(plan) && number == 0 { Alignment::Bytes(16) } else { Alignment::random(rng) }
}

/// Whether a launch ended as it should.
///
/// # Errors
/// How it ended otherwise.
pub(super) fn judge(
    (drawn, plan): (&Drawn, &Plan),
    (shape, alignment): (Shape, Alignment),
    result: Result<Verdict, Failure>,
) -> Result<(), String> {
    let needs_lines = feed(plan) && shape.k > 0;
    // Those of the matrices as they are stored.
    let rows = Side::BOTH
        .into_iter()
        .zip([shape.m, shape.n])
        .map(|(side, mn)| if plan.contraction().k_contiguous(side) { mn } else { shape.k });
    let rows = rows.max().unwrap_or(0);
    match result {
        Err(Failure::Runtime(Error::TensorAlignment {
            operand,
            address,
            pitch_bytes,
            stride_bytes,
        })) => {
            let factors = Side::BOTH.map(|side| plan.contraction().operand(side));
            let of_factor = factors.map(|number| &*drawn.spec.operands[number].name);
            let is_off = (address | pitch_bytes | stride_bytes.unwrap_or(0)) % 16 != 0;
            let may_be = needs_lines && !alignment.is_at_least(16);
            match of_factor.contains(&&*operand) && is_off && may_be {
                true => Ok(()),
                false => Err(format!("refused {operand} at {address:#x}, {pitch_bytes} B a row")),
            }
        }
        Err(failure) => Err(failure.to_string()),
        // Rows that are no multiple of 16 bytes apart cannot all begin at one.
        Ok(_) if needs_lines && rows > 1 && is_below_lines(alignment) => {
            Err("not refused".to_owned())
        }
        Ok(_) => Ok(()),
    }
}

/// Whether every operand has rows that are no multiple of 16 bytes apart.
fn is_below_lines(alignment: Alignment) -> bool {
    matches!(alignment, Alignment::Bytes(bytes) if bytes < 16)
}
