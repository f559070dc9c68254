//! [`Device::report_html`]: the report of a function as one page of HTML.

use gemm_codegen::auto::{self, Candidate, Footprint, Machine, Member};
use gemm_codegen::{Kernel, LaunchShape, ParameterKind, Plan, Spec, emit};
use gemm_pictures::report::{Checks, Report, Resources, Time, Written, section, table};

use crate::compile::{Located, required};
use crate::device::{Device, LaunchProfile};
use crate::error::{Error, count};
use crate::launch::{Choice, Kernels};
use crate::shape::Shape;

/// A function as data, in its module as `REPORTED`: what [`Device::report_html`] plans it from.
#[derive(Clone, Copy, Debug)]
pub struct ReportedFunction {
    first: fn() -> Spec,
    others: fn() -> Vec<Spec>,
    auto: bool,
    body: Option<&'static str>,
}

impl ReportedFunction {
    /// A function with these schedules. Of an `auto` one, the first is the derived schedule, and a launch chooses
    /// among others that are planned from it.
    pub const fn new(
        first: fn() -> Spec,
        others: fn() -> Vec<Spec>,
        auto: bool,
    ) -> ReportedFunction {
        ReportedFunction { first, others, auto, body: None }
    }

    /// The same with its body as it is written, from brace to brace.
    pub const fn with_body(self, body: &'static str) -> ReportedFunction {
        ReportedFunction { body: Some(body), ..self }
    }

    /// The declaration of a plan and the body as it is written.
    fn written(&self, plan: &Plan) -> Option<Written> {
        let body = self.body?;
        // The closing brace is indented as the function is.
        let last = body.lines().last().unwrap_or_default();
        let indentation = last.len() - last.trim_start().len();
        let body = body.replace(&format!("\n{}", " ".repeat(indentation)), "\n");
        Some(Written {
            code: format!("{} {body}", plan.declaration().trim_end()),
            place: "The body as written; the attribute with every key, written or derived."
                .to_owned(),
        })
    }

    /// Its schedules.
    fn candidates(&self) -> Result<Vec<Candidate>, Error> {
        let (first, others) = ((self.first)(), (self.others)());
        let illegal = |error| Error::IllegalSpec(Box::new(error));
        if self.auto {
            return auto::candidates(&first).map_err(illegal);
        }
        let one = others.is_empty();
        let candidates = [first].into_iter().chain(others).zip(1..).map(|(spec, number)| {
            let id = if one { auto::DERIVED.to_owned() } else { format!("schedule_{number}") };
            Ok(Candidate { id, swapped: false, plan: Plan::new(&spec).map_err(illegal)?, class: 0 })
        });
        candidates.collect()
    }

    /// The hash of its kernels in a tuning record.
    fn fingerprint(&self, candidates: &[Candidate]) -> Option<String> {
        let kernels: Vec<Kernel> = match self.auto {
            true => vec![emit(&candidates.first()?.plan)],
            false => candidates.iter().map(|candidate| emit(&candidate.plan)).collect(),
        };
        let (first, others) = kernels.split_first()?;
        if self.auto {
            return Some(Kernels::of_spec(first, &(self.first)()).fingerprint().to_owned());
        }
        let (id, ids) = candidates.split_first()?;
        let others: Vec<Choice<'_>> =
            ids.iter().zip(others).map(|(one, kernel)| Choice::new(&one.id, kernel)).collect();
        let kernels = Kernels::written(Choice::new(&id.id, first), &others);
        Some(kernels.fingerprint().to_owned())
    }
}

