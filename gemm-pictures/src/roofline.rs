//! The estimate of the cost model for a launch, below its limits.

use gemm_codegen::Plan;
use gemm_codegen::auto::{Footprint, Machine};
use svg::node::element::{Circle, Polyline};

use crate::Launch;
use crate::canvas::{Canvas, MARGIN, TOP, WIDTH, line, round, text, text_width};
use crate::picture::Picture;

/// Size of the chart.
const CHART: [f64; 2] = [WIDTH - 2.0 * MARGIN - 60.0, 260.0];

/// FLOP for each byte, from the first mark of the axis to the last, as powers of ten.
const INTENSITIES: [i32; 2] = [0, 5];

/// Decades of speed.
const DECADES: i32 = 4;

/// The compute capability of the devices whose rate the cost model knows.
const KNOWN: (u32, u32) = (9, 0);

/// Draws the bandwidth of memory and the rate of the multiplying unit as the cost model has them, the model's
/// estimate for the launch, and a measurement in FLOP/s if there is one.
///
/// Points have `data-point` (`estimate` or `measured`), `data-intensity` in FLOP/B and `data-speed` in FLOP/s;
/// the roof has `data-memory` in B/s and `data-rate` in FLOP/s.
///
/// `None` on a device of another compute capability than 9.0: the cost model scales the rate of an SM of that
/// one, which says nothing about the limit of another.
pub fn picture(plan: &Plan, launch: &Launch, measured: Option<f64>) -> Option<Picture> {
    let (extents, machine) = (launch.extents(), launch.machine);
    let Limits { intensity, rate, estimate } = Limits::of(plan, launch)?;
    let title = format!("Roofline on {}, {} SMs: {extents}", machine.target, machine.processors);
    let mut canvas = Canvas::new("roofline", title);
    let chart = Chart { top: rate.log10().ceil() as i32 };
    chart.axes(&mut canvas);
    chart.roof(&mut canvas, machine.memory, rate);
    let shown = measured.map(|speed| ("measured", speed, "c5"));
    let points = [Some(("estimate", estimate, "c4")), shown];
    for (what, speed, class) in points.into_iter().flatten() {
        chart.point(&mut canvas, [intensity, speed], what, class);
    }
    Some(canvas.finish(format!(
        "{extents} has {intensity:.1} FLOP for each byte of its operands. The cost model estimates \
         {:.3} TFLOP/s; its limits are {:.3} TB/s of memory and {:.1} TFLOP/s of the unit that multiplies.",
        estimate / 1e12,
        machine.memory / 1e12,
        rate / 1e12
    )))
}

/// The limits of a launch, and its estimate.
pub(crate) struct Limits {
    /// FLOP for each byte of the operands and outputs.
    pub(crate) intensity: f64,
    /// FLOP/s of the unit that multiplies.
    pub(crate) rate: f64,
    /// FLOP/s of the launch by the estimate.
    pub(crate) estimate: f64,
}

impl Limits {
    /// `None` on a device of another compute capability than 9.0.
    pub(crate) fn of(plan: &Plan, launch: &Launch) -> Option<Limits> {
        let Launch { shape: [m, n, k], batch, machine } = *launch;
        if machine.target.capability() != KNOWN {
            return None;
        }
        let footprint = Footprint::of(plan);
        let operations = 2.0 * batch as f64 * m as f64 * n as f64 * k as f64;
        let [a, b, out] = footprint.element_bytes();
        let [m_f, n_f, k_f] = [m, n, k].map(|extent| extent as f64);
        let bytes = batch as f64 * (m_f * k_f * a + n_f * k_f * b + m_f * n_f * out);
        let products = f64::from(footprint.products);
        Some(Limits {
            intensity: operations / bytes,
            rate: 2.0 * products * f64::from(machine.processors) * machine.clock,
            estimate: operations / footprint.seconds([m, n, k], batch, &machine),
        })
    }

    /// Whether the bandwidth of memory is the lower limit.
    pub(crate) fn is_of_memory(&self, machine: &Machine) -> bool {
        self.intensity * machine.memory < self.rate
    }
}

