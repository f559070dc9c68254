//! The measurements as a table, as JSON, as a chart and in a document.

mod chart;
mod document;
mod table;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use serde::{Deserialize, Serialize};

use crate::task::Task;
use crate::timing::{Clock, Ratio, Rounds};

/// One line: a kernel on one problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) kernel: Cow<'static, str>,
    /// Microseconds of one run.
    pub(crate) ours_us: f64,
    /// The work of one run, for a rate.
    #[serde(flatten)]
    pub(crate) work: Option<Work>,
    #[serde(flatten)]
    pub(crate) roof: Option<Share>,
    /// cuBLASLt by the algorithm that its heuristic puts first, or whoever the suite's peer is.
    #[serde(flatten)]
    pub(crate) peer: Option<Versus>,
    /// cuBLASLt by the fastest of its algorithms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best: Option<Versus>,
    /// A kernel that reads the larger factor and does nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor: Option<Versus>,
    /// Its time over that of the kernel that it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of_whole: Option<Ratio>,
}

/// The work of one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Work {
    /// Multiplications and additions.
    Operations(f64),
    /// Bytes that are moved.
    Bytes(f64),
}

/// The share of ours in the rate of its instruction.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Share {
    /// The rate of the instruction, in 10¹² operations a second.
    roof: f64,
    /// The rate of ours over it.
    share_of_roof: f64,
}

/// Another kernel compared with ours.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Versus {
    /// Microseconds of one run.
    pub(crate) peers_us: f64,
    /// Its time over ours: above 1 we are faster.
    #[serde(flatten)]
    pub(crate) ratio: Ratio,
}

impl Versus {
    /// A contestant compared with another, which is ours.
    pub(crate) fn of(rounds: &Rounds, peer: usize, ours: usize) -> Versus {
        Versus { peers_us: rounds.us(peer), ratio: rounds.ratio(peer, ours) }
    }
}

impl Work {
    /// Of a product: m·n·k multiplications, and as many additions.
    pub(crate) fn of_product(shape: [usize; 3]) -> Work {
        Work::Operations(2.0 * shape.iter().map(|extent| *extent as f64).product::<f64>())
    }

    /// Of all products of a task.
    pub(crate) fn of_task(task: &Task) -> Work {
        Work::of_product(task.shape).times(task.products() as f64)
    }

    /// As much, this often.
    pub(crate) fn times(self, times: f64) -> Work {
        match self {
            Work::Operations(count) => Work::Operations(count * times),
            Work::Bytes(count) => Work::Bytes(count * times),
        }
    }

    /// Its microseconds at a rate in units of 10¹² a second.
    pub(crate) fn microseconds_at(self, rate: f64) -> f64 {
        let (Work::Operations(count) | Work::Bytes(count)) = self;
        // 10⁶ a microsecond.
        count / rate / 1e6
    }
}

impl Row {
    /// A line of ours alone.
    pub(crate) fn new(
        case: impl Into<String>,
        kernel: impl Into<Cow<'static, str>>,
        ours_us: f64,
    ) -> Row {
        let (case, kernel) = (case.into(), kernel.into());
        Row {
            case,
            kernel,
            ours_us,
            work: None,
            roof: None,
            peer: None,
            best: None,
            floor: None,
            of_whole: None,
        }
    }

    /// The case, the kernel, its time and the ratio to the peer, in words.
    pub(crate) fn line(&self) -> String {
        let Row { case, kernel, ours_us, peer, .. } = self;
        let ratio = peer.map_or_else(String::new, |peer| format!(", {:.3} x", peer.ratio.ratio));
        format!("{case}, {kernel}: {ours_us:.1} µs{ratio}")
    }

    /// The work per second, in units of 10¹².
    pub(crate) fn rate(&self) -> Option<f64> {
        let (Work::Operations(count) | Work::Bytes(count)) = self.work?;
        // 10⁶ a microsecond.
        Some(count / self.ours_us / 1e6)
    }

