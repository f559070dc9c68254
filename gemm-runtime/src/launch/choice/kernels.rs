//! [`Kernels`]: the kernels of one function, among which a launch chooses.

use std::borrow::Cow;
use std::fmt;
use std::iter::once;
use std::sync::OnceLock;

use gemm_codegen::auto::{self, Footprint};
use gemm_codegen::{Kernel, LaunchShape, Plan, Spec, emit};

use crate::cache::Key;
use crate::compile::{Located, required};
use crate::device::Device;
use crate::launch::choice::memo::Memo;

/// The kernels of one function, one or more, among which [`choose`](crate::launch::choose) picks.
///
/// All compute the same function of the same operands. The first one is launched where no other can
/// run, and its error is that of arguments which do not fit.
/// It remembers the choices for recent shapes, so make it once and keep it.
pub struct Kernels<'k> {
    first: Choice<'k>,
    others: Others<'k>,
    pub(in crate::launch) memo: Memo,
    fingerprint: OnceLock<String>,
}

/// All but the first.
enum Others<'k> {
    Made(&'k [Choice<'k>]),
    Owned(Vec<Choice<'static>>),
    /// Planned when they are first needed.
    Planned(fn() -> Spec, OnceLock<Vec<Choice<'static>>>),
}

impl<'k> Kernels<'k> {
    /// These kernels: `first` is launched where none of the others can run.
    pub const fn new(first: &'k Kernel, others: &'k [Choice<'k>]) -> Kernels<'k> {
        Kernels::written(Choice::new(auto::DERIVED, first), others)
    }

    /// The same with an id for the first one.
    pub const fn written(first: Choice<'k>, others: &'k [Choice<'k>]) -> Kernels<'k> {
        Kernels::of(first, Others::Made(others))
    }

    /// The kernels of a spec, as `#[gemm]` writes it: `first` has the derived schedule. The others
    /// are planned when they are first needed, and emitted when they are first launched.
    pub const fn planned(first: &'k Kernel, spec: fn() -> Spec) -> Kernels<'k> {
        Kernels::of(Choice::new(auto::DERIVED, first), Others::Planned(spec, OnceLock::new()))
    }

    /// The same of a spec that a program has at run time.
    pub fn of_spec(first: &'k Kernel, spec: &Spec) -> Kernels<'k> {
        Kernels::of(Choice::new(auto::DERIVED, first), Others::Owned(Choice::planned(spec)))
    }

    const fn of(first: Choice<'k>, others: Others<'k>) -> Kernels<'k> {
        Kernels { first, others, memo: Memo::new(), fingerprint: OnceLock::new() }
    }

    fn others(&self) -> &[Choice<'_>] {
        match &self.others {
            Others::Made(others) => others,
            Others::Owned(others) => others,
            Others::Planned(spec, others) => others.get_or_init(|| Choice::planned(&spec())),
        }
    }

    /// The one that is launched where none of the others can run.
    pub fn first(&self) -> &Kernel {
        self.first.kernel()
    }

    /// The first one that this device can run, compiled by the NVRTC that was found; the first of all
    /// if it can run none.
    pub fn first_on(&self, device: &Device) -> &Kernel {
        let nvrtc = Located::get().ok();
        let runs = |choice: &&Choice<'_>| {
            let launch = choice.launch();
            nvrtc.is_none_or(|nvrtc| required::compiles(launch, nvrtc.version))
                && device.supports(choice.id(), launch).is_ok()
        };
        self.choices().find(runs).unwrap_or(&self.first).kernel()
    }

    /// The choices, the first one first.
    pub fn choices(&self) -> impl Iterator<Item = &Choice<'_>> {
        once(&self.first).chain(self.others())
    }

    /// All kernels, the first one first. Emits those that were not launched yet.
    pub fn iter(&self) -> impl Iterator<Item = &Kernel> {
        self.choices().map(Choice::kernel)
    }

    /// A hash of the first kernel's text, and of the ids of the others with the texts of those that are
    /// not planned from the first: `kernels` of a tuning record, since a measurement of one function
    /// does not hold for another.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.get_or_init(|| {
            let mut key = Key::builder();
            key.add(self.first().text.as_ref());
            key.add(self.first.id());
            for choice in self.others() {
                key.add(choice.id());
                if let Source::Made(kernel) = choice.source {
                    key.add(kernel.text.as_ref());
                }
            }
            key.finish().to_string()
        })
    }

    /// The kernel with this number in [`Self::choices`]; the first if there is none.
    pub(in crate::launch) fn numbered(&self, number: usize) -> &Kernel {
        self.choice(number).kernel()
    }

    /// Whether M of the kernel with this number is N of the function.
    pub(in crate::launch) fn is_swapped(&self, number: usize) -> bool {
        self.choice(number).is_swapped()
    }

    fn choice(&self, number: usize) -> &Choice<'_> {
        let other = number.checked_sub(1).and_then(|number| self.others().get(number));
        other.unwrap_or(&self.first)
    }
}

