//! Limits of the decoder.
//!
//! Calls are expanded and each kernel gets its own copy of what it uses, so a program can be longer than its text. Each
//! limit is far above what compiled kernels need.

use crate::ptx::ast::Body;

/// The most instructions of all kernels of a text, once their device functions are expanded.
const MAX_INSTRUCTIONS: usize = 1 << 20;
/// The most text in bytes that is decoded, that of a device function counted once for each call. A register that a
/// function declares counts as a byte, because each call has its own.
const MAX_TEXT: usize = 1 << 25;
/// The most lines of source of a kernel, those of each chain of inlined calls counted apart.
pub(super) const MAX_FRAMES: usize = 1 << 16;
/// The deepest chain of calls; also what stops recursion.
pub(super) const MAX_CALL_DEPTH: usize = 32;
/// The most slots of one class of a kernel. A warp has 128 B for each word and 256 B for each long.
pub(super) const MAX_SLOTS: usize = 1 << 16;
/// The most local memory of a thread that a device has, in bytes. (CUDA C++ Programming Guide, "Technical
/// specifications per compute capability")
pub(super) const MAX_LOCAL_BYTES: u64 = 512 << 10;
/// The most bytes of parameters of a kernel that a device takes. (PTX ISA, "Kernel function parameters")
pub(super) const MAX_PARAMETER_BYTES: u64 = 32 << 10;
/// The most bytes of a kernel's variables in global and constant memory, which are allocated at each launch.
pub(super) const MAX_MODULE_BYTES: u64 = 1 << 26;
/// The most variables of a kernel in global, constant and shared memory.
pub(super) const MAX_VARIABLES: usize = 1 << 12;

/// The use of the limits that hold for all kernels of a text together.
#[derive(Default)]
pub(super) struct Spent {
    instructions: usize,
    text: usize,
}

impl Spent {
    /// One more instruction; false if that is one too many.
    pub(super) fn instruction(&mut self) -> bool {
        self.instructions += 1;
        self.instructions <= MAX_INSTRUCTIONS
    }

    /// One more expansion of a function; false if that is one too many.
    pub(super) fn body(&mut self, body: &Body) -> bool {
        self.text += body.bytes + body.registers.len();
        self.text <= MAX_TEXT
    }
}
