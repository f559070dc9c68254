//! The lines as a chart.

use std::error::Error;

use plotters::prelude::*;

use super::{Report, Row};

/// A bar for each line that has a ratio, as long as it; the peer is the line at 1.
pub(super) fn svg(report: &Report) -> Result<String, Box<dyn Error + '_>> {
    const BAR: u32 = 22;
    let bars: Vec<(String, f64)> = report.rows.iter().filter_map(bar).collect();
    let most = bars.iter().map(|(_, ratio)| *ratio).fold(1.2, f64::max);
    let mut text = String::new();
    {
        let height = 90 + BAR * u32::try_from(bars.len())?;
        let area = SVGBackend::with_string(&mut text, (900, height)).into_drawing_area();
        area.fill(&WHITE)?;
        let Report { suite, peer, device, .. } = report;
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("{suite}: time of {peer} over ours, {device}"), ("sans-serif", 15))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(230)
            .build_cartesian_2d(0.0..most * 1.05, (0..bars.len()).into_segmented())?;
        let label = |at: &SegmentValue<usize>| match at {
            SegmentValue::CenterOf(at) | SegmentValue::Exact(at) => {
                bars.get(*at).map_or(String::new(), |(name, _)| name.clone())
            }
            SegmentValue::Last => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(bars.len())
            .y_label_formatter(&label)
            .draw()?;
        chart.draw_series(bars.iter().enumerate().map(|(at, (_, ratio))| {
            let color = if *ratio >= 1.0 { GREEN } else { BLUE };
            let corners = [(0.0, SegmentValue::Exact(at)), (*ratio, SegmentValue::Exact(at + 1))];
            let mut bar = Rectangle::new(corners, color.mix(0.6).filled());
            bar.set_margin(3, 3, 0, 0);
            bar
        }))?;
        let line = [(1.0, SegmentValue::Exact(0)), (1.0, SegmentValue::Exact(bars.len()))];
        chart.draw_series(LineSeries::new(line, &BLACK))?;
        area.present()?;
    }
    Ok(text)
}

fn bar(row: &Row) -> Option<(String, f64)> {
    row.peer.map(|peer| (format!("{} {}", row.case, row.kernel), peer.ratio.ratio))
}
