//! [`Problem`]: what is computed. It is resolved once from a spec and does not know the schedule.

mod added;
mod alone;
mod axes;
pub(crate) mod batch;
mod factor;
mod in_turn;
mod kind;
mod known;
mod operand;
mod outputs;
mod pairs;
mod planes;
mod product;
mod segments;
#[cfg(test)]
mod segments_tests;
mod side_by_side;
mod store;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::axis::{Axis, Side, index_name};
use crate::body::{Inputs, Reduction, Resolved, Value};
use crate::element::ScalarType;

pub use added::Added;
pub(crate) use axes::Axes;
pub use batch::Batching;
pub(crate) use factor::Read;
pub use factor::{Factor, Scale, ScaleOffset};
pub use kind::ParameterKind;
pub(crate) use known::Known;
pub use outputs::MAX_OUTPUTS;
pub use segments::Segment;
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

    /// What the signature calls each axis.
    pub fn index_names(&self) -> Vec<(Axis, Cow<'static, str>)> {
        let named = |(axis, name): (Axis, &String)| (axis, Cow::Owned(name.clone()));
        let of_term = self.added().map(|added| (added.along, &added.index));
        let in_turn = self.axes.columns.iter().copied().zip(&self.axes.column_names);
        let mut all: Vec<_> = Axis::ALL.into_iter().zip(self.indices()).map(named).collect();
        for (axis, name) in of_term.into_iter().chain(in_turn) {
            if index_name(&all, axis).is_none() {
                all.push(named((axis, name)));
            }
        }
        all
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

    /// The axis of the columns of each product, by output, where products with different columns are computed in turn;
    /// else empty.
    pub fn columns_in_turn(&self) -> &[Axis] {
        &self.axes.columns
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

    /// The operands whose elements the body reads, by their numbers.
    pub fn values(&self) -> &[usize] {
        &self.body.values
    }

    /// The value of the body for each output, in the type that the body gives it.
    ///
    /// Integers wrap, and division by zero gives 0, as on the device.
    pub fn evaluate(&self, inputs: &impl Inputs) -> Vec<Value> {
        self.body.evaluate(inputs)
    }

    /// The types of the body's values, from which the elements of each output are made.
    pub fn results(&self) -> impl Iterator<Item = ScalarType> {
        self.body.results.iter().map(|value| value.ty)
    }

    /// How each output is reduced, if it is.
    pub fn reductions(&self) -> &[Option<Reduction>] {
        &self.body.reductions
    }

    /// What the operands, then the outputs are.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = ParameterKind> + '_ {
        self.operands().iter().copied().chain(self.stores().iter().map(Store::kind))
    }
}
