//! [`Shape`]: M, N and K of a problem.

use gemm_codegen::Axis;

/// The extents of a problem: `C(M×N) = A(M×K) · B(K×N)`, where A is the first argument of the function's first `matmul`
/// and B the second one, whatever letters its signature has. For `matmul(w, x)` with `w: Mat<f16, N, K>` this `m` is the
/// extent of the letter N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows of the product: the extent of the index that its first factor has alone.
    pub m: usize,
    /// Columns of the product: the extent of the index that its second factor has alone.
    pub n: usize,
    /// The contracted extent.
    pub k: usize,
}

impl From<Shape> for [usize; 3] {
    fn from(Shape { m, n, k }: Shape) -> [usize; 3] {
        [m, n, k]
    }
}

impl Shape {
    /// The extent along an axis. A shape is that of one product: what an added term sums over is its K, and the columns
    /// of any product in turn are its N.
    pub fn extent(&self, axis: Axis) -> usize {
        match axis {
            Axis::M => self.m,
            Axis::N | Axis::N1 | Axis::N2 | Axis::N3 => self.n,
            Axis::K | Axis::R => self.k,
        }
    }

    /// Whether the output has no elements: nothing is launched then.
    pub fn is_empty(&self) -> bool {
        self.m == 0 || self.n == 0
    }
}
