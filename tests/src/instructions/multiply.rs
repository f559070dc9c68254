//! `mma.sync` in every shape and type.

use fastrand::Rng;
use half::{bf16, f16};

use super::{Input, Instruction, Meaning, Register};

/// A type of elements with its width.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) bits: usize,
    /// The random bits of a register.
    register: fn(&mut Rng) -> u64,
}

fn uniform(rng: &mut Rng) -> f32 {
    rng.f32() * 2.0 - 1.0
}

const F16: Type = Type {
    name: "f16",
    bits: 16,
    register: |rng| {
        let halves = [(); 2].map(|()| u64::from(f16::from_f32(uniform(rng)).to_bits()));
        halves[0] | halves[1] << 16
    },
};
const BF16: Type = Type {
    name: "bf16",
    bits: 16,
    register: |rng| {
        let halves = [(); 2].map(|()| u64::from(bf16::from_f32(uniform(rng)).to_bits()));
        halves[0] | halves[1] << 16
    },
};
/// Any f32: the hardware ignores the bits that tf32 does not have.
const TF32: Type = Type { name: "tf32", bits: 32, register: |rng| uniform(rng).to_bits().into() };
const F32: Type = Type { name: "f32", bits: 32, register: |rng| uniform(rng).to_bits().into() };
/// Below 2 in magnitude, so that f16 sums do not overflow.
const E4M3: Type = Type { name: "e4m3", bits: 8, register: |rng| rng.u64(..) & 0xbfbf_bfbf };
const E5M2: Type = Type { name: "e5m2", bits: 8, register: |rng| rng.u64(..) & 0xbfbf_bfbf };
const S8: Type = Type { name: "s8", bits: 8, register: |rng| rng.u32(..).into() };
const U8: Type = Type { name: "u8", bits: 8, register: |rng| rng.u32(..).into() };
const S4: Type = Type { name: "s4", bits: 4, register: |rng| rng.u32(..).into() };
const U4: Type = Type { name: "u4", bits: 4, register: |rng| rng.u32(..).into() };
/// Now and then near the largest, so that sums saturate.
const S32: Type = Type { name: "s32", bits: 32, register: |rng| rng.u32(..).into() };
const F64: Type = Type { name: "f64", bits: 64, register: |rng| (rng.f64() * 2.0 - 1.0).to_bits() };

/// A shape with its types.
pub(crate) struct Form {
    /// m, n, k.
    pub(crate) shape: [usize; 3],
    /// D, A, B, C.
    pub(crate) types: [Type; 4],
    /// `.satfinite`, or nothing.
    clamp: &'static str,
}

/// Every form that is compared, as an instruction.
pub(super) fn all() -> Vec<Instruction> {
    forms().iter().map(Form::instruction).collect()
}

/// Every form that sm_90 has and the emulator runs.
pub(crate) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |shape, types, clamp| forms.push(Form { shape, types, clamp });
    for k in [8, 16] {
        add([16, 8, k], [F32, F16, F16, F32], "");
        add([16, 8, k], [F16, F16, F16, F16], "");
        add([16, 8, k], [F32, BF16, BF16, F32], "");
    }
    for k in [4, 8] {
        add([16, 8, k], [F32, TF32, TF32, F32], "");
    }
    for (a, b) in [(E4M3, E4M3), (E4M3, E5M2), (E5M2, E4M3), (E5M2, E5M2)] {
        add([16, 8, 32], [F32, a, b, F32], "");
    }
    for (a, b) in [(S8, S8), (S8, U8), (U8, S8), (U8, U8)] {
        for shape in [[8, 8, 16], [16, 8, 16], [16, 8, 32]] {
            add(shape, [S32, a, b, S32], "");
            add(shape, [S32, a, b, S32], ".satfinite");
        }
    }
    for (a, b) in [(S4, S4), (S4, U4), (U4, S4), (U4, U4)] {
        for shape in [[8, 8, 32], [16, 8, 32], [16, 8, 64]] {
            add(shape, [S32, a, b, S32], "");
        }
    }
    let double = [[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]];
    double.iter().for_each(|shape| add(*shape, [F64; 4], ""));
    forms
}

/// Registers of a lane for `elements` elements of the warp.
fn registers(elements: usize, ty: Type) -> Vec<Input> {
    let (register, bits) = match ty.name {
        "f64" => (Register::Double, 64),
        "f32" => (Register::Single, 32),
        _ => (Register::Word, 32),
    };
    vec![Input { register, bits: ty.register }; elements / 32 * ty.bits / bits]
}

impl Form {
    /// The instruction that multiplies in this self.
    pub(crate) fn instruction(&self) -> Instruction {
        let [m, n, k] = self.shape;
        let [d, a, b, c] = self.types;
        let outputs = registers(m * n, d);
        let inputs = [registers(m * k, a), registers(k * n, b), registers(m * n, c)];
        let mut next = 0;
        let mut list = |count: usize| {
            let names =
                (next..next + count).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", ");
            next += count;
            format!("{{{names}}}")
        };
        let lists =
            [outputs.len(), inputs[0].len(), inputs[1].len(), inputs[2].len()].map(&mut list);
        Instruction {
            opcode: format!(
                "mma.sync.aligned.m{m}n{n}k{k}.row.col{}.{}.{}.{}.{}",
                self.clamp, d.name, a.name, b.name, c.name
            ),
            operands: lists.join(", "),
            outputs: outputs.iter().map(|output| output.register).collect(),
            inputs: inputs.concat(),
            meaning: match d.name {
                "f64" => Meaning::F64,
                "f32" => Meaning::F32,
                "f16" => Meaning::F16,
                _ => Meaning::Bits,
            },
        }
    }
}
