//! [`Batch`]: how the matrices of a batch follow each other.

/// The values of the indices of a batch, the outermost first: a number for one index, an array or a
/// slice for several.
///
/// # Example
/// ```
/// # use gemm_runtime::prelude::*;
/// # let device = Device::emulator();
/// assert_eq!(device.batched_zeros::<f32>(6, 2, 8)?.batches(), [6]);
/// assert_eq!(device.batched_zeros::<f32>([2, 3], 2, 8)?.batches(), [2, 3]);
/// # Ok::<(), Error>(())
/// ```
pub trait BatchCounts {
    /// The values of each index.
    fn counts(&self) -> &[usize];
}

impl BatchCounts for usize {
    fn counts(&self) -> &[usize] {
        std::slice::from_ref(self)
    }
}

impl<const RANK: usize> BatchCounts for [usize; RANK] {
    fn counts(&self) -> &[usize] {
        self
    }
}

impl BatchCounts for &[usize] {
    fn counts(&self) -> &[usize] {
        self
    }
}

/// The values of a batch index, and the elements from a matrix of one to that of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) count: usize,
    pub(crate) stride: usize,
}

impl Steps {
    /// The only value of an index.
    pub(crate) const ONE: Steps = Steps { count: 1, stride: 0 };

    /// The values of this index and of the next inner one as those of one index, if a single stride
    /// steps through both.
    fn merged(self, inner: Steps) -> Option<Steps> {
        match (self.count, inner.count) {
            (1, _) => Some(inner),
            (_, 1) => Some(self),
            (0, _) | (_, 0) => Some(Steps { count: 0, ..inner }),
            (outer, count) if self.stride == count * inner.stride => {
                Some(Steps { count: outer * count, ..inner })
            }
            _ => None,
        }
    }
}

/// How many matrices a batch has and how they lie: along each of its indices, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch(Vec<Steps>);

impl FromIterator<Steps> for Batch {
    fn from_iter<I: IntoIterator<Item = Steps>>(steps: I) -> Batch {
        Batch(steps.into_iter().collect())
    }
}

impl Batch {
    /// Matrices this far apart that follow each other, those of the innermost index first. Of each
    /// index its values, and whether the batch has a matrix for each: else they share one.
    pub(crate) fn following(
        indices: impl DoubleEndedIterator<Item = (usize, bool)>,
        mut stride: usize,
    ) -> Batch {
        let steps = indices.rev().map(|(count, has_it)| {
            let along = Steps { count, stride: if has_it { stride } else { 0 } };
            // Of more elements than there are addresses no layout is made.
            stride = if has_it { stride.saturating_mul(count) } else { stride };
            along
        });
        let mut steps: Vec<Steps> = steps.collect();
        steps.reverse();
        Batch(steps)
    }

    /// The same with a matrix for each value of all indices.
    pub(crate) fn dense(counts: &[usize], stride: usize) -> Batch {
        Batch::following(counts.iter().map(|count| (*count, true)), stride)
    }

    /// Along each index, the outermost first.
    pub(crate) fn steps(&self) -> &[Steps] {
        &self.0
    }

    /// The values of each index.
    pub(crate) fn counts(&self) -> Vec<usize> {
        self.0.iter().map(|along| along.count).collect()
    }

    /// The distances along each index.
    pub(crate) fn strides(&self) -> Vec<usize> {
        self.0.iter().map(|along| along.stride).collect()
    }

    /// How many matrices there are.
    pub(crate) fn total(&self) -> usize {
        self.0.iter().fold(1, |all: usize, along| all.saturating_mul(along.count))
    }

    /// The same, if they can be counted.
    pub(crate) fn checked_total(&self) -> Option<usize> {
        self.0.iter().try_fold(1, |all: usize, along| all.checked_mul(along.count))
    }

