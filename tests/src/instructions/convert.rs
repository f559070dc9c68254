//! `cvt` between floats of all widths.

use fastrand::Rng;

use super::{Input, Instruction, Meaning, Register};

/// Any f32, as often near the limits of the smaller formats as elsewhere.
fn single(rng: &mut Rng) -> u64 {
    let bits = rng.u32(..);
    let near = |exponent: u32| (bits & 0x807f_ffff) | (exponent << 23);
    u64::from(match rng.u32(0..8) {
        0 => bits,
        1 => near(127 - rng.u32(0..30)),
        2 => near(127 + rng.u32(0..20)),
        // Half way between two values of f16, bf16, tf32 or fp8.
        3 => near(127 - rng.u32(0..18)) & !0xfff | 0x1000,
        4 => near(127) & !0xffff | 0x8000,
        5 => near(127) & !0xf_ffff | 0x8_0000,
        6 => near(127) & !0x1f_ffff | 0x10_0000,
        _ => near(rng.u32(0..256)),
    })
}

fn word(rng: &mut Rng) -> u64 {
    rng.u32(..).into()
}

/// The conversions of sm_90.
pub(super) fn all() -> Vec<Instruction> {
    const SINGLE: Input = Input { register: Register::Single, bits: single };
    const WORD: Input = Input { register: Register::Word, bits: word };
    const HALF: Input = Input { register: Register::Half, bits: word };
    let from_single: &[(&str, Register, &[Input])] = &[
        ("cvt.rn.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rz.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rm.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rp.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rn.sat.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rn.relu.f16.f32", Register::Half, &[SINGLE]),
        ("cvt.rn.bf16.f32", Register::Half, &[SINGLE]),
        ("cvt.rz.bf16.f32", Register::Half, &[SINGLE]),
        ("cvt.rn.relu.bf16.f32", Register::Half, &[SINGLE]),
        ("cvt.rna.tf32.f32", Register::Word, &[SINGLE]),
        ("cvt.rn.tf32.f32", Register::Word, &[SINGLE]),
        ("cvt.rz.relu.tf32.f32", Register::Word, &[SINGLE]),
        ("cvt.rn.f16x2.f32", Register::Word, &[SINGLE, SINGLE]),
        ("cvt.rz.relu.bf16x2.f32", Register::Word, &[SINGLE, SINGLE]),
        ("cvt.rn.satfinite.e4m3x2.f32", Register::Half, &[SINGLE, SINGLE]),
        ("cvt.rn.satfinite.relu.e5m2x2.f32", Register::Half, &[SINGLE, SINGLE]),
        ("cvt.rn.satfinite.e4m3x2.f16x2", Register::Half, &[WORD]),
        ("cvt.rn.satfinite.e5m2x2.f16x2", Register::Half, &[WORD]),
        ("cvt.rn.f16x2.e4m3x2", Register::Word, &[HALF]),
        ("cvt.rn.relu.f16x2.e5m2x2", Register::Word, &[HALF]),
        ("cvt.f32.f16", Register::Single, &[HALF]),
        ("cvt.f32.bf16", Register::Single, &[HALF]),
        ("cvt.rni.s32.f32", Register::Word, &[SINGLE]),
        ("cvt.rzi.u32.f32", Register::Word, &[SINGLE]),
        ("cvt.rpi.ftz.s32.f32", Register::Word, &[SINGLE]),
        ("cvt.rzi.sat.s8.f32", Register::Word, &[SINGLE]),
        ("cvt.rn.f32.s32", Register::Single, &[WORD]),
        ("cvt.rz.f32.u32", Register::Single, &[WORD]),
        ("cvt.rn.f16.s32", Register::Half, &[WORD]),
        ("cvt.rni.f32.f32", Register::Single, &[SINGLE]),
    ];
    let instructions = from_single.iter().map(|(opcode, output, inputs)| Instruction {
        opcode: (*opcode).to_owned(),
        operands: (0..=inputs.len()).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", "),
        outputs: vec![*output],
        inputs: inputs.to_vec(),
        // What becomes of a NaN's bits there is nobody's promise.
        meaning: if opcode.contains("rna.tf32") { Meaning::F32 } else { Meaning::Bits },
    });
    instructions.collect()
}
