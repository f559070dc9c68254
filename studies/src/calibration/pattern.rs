//! One memory instruction of one warp, at addresses from a table.

use std::fmt;

use fastrand::Rng;
use gemm_codegen::{Axis, Target};
use gemm_runtime::{AsMatrix as _, AsMatrixMut as _, Device, Error, Kernel, LaunchShape, launch};
use gemm_tests::raw;

/// Lanes of a warp.
const LANES: usize = 32;
/// Bytes of the memory that is accessed.
const BYTES: usize = 16 << 10;
/// In the table: the lane takes no part.
const IDLE: f32 = -1.0;

/// The operation of a pattern at its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `ld.shared` of this many bytes.
    LoadShared(u32),
    /// `st.shared`.
    StoreShared(u32),
    /// `ldmatrix` of this many matrices.
    LoadMatrix(u32),
    /// `cp.async`: the pattern is that of the destinations in shared memory.
    CopyTo(u32),
    /// `cp.async`: the pattern is that of the sources in global memory.
    CopyFrom(u32),
    /// `ld.global`.
    LoadGlobal(u32),
    /// `st.global`.
    StoreGlobal(u32),
}

impl Operation {
    /// Every one that is compared.
    pub const ALL: [Operation; 21] = [
        Operation::LoadShared(2),
        Operation::LoadShared(4),
        Operation::LoadShared(8),
        Operation::LoadShared(16),
        Operation::StoreShared(2),
        Operation::StoreShared(4),
        Operation::StoreShared(8),
        Operation::StoreShared(16),
        Operation::LoadMatrix(1),
        Operation::LoadMatrix(2),
        Operation::LoadMatrix(4),
        Operation::CopyTo(4),
        Operation::CopyTo(8),
        Operation::CopyTo(16),
        Operation::CopyFrom(4),
        Operation::CopyFrom(8),
        Operation::CopyFrom(16),
        Operation::LoadGlobal(4),
        Operation::LoadGlobal(16),
        Operation::StoreGlobal(4),
        Operation::StoreGlobal(16),
    ];

    /// Bytes of one lane's access.
    pub fn bytes(self) -> u32 {
        match self {
            Operation::LoadMatrix(_) => 16,
            Operation::LoadShared(bytes)
            | Operation::StoreShared(bytes)
            | Operation::CopyTo(bytes)
            | Operation::CopyFrom(bytes)
            | Operation::LoadGlobal(bytes)
            | Operation::StoreGlobal(bytes) => bytes,
        }
    }

    /// The name of its kernel.
    pub fn entry(self) -> String {
        match self {
            Operation::LoadShared(bytes) => format!("load_shared_{bytes}"),
            Operation::StoreShared(bytes) => format!("store_shared_{bytes}"),
            Operation::LoadMatrix(count) => format!("ldmatrix_x{count}"),
            Operation::CopyTo(bytes) => format!("copy_to_{bytes}"),
            Operation::CopyFrom(bytes) => format!("copy_from_{bytes}"),
            Operation::LoadGlobal(bytes) => format!("load_global_{bytes}"),
            Operation::StoreGlobal(bytes) => format!("store_global_{bytes}"),
        }
    }

    /// The instruction, at `shared + offset`, `from + offset` or `to + offset`.
    fn statement(self) -> String {
        let (ty, class, count) = match self.bytes() {
            2 => ("u16", "h", 1),
            4 => ("u32", "r", 1),
            8 => ("v2.u32", "r", 2),
            _ => ("v4.u32", "r", 4),
        };
        let value =
            |at: usize| if class == "h" { "half".to_owned() } else { format!("word[{at}]") };
        let list = |first: usize| {
            let operands = (first..first + count).map(|at| format!("%{at}"));
            let operands = operands.collect::<Vec<_>>().join(", ");
            if count == 1 { operands } else { format!("{{{operands}}}") }
        };
        let outputs = (0..count).map(|at| format!("\"={class}\"({})", value(at)));
        let outputs = outputs.collect::<Vec<_>>().join(", ");
        let inputs = (0..count).map(|at| format!(", \"{class}\"({})", value(at)));
        let inputs = inputs.collect::<String>();
        match self {
            Operation::LoadShared(_) => format!(
                "asm volatile(\"ld.shared.{ty} {}, [%{count}];\" : {outputs} : \"r\"(shared + offset) : \"memory\");",
                list(0)
            ),
            Operation::StoreShared(_) => format!(
                "asm volatile(\"st.shared.{ty} [%0], {};\" :: \"r\"(shared + offset){inputs} : \"memory\");",
                list(1)
            ),
            Operation::LoadGlobal(_) => format!(
                "asm volatile(\"ld.global.{ty} {}, [%{count}];\" : {outputs} : \"l\"(from + offset) : \"memory\");",
                list(0)
            ),
            Operation::StoreGlobal(_) => format!(
                "asm volatile(\"st.global.{ty} [%0], {};\" :: \"l\"(to + offset){inputs} : \"memory\");",
                list(1)
            ),
            Operation::LoadMatrix(matrices) => load_matrix(matrices),
            Operation::CopyTo(bytes) => copy(bytes, "shared + offset", "from + 16 * lane"),
            Operation::CopyFrom(bytes) => copy(bytes, "shared + 16 * lane", "from + offset"),
        }
    }

