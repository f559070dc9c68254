//! What is summed over K.

use super::factor::FactorId;
use crate::axis::PerSide;

/// A sum of terms: the value of a `matmul`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) terms: Vec<Term>,
}

/// The factors whose elements are multiplied by each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term(pub(super) PerSide<FactorId>);
