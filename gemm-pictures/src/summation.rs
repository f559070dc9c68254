//! The bits of the terms that a tensor core adds in one step.

use svg::node::element::Group;

use crate::canvas::{Canvas, MARGIN, TOP, WIDTH, group, line, rectangle, text, tooltip};
use crate::palette::fill;
use crate::picture::Picture;

/// Left of the columns.
const LEFT: f64 = MARGIN + 112.0;

/// Height of a bit, and from one row to the next.
const BIT: f64 = 18.0;
const ROW: f64 = 26.0;

/// Bits of the fraction of f32.
const F32_BITS: i32 = 23;

/// The fills of bits that are kept, of those that are lost, and of the sum.
const FILLS: [u32; 3] = [0, 5, 2];

/// A number that is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is: `c`.
    pub name: String,
    /// The exact number.
    pub value: f64,
    /// The part of it that is added.
    pub kept: f64,
}

/// One step of a tensor core.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// c and the products.
    pub terms: Vec<Term>,
    /// F: bits below the largest exponent that are kept.
    pub fraction_bits: u32,
    /// The result.
    pub sum: f32,
}

/// A row of bits: its name, its number, and the part that is not dropped.
struct Row<'a> {
    name: &'a str,
    value: f64,
    kept: f64,
    fill: u32,
}

/// Draws the bits of all terms on one axis of exponents, the last that is kept, the exact sum of what is kept, and the
/// result.
///
/// A row has `data-term` and, for a negative number, `data-negative`; each of its bits has `data-below`, its distance
/// from the largest exponent, `data-bit`, and `data-lost` if it is dropped. Numbers are finite, and normal or zero; a
/// zero has no bits.
pub fn picture(step: &Step) -> Picture {
    let exact: f64 = step.terms.iter().map(|term| term.kept).sum();
    let sum = f64::from(step.sum);
    let values = || step.terms.iter().map(|term| term.value).filter(|value| *value != 0.0);
    let aligned = values().map(exponent).max().unwrap_or(0);
    // A sum may carry into the next exponent.
    let largest = [exact, sum].map(exponent).into_iter().fold(aligned, i32::max);
    let last = values().map(last_bit).fold(aligned - step.fraction_bits as i32, i32::min);
    let columns = largest - last + 1;
    let chart = Chart { largest, width: (WIDTH - MARGIN - LEFT) / f64::from(columns) };
    let mut canvas = Canvas::new("summation", "One step of a tensor core, bit by bit");
    chart.axis(&mut canvas, columns);
    chart.terms(&mut canvas, step, aligned);
    chart.sums(&mut canvas, exact, sum);
    let names = ["bits that are added", "bits that are dropped", "the result"];
    canvas.legend(&[0, 1, 2].map(|which| (FILLS[which], names[which].to_owned())));
    canvas.finish(format!(
        "The terms of a step are aligned to the largest exponent, here {aligned}, and truncated to {} bits below it. \
         Their exact sum is truncated to the {F32_BITS} bits of f32.",
        step.fraction_bits
    ))
}

/// Where exponents lie.
struct Chart {
    largest: i32,
    width: f64,
}

impl Chart {
    /// The left edge of the column of an exponent.
    fn x(&self, exponent: i32) -> f64 {
        LEFT + f64::from(self.largest - exponent) * self.width
    }

    /// The exponents of every fourth column.
    fn axis(&self, canvas: &mut Canvas, columns: i32) {
        canvas.add(text(MARGIN, TOP + 8.0, "exponent").set("class", "q"));
        for below in (0..columns).step_by(4) {
            let exponent = self.largest - below;
            let label = exponent.to_string().replace('-', "−");
            let middle = self.x(exponent) + self.width / 2.0;
            canvas.add(text(middle, TOP + 8.0, label).set("class", "m q"));
        }
    }

