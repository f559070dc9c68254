//! [`Kernels`]: those of one product, among which a launch chooses.

use std::fmt;
use std::iter::{Chain, Once, once};
use std::slice;
use std::sync::{LazyLock, OnceLock};

use gemm_codegen::Kernel;

use crate::cache::Key;
use crate::launch::memo::Memo;

/// The kernels of one product, one or more, among which [`choose`](crate::launch::choose) picks.
///
/// All compute the same of the same operands, as `#[gemm]` makes them: the first on every
/// target, the others on those that have the shared memory, some with M and N in each other's place.
/// It remembers what was chosen for the shapes of late, so make it once and keep it.
pub struct Kernels<'k> {
    first: &'k Kernel,
    others: Others<'k>,
    pub(super) memo: Memo,
    fingerprint: OnceLock<String>,
}

/// All but the first.
#[derive(Clone, Copy)]
enum Others<'k> {
    Made(&'k [Kernel]),
    Lazy(&'k LazyLock<Vec<Kernel>>),
}

impl<'k> Kernels<'k> {
    /// These kernels: the first takes what fits none of the others.
    pub const fn new(first: &'k Kernel, others: &'k [Kernel]) -> Kernels<'k> {
        Kernels::of(first, Others::Made(others))
    }

    /// The same with others that are made when they are first looked at.
    pub const fn lazy(first: &'k Kernel, others: &'k LazyLock<Vec<Kernel>>) -> Kernels<'k> {
        Kernels::of(first, Others::Lazy(others))
    }

    const fn of(first: &'k Kernel, others: Others<'k>) -> Kernels<'k> {
        Kernels { first, others, memo: Memo::new(), fingerprint: OnceLock::new() }
    }

    fn others(&self) -> &'k [Kernel] {
        match self.others {
            Others::Made(others) => others,
            Others::Lazy(others) => others,
        }
    }

    /// The one that is legal on every target.
    pub const fn first(&self) -> &'k Kernel {
        self.first
    }

    /// All of them, the first one first.
    pub fn iter(&self) -> KernelsIter<'k> {
        once(self.first).chain(self.others())
    }

    /// A hash of their texts: what was measured of others says nothing of them.
    pub(crate) fn fingerprint(&self) -> &str {
        self.fingerprint.get_or_init(|| {
            let mut key = Key::builder();
            for kernel in self {
                key.add(kernel.entry.as_ref());
                key.add(kernel.text.as_ref());
            }
            key.finish().to_string()
        })
    }

    /// The kernel of a number that [`Self::iter`] counts; the first where there are not so many.
    pub(super) fn numbered(&self, number: usize) -> &'k Kernel {
        let other = number.checked_sub(1).and_then(|number| self.others().get(number));
        other.unwrap_or(self.first)
    }
}

/// The kernels of a [`Kernels`], in order.
pub type KernelsIter<'k> = Chain<Once<&'k Kernel>, slice::Iter<'k, Kernel>>;

impl<'k> IntoIterator for &Kernels<'k> {
    type Item = &'k Kernel;
    type IntoIter = KernelsIter<'k>;

    fn into_iter(self) -> KernelsIter<'k> {
        self.iter()
    }
}

impl fmt::Debug for Kernels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|kernel| &kernel.entry)).finish()
    }
}

/// The text of these parts, for the life of the program, like them: a kernel that was loaded is known
/// by where its text lies.
pub fn join(parts: &'static [&'static str], numbers: &[u16]) -> &'static str {
    let parts = numbers.iter().filter_map(|number| parts.get(usize::from(*number)).copied());
    String::leak(parts.collect())
}
