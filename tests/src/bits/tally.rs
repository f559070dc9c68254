//! What a run has compared, for its last line.

use std::collections::BTreeMap;
use std::fmt;

use gemm_check::record::Equal;

/// How one kernel was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Every bit is equal.
    Equal,
    /// By bounds, for this reason.
    Bounds(String),
    /// Some bits differ.
    Differs,
}

/// Kernels and elements that were compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    equal: usize,
    differ: usize,
    bounds: BTreeMap<String, usize>,
    elements: Equal,
}

impl Tally {
    /// Adds a kernel.
    pub fn add(&mut self, judged: Judged) {
        match judged {
            Judged::Equal => self.equal += 1,
            Judged::Bounds(reason) => *self.bounds.entry(reason).or_default() += 1,
            Judged::Differs => self.differ += 1,
        }
    }

    /// Adds an output.
    pub fn add_elements(&mut self, equal: Equal) {
        self.elements.elements += equal.elements;
        self.elements.payloads += equal.payloads;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { equal, differ, bounds, elements } = self;
        let judged: usize = bounds.values().sum();
        write!(f, "bits: {} kernels: {equal} equal in every bit", equal + differ + judged)?;
        write!(
            f,
            " ({} elements, {} NaN with another payload",
            elements.elements, elements.payloads
        )?;
        write!(f, "), {judged} judged by bounds")?;
        for (number, (reason, count)) in bounds.iter().enumerate() {
            write!(f, "{} {count} because of {reason}", if number == 0 { ":" } else { "," })?;
        }
        write!(f, "; {differ} differ")
    }
}

pub(crate) mod tests {
    use super::*;

    self_tests!(the_last_line_counts_each_kernel_once);

    fn the_last_line_counts_each_kernel_once() {
        let mut tally = Tally::default();
        tally.add(Judged::Equal);
        tally.add(Judged::Bounds("ex2.approx".to_owned()));
        tally.add(Judged::Differs);
        tally.add_elements(Equal { elements: 6, payloads: 1 });
        assert_eq!(
            tally.to_string(),
            "bits: 3 kernels: 1 equal in every bit (6 elements, 1 NaN with another payload), 1 judged by \
             bounds: 1 because of ex2.approx; 1 differ"
        );
    }
}