    /// The launch facts and the text of its kernel: the table of offsets is its first operand, the
    /// memory it reads the second, the memory it writes the output.
    fn kernel(self) -> Kernel {
        let text = format!(
            "extern \"C\" __global__ void {entry}(\n    int, int, int, const float* table, long long,\n    \
             const char* from, long long, char* to, long long) {{\n    \
             __shared__ __align__(128) uint4 memory[{BYTES} / 16];\n    \
             const int lane = threadIdx.x, offset = int(table[lane]);\n    \
             const unsigned shared = unsigned(__cvta_generic_to_shared(memory));\n    \
             for (int at = lane; at < {BYTES} / 16; at += 32) memory[at] = make_uint4(0, 0, 0, 0);\n    \
             unsigned word[4] = {{}};\n    unsigned short half = 0;\n    __syncthreads();\n    \
             if (offset >= 0) {statement}\n    \
             asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n    __syncthreads();\n    \
             reinterpret_cast<unsigned*>(to)[{BYTES} / 4 + lane] = word[0] + word[1] + word[2] + word[3] + half;\n}}\n",
            entry = self.entry(),
            statement = self.statement(),
        );
        const TARGETS: &[Target] = &[Target::Sm80, Target::Sm90];
        let launch = LaunchShape::new([1, BYTES as u32, LANES as u32], LANES as u32, TARGETS);
        let matrices =
            [("table", Axis::M, Axis::K), ("from", Axis::M, Axis::N), ("to", Axis::M, Axis::N)];
        raw::kernel(self.entry(), text, launch, &matrices)
    }
}

fn load_matrix(matrices: u32) -> String {
    let registers = (0..matrices).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", ");
    let outputs = (0..matrices).map(|at| format!("\"=r\"(word[{at}])"));
    let outputs = outputs.collect::<Vec<_>>().join(", ");
    format!(
        "asm volatile(\"ldmatrix.sync.aligned.m8n8.x{matrices}.shared.b16 {{{registers}}}, [%{matrices}];\" : {outputs} : \"r\"(shared + offset) : \"memory\");"
    )
}

fn copy(bytes: u32, to: &str, from: &str) -> String {
    let cache = if bytes == 16 { "cg" } else { "ca" };
    format!(
        "asm volatile(\"cp.async.{cache}.shared.global [%0], [%1], {bytes};\" :: \"r\"({to}), \"l\"({from}) : \"memory\");"
    )
}

/// An operation with the offset of each lane.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The operation.
    pub operation: Operation,
    /// A description of the offsets.
    pub name: String,
    /// The offset of each lane in bytes; none: it takes no part.
    pub offsets: [Option<u32>; LANES],
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.operation.entry(), self.name)
    }
}

impl Pattern {
    /// Launches it and waits for it.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn launch(&self, device: &Device) -> Result<(), Error> {
        let table = self.offsets.map(|offset| offset.map_or(IDLE, |offset| offset as f32));
        let table = device.matrix(1, LANES, &table)?;
        // Behind the memory lies what every lane writes, so that nothing is optimised away.
        let columns = BYTES / 4 + LANES;
        let from = device.matrix(1, columns, &vec![0f32; columns])?;
        let mut to = device.matrix(1, columns, &vec![0f32; columns])?;
        let arguments = vec![table.argument(), from.argument(), to.view_mut().argument()];
        launch::into(device, &self.operation.kernel(), arguments)?;
        to.to_vec().map(drop)
    }
}

/// Every pattern of every operation.
pub fn all() -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for operation in Operation::ALL {
        let bytes = operation.bytes();
        let mut add = |name: String, offset: &dyn Fn(usize) -> Option<u32>| {
            let offsets = std::array::from_fn(offset);
            // No two copies may go to one place, and a pattern may wrap around.
            if !matches!(operation, Operation::CopyTo(_)) || are_distinct(&offsets) {
                patterns.push(Pattern { operation, name, offsets });
            }
        };
        for factor in [1, 2, 3, 4, 8, 9, 16] {
            let pitch = factor * bytes;
            add(format!("pitch {pitch} B"), &|lane| Some(lane as u32 * pitch % BYTES as u32));
        }
        add("all at one place".into(), &|_| Some(128));
        add("pairs at one place".into(), &|lane| Some(lane as u32 / 2 * bytes));
        let whole_warp = matches!(operation, Operation::LoadMatrix(_));
        let mut rng = Rng::with_seed(u64::from(bytes));
        for number in 0..6 {
            let places = (BYTES as u32 / bytes) >> rng.u32(0..5);
            let active = if whole_warp || number < 2 { u32::MAX } else { rng.u32(1..) };
            let random = if matches!(operation, Operation::CopyTo(_)) {
                rng.choose_multiple(0..places, LANES)
            } else {
                (0..LANES).map(|_| rng.u32(0..places)).collect()
            };
            add(format!("random {number}"), &|lane| {
                (active >> lane & 1 == 1).then_some(random[lane] * bytes)
            });
        }
        if !whole_warp {
            let partial =
                [("first 8 lanes", 0xff), ("every 4th lane", 0x1111_1111), ("last lane", 1 << 31)];
            for (name, active) in partial {
                add(name.into(), &|lane| {
                    (active >> lane & 1 == 1).then_some(lane as u32 * 128 % BYTES as u32)
                });
            }
        }
    }
    patterns
}

fn are_distinct(offsets: &[Option<u32>; LANES]) -> bool {
    let mut offsets: Vec<u32> = offsets.iter().flatten().copied().collect();
    offsets.sort_unstable();
    offsets.windows(2).all(|pair| pair[0] != pair[1])
}