impl Device {
    /// The report of a function as HTML, one file that loads nothing: the function and what was found of it, with the
    /// estimated time and the limits of a launch; its plan, with pictures of tiles, copies,
    /// fragments, shared memory and registers; its blocks and its roofline for `shape` on this device; its
    /// neighbours, legal or with the compiler's message; its resources; its source. `cargo gemm report` writes
    /// the same page.
    ///
    /// If the last launch on the device, an emulator, was one of the function, its counts are at the lines of the
    /// source ([`EmulatorOptions::profile`](crate::EmulatorOptions::profile)), and its pipeline and accesses are
    /// linked to the pictures ([`EmulatorOptions::trace`](crate::EmulatorOptions::trace), with `accesses`). Times
    /// that the device's [tuning](Device::with_tuning) has recorded of it are in a table and in the roofline.
    ///
    /// Of several schedules the page has that of this launch; without one the fastest by the record, or else by the
    /// estimate. Needs the feature `report`.
    ///
    /// # Errors
    /// [`Error::IllegalSpec`] for a function that the expansion did not make. A missing library, a refusal of the
    /// compiler's, a device that cannot run the kernel.
    ///
    /// # Example
    /// ```
    /// use gemm_runtime::emulator::TraceOptions;
    /// use gemm_runtime::prelude::*;
    /// use gemm_runtime::EmulatorOptions;
    ///
    /// #[gemm(tile = [64, 64, 32], stages = 3)]
    /// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    ///     matmul(x, w)
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let trace = TraceOptions { accesses: true, ..TraceOptions::default() };
    /// let device = Device::emulator_with(EmulatorOptions::default().profile(true).trace(trace));
    /// let (x, w) = (device.zeros::<f16>(64, 128)?, device.zeros::<f16>(64, 128)?);
    /// linear(&device, &x, &w)?;
    /// let html = device.report_html(&linear::REPORTED, Shape { m: 64, n: 64, k: 128 })?;
    /// std::fs::write(std::env::temp_dir().join("linear.html"), html)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn report_html(&self, function: &ReportedFunction, shape: Shape) -> Result<String, Error> {
        let candidates = function.candidates()?;
        let fingerprint = function.fingerprint(&candidates);
        let mut times = fingerprint.map(|one| self.times(&one, shape)).unwrap_or_default();
        let launched = self.last_profile();
        let candidate = self.reported(candidates, &times, (shape, launched.as_deref()))?;
        let kernel = emit(&candidate.plan);
        times.iter_mut().for_each(|time| time.is_reported &= time.schedule == candidate.id);
        let launched = launched.filter(|launched| launched.kernel == kernel.entry);
        let trace = launched.as_ref().and_then(|_| self.last_trace());
        let profile = launched.as_ref().and_then(|one| one.statistics.profile.as_ref());
        let Shape { m, n, k } = shape;
        let extents = if candidate.swapped { [n, m, k] } else { [m, n, k] };
        let report = Report {
            plan: &candidate.plan,
            kernel: &kernel,
            launch: gemm_pictures::Launch { shape: extents, batch: 1, machine: self.machine() },
            trace: trace.as_deref(),
            profile,
            counted: "Counted by the emulator in the last launch.".to_owned(),
            written: function.written(&candidate.plan),
            checks: launched.as_deref().map(checks),
            resources: Some(self.resources(&kernel)?),
            times,
        };
        let summary = format!("schedule {}, on {self}", candidate.id);
        Ok(report.page(&kernel.name, &summary).html())
    }

    /// The schedule of the last launch if that was one of these, else the fastest for a shape.
    fn reported(
        &self,
        candidates: Vec<Candidate>,
        times: &[Time],
        (shape, launched): (Shape, Option<&LaunchProfile>),
    ) -> Result<Candidate, Error> {
        let machine = self.machine();
        let Shape { m, n, k } = shape;
        let nvrtc = Located::get()?;
        let supports = |one: &Candidate| {
            let launch = LaunchShape::of(&one.plan);
            self.supports(&one.id, &launch)?;
            required::check(&one.id, &launch, nvrtc)
        };
        let output =
            candidates.first().and_then(|one| Some(one.plan.problem().stores().first()?.kind()));
        let refused = candidates.iter().find_map(|one| supports(one).err());
        let able: Vec<Candidate> =
            candidates.into_iter().filter(|one| supports(one).is_ok()).collect();
        let recorded = times.iter().find(|time| time.is_reported).map(|time| &*time.schedule);
        let known = |one: &&Candidate| Some(&*one.id) == recorded;
        let was_launched = |one: &&Candidate| launched.is_some_and(|launched| is_of(launched, one));
        // The emulator runs kernels of any architecture, and chooses as the machine that it stands for.
        let runs_there = |one: &Candidate| {
            let mut targets = one.plan.targets().iter();
            targets.any(|target| target.runs_on(machine.target.capability()))
        };
        let there = able.iter().filter(|one| runs_there(one));
        let class = output.and_then(|output| class(there, output, [m, n, k], &machine));
        let estimate = |one: &Candidate| {
            let extents = if one.swapped { [n, m, k] } else { [m, n, k] };
            Footprint::of(&one.plan).seconds(extents, 1, &machine)
        };
        let fastest = || {
            let of_class = |one: &&Candidate| class.is_none_or(|class| one.class == class);
            able.iter().filter(of_class).min_by(|one, other| {
                let by_target = runs_there(other).cmp(&runs_there(one));
                by_target.then(estimate(one).total_cmp(&estimate(other)))
            })
        };
        let found = able.iter().find(was_launched);
        let found = found.or_else(|| able.iter().find(known)).or_else(fastest);
        // There is one candidate at the least: able, or refused.
        found.cloned().ok_or_else(|| refused.unwrap_or(Error::NoGpu))
    }

    /// What the device's tuning has recorded of a function; `is_reported` of those for this shape.
    fn times(&self, fingerprint: &str, shape: Shape) -> Vec<Time> {
        let known = self.tuning().map(|tuning| tuning.measurements()).unwrap_or_default();
        let model = self.model();
        let of = known.into_iter().filter(|one| one.kernels == fingerprint);
        let time = of.map(|one| Time {
            is_reported: one.covers(shape, 1) && one.device == model,
            device: one.device,
            shape: one.shape,
            batch: one.batch,
            schedule: one.fastest,
            microseconds: one.microseconds,
        });
        time.collect()
    }

    /// The resources of a kernel on the device.
    fn resources(&self, kernel: &Kernel) -> Result<Resources, Error> {
        let report = self.report(kernel)?;
        let text = format!("As compiled for {}.", report.architecture);
        let rows = report.rows().map(|(what, value)| vec![what.to_owned(), value]).to_vec();
        Ok(Resources {
            registers: report.registers,
            spilled_bytes: report.spill_store_bytes + report.spill_load_bytes,
            section: section("Resources", &text, table(["resource", "value"], rows)),
            architecture: report.architecture,
        })
    }
}

