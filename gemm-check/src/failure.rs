//! [`Failure`]: why an output is wrong.

use gemm_runtime::Error;

/// Why an output is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The launch or a copy failed.
    #[error(transparent)]
    Runtime(#[from] Error),
    /// An element outside the output was written.
    #[error("the guard of the output was written at row {row}, column {column}")]
    Guard {
        /// Row relative to the output: -1 is above it.
        row: i64,
        /// Column relative to the output: below 0 is left of it.
        column: i64,
    },
    /// An element was left as it was.
    #[error("row {row}, column {column} was not written")]
    NotWritten {
        /// Row in the output.
        row: usize,
        /// Column in the output.
        column: usize,
    },
    /// An element is too far off.
    #[error("row {row}, column {column} is {got}, expected {expected} (may differ by {limit:.1e})")]
    Element {
        /// Row in the output.
        row: usize,
        /// Column in the output.
        column: usize,
        /// What was written.
        got: f64,
        /// What the reference has.
        expected: f64,
        /// By how much it may differ.
        limit: f64,
    },
    /// Every element passes, their norm does not.
    #[error("the relative error is {relative_error:.2e}, it may be {limit:.2e}")]
    Norm {
        /// `‖y − r‖ / ‖r‖`.
        relative_error: f64,
        /// What it may be.
        limit: f64,
    },
}
