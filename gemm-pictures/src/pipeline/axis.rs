//! Where the steps of a trace lie.

use super::timeline::Span;
use crate::canvas::{Canvas, MARGIN, WIDTH, group, line, round, text, text_width};

/// Left of the rows.
pub(super) const LEFT: f64 = MARGIN + 96.0;

/// What is closer than this is drawn as one.
const NEAR: f64 = 1.0;

/// Where steps lie.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) end: u64,
    scale: f64,
}

impl Axis {
    /// Steps up to this one.
    pub(super) fn new(end: u64) -> Axis {
        Axis { end, scale: (WIDTH - MARGIN - LEFT) / end.max(1) as f64 }
    }

    pub(super) fn x(self, step: u64) -> f64 {
        LEFT + step.min(self.end) as f64 * self.scale
    }

    /// Steps that are too close to be told apart.
    pub(super) fn near(self) -> u64 {
        (NEAR / self.scale) as u64
    }

    /// Spans in their order, those that are too close to be told apart as one.
    pub(super) fn joined(self, spans: &[Span]) -> Vec<Span> {
        let mut joined: Vec<Span> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span[0] <= last[1] + self.near() => last[1] = span[1],
                _ => joined.push(*span),
            }
        }
        joined
    }

    /// Left edge and width of a span; none if it begins after the end.
    pub(super) fn place(self, [from, to]: Span) -> Option<[f64; 2]> {
        let x = self.x(from);
        (from < self.end && from < to).then(|| [x, (self.x(to) - x).max(0.5)])
    }
}

/// Steps below the rows.
pub(super) fn ticks(canvas: &mut Canvas, axis: Axis) {
    let y = canvas.bottom() + 10.0;
    let wanted = axis.end as f64 / 8.0;
    let unit = 10f64.powf(wanted.max(1.0).log10().floor());
    let unit = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
    let unit = unit.into_iter().find(|unit| *unit >= wanted).unwrap_or(wanted).max(1.0) as u64;
    canvas.add(text(MARGIN, y, "step").set("class", "s q"));
    let [left, right] = [LEFT, WIDTH - MARGIN].map(round);
    let all = group().set("data-axis", format!("{} {left} {right}", axis.end));
    let mut all = all.set("data-bottom", round(y - 12.0));
    for step in (0..axis.end).step_by(unit as usize) {
        let (x, label) = (axis.x(step), step.to_string());
        if x + text_width(&label, 9.0) < WIDTH - 8.0 {
            all = all.add(line([x, y - 12.0], [x, y - 8.0]).set("class", "l"));
            all = all.add(text(x, y, label).set("class", if step == 0 { "s q" } else { "s m q" }));
        }
    }
    canvas.add(all);
    canvas.reach(y + 4.0);
}