/// The class among whose candidates a launch chooses.
fn class<'a>(
    candidates: impl Iterator<Item = &'a Candidate>,
    output: ParameterKind,
    shape: [usize; 3],
    machine: &Machine,
) -> Option<usize> {
    let all: Vec<_> = candidates.map(|one| (one, Footprint::of(&one.plan))).collect();
    let members = all.iter().map(|(one, footprint)| Member {
        class: one.class,
        swapped: one.swapped,
        footprint,
    });
    let members: Vec<Member<'_>> = members.collect();
    auto::fastest_class(&members, output, shape, machine)
}

/// Whether a launch was one of this schedule.
fn is_of(launched: &LaunchProfile, candidate: &Candidate) -> bool {
    let (launch, kernel) = (LaunchShape::of(&candidate.plan), emit(&candidate.plan));
    let of = (&*launched.kernel, launched.threads, launched.shared_bytes);
    of == (&*kernel.entry, launch.threads, launch.shared_bytes)
}

/// What the emulator found in a launch.
fn checks(launched: &LaunchProfile) -> Checks {
    let LaunchProfile { shape: Shape { m, n, k }, blocks, threads, target, .. } = launched;
    let text = format!(
        "The emulator ran {} of {threads} threads at {m} × {n} × {k} for {target}, in {:.2} s.",
        count((*blocks).into(), "block"),
        launched.elapsed.as_secs_f64()
    );
    let checked = "bounds, alignment, initialisation, races, cp.async order, barriers, collectives";
    let rows = [["checked", checked], ["faults", "none"]];
    let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
    let verdict = format!(
        "no fault at {m} × {n} × {k} on the emulator of {target}; the output was not compared with a reference"
    );
    let section = section("Checks", &text, table(["what", "result"], rows));
    // A launch with a fault leaves no profile.
    Checks { is_right: true, verdict, section }
}
