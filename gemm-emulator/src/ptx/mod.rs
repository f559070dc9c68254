//! Reading PTX text: tokens, then a syntax tree.

pub(crate) mod ast;
mod body;
mod cursor;
mod error;
mod lexer;
mod operand;
mod parser;
mod section;
mod types;
mod variables;

pub use error::ParseError;
pub(crate) use error::Problem;
pub(crate) use parser::parse;
pub use types::Space;
pub(crate) use types::Type;
