//! The shared memory of a block, byte by byte.

use gemm_codegen::auto::Machine;
use gemm_codegen::{Plan, SharedMemory, Side, emit};

use crate::canvas::{
    Canvas, LINE, MARGIN, TOP, WIDTH, group, line, rectangle, text, text_width, tooltip,
};
use crate::palette::fill;
use crate::picture::Picture;

/// Left of the bars.
const LEFT: f64 = MARGIN + 90.0;

/// Height of a bar.
const BAR: f64 = 30.0;

/// The fills of A, B, what is staged, what other blocks send, barriers and scales.
const FILLS: [u32; 6] = [0, 1, 2, 6, 3, 5];

/// Some bytes of the shared memory of a block.
struct Region {
    what: String,
    kind: usize,
    from: u32,
    bytes: u32,
}

/// Draws the ring of stages, what the epilogue stages and the barriers, each at its bytes; and how many such
/// blocks the shared memory of each target holds.
///
/// A region has `data-region`, `data-byte`, its first, `data-bytes`, and `data-phase`: `mainloop`, `epilogue`
/// or `both`. Regions of one phase share no byte. A block on an SM has `data-target` and `data-block`.
pub fn picture(plan: &Plan) -> Picture {
    let shared = plan.shared_memory();
    let total = shared.bytes();
    let mut canvas = Canvas::new("memory_map", format!("Shared memory of a block: {total} B"));
    let scale = (WIDTH - MARGIN - LEFT) / f64::from(total.max(1));
    let [top, below] = [TOP + 4.0, TOP + 4.0 + BAR + 6.0];
    bar(&mut canvas, "mainloop", "main loop", &ring(plan), (top, scale));
    bar(&mut canvas, "epilogue", "epilogue", &epilogue(shared), (below, scale));
    bar(&mut canvas, "both", "", &barriers(shared), (below + BAR + 6.0, scale));
    axis(&mut canvas, plan, canvas_end(shared, below), scale);
    occupancy(&mut canvas, plan);
    let names = ["A of a stage", "B of a stage", "staged results", "received sums", "barriers"];
    let names = [&names[..], &["scales of a stage"]].concat();
    let [received, barriers] = [shared.received_bytes, shared.barrier_bytes].map(|of| of > 0);
    let is_used = [true, true, true, received, barriers, plan.scale_bytes() > 0];
    let used = (0..FILLS.len()).filter(|kind| is_used[*kind]);
    canvas.legend(&used.map(|kind| (FILLS[kind], names[kind].to_owned())).collect::<Vec<_>>());
    canvas.finish(caption(plan))
}

/// The baseline of the axis, below the bars.
fn canvas_end(shared: &SharedMemory, epilogue: f64) -> f64 {
    let bars = if shared.barrier_bytes > 0 { 2.0 * BAR + 6.0 } else { BAR };
    epilogue + bars + 14.0
}

/// The tiles of all stages, and their scales.
fn ring(plan: &Plan) -> Vec<Region> {
    let of_plan = plan.ring();
    let mut regions = Vec::new();
    let mut from = 0;
    for (ring, stage) in
        (0..of_plan.rings).flat_map(|ring| (0..of_plan.stages).map(move |stage| (ring, stage)))
    {
        for (kind, side) in Side::BOTH.into_iter().enumerate() {
            let bytes = plan.shared_tile(side).bytes();
            let letter = side.letter().to_uppercase();
            let what = match of_plan.rings {
                1 => format!("{letter}{stage}"),
                _ => format!("{letter}{ring}.{stage}"),
            };
            regions.push(Region { what, kind, from, bytes });
            from += bytes;
        }
        if plan.scale_bytes() > 0 {
            let (what, bytes) = (format!("scales{stage}"), plan.scale_bytes());
            regions.push(Region { what, kind: 5, from, bytes });
            from += bytes;
        }
    }
    regions
}

/// What the epilogue uses: where the ring is, or after it.
fn epilogue(shared: &SharedMemory) -> Vec<Region> {
    let from = if shared.apart { shared.ring_bytes } else { 0 };
    let staged = Region { what: "staged".to_owned(), kind: 2, from, bytes: shared.staging_bytes };
    let received =
        Region { what: "received".to_owned(), kind: 3, from: 0, bytes: shared.received_bytes };
    // What is received is added up before anything is staged; both lie in the same place.
    let longest = if received.bytes > staged.bytes { received } else { staged };
    vec![longest]
}

fn barriers(shared: &SharedMemory) -> Vec<Region> {
    let bytes = shared.barrier_bytes;
    let from = shared.bytes() - bytes;
    let barriers = Region { what: "barriers".to_owned(), kind: 4, from, bytes };
    if bytes == 0 { Vec::new() } else { vec![barriers] }
}

