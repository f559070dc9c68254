//! What a body means: names, types and functions resolved, the CUDA text, the values on the host.

mod coordinate;
pub(crate) mod cuda;
pub(crate) mod device_function;
mod evaluate;
mod function;
pub(crate) mod guard;
mod instructions;
pub(crate) mod name;
mod parameters;
mod reduction;
mod resolve;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod tree;
pub(crate) mod typed;
mod unscale;

pub use crate::spec::{BinaryOp, Body, Node, NodeId, UnaryOp, UserFunction};
pub use coordinate::Coordinate;
pub use evaluate::{Inputs, Value, quotient, remainder};
pub use function::{function_table, is_of_language};
pub use reduction::Reduction;
pub(crate) use resolve::{Applied, Resolution, resolve, scaled};
pub use resolve::{Offset, check_functions, find_function};
pub(crate) use typed::Resolved;
