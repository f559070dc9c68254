//! The lines as a chart.

use std::error::Error;

use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::SegmentedCoord;
use plotters::coord::types::{RangedCoordf64, RangedCoordusize};
use plotters::prelude::*;

use super::{Report, Row};

/// The height of a bar in pixels.
const BAR: u32 = 18;

/// Room for the legend, in units of the axis.
const LEGEND: f64 = 0.4;

/// The bars of a line, each in its own color.
const SERIES: [Series; 4] = [
    Series { color: BLUE, name: "peer's time / ours", value: |row| Some(row.peer?.ratio.ratio) },
    Series { color: CYAN, name: "its best time / ours", value: |row| Some(row.best?.ratio.ratio) },
    Series { color: RED, name: "share of the roof", value: |row| Some(row.roof?.share_of_roof) },
    Series {
        color: GREEN,
        name: "share of the whole kernel",
        value: |row| Some(row.of_whole?.ratio),
    },
];

struct Series {
    color: RGBColor,
    name: &'static str,
    value: fn(&Row) -> Option<f64>,
}

/// A place on the axis of lines: a bar, or the gap after the bars of a line.
struct Slot {
    /// The line's names, at its first bar.
    label: String,
    bar: Option<(&'static Series, f64)>,
}

type Chart<'a, 'text> = ChartContext<
    'a,
    SVGBackend<'text>,
    Cartesian2d<RangedCoordf64, SegmentedCoord<RangedCoordusize>>,
>;

/// Bars for each line, as long as its shares; equal speed reaches the line at 1.
pub(super) fn svg(report: &Report) -> Result<String, Box<dyn Error>> {
    let mut slots: Vec<Slot> = report.rows.iter().flat_map(slots).collect();
    if slots.is_empty() {
        return Err("no line is compared with anybody".into());
    }
    slots.reverse(); // the axis begins at the bottom
    let mut text = String::new();
    draw(report, &slots, &mut text)?;
    Ok(text)
}

fn draw(report: &Report, slots: &[Slot], text: &mut String) -> Result<(), Box<dyn Error>> {
    let values = slots.iter().filter_map(|slot| slot.bar.as_ref());
    let most = values.map(|(_, value)| *value).fold(1.2, f64::max);
    let height = 120 + BAR * u32::try_from(slots.len())?;
    let area = SVGBackend::with_string(text, (900, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let Report { suite, peer, device, clock, .. } = report;
    let title = format!("{suite} and {peer}, {device}, {clock:?}");
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(280)
        .build_cartesian_2d(0.0..most + LEGEND, (0..slots.len()).into_segmented())?;
    draw_axes(&mut chart, slots)?;
    SERIES.iter().try_for_each(|series| draw_bars(&mut chart, slots, series))?;
    let line = [(1.0, SegmentValue::Exact(0)), (1.0, SegmentValue::Exact(slots.len()))];
    chart.draw_series(LineSeries::new(line, &BLACK))?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(area.present()?)
}

fn draw_axes(chart: &mut Chart<'_, '_>, slots: &[Slot]) -> Result<(), Box<dyn Error>> {
    let label = |at: &SegmentValue<usize>| match at {
        SegmentValue::CenterOf(at) | SegmentValue::Exact(at) => {
            slots.get(*at).map_or(String::new(), |slot| slot.label.clone())
        }
        SegmentValue::Last => String::new(),
    };
    let mut mesh = chart.configure_mesh();
    Ok(mesh.disable_y_mesh().y_labels(slots.len()).y_label_formatter(&label).draw()?)
}

fn draw_bars(
    chart: &mut Chart<'_, '_>,
    slots: &[Slot],
    Series { color, name, .. }: &'static Series,
) -> Result<(), Box<dyn Error>> {
    let fill = color.mix(0.6).filled();
    let bars = slots.iter().enumerate().filter_map(|(at, slot)| {
        let (_, value) = slot.bar.as_ref().filter(|(series, _)| series.name == *name)?;
        let corners = [(0.0, SegmentValue::Exact(at)), (*value, SegmentValue::Exact(at + 1))];
        let mut bar = Rectangle::new(corners, fill);
        bar.set_margin(2, 2, 0, 0);
        Some(bar)
    });
    let bars: Vec<_> = bars.collect();
    if !bars.is_empty() {
        let legend = move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], fill);
        chart.draw_series(bars)?.label(*name).legend(legend);
    }
    Ok(())
}

/// The bars of a line, and a gap; nothing for a line without a peer.
fn slots(row: &Row) -> Vec<Slot> {
    let bars = SERIES.iter().filter_map(|series| Some((series, (series.value)(row)?)));
    let mut slots: Vec<Slot> =
        bars.map(|bar| Slot { label: String::new(), bar: Some(bar) }).collect();
    if let Some(first) = slots.first_mut() {
        first.label = format!("{} {}", row.case, row.kernel);
        slots.push(Slot { label: String::new(), bar: None });
    }
    slots
}
