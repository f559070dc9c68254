//! The main loop: a ring of stages in shared memory.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};

/// The proof that a ring has a stage to fill while another is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Tiles of A and B in shared memory.
    pub stages: u32,
}

/// Proves it.
pub(crate) fn plan(stages: u32) -> Result<Ring, Vec<Diagnostic>> {
    if stages < 2 {
        return Err(vec![Diagnostic::new(
            Rule::PipelineDepth,
            Field::Stages,
            "1 stage would be filled while it is read; a ring of cp.async tiles needs 2",
            "2 stages overlap one copy, 3 or 4 hide the latency of global memory",
        )]);
    }
    Ok(Ring { stages })
}

/// The device function `mainloop`.
pub(crate) fn cuda() -> &'static str {
    include_str!("multistage.cuh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_stages_are_the_least() {
        assert_eq!(plan(1).unwrap_err()[0].rule, Rule::PipelineDepth);
        assert_eq!(plan(2), Ok(Ring { stages: 2 }));
    }
}
