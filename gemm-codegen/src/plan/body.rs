//! The body of a plan: what it reads, and its values on the host.

use super::Plan;
use crate::body::{Inputs, Value};

impl Plan {
    /// The operands whose elements the body reads, by their numbers in the spec.
    pub fn values(&self) -> &[usize] {
        &self.problem().body.values
    }

    /// All operands that [`evaluate`](Plan::evaluate) reads: those of [`values`](Plan::values), then the scalars that
    /// only the scale of an added term has.
    pub fn inputs(&self) -> Vec<usize> {
        let body = &self.problem().body;
        let only_of_scale = body.scalars_of_added(self.spec());
        let only_of_scale = only_of_scale.filter(|number| !body.values.contains(number));
        body.values.iter().copied().chain(only_of_scale).collect()
    }

    /// Whether the body reads the old element of the output.
    pub fn reads_output(&self) -> bool {
        self.problem.body.old.is_some()
    }

    /// The value of the body for each output, in the type that the body gives it.
    ///
    /// Integers wrap, and division by zero gives 0, as on the device.
    pub fn evaluate(&self, inputs: &impl Inputs) -> Vec<Value> {
        self.problem().evaluate(inputs)
    }

    /// Whether Rust may panic where a kernel computes a value of the body: an `i32` may overflow or be divided
    /// by zero, bounds of `clamp` may be in the wrong order.
    pub fn may_panic(&self) -> bool {
        self.problem.body.may_panic()
    }
}
