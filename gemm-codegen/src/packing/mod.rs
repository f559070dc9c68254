//! Factors whose integers lie as lanes multiply them.

mod order;

pub use order::{PackedOrder, PackedPlace};