/// A chart of two logarithmic axes.
struct Chart {
    /// The highest speed as a power of ten.
    top: i32,
}

impl Chart {
    fn at(&self, intensity: f64, speed: f64) -> [f64; 2] {
        let [first, last] = INTENSITIES.map(f64::from);
        let along = ((intensity.log10() - first) / (last - first)).clamp(0.0, 1.0);
        let down = ((f64::from(self.top) - speed.log10()) / f64::from(DECADES)).clamp(0.0, 1.0);
        [MARGIN + 60.0 + along * CHART[0], TOP + 10.0 + down * CHART[1]]
    }

    fn point(&self, canvas: &mut Canvas, [intensity, speed]: [f64; 2], what: &str, class: &str) {
        let [x, y] = self.at(intensity, speed);
        let point = Circle::new()
            .set("cx", round(x))
            .set("cy", round(y))
            .set("r", 5)
            .set("class", class)
            .set("stroke", "var(--gemm-ink)")
            .set("data-point", what)
            .set("data-intensity", round(intensity))
            .set("data-speed", speed.round());
        canvas.add(point);
        let said = format!("{what} {:.3} TFLOP/s", speed / 1e12);
        // To the left where the chart ends on the right.
        let is_right = x + 10.0 + text_width(&said, 12.0) < WIDTH - MARGIN;
        canvas.add(match is_right {
            true => text(x + 10.0, y + 16.0, said),
            false => text(x - 10.0, y + 16.0, said).set("class", "e"),
        });
    }

    fn axes(&self, canvas: &mut Canvas) {
        let [low, high] = [self.top - DECADES, self.top].map(|power| 10f64.powi(power));
        let [first, last] = INTENSITIES.map(|power| 10f64.powi(power));
        for power in INTENSITIES[0]..=INTENSITIES[1] {
            let intensity = 10f64.powi(power);
            let ([x, top], [_, bottom]) = (self.at(intensity, high), self.at(intensity, low));
            canvas.add(line([x, top], [x, bottom]).set("class", "l").set("opacity", 0.4));
            let class = if power == INTENSITIES[1] { "s e q" } else { "s m q" };
            canvas.add(text(x, bottom + 14.0, format!("{intensity}")).set("class", class));
        }
        for power in self.top - DECADES..=self.top {
            let speed = 10f64.powi(power);
            let ([left, y], [right, _]) = (self.at(first, speed), self.at(last, speed));
            canvas.add(line([left, y], [right, y]).set("class", "l").set("opacity", 0.4));
            let label = format!("{}", 10f64.powi(power - 12));
            canvas.add(text(left - 8.0, y + 3.0, label).set("class", "s e q"));
        }
        let [x, bottom] = self.at(first, low);
        canvas.add(text(x, bottom + 28.0, "FLOP for each byte of the operands").set("class", "q"));
        canvas.add(text(MARGIN, TOP - 2.0, "TFLOP/s").set("class", "s q"));
        canvas.reach(bottom + 30.0);
    }

    fn roof(&self, canvas: &mut Canvas, memory: f64, rate: f64) {
        let low = 10f64.powi(self.top - DECADES);
        let [first, last] = INTENSITIES.map(|power| 10f64.powi(power));
        let begin = (low / memory).max(first);
        let ridge = (rate / memory).clamp(begin, last);
        let points = [(begin, memory * begin), (ridge, rate.min(memory * ridge)), (last, rate)];
        let points = points.map(|(intensity, speed)| {
            let [x, y] = self.at(intensity, speed);
            format!("{},{}", round(x), round(y))
        });
        let roof = Polyline::new()
            .set("points", points.join(" "))
            .set("class", "i")
            .set("data-memory", memory)
            .set("data-rate", rate);
        canvas.add(roof);
        let [x, y] = self.at(last, rate);
        let said = format!("{:.1} TFLOP/s", rate / 1e12);
        canvas.add(text(x, y - 6.0, said).set("class", "s e"));
    }
}
