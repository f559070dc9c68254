//! The registers of a thread, and their limit.

use gemm_codegen::hardware::MAX_REGISTERS_PER_THREAD;
use gemm_codegen::{Plan, Registers};

use crate::canvas::{
    Canvas, LINE, MARGIN, TOP, WIDTH, group, line, rectangle, text, text_width, tooltip,
};
use crate::palette::fill;
use crate::picture::Picture;

/// Left of the bars.
const LEFT: f64 = MARGIN + 90.0;

/// Height of a bar.
const BAR: f64 = 26.0;

/// Registers between two marks of the axis.
const MARK: u32 = 32;

/// Draws what a thread holds, what it is estimated to take, and what it may have.
///
/// A part of the bar has `data-part`, `data-register`, the registers before it, and `data-registers`. The
/// estimate and the limit are lines with `data-estimate` and `data-limit`. A role of a warpgroup has `data-role`
/// and `data-registers`.
pub fn picture(plan: &Plan) -> Picture {
    let registers = plan.registers();
    let title =
        format!("Registers of a thread: about {} of {}", registers.estimate(), registers.limit);
    let mut canvas = Canvas::new("registers", title);
    let most = held(registers) + registers.next_fragments;
    let scale = (WIDTH - MARGIN - LEFT) / f64::from(most.max(MAX_REGISTERS_PER_THREAD + 1));
    let top = TOP + LINE;
    let named = bar(&mut canvas, registers, (top, scale));
    marks(&mut canvas, registers, (top, scale));
    let mut y = top + BAR + 26.0;
    if let Some([producer, consumer]) = plan.roles().and_then(|roles| roles.registers) {
        for (role, count) in [("producer", producer), ("consumer", consumer)] {
            let width = f64::from(count) * scale;
            canvas.add(text(MARGIN, y + 12.0, role).set("class", "q"));
            let shape = rectangle(LEFT, y, width, 16.0).set("class", "c7").set("data-role", role);
            canvas.add(shape.set("data-registers", count));
            let said = format!("{count} after setmaxnreg");
            let at = if width > text_width(&said, 12.0) { LEFT + 6.0 } else { LEFT + width + 6.0 };
            canvas.add(text(at, y + 12.0, said));
            y += 22.0;
        }
    }
    axis(&mut canvas, y, scale);
    canvas.legend(&named);
    let caption = caption(plan, registers);
    canvas.finish(caption)
}

/// The registers that a thread needs at the least.
fn held(registers: &Registers) -> u32 {
    registers.accumulators + registers.fragments + registers.copies + registers.addresses
}

/// The parts that a thread holds, then the fragments of the next k-step. Returns what the fills mean.
fn bar(canvas: &mut Canvas, registers: &Registers, (y, scale): (f64, f64)) -> Vec<(u32, String)> {
    let parts = [
        ("accumulators", registers.accumulators, 0),
        ("fragments", registers.fragments, 1),
        ("copies of the next k-tile", registers.copies, 6),
        ("addresses and counters", registers.addresses, 2),
        ("fragments of the next k-step", registers.next_fragments, 3),
    ];
    canvas.add(text(MARGIN, y + BAR / 2.0 + 4.0, "thread").set("class", "q"));
    let mut all = group();
    let mut from = 0;
    let mut named = Vec::new();
    for (part, count, number) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
        let [x, width] = [LEFT + f64::from(from) * scale, f64::from(count) * scale];
        let shape = rectangle(x, y, width - 1.0, BAR)
            .set("class", fill(number))
            .set("data-part", part)
            .set("data-register", from)
            .set("data-registers", count);
        all = all.add(shape.add(tooltip(format!("{part}: {count}"))));
        if text_width(&count.to_string(), 12.0) < width {
            let at = [x + width / 2.0, y + BAR / 2.0 + 4.0];
            all = all.add(text(at[0], at[1], count.to_string()).set("class", "m"));
        }
        named.push((number, format!("{part} {count}")));
        from += count;
    }
    canvas.add(all);
    named
}

/// The estimate and the limit.
fn marks(canvas: &mut Canvas, registers: &Registers, (y, scale): (f64, f64)) {
    let at = |count: u32| LEFT + f64::from(count) * scale;
    let [estimate, limit] = [registers.estimate(), registers.limit].map(at);
    let mark = |x: f64| line([x, y - 6.0], [x, y + BAR + 6.0]).set("class", "i");
    canvas.add(mark(limit).set("data-limit", registers.limit));
    let said = format!("limit {}", registers.limit);
    let [edge, class] = match limit + text_width(&said, 9.0) > WIDTH - MARGIN {
        true => ["s e", "e"],
        false => ["s", "b"],
    };
    let shift = if class == "e" { 2.0 } else { 0.0 };
    canvas.add(text(limit + shift, y - 9.0, said).set("class", edge));
    if registers.estimate() < registers.limit {
        let dashed = mark(estimate).set("stroke-dasharray", "3 2");
        canvas.add(dashed.set("data-estimate", registers.estimate()));
        let said = format!("estimate {}", registers.estimate());
        canvas.add(text(estimate, y + BAR + 16.0, said).set("class", "s m"));
    }
}

fn axis(canvas: &mut Canvas, y: f64, scale: f64) {
    for count in (0..=MAX_REGISTERS_PER_THREAD + 1).step_by(MARK as usize) {
        let x = LEFT + f64::from(count) * scale;
        let class = if count > MAX_REGISTERS_PER_THREAD { "s e q" } else { "s m q" };
        canvas.add(text(x, y + 10.0, count.to_string()).set("class", class));
    }
    canvas.reach(y + 12.0);
}

fn caption(plan: &Plan, registers: &Registers) -> String {
    let next = match registers.next_fragments {
        0 => "",
        _ => " Fragments of the next k-step are held where there is room.",
    };
    let moved = match plan.roles().and_then(|roles| roles.registers) {
        Some([producer, consumer]) => format!(
            " setmaxnreg leaves a thread of the producer {producer} and gives one of a consumer {consumer}."
        ),
        None => String::new(),
    };
    format!(
        "A thread of a block of {} has at most {} registers of 32 bits, holds {} and is estimated to take \
         {}.{next}{moved}",
        plan.threads(),
        registers.limit,
        held(registers),
        registers.estimate()
    )
}
