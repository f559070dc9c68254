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

/// Any f64, as often near the limits of f32, f16 and the integers as elsewhere.
fn double(rng: &mut Rng) -> u64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = rng.u64(..);
    let near = |exponent: u64| bits & (1 << 63 | FRACTION) | exponent << 52;
    // Half way between two values of a format with this number of fraction bits.
    let half_way = |bits: u64, fraction: u32| {
        bits >> (52 - fraction) << (52 - fraction) | 1 << (51 - fraction)
    };
    match rng.u32(0..8) {
        0 => bits,
        1 => near(1023 - rng.u64(0..30)),
        2 => near(1023 + rng.u64(0..34)),
        3 => half_way(near(1023 - rng.u64(0..18)), 23),
        4 => half_way(near(1023), 10),
        // What f32 has below its normal numbers, and what rounds to its largest number or beyond.
        5 => near(1023 - 126 - rng.u64(0..26)),
        6 => near(1023 + 127) | FRACTION >> 29 << 29,
        _ => near(rng.u64(0..2048)),
    }
}

fn word(rng: &mut Rng) -> u64 {
    rng.u32(..).into()
}

const SINGLE: Input = Input { register: Register::Single, bits: single };
const DOUBLE: Input = Input { register: Register::Double, bits: double };
const WORD: Input = Input { register: Register::Word, bits: word };
const HALF: Input = Input { register: Register::Half, bits: word };

/// The conversions of sm_90, with their results and inputs.
const CONVERSIONS: [(&str, Register, &[Input]); 47] = [
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
    ("cvt.rn.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rz.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rm.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rp.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rn.ftz.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rn.sat.f32.f64", Register::Single, &[DOUBLE]),
    ("cvt.rn.f16.f64", Register::Half, &[DOUBLE]),
    ("cvt.rni.s32.f64", Register::Word, &[DOUBLE]),
    ("cvt.rzi.u32.f64", Register::Word, &[DOUBLE]),
    ("cvt.rmi.s32.f64", Register::Word, &[DOUBLE]),
    ("cvt.rpi.sat.s8.f64", Register::Word, &[DOUBLE]),
    ("cvt.rni.f64.f64", Register::Double, &[DOUBLE]),
    ("cvt.rzi.f64.f64", Register::Double, &[DOUBLE]),
    ("cvt.f64.f32", Register::Double, &[SINGLE]),
    ("cvt.f64.f16", Register::Double, &[HALF]),
    ("cvt.rn.f64.s32", Register::Double, &[WORD]),
    ("cvt.rz.f64.u32", Register::Double, &[WORD]),
];

/// The conversions of sm_90.
pub(super) fn all() -> Vec<Instruction> {
    let instructions = CONVERSIONS.iter().map(|(opcode, output, inputs)| Instruction {
        opcode: (*opcode).to_owned(),
        operands: (0..=inputs.len()).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", "),
        outputs: vec![*output],
        inputs: inputs.to_vec(),
        // What becomes of a NaN's bits there is nobody's promise.
        meaning: match output {
            Register::Double => Meaning::F64,
            _ if opcode.contains("rna.tf32") => Meaning::F32,
            _ => Meaning::Bits,
        },
    });
    instructions.collect()
}

pub(crate) mod tests {
    use gemm_codegen::Target;
    use gemm_runtime::{Device, EmulatorOptions};

    use super::*;

    self_tests!(doubles_are_converted_as_rust_does, the_emulator_has_every_conversion);

    /// What the emulator makes of random inputs, each a pair of words.
    fn results(opcode: &str) -> Vec<(f64, f64)> {
        let instruction = all().into_iter().find(|instruction| instruction.opcode == opcode);
        let instruction = instruction.expect("it is compared");
        let mut rng = Rng::with_seed(7);
        let inputs: Vec<u64> = (0..32 * 64).map(|_| double(&mut rng)).collect();
        let words: Vec<u32> = inputs.iter().flat_map(|x| [*x as u32, (x >> 32) as u32]).collect();
        let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
        let results = instruction.run_on(&device, 64, &words).expect("a launch");
        let results: Vec<f64> = match instruction.outputs[0] {
            Register::Single => results.iter().map(|x| f64::from(f32::from_bits(*x))).collect(),
            _ => results.iter().map(|x| f64::from(*x as i32)).collect(),
        };
        inputs.into_iter().map(f64::from_bits).zip(results).collect()
    }

    fn doubles_are_converted_as_rust_does() {
        for (x, got) in results("cvt.rn.f32.f64") {
            let expected = f64::from(x as f32);
            assert!(got == expected || (got.is_nan() && x.is_nan()), "{got} for {x}");
        }
        for (x, got) in results("cvt.rmi.s32.f64") {
            assert_eq!(got, f64::from(x.floor() as i32), "{x}");
        }
    }

    fn the_emulator_has_every_conversion() {
        let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
        for instruction in all() {
            let results = instruction.run(&device, 1, 1);
            results.unwrap_or_else(|error| panic!("{}: {error}", instruction.opcode));
        }
    }
}
