//! The report of a kernel: a [`Page`] with its plan, its pictures, what the emulator counted, its neighbours
//! and its source. `cargo gemm report` and `Device::report_html` of gemm-runtime write the same one.

pub mod access;
mod counts;
mod first;
mod links;
mod neighbours;
mod terms;

use gemm_codegen::{Kernel, Plan, Side};
use gemm_emulator::{Profile, Trace};

use crate::page::{Content, Page, Section, Source};
use crate::{Launch, of_plan, pipeline, raster, roofline};

pub use counts::lines;

/// What a report is made of; what is not known is left out.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its kernel.
    pub kernel: &'a Kernel,
    /// The launch whose blocks and roofline are drawn.
    pub launch: Launch,
    /// The events and accesses of the first block of a launch.
    pub trace: Option<&'a Trace>,
    /// The counts of a launch.
    pub profile: Option<&'a Profile>,
    /// What was counted, in a sentence.
    pub counted: String,
    /// The function as its author wrote it, and its place; without it the page has the declaration of the plan.
    pub written: Option<Written>,
    /// What was checked.
    pub checks: Option<Checks>,
    /// The resources of the compiled kernel.
    pub resources: Option<Resources>,
    /// Recorded measurements of the function.
    pub times: Vec<Time>,
}

/// A function as its author wrote it.
#[derive(Clone, Debug)]
pub struct Written {
    /// The attribute and the function.
    pub code: String,
    /// Its file and line.
    pub place: String,
}

/// What was checked, and what was found.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Whether there was no fault, and no output is wrong.
    pub is_right: bool,
    /// What was found, in a sentence.
    pub verdict: String,
    /// The same in full.
    pub section: Section,
}

/// The resources of a compiled kernel.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The architecture it was compiled for, such as `sm_90`.
    pub architecture: String,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Bytes of registers that a thread spills to local memory, and loads from it.
    pub spilled_bytes: u32,
    /// All of them.
    pub section: Section,
}

/// A measurement that a tuning has recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The device that was measured.
    pub device: String,
    /// M, N and K of the bucket of shapes.
    pub shape: [u64; 3],
    /// Matrices of a batch.
    pub batch: u64,
    /// The schedule that was the fastest.
    pub schedule: String,
    /// What it took.
    pub microseconds: f64,
    /// Whether it is the schedule of the report, in the bucket of its launch.
    pub is_reported: bool,
}

impl Time {
    /// FLOP/s.
    fn speed(&self) -> f64 {
        let [m, n, k] = self.shape.map(|extent| extent as f64);
        2.0 * m * n * k * self.batch as f64 / (self.microseconds * 1e-6)
    }
}

