//! What a suite is called and compared with.

use super::Suite;

impl Suite {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Suite::Squares(_) => "squares",
            Suite::Llm { .. } => "llm",
            Suite::Invariant { .. } => "invariant",
            Suite::Skinny(_) => "skinny",
            Suite::Int8(_) => "int8",
            Suite::F32 { .. } => "f32",
            Suite::F64 { .. } => "f64",
            Suite::Splits { .. } => "splits",
            Suite::Small => "small",
            Suite::Odd => "odd",
            Suite::F16x3 { .. } => "f16x3",
            Suite::Tf32 { .. } => "tf32",
            Suite::Compare => "compare",
            Suite::Choice { .. } => "choice",
            Suite::Epilogue { .. } => "epilogue",
            Suite::Swiglu { .. } => "swiglu",
            Suite::Qkv { .. } => "qkv",
            Suite::Quant(_) => "quant",
            Suite::Norm { .. } => "norm",
            Suite::Lora { .. } => "lora",
            Suite::Ladder(_) => "ladder",
            Suite::Steps { .. } => "steps",
            Suite::Roofs => "roofs",
            Suite::Launch => "launch",
            Suite::Jit | Suite::JitOnce { .. } => "jit",
        }
    }

    /// The peer that ours are compared with.
    pub(crate) fn peer(&self) -> &'static str {
        match self {
            Suite::Jit | Suite::JitOnce { .. } => "NVRTC",
            Suite::Choice { .. } => "the fastest",
            Suite::Norm { .. } | Suite::Lora { .. } => "plain",
            _ => "cuBLASLt",
        }
    }

    /// Whether it prints its own output, and has no lines.
    pub(crate) fn speaks_for_itself(&self) -> bool {
        match self {
            Suite::JitOnce { .. } => true,
            Suite::Quant(which) => which.lists(),
            _ => false,
        }
    }
}
