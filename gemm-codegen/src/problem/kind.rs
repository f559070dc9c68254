//! [`ParameterKind`]: what an operand or an output is, whatever the schedule.

use crate::axis::Axis;
use crate::element::{Element, ScalarType};

/// What a kernel parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Pointer and leading dimension of a matrix stored row by row.
    Matrix {
        /// Type of its elements.
        element: Element,
        /// How many rows it has.
        rows: Axis,
        /// How many columns it has; contiguous.
        columns: Axis,
    },
    /// Pointer and leading dimension of a matrix with an element for each tile of a factor.
    Tiled {
        /// Type of its elements.
        element: Element,
        /// Along what the rows of the factor run.
        rows: Axis,
        /// Along what its columns do; contiguous.
        columns: Axis,
        /// Rows and columns of a tile.
        extents: [u32; 2],
    },
    /// Pointer to a contiguous vector.
    Vector {
        /// Type of its elements.
        element: Element,
        /// How many elements it has.
        length: Axis,
    },
    /// Pointer to one element, whose value is the same for the whole output.
    DeviceScalar(Element),
    /// A value.
    Scalar(ScalarType),
}

impl ParameterKind {
    /// The type of its value inside a body.
    pub fn value(&self) -> ScalarType {
        match self {
            ParameterKind::Matrix { element, .. }
            | ParameterKind::Tiled { element, .. }
            | ParameterKind::Vector { element, .. }
            | ParameterKind::DeviceScalar(element) => element.value(),
            ParameterKind::Scalar(ty) => *ty,
        }
    }

    /// The type of its elements; a scalar that is passed by value has none.
    pub fn element(&self) -> Option<Element> {
        match self {
            ParameterKind::Matrix { element, .. }
            | ParameterKind::Tiled { element, .. }
            | ParameterKind::Vector { element, .. }
            | ParameterKind::DeviceScalar(element) => Some(*element),
            ParameterKind::Scalar(_) => None,
        }
    }

    /// Whether it is an operand of `matmul`: only those run along what is summed over.
    pub fn is_multiplied(&self) -> bool {
        self.summed_over().is_some()
    }

    /// Whether it is an operand of `matmul`, or a factor's scale or offset.
    pub fn is_of_factor(&self) -> bool {
        self.is_multiplied() || matches!(self, ParameterKind::Tiled { .. })
    }

    /// The axis along which it is summed over, if it is an operand of `matmul`.
    pub fn summed_over(&self) -> Option<Axis> {
        let ParameterKind::Matrix { rows, columns, .. } = self else { return None };
        [*rows, *columns].into_iter().find(|axis| matches!(axis, Axis::K | Axis::R))
    }
}
