//! What was measured: as a table, as JSON, as a chart.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use comfy_table::{Cell, CellAlignment, Table, presets};
use plotters::prelude::*;
use serde::Serialize;

use crate::timing::{Clock, Duel};

/// One line: a kernel of ours beside the peer on one problem.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) kernel: &'static str,
    /// Microseconds of one run.
    pub(crate) ours_us: f64,
    pub(crate) peers_us: f64,
    /// Multiplications and additions of one run; 0 where they are not what counts.
    pub(crate) operations: f64,
    /// The peer's time over ours, the median over the rounds, and its extremes.
    pub(crate) ratio: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Row {
    /// The line of a product of this shape.
    pub(crate) fn of_product(
        case: String,
        kernel: &'static str,
        shape: [usize; 3],
        duel: &Duel,
    ) -> Row {
        let (least, most) = duel.spread();
        Row {
            case,
            kernel,
            ours_us: f64::from(duel.ours_ms) * 1e3,
            peers_us: f64::from(duel.peers_ms) * 1e3,
            operations: 2.0 * shape.iter().map(|extent| *extent as f64).product::<f64>(),
            ratio: duel.ratio().into(),
            least: least.into(),
            most: most.into(),
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
    /// A Markdown table.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let ours = ["case", "kernel", "µs", "TFLOP/s"].map(String::from);
        let peers = [format!("{} µs", self.peer), "ratio".into(), "least".into(), "most".into()];
        table.set_header(ours.into_iter().chain(peers));
        for row in &self.rows {
            let speed = match row.operations {
                0.0 => String::new(),
                operations => format!("{:.0}", operations / row.ours_us / 1e6),
            };
            let ratios = [row.ratio, row.least, row.most].map(|ratio| format!("{ratio:.3}"));
            let numbers = [format!("{:.1}", row.ours_us), speed, format!("{:.1}", row.peers_us)];
            let right = |text| Cell::new(text).set_alignment(CellAlignment::Right);
            let names = [Cell::new(&row.case), Cell::new(row.kernel)];
            table.add_row(names.into_iter().chain(numbers.into_iter().chain(ratios).map(right)));
        }
        table
    }

    /// The geometric mean of the ratios of each kernel, in the order of their first lines.
    pub(crate) fn means(&self) -> Vec<(&'static str, f64)> {
        let mut kernels: Vec<&'static str> = Vec::new();
        for row in &self.rows {
            if !kernels.contains(&row.kernel) {
                kernels.push(row.kernel);
            }
        }
        let mean = |kernel: &&'static str| {
            let rows = self.rows.iter().filter(|row| row.kernel == *kernel);
            let logs: Vec<f64> = rows.map(|row| row.ratio.ln()).collect();
            (*kernel, (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        kernels.iter().map(mean).collect()
    }

    pub(crate) fn write_json(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, serde_json::to_string_pretty(self)?)?)
    }

    /// A bar for each line, as long as its ratio; the peer is the line at 1.
    pub(crate) fn write_chart(&self, path: &Path) -> Result<()> {
        let text = self.chart().map_err(|error| anyhow!("the chart: {error}"))?;
        Ok(fs::write(path, text)?)
    }

    fn chart(&self) -> Result<String, Box<dyn std::error::Error + '_>> {
        const BAR: u32 = 22;
        let count = self.rows.len();
        let most = self.rows.iter().map(|row| row.ratio).fold(1.2, f64::max);
        let mut text = String::new();
        {
            let height = 90 + BAR * u32::try_from(count)?;
            let area = SVGBackend::with_string(&mut text, (900, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let title = format!("{}: time of {} over ours, {}", self.suite, self.peer, self.device);
            let mut chart = ChartBuilder::on(&area)
                .caption(title, ("sans-serif", 15))
                .margin(10)
                .x_label_area_size(30)
                .y_label_area_size(230)
                .build_cartesian_2d(0.0..most * 1.05, (0..count).into_segmented())?;
            let label = |at: &SegmentValue<usize>| match at {
                SegmentValue::CenterOf(at) | SegmentValue::Exact(at) => self
                    .rows
                    .get(*at)
                    .map_or(String::new(), |row| format!("{} {}", row.case, row.kernel)),
                SegmentValue::Last => String::new(),
            };
            chart
                .configure_mesh()
                .disable_y_mesh()
                .y_labels(count)
                .y_label_formatter(&label)
                .draw()?;
            chart.draw_series(self.rows.iter().enumerate().map(|(at, row)| {
                let color = if row.ratio >= 1.0 { GREEN } else { BLUE };
                let corners =
                    [(0.0, SegmentValue::Exact(at)), (row.ratio, SegmentValue::Exact(at + 1))];
                let mut bar = Rectangle::new(corners, color.mix(0.6).filled());
                bar.set_margin(3, 3, 0, 0);
                bar
            }))?;
            let line = [(1.0, SegmentValue::Exact(0)), (1.0, SegmentValue::Exact(count))];
            chart.draw_series(LineSeries::new(line, &BLACK))?;
            area.present()?;
        }
        Ok(text)
    }
}