impl Report<'_> {
    /// The page.
    pub fn page(&self, title: &str, summary: &str) -> Page {
        Page {
            title: title.to_owned(),
            summary: summary.to_owned(),
            first: Some(first::screen(self)),
            sections: self.sections(),
            links: self.trace.map(|trace| links::json(self.plan, trace)),
        }
    }

    /// The sections, in the order in which they are read.
    fn sections(&self) -> Vec<Section> {
        let Report { plan, launch, .. } = self;
        let proved = "What the generator proved, before anything ran.";
        let linked = match self.trace {
            Some(_) => {
                "Point at an element: its owner, its banks and the source lines that access it, as the \
                 emulator saw them. Elements without such data are linked by what they show alone."
            }
            None => "",
        };
        let mut sections = vec![
            section("Plan", proved, rows_of(plan)),
            neighbours::section(plan),
            section("Pictures of the plan", linked, Content::Pictures(of_plan(plan))),
            section("Pictures of a launch", &on(launch), Content::Pictures(self.of_launch())),
        ];
        sections.extend(self.pipeline());
        sections.extend(self.measured());
        sections.extend(self.checks.as_ref().map(|checks| checks.section.clone()));
        if let Some(profile) = self.profile {
            sections.push(section(
                "Shared memory",
                &self.counted,
                counts::shared(self.kernel, profile, plan),
            ));
            sections.push(section(
                "Global memory",
                &self.counted,
                counts::global(self.kernel, profile, plan),
            ));
        }
        sections.extend(self.resources.as_ref().map(|resources| resources.section.clone()));
        sections.push(self.source());
        sections
    }

    /// The raster, and the roofline with what was measured of this launch.
    fn of_launch(&self) -> Vec<crate::Picture> {
        let measured = self.times.iter().find(|time| time.is_reported).map(Time::speed);
        let roofline = roofline::picture(self.plan, &self.launch, measured);
        [raster::picture(self.plan, &self.launch)].into_iter().chain(roofline).collect()
    }

    fn pipeline(&self) -> Option<Section> {
        let picture = pipeline::picture(self.plan, self.trace?)?;
        let text = "The first block of a launch, as the emulator ran it. The slider under the picture, or the \
                    arrow keys on it, move a cursor along the steps.";
        Some(section("Pipeline", text, Content::Pictures(vec![picture])))
    }

    /// The recorded times.
    fn measured(&self) -> Option<Section> {
        let row = |time: &Time| {
            let [m, n, k] = time.shape;
            let batch = if time.batch == 1 { String::new() } else { format!(" × {}", time.batch) };
            vec![
                format!("{m} × {n} × {k}{batch}"),
                time.schedule.clone(),
                format!("{} µs", time.microseconds),
                format!("{:.1}", time.speed() / 1e12),
                time.device.clone(),
            ]
        };
        let rows: Vec<_> = self.times.iter().map(row).collect();
        let text = "Recorded by tuning: the fastest schedule of a bucket of shapes. The speed is that of the \
                    bucket's largest shape, an upper limit where a smaller one was measured.";
        let head = ["up to", "fastest schedule", "time", "TFLOP/s", "device"];
        (!rows.is_empty()).then(|| section("Measured", text, table(head, rows)))
    }

    /// The text with what each line did.
    fn source(&self) -> Section {
        let text = "Each line with its warp instructions, wavefronts of shared memory, those beyond the least \
                    (conflicts), and sectors of global memory. Functions that are inlined count on their own \
                    lines. Point at a line: the elements that it accesses are marked; where no addresses are \
                    known, the pictures of its kind are.";
        let counted = |profile| counts::counted(self.kernel, profile);
        let lines = self.profile.map(counted).unwrap_or_default();
        let source = Source { text: self.kernel.text.to_string(), lines };
        section("Source", text, Content::Source(source))
    }
}

/// A section with a heading.
pub fn section(heading: &str, text: &str, content: Content) -> Section {
    Section { heading: heading.to_owned(), text: text.to_owned(), content }
}

/// A table with these headings.
pub fn table<const N: usize>(head: [&str; N], rows: Vec<Vec<String>>) -> Content {
    Content::Table { head: head.map(str::to_owned).to_vec(), rows }
}

/// The rows of a plan.
fn rows_of(plan: &Plan) -> Content {
    let rows = plan.rows().into_iter().map(|(what, how)| vec![what.to_owned(), how]);
    table(["level", "plan"], rows.collect())
}

/// The operands that are multiplied on a side, as the author named them.
pub(crate) fn named(plan: &Plan, side: Side) -> String {
    let names = plan.problem().factors(side).iter();
    let names = names.map(|factor| plan.spec().operands[factor.operand].name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// The launch that is drawn, and on what.
fn on(launch: &Launch) -> String {
    format!(
        "{} on {}. Times are estimates of the cost model, unless they are said to be measured.",
        launch.extents(),
        drawn_on(launch)
    )
}

/// The device of a launch.
fn drawn_on(launch: &Launch) -> String {
    let machine = launch.machine;
    format!(
        "{}: {} SMs of {:.2} GHz, memory of {:.2} TB/s",
        machine.target,
        machine.processors,
        machine.clock / 1e9,
        machine.memory / 1e12
    )
}