impl fmt::Debug for Kernels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.choices().map(Choice::id)).finish()
    }
}

/// One of the kernels among which a launch chooses.
#[derive(Debug)]
pub struct Choice<'k> {
    id: Cow<'k, str>,
    swapped: bool,
    class: usize,
    source: Source<'k>,
}

#[derive(Debug)]
enum Source<'k> {
    Made(&'k Kernel),
    Planned(Box<Planned>),
}

#[derive(Debug)]
struct Planned {
    plan: Plan,
    launch: LaunchShape,
    footprint: Footprint,
    kernel: OnceLock<Kernel>,
}

impl<'k> Choice<'k> {
    /// This kernel. No other choice of a function has its `id`.
    pub const fn new(id: &'k str, kernel: &'k Kernel) -> Choice<'k> {
        Choice { id: Cow::Borrowed(id), swapped: false, class: 0, source: Source::Made(kernel) }
    }

    /// All legal schedules of a spec but the derived one.
    fn planned(spec: &Spec) -> Vec<Choice<'static>> {
        let choice = |candidate: auto::Candidate| {
            let auto::Candidate { id, swapped, plan, class } = candidate;
            let (launch, footprint) = (LaunchShape::of(&plan), Footprint::of(&plan));
            let planned = Planned { plan, launch, footprint, kernel: OnceLock::new() };
            let source = Source::Planned(Box::new(planned));
            Choice { id: Cow::Owned(id), swapped, class, source }
        };
        // The spec was proved with the derived schedule; otherwise that is the only one.
        let candidates = auto::candidates(spec).unwrap_or_default();
        candidates.into_iter().skip(1).map(choice).collect()
    }

    /// Its name among the choices, the same in every process: tuning records contain it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether M of the kernel is N of the function.
    pub fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// Its [class](auto::Candidate::class): of an `invariant` function those of one class give each row the same
    /// bits. All schedules that are written are of one.
    pub fn class(&self) -> usize {
        self.class
    }

    /// The numbers on which its speed depends, besides the shape of a product.
    pub fn footprint(&self) -> &Footprint {
        match &self.source {
            Source::Made(kernel) => &kernel.footprint,
            Source::Planned(planned) => &planned.footprint,
        }
    }

    /// The kernel, which is emitted the first time.
    pub fn kernel(&self) -> &Kernel {
        match &self.source {
            Source::Made(kernel) => kernel,
            Source::Planned(planned) => planned.kernel.get_or_init(|| lasting(emit(&planned.plan))),
        }
    }

    /// How it is launched.
    pub fn launch(&self) -> &LaunchShape {
        match &self.source {
            Source::Made(kernel) => &kernel.launch,
            Source::Planned(planned) => &planned.launch,
        }
    }
}

/// The kernel with a text that lives as long as the modules that are loaded from it: they compare texts
/// by address, since comparing 28 kB would take longer than the rest of a launch.
fn lasting(mut kernel: Kernel) -> Kernel {
    kernel.text = Cow::Borrowed(String::leak(kernel.text.into_owned()));
    kernel
}
