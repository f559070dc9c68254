//! A kernel, edits of it, and a launch.

use arbitrary::Arbitrary;
use gemm_emulator::{Fault, Launch, Memory, Operand, Statistics, Swizzle, TensorMap};

use super::check;
use super::edit::{Edit, Lines};
use super::kernels::{self, Argument, BUFFER_BYTES, BUFFERS, Kernel};
use super::words::{INTEGERS, pick};

/// Edits beyond these are left out.
const MAX_EDITS: usize = 64;

/// A kernel, edits of it, and a launch.
#[derive(Arbitrary, Clone, Debug)]
pub struct Case {
    pub kernel: u8,
    pub shape: Shape,
    pub edits: Vec<Edit>,
}

/// How it is launched.
#[derive(Arbitrary, Clone, Debug)]
pub struct Shape {
    pub grid: u8,
    /// 0: as many threads as the kernel is written for.
    pub block: u8,
    pub shared: Option<u16>,
    pub instructions: u16,
    pub races_ignored: bool,
    pub profile: bool,
    /// The part of each buffer that may be accessed: rows, bytes of a row and distance of two rows in units of 16, and
    /// whether it may be stored to.
    pub operands: Option<[(u8, u8, u8, bool); BUFFERS as usize]>,
    /// Parameters that get another value.
    pub arguments: Vec<(u8, u8)>,
}

const GRIDS: [[u32; 3]; 5] = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 3], [0, 1, 1]];
const BLOCKS: [[u32; 3]; 9] = [
    [32, 1, 1],
    [64, 1, 1],
    [1, 1, 1],
    [31, 1, 1],
    [33, 1, 1],
    [8, 4, 2],
    [16, 2, 3],
    [256, 1, 1],
    [1024, 1, 1],
];

impl Case {
    /// The kernel, and its text after those edits that leave something to launch: one that makes the text malformed
    /// would hide what the others do. That it is refused in the right way is checked.
    pub fn text(&self) -> (&'static Kernel, String) {
        let kernels = kernels::all();
        let kernel = &kernels[usize::from(self.kernel) % kernels.len()];
        let mut lines: Lines = kernel.text.lines().map(str::to_owned).collect();
        for edit in self.edits.iter().take(MAX_EDITS) {
            let mut edited = lines.clone();
            edit.apply(&mut edited);
            if check::parse(&edited.join("\n")).is_ok() {
                lines = edited;
            }
        }
        (kernel, lines.join("\n"))
    }

    /// Launches it; panics if what comes out is neither a result nor a fault as it should be.
    pub fn run(&self) -> Result<Statistics, Fault> {
        let (kernel, text) = self.text();
        let memory = Memory::with_limit(1 << 20);
        let buffers = std::array::from_fn(|number| buffer(&memory, number));
        let mut arguments = self.arguments(kernel, &buffers);
        let shape = &self.shape;
        let operands = shape.operands.map(|operands| operands_of(&buffers, &operands));
        let launch = Launch {
            operands: operands.as_deref(),
            profile: shape.profile,
            shared_bytes: shape.shared.map_or(kernel.shared_bytes, u32::from),
            instruction_limit: 1 + u64::from(shape.instructions),
            find_races: !shape.races_ignored,
            ..Launch::new(kernel.entry, pick(&GRIDS, shape.grid), self.block(kernel))
        };
        check::launch(&text, &memory, &launch, &mut arguments)
    }

    /// Whether no two blocks run at the same time.
    pub fn is_of_one_block(&self) -> bool {
        pick(&GRIDS, self.shape.grid).iter().product::<u32>() <= 1
    }

    fn block(&self, kernel: &Kernel) -> [u32; 3] {
        match self.shape.block.checked_sub(1) {
            Some(block) => pick(&BLOCKS, block),
            None => [kernel.threads, 1, 1],
        }
    }

    fn arguments(&self, kernel: &Kernel, buffers: &[u64; BUFFERS as usize]) -> Vec<Vec<u8>> {
        let bytes = |argument: &Argument| match argument {
            Argument::Word(value) => value.to_le_bytes().to_vec(),
            Argument::Long(value) => value.to_le_bytes().to_vec(),
            Argument::Buffer(number) => {
                buffers[usize::from(number % BUFFERS)].to_le_bytes().to_vec()
            }
            Argument::Structure(bytes) => (0..*bytes as u8).collect(),
            Argument::Map(number) => map(buffers[usize::from(number % BUFFERS)]),
        };
        let mut out: Vec<Vec<u8>> = kernel.arguments.iter().map(bytes).collect();
        for (index, value) in self.shape.arguments.iter().take(out.len()) {
            let index = usize::from(*index) % out.len();
            let size = out[index].len();
            out[index] = pick(INTEGERS, *value).to_le_bytes().to_vec();
            out[index].resize(size, 0);
        }
        out
    }
}

fn map(address: u64) -> Vec<u8> {
    let map = TensorMap {
        address,
        element_bytes: 2,
        dims: vec![32, 16],
        strides: vec![64],
        box_dims: vec![16, 8],
        swizzle: Swizzle::Bytes32,
        rounds_to_tf32: false,
    };
    map.encode().expect("the map is legal").to_vec()
}

fn operands_of(buffers: &[u64], rows: &[(u8, u8, u8, bool)]) -> Vec<Operand> {
    let operand = |(address, (rows, row, pitch, writable)): (&u64, &(u8, u8, u8, bool))| Operand {
        name: format!("operand at {address:#x}"),
        address: *address,
        rows: u64::from(*rows),
        row_bytes: 16 * u64::from(*row),
        pitch_bytes: 16 * u64::from(*pitch),
        writable: *writable,
        early: false,
    };
    buffers.iter().zip(rows).map(operand).collect()
}

/// An allocation of small positive integers, which are also f16 and f32.
fn buffer(memory: &Memory, number: usize) -> u64 {
    let address = memory.allocate(BUFFER_BYTES).expect("three buffers fit");
    let words = (0..BUFFER_BYTES / 4).map(|word| (word + number as u64) as u32 % 97 + 1);
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    memory.write(address, &bytes).expect("the bytes are as many");
    address
}