    /// The terms, and the cut of those that are aligned to this exponent.
    fn terms(&self, canvas: &mut Canvas, step: &Step, aligned: i32) {
        let top = TOP + 30.0;
        let mut y = top;
        for Term { name, value, kept } in &step.terms {
            self.row(canvas, y, &Row { name, value: *value, kept: *kept, fill: FILLS[0] });
            y += ROW;
        }
        let said = format!("F = {}", step.fraction_bits);
        self.cut(canvas, aligned - step.fraction_bits as i32, [top - 6.0, y], &said);
        canvas.reach(y);
    }

    /// The sum of what is kept, and what f32 has of it.
    fn sums(&self, canvas: &mut Canvas, exact: f64, sum: f64) {
        let top = canvas.bottom() + 30.0;
        let rows = [("sum of kept", exact, FILLS[0]), ("f32 sum", sum, FILLS[2])];
        let mut y = top;
        for (name, value, fill) in rows {
            self.row(canvas, y, &Row { name, value, kept: sum, fill });
            y += ROW;
        }
        if sum != 0.0 {
            let said = format!("f32: {F32_BITS} bits");
            self.cut(canvas, exponent(sum) - F32_BITS, [top - 6.0, y], &said);
        }
        canvas.reach(y + 16.0);
    }

    /// The bits of a number, from its first to its last.
    fn row(&self, canvas: &mut Canvas, y: f64, row: &Row<'_>) {
        let mut bits = group().set("data-term", row.name);
        if row.value < 0.0 {
            bits = bits.set("data-negative", "");
        }
        canvas.add(text(MARGIN, y + 13.0, row.name));
        let size = row.value.abs();
        if size == 0.0 {
            return;
        }
        if row.value < 0.0 {
            let first = self.x(exponent(size));
            canvas.add(text(first - 6.0, y + 13.0, "−").set("class", "e"));
        }
        for exponent in (last_bit(size)..=exponent(size)).rev() {
            bits = self.bit(bits, y, row, exponent);
        }
        canvas.add(bits);
    }

    /// One bit of a row.
    fn bit(&self, bits: Group, y: f64, row: &Row<'_>, exponent: i32) -> Group {
        let below = self.largest - exponent;
        let [value, kept] = [row.value, row.kept].map(|of| has_bit(of.abs(), exponent));
        let is_lost = value && !kept;
        let class = match (value, is_lost) {
            (false, _) => "f".to_owned(),
            (true, true) => fill(FILLS[1]),
            (true, false) => fill(row.fill),
        };
        let x = self.x(exponent);
        let mut cell = group().set("data-below", below).set("data-bit", u32::from(value));
        if is_lost {
            cell = cell.set("data-lost", "");
        }
        let label = text(x + self.width / 2.0, y + 13.0, u32::from(value).to_string());
        let shape = rectangle(x + 0.5, y, self.width - 1.0, BIT).set("class", class);
        bits.add(cell.add(tooltip(format!("2^{exponent}"))).add(shape).add(label.set("class", "m")))
    }

    /// A line after the column of this exponent, and its name under it.
    fn cut(&self, canvas: &mut Canvas, last: i32, [top, bottom]: [f64; 2], name: &str) {
        let x = self.x(last) + self.width;
        canvas.add(line([x, top], [x, bottom]).set("class", "i"));
        canvas.add(text(x, bottom + 13.0, name).set("class", "e"));
    }
}

/// The exponent of a normal number; below all of them for zero.
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// The exponent of its last bit that is set.
fn last_bit(x: f64) -> i32 {
    let fraction = x.to_bits() & ((1 << 52) - 1);
    exponent(x) - if fraction == 0 { 0 } else { 52 - fraction.trailing_zeros() as i32 }
}

/// Whether a number that is not negative has the bit of this exponent.
fn has_bit(x: f64, exponent: i32) -> bool {
    (x * 2f64.powi(-exponent)).floor() % 2.0 == 1.0
}
