//! A kernel at a glance: the warps of a block, a tile in shared memory and the numbers of the plan.

use gemm_codegen::{Plan, Side};

use crate::canvas::{Canvas, LINE, MARGIN, TOP, WIDTH, text, text_width};
use crate::picture::Picture;
use crate::{shared_tile, warps};

/// Left of what stands to the right of the warps.
const RIGHT: f64 = 450.0;

/// Draws the block tile as [`warps`] does and the tile of A as [`shared_tile`] does, with the same attributes.
pub fn picture(plan: &Plan) -> Picture {
    let [m, n, k] = plan.warps().block;
    let count: u32 = plan.warps().grid.iter().product();
    let plural = if count == 1 { "" } else { "s" };
    let workers = format!("{count} {}{plural}", warps::noun(plan));
    let title = format!("{}: tiles of {m} × {n} × {k} by {workers}", plan.spec().name);
    let mut canvas = Canvas::new("overview", title);
    let mut left = Canvas::new("overview-warps", "");
    warps::draw(&mut left, plan);
    canvas.inset(left, [-20.0, 0.0]);
    let order = shared_tile::order(plan, plan.shared_tile(Side::A));
    let widest = shared_tile::width(plan, Side::A).max(text_width(&order, 12.0));
    let fits = RIGHT + widest <= WIDTH - MARGIN;
    let top = if fits { TOP } else { canvas.bottom() + 2.0 * LINE };
    let x = if fits { RIGHT } else { MARGIN };
    canvas.add(text(x, top + 6.0, "A in shared memory"));
    canvas.add(text(x, top + 6.0 + LINE, order).set("class", "q"));
    let mut tile = Canvas::new("overview-tile", "");
    shared_tile::draw(&mut tile, plan, Side::A, fits);
    let bottom = tile.bottom();
    canvas.inset(tile, [x - MARGIN, top - TOP + 2.0 * LINE + 6.0]);
    numbers(&mut canvas, plan, [x, bottom + top - TOP + 3.0 * LINE + 12.0]);
    canvas.finish(caption(plan, &workers))
}

/// What the block and its threads take.
fn numbers(canvas: &mut Canvas, plan: &Plan, [x, y]: [f64; 2]) {
    let registers = plan.registers();
    let lines = [
        ("stages", plan.ring().stages.to_string()),
        ("shared", format!("{} B", plan.shared_memory().bytes())),
        ("registers", format!("{} of {}", registers.estimate(), registers.limit)),
        ("FLOP/B", format!("{:.0}", plan.arithmetic_intensity())),
    ];
    for (line, (what, value)) in (0..).zip(lines) {
        let y = y + f64::from(line) * LINE;
        canvas.add(text(x, y, what).set("class", "q"));
        canvas.add(text(x + 84.0, y, value));
        canvas.reach(y);
    }
}

fn caption(plan: &Plan, workers: &str) -> String {
    let [m, n, k] = plan.warps().block;
    let loads = plan.feed(Side::A).bank_passes().max(1);
    let passes = if loads == 1 { "pass" } else { "passes" };
    format!(
        "A block tile of {m} × {n} × {k} is multiplied by {workers} with {}. Each cell of the tile of A is a \
         chunk of it, with its first bank; a load takes {loads} {passes} of the banks.",
        plan.mma().name()
    )
}
