//! [`OutputForm`]: what an output is in memory.

/// What an output is in memory. A vector of each matrix of a batch over one index is the row of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// A [`DeviceVector`](crate::DeviceVector).
    Vector,
    /// A [`Matrix`](crate::Matrix).
    Matrix,
    /// A [`BatchedMatrix`](crate::BatchedMatrix).
    Batch,
}
