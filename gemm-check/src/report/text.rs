//! A report as a page for a reader who optimises a kernel, and many as a table.

use std::fmt::Display;

use comfy_table::{Cell, CellAlignment, Row, Table, presets};
use gemm_codegen::{Part, Side};

use super::{Conflict, Counts, Finding, Function, Report};
use crate::constant::Constant;
use crate::exactness::Exactness;

/// Lines of a table of conflicts: those that cost most.
const MOST_CONFLICTS: usize = 8;

/// The longest piece of source in a table, in characters.
const MOST_TEXT: usize = 40;

/// Everything about one kernel.
pub fn page(report: &Report) -> String {
    let mut parts = vec![header(report), verdict(report)];
    parts[1] += &report.exactness.map_or_else(String::new, exactness);
    if let Some(counts) = &report.counts {
        let warnings: String =
            counts.conflicts.iter().map(|conflict| warning(report, conflict)).collect();
        parts[1] += &warnings;
        parts.push(format!("{}\n", mix(counts)));
        parts.push(format!("{}\n{}", global(counts), bytes_asked_for_twice(counts)));
        parts.extend([shared(counts), functions(counts)].map(|table| format!("{table}\n")));
        if !counts.conflicts.is_empty() {
            parts.push(format!("{}\n", conflicts(counts)));
        }
    }
    parts.join("\n")
}

/// A line for each kernel, then what is wrong with those that are not right.
pub fn overview(reports: &[Report]) -> String {
    let titles = ["kernel", "finding", "of limit", "instructions", "sectors", "conflicts"];
    let rows = reports.iter().map(|report| {
        let (finding, share) = match &report.finding {
            Finding::Right { relative_error, limit, .. } => {
                ("right", share(*relative_error, *limit))
            }
            Finding::Wrong(_) => ("WRONG", String::new()),
            Finding::Fault(_) => ("FAULT", String::new()),
        };
        let counts = report.counts.as_ref();
        let count = |of: fn(&Counts) -> u64| counts.map_or_else(String::new, |c| of(c).to_string());
        let instructions = count(|counts| counts.instructions);
        let sectors = count(|counts| counts.global.iter().map(|one| one.sectors).sum());
        let conflicts =
            count(|counts| counts.shared.iter().map(|one| one.wavefronts - one.groups).sum());
        let mut row = Row::from([report.kernel.as_str(), finding]);
        for cell in [share, instructions, sectors, conflicts] {
            row.add_cell(right(cell));
        }
        row
    });
    let mut text = format!("{}\n", table(titles, rows));
    for report in reports.iter().filter(|report| !report.is_right()) {
        text += &format!("\n{}: {}", report.kernel, verdict(report));
    }
    text
}

fn header(report: &Report) -> String {
    let Report { kernel, shape: [m, n, k], alignment, seed, .. } = report;
    let Report { blocks, threads, shared_bytes, target, nvrtc, seconds, .. } = report;
    let aligned = match alignment.as_str() {
        "mixed" => "rows aligned at random".to_owned(),
        bytes => format!("rows aligned to {bytes} B"),
    };
    let mut header = format!(
        "{kernel}, {m}x{n}x{k}, {aligned}, seed {seed}\n\
         {blocks} blocks of {threads} threads with {shared_bytes} B of shared memory, {target}, \
         NVRTC {nvrtc}\n"
    );
    for constant @ Constant { name, from, .. } in &report.constants {
        header += &format!("{} {name}: {constant}, {from}\n", constant.what());
    }
    if let Some(counts) = &report.counts {
        let millions = counts.instructions as f64 / seconds / 1e6;
        header += &format!(
            "{} warp instructions in {:.1} ms, {millions:.1} M/s\n",
            counts.instructions,
            seconds * 1e3
        );
    }
    header
}

/// What was found, in full.
fn verdict(report: &Report) -> String {
    const CHECKS: &str = "no fault: bounds, alignment, initialisation, races, cp.async order, \
                          barriers, collectives\n";
    match &report.finding {
        Finding::Right { limit, constant, .. } if *limit == 0.0 => {
            format!("{CHECKS}output right: exact\n{}", of_one_value(constant.as_deref()))
        }
        Finding::Right { relative_error, limit, not_finite, constant } => format!(
            "{CHECKS}output right: relative error {relative_error:.1e}, {} of the limit\n{}{}",
            share(*relative_error, *limit),
            values_that_are_not_finite(*not_finite),
            of_one_value(constant.as_deref())
        ),
        Finding::Wrong(what) => format!("{CHECKS}output wrong: {what}\n"),
        Finding::Fault(what) => format!("fault: {what}\n"),
    }
}

/// What to know of an output whose elements are all this value.
fn of_one_value(constant: Option<&str>) -> String {
    let note = |value: &str| {
        format!(
            "note: every element of an output is {value}, as the reference: nothing was distinguished; try \
             another seed, shape or value of a scalar\n"
        )
    };
    constant.map_or_else(String::new, note)
}

/// What to know of an output with such elements, whose norm says nothing about them.
fn values_that_are_not_finite(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "1 element is NaN or infinite, as the reference\n".to_owned(),
        _ => format!("{count} elements are NaN or infinite, as the reference\n"),
    }
}

