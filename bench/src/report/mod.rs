//! What was measured: as a table, as JSON, as a chart.

mod chart;
mod table;

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::timing::{Clock, Ratio, Rounds};

/// One line: a kernel on one problem.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) kernel: Cow<'static, str>,
    /// Microseconds of one run.
    pub(crate) ours_us: f64,
    /// What one run does, where that is what counts.
    #[serde(flatten)]
    pub(crate) work: Option<Work>,
    #[serde(flatten)]
    pub(crate) peer: Option<Versus>,
}

/// What one run does.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Work {
    /// Multiplications and additions.
    Operations(f64),
    /// Bytes that are moved.
    Bytes(f64),
}

/// Another one beside ours.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Versus {
    /// Microseconds of one run.
    pub(crate) peers_us: f64,
    /// Its time over ours: above 1 we are faster.
    #[serde(flatten)]
    pub(crate) ratio: Ratio,
}

impl Work {
    /// Of a product: m·n·k multiplications, and as many additions.
    pub(crate) fn of_product(shape: [usize; 3]) -> Work {
        Work::Operations(2.0 * shape.iter().map(|extent| *extent as f64).product::<f64>())
    }

    /// As much, this often.
    pub(crate) fn times(self, times: f64) -> Work {
        match self {
            Work::Operations(count) => Work::Operations(count * times),
            Work::Bytes(count) => Work::Bytes(count * times),
        }
    }
}

impl Row {
    /// The line of a product of this shape, where ours was measured first and the peer second.
    pub(crate) fn of_product(
        case: String,
        kernel: &'static str,
        shape: [usize; 3],
        rounds: &Rounds,
    ) -> Row {
        Row {
            case,
            kernel: Cow::Borrowed(kernel),
            ours_us: rounds.us(0),
            work: Some(Work::of_product(shape)),
            peer: Some(Versus { peers_us: rounds.us(1), ratio: rounds.ratio(1, 0) }),
        }
    }
}

/// All lines of one run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) suite: &'static str,
    /// Whom we are compared with.
    pub(crate) peer: &'static str,
    pub(crate) device: String,
    pub(crate) nvrtc: String,
    pub(crate) clock: Clock,
    pub(crate) rounds: usize,
    pub(crate) rows: Vec<Row>,
}

impl Report {
    /// The geometric mean of the ratios of each kernel that has any, in the order of their first lines.
    pub(crate) fn means(&self) -> Vec<(&str, f64)> {
        let mut kernels: Vec<(&str, Vec<f64>)> = Vec::new();
        for row in &self.rows {
            let Some(peer) = row.peer else { continue };
            let log = peer.ratio.ratio.ln();
            match kernels.iter_mut().find(|(kernel, _)| *kernel == row.kernel) {
                Some((_, logs)) => logs.push(log),
                None => kernels.push((&row.kernel, vec![log])),
            }
        }
        let mean = |logs: Vec<f64>| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        kernels.into_iter().map(|(kernel, logs)| (kernel, mean(logs))).collect()
    }

    pub(crate) fn write_json(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, serde_json::to_string_pretty(self)?)?)
    }

    /// Draws an SVG.
    pub(crate) fn write_chart(&self, path: &Path) -> Result<()> {
        let text = chart::svg(self).map_err(|error| anyhow!("the chart: {error}"))?;
        Ok(fs::write(path, text)?)
    }
}
