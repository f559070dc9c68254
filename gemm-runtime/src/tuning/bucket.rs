//! [`Bucket`]: shapes for which one schedule is the fastest, more or less.

use std::fmt;

/// A shape whose extents are rounded up, so that similar shapes share one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bucket {
    pub(super) m: u64,
    pub(super) n: u64,
    pub(super) k: u64,
    pub(super) batch: u64,
}

/// Significant bits of M and of the number of matrices: steps of a half or a third. These vary from
/// launch to launch: tokens, sequences.
const COARSE: u32 = 2;

/// Significant bits of N and K: steps of an eighth at most. Most are features of a model, which differ
/// by more; in some products one of them grows with each token.
const FINE: u32 = 4;

impl Bucket {
    /// The bucket of M, N, K and a number of matrices.
    pub(crate) fn of([m, n, k]: [usize; 3], batch: usize) -> Bucket {
        Bucket {
            m: round_up(m, COARSE),
            n: round_up(n, FINE),
            k: round_up(k, FINE),
            batch: round_up(batch, COARSE),
        }
    }
}

impl Bucket {
    /// M, N and K, the largest of the bucket, and the number of matrices.
    pub(crate) fn largest(&self) -> ([u64; 3], u64) {
        ([self.m, self.n, self.k], self.batch)
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bucket { m, n, k, batch } = self;
        write!(f, "{m} × {n} × {k}")?;
        if *batch == 1 { Ok(()) } else { write!(f, " × {batch} matrices") }
    }
}

/// Rounds up to a number of `bits` significant bits; TOML has numbers below 2⁶³.
fn round_up(extent: usize, bits: u32) -> u64 {
    let extent = (extent as u64).min(i64::MAX as u64 / 2);
    let unit = 1 << (u64::BITS - extent.leading_zeros()).saturating_sub(bits);
    extent.next_multiple_of(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_rounded_up_to_few_bits() {
        let rounded = [0, 1, 2, 3, 4, 5, 6, 7, 8, 64, 65, 97, 129].map(|m| round_up(m, COARSE));
        assert_eq!(rounded, [0, 1, 2, 3, 4, 6, 6, 8, 8, 64, 96, 128, 192]);
        let rounded = [15, 16, 17, 4096, 4097, 11008, 28672].map(|n| round_up(n, FINE));
        assert_eq!(rounded, [15, 16, 18, 4096, 4608, 11264, 28672]);
        assert!(round_up(usize::MAX, COARSE) <= i64::MAX as u64);
    }

    #[test]
    fn a_sequence_that_grows_to_a_million_has_few_buckets() {
        let mut buckets: Vec<u64> = (1..1 << 20).map(|n| round_up(n, FINE)).collect();
        buckets.dedup();
        assert_eq!(buckets.len(), 8 + 8 * 17, "eight for each doubling from 8 on");
    }

    #[test]
    fn each_extent_counts() {
        let bucket = Bucket::of([64, 4096, 4096], 1);
        assert_eq!(bucket, Bucket::of([50, 4000, 4000], 1));
        for (shape, batch) in [
            ([65, 4096, 4096], 1),
            ([64, 4097, 4096], 1),
            ([64, 4096, 4097], 1),
            ([64, 4096, 4096], 2),
        ] {
            assert_ne!(bucket, Bucket::of(shape, batch));
        }
        assert_eq!(bucket.to_string(), "64 × 4096 × 4096");
    }
}