/// The errors of the sums, and what they may be.
fn exactness(of: Exactness) -> String {
    let Exactness { factors, kernel, fused, bound, bound_in_words } = of;
    format!(
        "sums of {factors}; largest abs(error) / Σ abs(a·b):\n   \
         {kernel:.1e} here: the emulator adds as the tensor cores of the target do\n   \
         {fused:.1e} by f32 fused multiply-adds of the same data in the order of k\n   \
         {bound:.1e} is the bound: {bound_in_words}\n"
    )
}

fn warning(report: &Report, conflict: &Conflict) -> String {
    let Conflict { opcode, function, line, groups, wavefronts, most, .. } = conflict;
    let (level, help) = advice(conflict);
    format!(
        "{level}: up to {most} wavefronts where 1 would do in {function}, {}.cu:{line}:\n         \
         {opcode}, {wavefronts} wavefronts for {groups} groups of lanes\n   \
         help: {help}\n",
        report.kernel
    )
}

/// What conflicts in a device function are, and what to do about them. Those of the main loop recur for
/// each k-tile; those of the staging occur once for each tile of the output.
fn advice(conflict: &Conflict) -> (&'static str, String) {
    let side = conflict.side.unwrap_or(Side::A).letter();
    match conflict.part {
        Part::Staging | Part::Epilogue => (
            "note",
            "no key of the schedule changes how the output is staged, once for each tile; the plan \
             states its bank passes"
                .to_owned(),
        ),
        Part::Reduction => (
            "note",
            "no key of the schedule changes how the parts of a row, a column or a sum lie in shared memory, where \
             they are reduced once for each tile of the output"
                .to_owned(),
        ),
        _ => (
            "warning",
            format!(
                "leave out `swizzle` for {side}, so that one without conflicts is derived, or change \
                 `swizzle({side} = ..)` or BLK_K in `tile`"
            ),
        ),
    }
}

fn mix(counts: &Counts) -> Table {
    let rows = counts.classes.iter();
    let rows = rows.map(|class| row(&class.name, [&class.executed, &percent(class.share)]));
    table(["instructions", "executed", "share"], rows)
}

fn global(counts: &Counts) -> Table {
    let rows = counts.global.iter().map(|global| {
        let density = format!("{:.1}", global.bytes_per_sector);
        row(global.name, [&global.requests, &global.bytes, &global.sectors, &density])
    });
    table(["global memory", "requests", "bytes", "sectors", "bytes of 32 a sector"], rows)
}

/// What to know of a row that has more bytes than sectors hold.
fn bytes_asked_for_twice(counts: &Counts) -> &'static str {
    match counts.global.iter().any(|global| global.bytes_per_sector > 32.0) {
        true => "more than 32: threads of a warp ask for the same bytes, which are moved once\n",
        false => "",
    }
}

fn shared(counts: &Counts) -> Table {
    let rows = counts.shared.iter().map(|shared| {
        let degree = format!("{:.2}", shared.degree);
        let plan = shared.plan.map_or_else(String::new, |plan| plan.to_string());
        row(shared.name, [&shared.wavefronts, &shared.groups, &degree, &shared.most, &plan])
    });
    table(["shared memory", "wavefronts", "least", "degree", "most", "plan says"], rows)
}

fn functions(counts: &Counts) -> Table {
    let rows = counts.functions.iter().map(|function| {
        let Function { executed, wavefronts, conflicts, sectors } = function;
        let share = percent(executed.share);
        row(&executed.name, [&executed.executed, &share, wavefronts, conflicts, sectors])
    });
    table(["device function", "executed", "share", "wavefronts", "conflicts", "sectors"], rows)
}

fn conflicts(counts: &Counts) -> Table {
    let rows = counts.conflicts.iter().take(MOST_CONFLICTS).map(|conflict| {
        let mut row = Row::from([right(conflict.wavefronts - conflict.groups)]);
        row.add_cell(right(conflict.executed)).add_cell(Cell::new(&conflict.function));
        row.add_cell(right(conflict.line)).add_cell(Cell::new(shortened(&conflict.text)));
        row
    });
    table(["conflicts", "executed", "device function", "line", "source"], rows)
}

fn table<const N: usize>(titles: [&str; N], rows: impl Iterator<Item = Row>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(titles).add_rows(rows);
    table
}

/// A name, then numbers.
fn row<const N: usize>(name: &str, numbers: [&dyn Display; N]) -> Row {
    let mut row = Row::from([name]);
    for number in numbers {
        row.add_cell(right(number));
    }
    row
}

fn right(value: impl Display) -> Cell {
    Cell::new(value).set_alignment(CellAlignment::Right)
}

/// The share of the limit that an error takes.
fn share(relative_error: f64, limit: f64) -> String {
    if limit == 0.0 { "exact".to_owned() } else { percent(relative_error / limit) }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MOST_TEXT {
        return text.to_owned();
    }
    text.chars().take(MOST_TEXT - 3).chain("...".chars()).collect()
}
