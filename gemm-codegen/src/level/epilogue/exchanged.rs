//! Sums that are staged with neighbours swapped.
//!
//! An `FFMA` reads three registers, at most two of them from the same of the two register banks, even
//! and odd, in a clock. The factors of B are loaded in vectors along N, into consecutive registers. The
//! sums of a run are stored as such a vector, so they are in consecutive registers too: a sum and its
//! factor of B share a bank, and so do half of the factors of A. The compiler chooses registers but not
//! the order within a vector; swapping neighbours puts each sum into the other bank than its factor of
//! B. The thread that loads the staged sums swaps them back.

use crate::element::Element;
use crate::level::mma::{Multiply, Unit};

/// Whether the sums of a product are staged so: those of f32, of which B's factors are loaded in
/// vectors along N, to rows along N.
pub(super) fn applies(multiply: &Multiply, n_contiguous: bool) -> bool {
    let Unit::Fma(tile) = multiply.unit else { return false };
    let in_vectors = !tile.k_contiguous.b && tile.runs()[1] > 1;
    in_vectors && n_contiguous && multiply.elements.b == Element::F32
}