    /// The same with the rate of its instruction, if that is known.
    pub(crate) fn under(self, roof: Option<f64>) -> Row {
        let share = |roof: f64| Some(Share { roof, share_of_roof: self.rate()? / roof });
        Row { roof: roof.and_then(share), ..self }
    }
}

/// The ratios of a kernel to another on several problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratios<'a> {
    /// How many.
    pub(crate) count: usize,
    /// Their geometric mean.
    pub(crate) mean: f64,
    /// The least one, and its problem.
    pub(crate) least: f64,
    pub(crate) worst: &'a str,
}

impl<'a> Ratios<'a> {
    /// Of problems and their ratios; `None` if there are none.
    fn of(ratios: impl Iterator<Item = (&'a str, f64)> + Clone) -> Option<Ratios<'a>> {
        let count = ratios.clone().count();
        let (worst, least) = ratios.clone().min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let logs: f64 = ratios.map(|(_, ratio)| ratio.ln()).sum();
        Some(Ratios { count, mean: (logs / count as f64).exp(), least, worst })
    }
}

/// The ratios of a kernel to its peer, and to the best of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) peer: Ratios<'a>,
    pub(crate) best: Option<Ratios<'a>>,
}

impl Summary<'_> {
    /// The line that is printed, where a peer has a name.
    pub(crate) fn line(&self, peer: &str) -> String {
        let Summary { kernel, peer: Ratios { count, mean, least, worst }, best } = self;
        let mut line = format!(
            "{kernel}: {mean:.3} x {peer}, geometric mean of {count}; least {least:.3}, {worst}"
        );
        if let Some(Ratios { mean, least, worst, .. }) = best {
            let _ = write!(line, "; {mean:.3} x its best, least {least:.3}, {worst}");
        }
        line
    }
}

/// All lines of one run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) suite: Cow<'static, str>,
    /// The peer that ours are compared with.
    pub(crate) peer: Cow<'static, str>,
    pub(crate) device: String,
    pub(crate) nvrtc: String,
    pub(crate) clock: Clock,
    pub(crate) rounds: usize,
    pub(crate) rows: Vec<Row>,
}

impl Report {
    /// The ratios of each kernel that has any, in the order of their first lines.
    pub(crate) fn summaries(&self) -> Vec<Summary<'_>> {
        let mut kernels: Vec<&str> = self.rows.iter().map(|row| row.kernel.as_ref()).collect();
        let mut seen = HashSet::new();
        kernels.retain(|kernel| seen.insert(*kernel));
        kernels.into_iter().filter_map(|kernel| self.summary(kernel)).collect()
    }

    fn summary<'a>(&'a self, kernel: &'a str) -> Option<Summary<'a>> {
        let rows = || self.rows.iter().filter(|row| row.kernel == kernel);
        let of = |versus: fn(&Row) -> Option<Versus>| {
            rows().filter_map(move |row| Some((row.case.as_str(), versus(row)?.ratio.ratio)))
        };
        let peer = Ratios::of(of(|row| row.peer))?;
        Some(Summary { kernel, peer, best: Ratios::of(of(|row| row.best)) })
    }

    /// Reads what [`Report::write_json`] has written.
    pub(crate) fn read_json(path: &Path) -> Result<Report> {
        let text = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        serde_json::from_slice(&text)
            .with_context(|| format!("{} does not hold a report", path.display()))
    }

    pub(crate) fn write_json(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, serde_json::to_string_pretty(self)?)?)
    }

    /// Replaces the ratios of this suite in a Markdown document.
    pub(crate) fn write_document(&self, path: &Path) -> Result<()> {
        let document = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok(fs::write(path, self.put_into(&document)?)?)
    }

    /// Draws an SVG of the lines that have a peer.
    pub(crate) fn write_chart(&self, path: &Path) -> Result<()> {
        let text = chart::svg(self).map_err(|error| anyhow!("the chart: {error}"))?;
        Ok(fs::write(path, text)?)
    }
}
