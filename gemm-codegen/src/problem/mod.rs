//! [`Problem`]: what is computed. It is resolved once from a spec and does not know the schedule.

mod added;
mod axes;
pub(crate) mod batch;
mod factor;
mod kind;
mod known;
mod outputs;
mod pairs;
mod planes;
mod product;
mod side_by_side;
mod store;
#[cfg(test)]
mod tests;

use crate::axis::{Axis, Side};
use crate::body::Resolved;

pub use added::Added;
pub(crate) use axes::Axes;
pub use batch::Batching;
pub use factor::{Factor, Scale, ScaleOffset};
pub use kind::ParameterKind;
pub(crate) use known::Known;
pub use outputs::MAX_OUTPUTS;
pub(crate) use store::Reduces;
pub use store::Store;

/// What a kernel computes: factors and the sum of their products over K, what the body makes of the
/// sums, and where its values are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub(crate) axes: Axes,
    pub(crate) body: Resolved,
    /// The indices of the batch, the outermost first; empty if single matrices are multiplied.
    pub(crate) batch: Vec<String>,
}

impl Problem {
    /// The index names that play M, N and K.
    pub fn indices(&self) -> &[String; 3] {
        &self.axes.indices
    }

    /// What the operands are, in order of declaration.
    pub fn operands(&self) -> &[ParameterKind] {
        &self.axes.operands
    }

    /// The first or the second argument of the first `matmul`.
    pub fn factor(&self, side: Side) -> &Factor {
        self.axes.factor(side)
    }

    /// The factors whose tiles lie next to each other on a side: the one that all products share on A, and
    /// on B the other one of each.
    pub fn factors(&self, side: Side) -> &[Factor] {
        self.axes.factors(side)
    }

    /// How many products are computed, each the sum of a `matmul`.
    pub fn products(&self) -> u32 {
        self.axes.products()
    }

    /// The term that is added to the first product, if there is one.
    pub fn added(&self) -> Option<&Added> {
        self.axes.added.as_ref()
    }

    /// What is stored, in the order of the outputs. All matrices have one order.
    pub fn stores(&self) -> &[Store] {
        &self.axes.stores
    }

    /// The axes of the rows and the columns of what is stored.
    pub fn order(&self) -> [Axis; 2] {
        self.axes.order()
    }

    /// Whether N is the contiguous dimension of what is stored; else M is.
    pub fn n_contiguous(&self) -> bool {
        self.axes.n_contiguous()
    }

    /// What the operands, then the outputs are.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = ParameterKind> + '_ {
        self.operands().iter().copied().chain(self.stores().iter().map(Store::kind))
    }
}
