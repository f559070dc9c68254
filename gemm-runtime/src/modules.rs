//! [`Modules`]: kernels that are loaded, compiled once under contention.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use gemm_codegen::{Kernel, Variant};

use crate::error::Error;

/// Loaded kernels by entry point, text and variant.
#[derive(Debug)]
pub(crate) struct Modules<L> {
    slots: RwLock<HashMap<String, Vec<Arc<Slot<L>>>>>,
}

/// One kernel, loaded or about to be.
#[derive(Debug)]
struct Slot<L> {
    /// The entry point's name ends in a hash of the text only where we have emitted it.
    kernel: Kernel,
    variant: Variant,
    loaded: OnceLock<Arc<L>>,
    /// Held while it is loaded, so that a second thread waits instead of compiling it again.
    loading: Mutex<()>,
}

impl<L> Modules<L> {
    pub(crate) fn new() -> Modules<L> {
        Modules { slots: RwLock::new(HashMap::new()) }
    }

    /// The loaded kernel; `load` runs if there is none, in one thread at a time for a kernel.
    ///
    /// A failure is not kept: the next call tries again.
    pub(crate) fn get_or_load(
        &self,
        kernel: &Kernel,
        variant: &Variant,
        load: impl FnOnce() -> Result<L, Error>,
    ) -> Result<Arc<L>, Error> {
        let slot = match self.find(kernel, variant) {
            Some(slot) => slot,
            None => self.insert(kernel, variant),
        };
        if let Some(loaded) = slot.loaded.get() {
            return Ok(loaded.clone());
        }
        let _loading = slot.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = slot.loaded.get() {
            return Ok(loaded.clone());
        }
        let loaded = Arc::new(load()?);
        Ok(slot.loaded.get_or_init(|| loaded).clone())
    }

    fn find(&self, kernel: &Kernel, variant: &Variant) -> Option<Arc<Slot<L>>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        find_in(slots.get(kernel.entry.as_ref())?, kernel, variant)
    }

    fn insert(&self, kernel: &Kernel, variant: &Variant) -> Arc<Slot<L>> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let slots = slots.entry(kernel.entry.to_string()).or_default();
        if let Some(slot) = find_in(slots, kernel, variant) {
            return slot;
        }
        let slot = Arc::new(Slot {
            kernel: kernel.clone(),
            variant: variant.clone(),
            loaded: OnceLock::new(),
            loading: Mutex::new(()),
        });
        slots.push(slot.clone());
        slot
    }
}

fn find_in<L>(slots: &[Arc<Slot<L>>], kernel: &Kernel, variant: &Variant) -> Option<Arc<Slot<L>>> {
    let found = slots.iter().find(|slot| slot.variant == *variant && is_same(&slot.kernel, kernel));
    found.cloned()
}

/// Whether everything that a load depends on is equal; names and parameters do not count.
fn is_same(a: &Kernel, b: &Kernel) -> bool {
    // Nearly every call has the same constant, which is compared by address.
    (std::ptr::eq(a.text.as_ref(), b.text.as_ref()) || a.text == b.text)
        && (a.launch.threads, a.launch.shared_bytes) == (b.launch.threads, b.launch.shared_bytes)
        && a.launch.targets == b.launch.targets
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use gemm_codegen::LaunchShape;

    use super::*;

    fn kernel(text: &str) -> Kernel {
        Kernel {
            name: "k".into(),
            entry: "k_0".into(),
            text: text.to_owned().into(),
            parameters: Cow::Borrowed(&[]),
            abi: gemm_codegen::abi::Abi(Cow::Borrowed(&[])),
            outputs: 0,
            factors: gemm_codegen::Factors::Exact,
            reads_output: false,
            launch: LaunchShape::new([1, 1, 1], 1, &[]),
            footprint: gemm_codegen::auto::Footprint::default(),
            facts: None,
        }
    }

    fn aligned(bytes: u32) -> Variant {
        let mut variant = Variant::default();
        variant.push("ALIGN_X", bytes);
        variant
    }

    #[test]
    fn threads_that_ask_together_share_one_load() {
        let (modules, loads) = (Modules::new(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let load = || {
                        loads.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        Ok(7)
                    };
                    let loaded = modules.get_or_load(&kernel("text"), &aligned(16), load);
                    assert_eq!(*loaded.expect("it loads"), 7);
                });
            }
        });
        assert_eq!(loads.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn text_and_variant_tell_kernels_apart() {
        let modules = Modules::new();
        let load = |text: &str, bytes, value| {
            let loaded = modules.get_or_load(&kernel(text), &aligned(bytes), || Ok(value));
            *loaded.expect("it loads")
        };
        assert_eq!(load("a", 16, 1), 1);
        assert_eq!(load("b", 16, 2), 2);
        assert_eq!(load("a", 8, 3), 3);
        assert_eq!(load("a", 16, 4), 1);
    }

    #[test]
    fn a_failure_is_tried_again() {
        let modules = Modules::new();
        let failed = modules.get_or_load(&kernel("a"), &aligned(16), || Err(Error::NoGpu));
        assert!(matches!(failed, Err(Error::NoGpu)));
        assert_eq!(
            *modules.get_or_load(&kernel("a"), &aligned(16), || Ok(5)).expect("it loads"),
            5
        );
    }
}
