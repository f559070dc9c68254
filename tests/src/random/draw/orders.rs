//! [`Orders`]: how the matrices of a spec lie in memory.

/// In which order the matrices of a spec are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Whether K is contiguous in A; else M is.
    pub a_k_contiguous: bool,
    /// Whether K is contiguous in B; else N is.
    pub b_k_contiguous: bool,
    /// Whether N is contiguous in the output; else M is.
    pub n_contiguous: bool,
}

impl Orders {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// The orders in turn: `COUNT` numbers that follow each other have all of them.
    pub fn number(number: usize) -> Orders {
        let bit = |at: usize| number >> at & 1 == 0;
        Orders { a_k_contiguous: bit(0), b_k_contiguous: bit(1), n_contiguous: bit(2) }
    }
}
