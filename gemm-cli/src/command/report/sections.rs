//! The sections of a report: what the plan, the emulator and the compiler say.

use anyhow::Result;
use gemm_check::{Counts, Finding, Line, Report, trace_plan};
use gemm_codegen::{Kernel, Plan, Target};
use gemm_pictures::page::{Content, Counted, Section, Source};
use gemm_pictures::{Launch, of_launch, of_plan, pipeline};

use super::neighbours;
use crate::command::show;

/// k-tiles of the launch whose pipeline is drawn.
const TRACED: usize = 10;

/// The sections, in the order in which they are read.
pub(super) fn all(
    plan: &Plan,
    kernel: &Kernel,
    report: &Report,
    (launch, target): (&Launch, Target),
) -> Result<Vec<Section>> {
    let resources = show::resources(kernel, target)?;
    let resources = resources.into_iter().map(|(what, value)| vec![what.to_owned(), value]);
    let mut sections = vec![
        section("Plan", "What the generator proved, before anything ran.", rows_of(&plan.table())),
        section("Pictures of the plan", "", Content::Pictures(of_plan(plan))),
        section("Pictures of a launch", &on(launch), Content::Pictures(of_launch(plan, launch))),
    ];
    sections.extend(pipeline_of(plan, report, target)?);
    sections.push(section("Checks", &ran(report), checks(report)));
    if let Some(counts) = &report.counts {
        let counted = "Counted by the emulator in the launch that was checked.";
        sections.push(section("Shared memory", counted, shared(counts)));
        sections.push(section("Global memory", counted, global(counts)));
    }
    let compiled = format!("As compiled by NVRTC {} for {}.", report.nvrtc, report.target);
    let table = table(["resource", "value"], resources.collect());
    sections.push(section("Resources", &compiled, table));
    sections.extend(neighbours::sections(plan));
    let said = "Each line with its warp instructions, wavefronts of shared memory, those beyond the least \
                (conflicts), and sectors of global memory. Functions that are inlined count on their own lines.";
    sections.push(section("Source", said, Content::Source(source(kernel, report))));
    Ok(sections)
}

/// The pipeline of a block, of a kernel that is not stopped and has one.
fn pipeline_of(plan: &Plan, report: &Report, target: Target) -> Result<Option<Section>> {
    if matches!(report.finding, Finding::Fault(_)) {
        return Ok(None);
    }
    let trace = trace_plan(plan, TRACED, Some(target))?;
    let picture = trace.and_then(|trace| pipeline::picture(plan, &trace));
    let text = format!(
        "The first block of a launch of one tile, {TRACED} k-tiles deep or as deep as the kernel needs, as \
         the emulator ran it."
    );
    Ok(picture.map(|picture| section("Pipeline", &text, Content::Pictures(vec![picture]))))
}

fn section(heading: &str, text: &str, content: Content) -> Section {
    Section { heading: heading.to_owned(), text: text.to_owned(), content }
}

fn table<const N: usize>(head: [&str; N], rows: Vec<Vec<String>>) -> Content {
    Content::Table { head: head.map(str::to_owned).to_vec(), rows }
}

/// A Markdown table of two columns.
fn rows_of(markdown: &str) -> Content {
    let rows = markdown.lines().skip(2).map(|line| {
        let cells = line.trim_matches('|').splitn(2, '|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    });
    table(["level", "plan"], rows.collect())
}

/// On what a launch is drawn.
fn on(launch: &Launch) -> String {
    let ([m, n, k], machine) = (launch.shape, launch.machine);
    format!(
        "{m} × {n} × {k} on {}: {} SMs of {:.2} GHz, memory of {:.2} TB/s. Times are estimates of the cost \
         model.",
        machine.target,
        machine.processors,
        machine.clock / 1e9,
        machine.memory / 1e12
    )
}

/// The launch that was checked.
fn ran(report: &Report) -> String {
    let [m, n, k] = report.shape;
    format!(
        "The emulator ran {} blocks of {} threads at {m} × {n} × {k} for {}, in {:.2} s.",
        report.blocks, report.threads, report.target, report.seconds
    )
}

/// What the emulator checked, and what it found.
fn checks(report: &Report) -> Content {
    let faults = match &report.finding {
        Finding::Fault(what) => what.clone(),
        _ => "none".to_owned(),
    };
    let output = match &report.finding {
        Finding::Right { relative_error, limit } => {
            format!("right: relative error {relative_error:.1e}, the limit is {limit:.1e}")
        }
        Finding::Wrong(what) => format!("wrong: {what}"),
        _ => "not compared".to_owned(),
    };
    let checked = "bounds, alignment, initialisation, races, cp.async order, barriers, collectives";
    let rows = [("checked", checked.to_owned()), ("faults", faults), ("output", output)];
    table(["what", "result"], rows.map(|(what, found)| vec![what.to_owned(), found]).to_vec())
}

fn shared(counts: &Counts) -> Content {
    let rows = counts.shared.iter().map(|one| {
        let plan = one.plan.map_or_else(String::new, |plan| plan.to_string());
        let numbers = [one.wavefronts.to_string(), one.groups.to_string(), one.most.to_string()];
        [one.name.to_owned()].into_iter().chain(numbers).chain([plan]).collect()
    });
    table(["access", "wavefronts", "least", "most of one", "plan says"], rows.collect())
}

fn global(counts: &Counts) -> Content {
    let rows = counts.global.iter().map(|one| {
        let numbers = [one.requests.to_string(), one.bytes.to_string(), one.sectors.to_string()];
        let density = format!("{:.1}", one.bytes_per_sector);
        [one.name.to_owned()].into_iter().chain(numbers).chain([density]).collect()
    });
    table(["access", "requests", "bytes", "sectors", "bytes of 32 a sector"], rows.collect())
}

/// The text with what each line did.
fn source(kernel: &Kernel, report: &Report) -> Source {
    let counts = report.counts.as_ref();
    let lines = counts.into_iter().flat_map(|counts| &counts.lines);
    let lines = lines.map(|line| (line.line, counted(line))).collect();
    Source { text: kernel.text.to_string(), lines }
}

fn counted(line: &Line) -> Counted {
    let mut pictures: Vec<String> = Vec::new();
    for name in line.functions.iter().flat_map(|function| pictures_of(function)) {
        if !pictures.contains(&name) {
            pictures.push(name);
        }
    }
    let Line { executed, wavefronts, conflicts, sectors, .. } = *line;
    Counted { executed, wavefronts, conflicts, sectors, pictures }
}

/// The pictures that show what a device function does.
fn pictures_of(function: &str) -> Vec<String> {
    let side = |name: &str| match function.split_once("<Tile") {
        Some((_, tile)) if tile.starts_with('A') => vec![format!("{name}_a")],
        Some(_) => vec![format!("{name}_b")],
        None => vec![format!("{name}_a"), format!("{name}_b")],
    };
    match function.split('<').next().unwrap_or(function) {
        "global_to_shared" | "global_to_register" | "register_to_shared" | "Source" => {
            [side("copies"), side("shared_tile")].concat()
        }
        "shared_to_register" => [side("shared_tile"), vec!["fragments".to_owned()]].concat(),
        "mma" | "wgmma" => vec!["fragments".to_owned(), "registers".to_owned()],
        "mainloop" | "stage" | "epilogue" => vec!["memory_map".to_owned()],
        "warps" => vec!["warps".to_owned()],
        "grid" | "raster" => vec!["raster".to_owned()],
        _ => Vec::new(),
    }
}