/// A bar of regions; of the narrow ones only the shape.
fn bar(canvas: &mut Canvas, phase: &str, name: &str, regions: &[Region], (y, scale): (f64, f64)) {
    canvas.add(text(MARGIN, y + BAR / 2.0 + 4.0, name).set("class", "q"));
    let mut all = group().set("data-phase", phase);
    for region in regions {
        let [x, width] = [LEFT + f64::from(region.from) * scale, f64::from(region.bytes) * scale];
        let shape = rectangle(x, y, (width - 0.5).max(1.5), BAR)
            .set("class", fill(FILLS[region.kind]))
            .set("data-region", &*region.what)
            .set("data-byte", region.from)
            .set("data-bytes", region.bytes);
        let end = region.from + region.bytes;
        let said = format!("{}: bytes {}–{}", region.what, region.from, end.saturating_sub(1));
        all = all.add(shape.add(tooltip(&*said)));
        if text_width(&region.what, 12.0) < width {
            let at = [x + width / 2.0, y + BAR / 2.0 + 4.0];
            all = all.add(text(at[0], at[1], &*region.what).set("class", "m"));
        } else if regions.len() == 1 {
            // Before it, or after it where that is the name of the bar.
            let (at, class) = match x - 6.0 - text_width(&said, 12.0) < LEFT {
                true => (x + width + 6.0, "q"),
                false => (x - 6.0, "e q"),
            };
            all = all.add(text(at, y + BAR / 2.0 + 4.0, said).set("class", class));
        }
    }
    canvas.add(all);
    canvas.reach(y + BAR);
}

/// The bytes at which stages begin, and the end.
fn axis(canvas: &mut Canvas, plan: &Plan, y: f64, scale: f64) {
    let shared = plan.shared_memory();
    let stages = plan.ring().rings * plan.ring().stages;
    let stage = shared.ring_bytes / stages.max(1);
    let mut end = f64::MIN;
    for byte in (0..stages).map(|number| number * stage).chain([shared.bytes()]) {
        let (x, label) = (LEFT + f64::from(byte) * scale, byte.to_string());
        let is_last = byte == shared.bytes();
        let width = text_width(&label, 9.0);
        let from = if is_last { x - width } else { x };
        let room = if is_last { f64::MAX } else { WIDTH - MARGIN - 2.0 * width };
        if from > end + 6.0 && (is_last || x < room) {
            let class = if is_last { "s e q" } else { "s q" };
            canvas.add(text(x, y, label).set("class", class));
            end = from + width;
        }
    }
    canvas.reach(y + 6.0);
}

/// Blocks in the shared memory of an SM.
fn occupancy(canvas: &mut Canvas, plan: &Plan) {
    let kernel = emit(plan);
    let used = plan.shared_memory().bytes();
    let largest = plan.targets().iter().map(|target| target.limits().shared_bytes_per_sm).max();
    let scale = (WIDTH - MARGIN - LEFT - 130.0) / f64::from(largest.unwrap_or(1));
    canvas.add(text(MARGIN, canvas.bottom() + LINE + 6.0, "Blocks in the shared memory of an SM"));
    canvas.reach(canvas.bottom() + LINE + 10.0);
    for target in plan.targets() {
        let (limits, y) = (target.limits(), canvas.bottom() + 6.0);
        let machine = Machine { target: *target, processors: 1, clock: 1.0, memory: 1.0 };
        let blocks = kernel.resident_blocks(&machine);
        canvas.add(text(MARGIN, y + 12.0, target.name()).set("class", "q"));
        let width = f64::from(limits.shared_bytes_per_sm) * scale;
        let mut all = group().set("data-target", target.name());
        all = all.add(rectangle(LEFT, y, width, 16.0).set("class", "f"));
        let each = f64::from(used + limits.reserved_shared_bytes_per_block) * scale;
        for block in 0..blocks {
            let shape = rectangle(LEFT + block as f64 * each, y, (each - 1.0).max(1.0), 16.0);
            all = all.add(shape.set("class", fill(block as u32 % 2 * 4)).set("data-block", block));
        }
        let said = format!("{blocks} of {} KiB", limits.shared_bytes_per_sm / 1024);
        all = all.add(text(WIDTH - MARGIN, y + 12.0, said).set("class", "e q"));
        canvas.add(all);
        let limit = f64::from(limits.shared_bytes_per_block) * scale;
        canvas.add(line([LEFT + limit, y - 1.0], [LEFT + limit, y + 17.0]).set("class", "i"));
        canvas.reach(y + 16.0);
    }
}

fn caption(plan: &Plan) -> String {
    let shared = plan.shared_memory();
    let stages = plan.ring().stages;
    let rings = match plan.ring().rings {
        1 => String::new(),
        rings => format!("{rings} rings of "),
    };
    let place = match shared.apart {
        true => "after the ring, which is filled for the next tile meanwhile",
        false => "where the ring was",
    };
    let barriers = match plan.stage_counts() {
        Some(counts) => format!(
            " The barriers of a stage count {} bytes and {} arrivals of warps.",
            counts.bytes(),
            counts.arrivals[1]
        ),
        None => String::new(),
    };
    format!(
        "{rings}{stages} stages take {} bytes; the epilogue stages {} bytes {place}.{barriers} A line marks \
         the most that one block may have on a target.",
        shared.ring_bytes, shared.staging_bytes
    )
}
