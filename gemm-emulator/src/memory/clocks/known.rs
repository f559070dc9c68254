//! The knowledge of a thread, or of threads that wait for a phase.

/// What its owner is ordered after.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// A time for each thread, for each reader of asynchronous operations, and for the copies of each mbarrier.
    pub(super) happened: Vec<u32>,
    /// A time for each thread: what it did before then is followed by a proxy fence.
    pub(super) fenced: Vec<u32>,
    /// A time for each thread: the mbarriers that it initialised before then are known. In a cluster.
    pub(super) initialized: Vec<u32>,
}

impl Known {
    pub(super) fn join(&mut self, other: &Known) {
        join(&mut self.happened, &other.happened);
        join(&mut self.fenced, &other.fenced);
        join(&mut self.initialized, &other.initialized);
    }

    pub(super) fn copy(&mut self, other: &Known) {
        self.happened.clone_from(&other.happened);
        self.fenced.clone_from(&other.fenced);
        self.initialized.clone_from(&other.initialized);
    }

    pub(super) fn clear(&mut self) {
        self.happened.clear();
        self.fenced.clear();
        self.initialized.clear();
    }
}

pub(super) fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    clock.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other));
}

pub(super) fn set(clock: &mut Vec<u32>, at: usize, time: u32) {
    if clock.len() <= at {
        clock.resize(at + 1, 0);
    }
    clock[at] = time;
}

pub(super) fn comes_after(clock: &[u32], at: usize, time: u32) -> bool {
    clock.get(at).is_some_and(|known| *known > time)
}
