//! Data of `cp.async` that has landed in shared memory without a barrier since.

/// Bytes that a thread copied asynchronously.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    pub(crate) address: u32,
    pub(crate) bytes: u32,
    pub(crate) thread: u32,
}

#[derive(Default)]
struct OfThread {
    landings: Vec<Landing>,
    /// How many of them a barrier of the warp has shown to it.
    shown: usize,
}

/// The landings of a block since its last barrier, by thread, so that a barrier looks at each only once.
#[derive(Default)]
pub(super) struct Landings {
    threads: Vec<OfThread>,
    count: usize,
}

impl Landings {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        self.take(|_| true, |_| ());
    }

    pub(super) fn push(&mut self, landing: Landing) {
        let thread = landing.thread as usize;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, OfThread::default);
        }
        self.threads[thread].landings.push(landing);
        self.count += 1;
    }

    /// Takes out those of the threads that a barrier of the block shows to all.
    pub(super) fn take(&mut self, takes_part: impl Fn(u32) -> bool, mut f: impl FnMut(Landing)) {
        for (thread, own) in (0..).zip(&mut self.threads) {
            if !own.landings.is_empty() && takes_part(thread) {
                self.count -= own.landings.len();
                own.landings.drain(..).for_each(&mut f);
                own.shown = 0;
            }
        }
    }

    /// Those of lanes of a warp that a barrier of the warp shows to it for the first time.
    pub(super) fn show(&mut self, warp: u32, lanes: u32, mut f: impl FnMut(Landing)) {
        let first = warp as usize * 32;
        for (lane, own) in self.threads.iter_mut().skip(first).take(32).enumerate() {
            if lanes >> lane & 1 == 1 {
                own.landings[own.shown..].iter().for_each(|landing| f(*landing));
                own.shown = own.landings.len();
            }
        }
    }

    /// Keeps one of each stretch for which `is_there` holds.
    pub(super) fn retain(&mut self, is_there: impl Fn(&Landing) -> bool) {
        self.count = 0;
        for own in &mut self.threads {
            own.landings.retain(&is_there);
            own.landings.sort_unstable_by_key(|landing| (landing.address, landing.bytes));
            own.landings.dedup_by_key(|landing| (landing.address, landing.bytes));
            // Which of two equal ones is left is not known; showing one twice does no harm.
            own.shown = 0;
            self.count += own.landings.len();
        }
    }
}
