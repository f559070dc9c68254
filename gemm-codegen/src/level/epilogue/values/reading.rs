//! [`Reading`]: when the body reads its operands, and how it tells what lies outside of the output.

/// When and how what the body reads is told from what lies outside of the output, which reads as zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Where the body is applied, by the number of elements of a run that are `valid`, one at least: a
    /// run is read in words.
    Each,
    /// Before: several runs at a time.
    Together,
    /// Where the body is applied, by `rows` and `cols`: each element is compared.
    Bounded,
    /// The same; matrices lie in epilogue tiles, to which threads bring them where no copy does.
    Fetched,
}

impl Reading {
    /// The parameters of `apply` after the sums.
    pub(super) fn parameters(self) -> &'static str {
        match self {
            Reading::Each => "int row, int col, int valid",
            Reading::Together => "const Read<COUNT>& read",
            Reading::Bounded => "int row, int col, int rows, int cols",
            Reading::Fetched => "const Staged* at, int row, int col, int rows, int cols",
        }
    }

    /// What the comment of `apply` says of them.
    pub(super) fn said(self) -> &'static str {
        match self {
            Reading::Each => {
                "`row` from `col` on, whose\n    // accumulators are `sums`; the first `valid` lie inside the output."
            }
            Reading::Together => "a row, whose\n    // accumulators are `sums`.",
            Reading::Bounded => {
                "`row` from `col` on, whose\n    // accumulators are `sums`; what lies outside of the output reads as zero."
            }
            Reading::Fetched => {
                "`row` from `col` on, whose\n    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of\n    // matrices are in epilogue tiles, those of the first one from `at` on."
            }
        }
    }
}
