//! What a kernel stores.

use super::kind::ParameterKind;
use crate::axis::Axis;
use crate::element::Element;

/// Where a value of the body is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// An element of a matrix for each element of the product.
    Matrix {
        /// Type of its elements.
        element: Element,
        /// How many rows it has.
        rows: Axis,
        /// How many columns it has; contiguous.
        columns: Axis,
    },
}

impl Store {
    /// The parameter through which it is stored.
    pub fn kind(&self) -> ParameterKind {
        let Store::Matrix { element, rows, columns } = *self;
        ParameterKind::Matrix { element, rows, columns }
    }

    /// Type of its elements.
    pub fn element(&self) -> Element {
        let Store::Matrix { element, .. } = *self;
        element
    }
}
