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
    /// An element of a vector for all elements of the product with one index.
    Reduced {
        /// Type of its elements.
        element: Element,
        /// M or N: the index that is left.
        along: Axis,
    },
}

/// Along which lines of the output, as its order has them, values are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduces {
    Nothing,
    /// Rows alone.
    Rows,
    /// Columns, and rows or not.
    Columns,
}

impl Store {
    /// The parameter through which it is stored.
    pub fn kind(&self) -> ParameterKind {
        match *self {
            Store::Matrix { element, rows, columns } => {
                ParameterKind::Matrix { element, rows, columns }
            }
            Store::Reduced { element, along } => ParameterKind::Vector { element, length: along },
        }
    }

    /// Type of its elements.
    pub fn element(&self) -> Element {
        match *self {
            Store::Matrix { element, .. } | Store::Reduced { element, .. } => element,
        }
    }

    /// The index along which there is an element for what is reduced, if it is.
    pub fn reduced_along(&self) -> Option<Axis> {
        match *self {
            Store::Matrix { .. } => None,
            Store::Reduced { along, .. } => Some(along),
        }
    }
}