    /// The value of each index for the matrix of a number, the innermost first.
    pub(crate) fn values(&self, mut number: usize) -> impl Iterator<Item = (Steps, usize)> + '_ {
        self.0.iter().rev().map(move |along| {
            let count = along.count.max(1);
            let value = number % count;
            number /= count;
            (*along, value)
        })
    }

    /// Elements from the first matrix to that of a number.
    pub(crate) fn offset(&self, number: usize) -> usize {
        self.values(number).map(|(along, value)| along.stride * value).sum()
    }

    /// Elements from the first to the last matrix.
    pub(crate) fn last(&self) -> usize {
        self.0.iter().map(|along| along.count.saturating_sub(1) * along.stride).sum()
    }

    /// The matrices that differ: one along an index where all are the same.
    pub(crate) fn distinct(&self) -> Batch {
        let one = |along: &Steps| Steps { count: along.count.min(1), ..*along };
        self.0.iter().map(|along| if along.stride == 0 { one(along) } else { *along }).collect()
    }

    /// The same matrices by the fewest indices: no single stride steps through two that are next to
    /// each other.
    pub(crate) fn merged(&self) -> Batch {
        let mut merged: Vec<Steps> = Vec::new();
        for &along in &self.0 {
            let both = merged.last().and_then(|outer| outer.merged(along));
            match (both, merged.last_mut()) {
                (Some(both), Some(outer)) => *outer = both,
                _ => merged.push(along),
            }
        }
        Batch(merged)
    }

    /// The same matrices by this many indices, if there is one way: of more, those merge that a single
    /// stride steps through; of fewer, the outermost has one value.
    pub(crate) fn merged_to(&self, rank: usize) -> Option<Batch> {
        let lacking = match rank.checked_sub(self.0.len()) {
            None => return Some(self.merged()).filter(|merged| merged.0.len() == rank),
            Some(lacking) => std::iter::repeat_n(Steps::ONE, lacking),
        };
        Some(lacking.chain(self.0.iter().copied()).collect())
    }

    /// The bits of the distances between its matrices.
    pub(crate) fn distances(&self) -> usize {
        let steps = self.0.iter().filter(|along| along.count > 1);
        steps.fold(0, |bits, along| bits | along.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch<const RANK: usize>(steps: [[usize; 2]; RANK]) -> Batch {
        steps.into_iter().map(|[count, stride]| Steps { count, stride }).collect()
    }

    #[test]
    fn indices_merge_where_a_single_stride_steps_through_both() {
        for (steps, merged) in [
            (batch([[2, 12], [3, 4]]), batch([[6, 4]])),
            (batch([[2, 4], [1, 9]]), batch([[2, 4]])),
            (batch([[1, 4], [3, 9]]), batch([[3, 9]])),
            (batch([[2, 0], [3, 0]]), batch([[6, 0]])),
            (batch([[2, 5], [0, 1]]), batch([[0, 1]])),
            (batch([[2, 60], [3, 20], [5, 4]]), batch([[30, 4]])),
            (batch([[2, 99], [3, 20], [5, 4]]), batch([[2, 99], [15, 4]])),
            (batch([[2, 60], [3, 20], [5, 3]]), batch([[6, 20], [5, 3]])),
        ] {
            assert_eq!(steps.merged(), merged, "{steps:?}");
            assert_eq!(steps.merged_to(merged.steps().len()), Some(merged), "{steps:?}");
        }
        let apart = batch([[2, 4], [3, 8]]);
        assert_eq!((apart.merged(), apart.merged_to(1)), (apart.clone(), None));
        let dense = Batch::dense(&[2, 3, 5], 4);
        assert_eq!(dense.merged_to(2), None, "2 times 15 or 6 times 5");
        assert_eq!(batch([[6, 4]]).merged_to(3), Some(batch([[1, 0], [1, 0], [6, 4]])));
    }

    #[test]
    fn numbers_count_the_inner_index_first() {
        let heads = batch([[2, 100], [3, 8]]);
        let offsets = |batch: &Batch| (0..batch.total()).map(|of| batch.offset(of)).collect();
        let all: Vec<usize> = offsets(&heads);
        assert_eq!(all, [0, 8, 16, 100, 108, 116]);
        assert_eq!((heads.last(), heads.distances()), (116, 100 | 8));
        assert_eq!(batch([[1, 100], [3, 8]]).distances(), 8);
        let broadcast = Batch::following([(2, true), (3, false), (2, true)].into_iter(), 1);
        let all: Vec<usize> = offsets(&broadcast);
        assert_eq!(all, [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]);
        assert_eq!(broadcast.distinct().counts(), [2, 1, 2]);
    }
}
