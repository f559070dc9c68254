//! [`Measurement`]: one entry of a tuning record.

use crate::shape::Shape;
use crate::tuning::Bucket;

/// The fastest schedule of a bucket of shapes, as it was measured: see [`Tuning`](crate::Tuning).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement {
    /// The model of the device, its architecture and its multiprocessors.
    pub device: String,
    /// Name of the function.
    pub function: String,
    /// The hash of its kernels, [`Kernels::fingerprint`](crate::launch::Kernels::fingerprint).
    pub kernels: String,
    /// M, N and K, the largest of the bucket.
    pub shape: [u64; 3],
    /// The same of the number of matrices.
    pub batch: u64,
    /// The id of the schedule.
    pub fastest: String,
    /// Of a launch of the first shape of the bucket that was launched.
    pub microseconds: f64,
}

impl Measurement {
    /// Whether it is of the bucket of this shape.
    pub fn covers(&self, shape: Shape, batch: usize) -> bool {
        let Shape { m, n, k } = shape;
        Bucket::of([m, n, k], batch).largest() == (self.shape, self.batch)
    }
}
