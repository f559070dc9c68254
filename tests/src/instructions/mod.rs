//! Single instructions on a GPU and on the emulator: are the results the same?
//!
//! Operands are raw words, so that every bit of a register is compared.

pub(crate) mod convert;
pub(crate) mod multiply;

use fastrand::Rng;
use gemm_codegen::{Axis, Target};
use gemm_runtime::{AsMatrix as _, AsMatrixMut as _, Device, Error, Kernel, LaunchShape, launch};

use crate::raw;

/// Lanes of a warp.
const LANES: usize = 32;

/// The class of an operand's registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    /// 16 bits, in the lower half of a word.
    Half,
    /// 32 bits.
    Word,
    /// f32.
    Single,
    /// f64, in two words.
    Double,
}

impl Register {
    fn words(self) -> usize {
        if self == Register::Double { 2 } else { 1 }
    }

    fn constraint(self) -> &'static str {
        match self {
            Register::Half => "h",
            Register::Word => "r",
            Register::Single => "f",
            Register::Double => "d",
        }
    }

    /// The type in CUDA C++.
    fn ty(self) -> &'static str {
        match self {
            Register::Half => "unsigned short",
            Register::Word => "unsigned",
            Register::Single => "float",
            Register::Double => "double",
        }
    }

    /// The words of the result with this number, in CUDA C++.
    fn stored(self, number: usize) -> Vec<String> {
        match self {
            Register::Half | Register::Word => vec![format!("d{number}")],
            Register::Single => vec![format!("__float_as_uint(d{number})")],
            Register::Double => {
                vec![format!("__double2loint(d{number})"), format!("__double2hiint(d{number})")]
            }
        }
    }

    /// The register's value from words, in CUDA C++.
    fn in_cuda(self, at: usize) -> String {
        match self {
            Register::Half => format!("(unsigned short)in[{at}]"),
            Register::Word => format!("in[{at}]"),
            Register::Single => format!("__uint_as_float(in[{at}])"),
            Register::Double => format!("__hiloint2double(in[{}], in[{at}])", at + 1),
        }
    }
}

/// What an output's words stand for when two results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Bits, which must be equal.
    Bits,
    /// Two f16 in a word.
    F16,
    /// An f32.
    F32,
    /// An f64 in two words.
    F64,
}

/// An instruction with registers as operands.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The operands in PTX, with `%0` for the first output register and so on.
    operands: String,
    outputs: Vec<Register>,
    inputs: Vec<Input>,
    /// How outputs are compared.
    pub meaning: Meaning,
}

/// An input register and what it may hold.
#[derive(Clone, Copy, Debug)]
struct Input {
    register: Register,
    bits: fn(&mut Rng) -> u64,
}

/// Every instruction that is compared.
pub fn all() -> Vec<Instruction> {
    [multiply::all(), convert::all()].concat()
}

impl Instruction {
    /// Words of a lane's inputs and outputs.
    fn words(&self) -> [usize; 2] {
        let inputs = self.inputs.iter().map(|input| input.register.words()).sum();
        [inputs, self.outputs.iter().map(|register| register.words()).sum()]
    }

    /// Words of the outputs of all lanes for each repetition, from random inputs of this seed.
    ///
    /// # Errors
    /// What the device says.
    pub fn run(&self, device: &Device, repetitions: usize, seed: u64) -> Result<Vec<u32>, Error> {
        let mut rng = Rng::with_seed(seed);
        let lanes = (0..repetitions * LANES).flat_map(|_| &self.inputs);
        let inputs = lanes.flat_map(|input| {
            let bits = (input.bits)(&mut rng);
            [bits as u32, (bits >> 32) as u32].into_iter().take(input.register.words())
        });
        self.run_on(device, repetitions, &inputs.collect::<Vec<u32>>())
    }

    /// The same from inputs of the caller's: the words of all lanes for each repetition.
    ///
    /// # Errors
    /// What the device says.
    pub(crate) fn run_on(
        &self,
        device: &Device,
        repetitions: usize,
        inputs: &[u32],
    ) -> Result<Vec<u32>, Error> {
        let [given, got] = self.words();
        let inputs: Vec<f32> = inputs.iter().copied().map(f32::from_bits).collect();
        let from = device.matrix(repetitions, LANES * given, &inputs)?;
        let mut to =
            device.matrix(repetitions, LANES * got, &vec![0f32; repetitions * LANES * got])?;
        let arguments = vec![from.argument(), to.view_mut().argument()];
        launch::into(device, &self.kernel(), arguments)?;
        Ok(to.to_vec()?.into_iter().map(f32::to_bits).collect())
    }

    /// A kernel whose blocks each run the instruction on one row of words.
    fn kernel(&self) -> Kernel {
        let entry = format!("instruction_{}", self.opcode.replace(['.', ':'], "_"));
        let text = self.text(&entry);
        let launch = LaunchShape::new([1, 1 << 20, 1 << 20], LANES as u32, &[Target::Sm90]);
        let matrices = [("from", Axis::M, Axis::K), ("to", Axis::M, Axis::N)];
        raw::kernel(entry, text, launch, &matrices)
    }

    fn text(&self, entry: &str) -> String {
        let [given, got] = self.words();
        let mut declared = String::new();
        let mut stored = String::new();
        let mut at = 0;
        for (number, register) in self.outputs.iter().enumerate() {
            declared += &format!("    {} d{number};\n", register.ty());
            for word in register.stored(number) {
                stored += &format!("    out[{at}] = {word};\n");
                at += 1;
            }
        }
        let outputs = self.outputs.iter().enumerate();
        let outputs = outputs.map(|(number, r)| format!("\"={}\"(d{number})", r.constraint()));
        let mut at = 0;
        let inputs = self.inputs.iter().map(|Input { register, .. }| {
            let value = register.in_cuda(at);
            at += register.words();
            format!("\"{}\"({value})", register.constraint())
        });
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        let outputs = outputs.collect::<Vec<_>>().join(", ");
        format!(
            "extern \"C\" __global__ void {entry}(\n    int, int, int, const unsigned* from, long long \
             ld_from, unsigned* to, long long ld_to) {{\n    const unsigned* in = from + blockIdx.x * ld_from \
             + threadIdx.x * {given};\n    unsigned* out = to + blockIdx.x * ld_to + threadIdx.x * {got};\n\
             {declared}    asm volatile(\"{opcode} {operands};\" : {outputs} : {inputs} : \"memory\");\n\
             {stored}}}\n",
            opcode = self.opcode,
            operands = self.operands,
        )
    }
}
