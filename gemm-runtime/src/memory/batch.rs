//! [`Batch`]: how the matrices of a batch follow each other.

/// The values of a batch index, and the elements from a matrix of one to that of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) count: usize,
    pub(crate) stride: usize,
}

impl Steps {
    /// The only value of an index.
    pub(crate) const ONE: Steps = Steps { count: 1, stride: 0 };

    /// Elements from the first to the last matrix.
    fn last(self) -> usize {
        self.count.saturating_sub(1) * self.stride
    }

    /// The values that have a matrix of their own: one where all are the same.
    pub(crate) fn distinct(self) -> usize {
        if self.stride == 0 { self.count.min(1) } else { self.count }
    }
}

/// How many matrices a batch has and how they lie: along two indices, whose outer one has one value
/// where there is one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    pub(crate) outer: Steps,
    pub(crate) inner: Steps,
}

impl Batch {
    /// A batch of one index.
    pub(crate) fn one(count: usize, stride: usize) -> Batch {
        Batch { outer: Steps::ONE, inner: Steps { count, stride } }
    }

    /// A batch of two, whose matrices follow each other.
    pub(crate) fn following([outer, inner]: [usize; 2], stride: usize) -> Batch {
        // Of more elements than there are addresses no layout is made.
        let outer = Steps { count: outer, stride: inner.saturating_mul(stride) };
        Batch { outer, inner: Steps { count: inner, stride } }
    }

    /// The values of both indices.
    pub(crate) fn extents(&self) -> [usize; 2] {
        [self.outer.count, self.inner.count]
    }

    /// How many matrices there are.
    pub(crate) fn total(&self) -> usize {
        self.outer.count * self.inner.count
    }

    /// Elements from the first matrix to that of a number.
    pub(crate) fn offset(&self, number: usize) -> usize {
        let inner = self.inner.count.max(1);
        number / inner * self.outer.stride + number % inner * self.inner.stride
    }

    /// Elements from the first to the last matrix.
    pub(crate) fn last(&self) -> usize {
        self.outer.last() + self.inner.last()
    }

    /// The same matrices by one index, if a single stride steps through both.
    pub(crate) fn merged(&self) -> Option<Steps> {
        let Batch { outer, inner } = *self;
        match (outer.count, inner.count) {
            (1, _) => Some(inner),
            (_, 1) => Some(outer),
            (0, _) | (_, 0) => Some(Steps { count: 0, ..inner }),
            (_, count) if outer.stride == count * inner.stride => {
                Some(Steps { count: self.total(), ..inner })
            }
            _ => None,
        }
    }

    /// The bits of the distances between its matrices.
    pub(crate) fn distances(&self) -> usize {
        let steps = [self.outer, self.inner].into_iter().filter(|steps| steps.count > 1);
        steps.fold(0, |bits, steps| bits | steps.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(outer: [usize; 2], inner: [usize; 2]) -> Batch {
        let [outer, inner] = [outer, inner].map(|[count, stride]| Steps { count, stride });
        Batch { outer, inner }
    }

    #[test]
    fn one_index_has_the_matrices_of_two_where_a_single_stride_steps_through_both() {
        let steps = |count, stride| Some(Steps { count, stride });
        assert_eq!(batch([2, 12], [3, 4]).merged(), steps(6, 4));
        assert_eq!(batch([2, 4], [3, 8]).merged(), None);
        assert_eq!(batch([2, 4], [1, 9]).merged(), steps(2, 4));
        assert_eq!(batch([1, 4], [3, 9]).merged(), steps(3, 9));
        assert_eq!(batch([2, 0], [3, 0]).merged(), steps(6, 0));
        assert_eq!(batch([2, 5], [0, 1]).merged(), steps(0, 1));
    }

    #[test]
    fn numbers_count_the_inner_index_first() {
        let heads = batch([2, 100], [3, 8]);
        let offsets: Vec<usize> = (0..heads.total()).map(|number| heads.offset(number)).collect();
        assert_eq!(offsets, [0, 8, 16, 100, 108, 116]);
        assert_eq!((heads.last(), heads.distances()), (116, 100 | 8));
        assert_eq!(batch([1, 100], [3, 8]).distances(), 8);
    }
}
