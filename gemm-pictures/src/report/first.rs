//! The first screen of a report.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use gemm_codegen::Side;
use gemm_codegen::auto::Footprint;
use gemm_emulator::{Count, InstructionProfile, Profile};

use super::access::Access;
use super::terms::{BANK_CONFLICT, COST_MODEL, OCCUPANCY, SPILL, WAVE};
use super::{Report, Resources, Written, drawn_on, named};
use crate::page::{Fact, First, State, Word};
use crate::{Launch, raster, roofline};

/// Lines of the source that are named as those with the most instructions.
const MOST_LINES: usize = 3;

pub(super) fn screen(report: &Report<'_>) -> First {
    let (code, origin) = match &report.written {
        Some(Written { code, place }) => (code.clone(), place.clone()),
        None => {
            (report.plan.declaration(), "The declaration, with every key of its schedule.".into())
        }
    };
    let facts = [
        Some(computes(report)),
        Some(checks(report)),
        Some(registers(report)),
        Some(time(report)),
        Some(limits(report)),
        hottest(report),
        Some(device(report)),
    ];
    First { code, origin, facts: facts.into_iter().flatten().collect() }
}

fn text(text: impl Into<String>) -> Word {
    Word::Text(text.into())
}

fn fact(name: &'static str, lines: Vec<Vec<Word>>) -> Fact {
    Fact { name, state: State::Plain, lines }
}

/// What is computed, and which operands the letters of the pictures are.
fn computes(report: &Report<'_>) -> Fact {
    let [a, b] = Side::BOTH.map(|side| named(report.plan, side));
    let letters = format!("In the pictures, A is {a} and B is {b}.");
    fact("computes", vec![vec![text(report.plan.meaning())], vec![text(letters)]])
}

/// The verdict, and what is right but slow.
fn checks(report: &Report<'_>) -> Fact {
    let Some(checks) = &report.checks else {
        let not_run = "not run: the function was not launched on the emulator";
        return fact("checks", vec![vec![text(not_run)]]);
    };
    let warnings = report.profile.map(|profile| conflicts(report, profile)).unwrap_or_default();
    let state = match (checks.is_right, warnings.is_empty()) {
        (false, _) => State::Wrong,
        (true, true) => State::Right,
        (true, false) => State::Warned,
    };
    let lines = [vec![text(checks.verdict.clone())]].into_iter().chain(warnings).collect();
    Fact { name: "checks", state, lines }
}

/// A warning for each way in which the kernel copies to shared memory or loads from it, if that has conflicts.
/// No key changes those of the staging; the plan states them.
fn conflicts(report: &Report<'_>, profile: &Profile) -> Vec<Vec<Word>> {
    let of_tiles = Side::BOTH.into_iter().flat_map(|side| [Access::Copy(side), Access::Load(side)]);
    let warning = |access: Access| {
        let most = access.traffic(report.kernel, profile).most_per_group;
        let is_of = |one: &&InstructionProfile| Access::of(report.kernel, one) == Some(access);
        let worst =
            most_of(profile.instructions.iter().filter(is_of), |count| count.shared.conflicts());
        let worst = worst.first()?;
        let what = access.named(report.plan);
        let said = format!(": {what} take up to {most} wavefronts where 1 would do, ");
        Some(vec![text("warning: "), BANK_CONFLICT.word(), text(said), Word::Line(*worst)])
    };
    of_tiles.filter_map(warning).collect()
}

/// The lines with the most of a count, the first with the most; those with none are left out.
fn most_of<'a>(
    instructions: impl Iterator<Item = &'a InstructionProfile>,
    count: impl Fn(&Count) -> u64,
) -> Vec<u32> {
    let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
    for instruction in instructions {
        if let Some(innermost) = instruction.source.first() {
            *sums.entry(innermost.line).or_default() += count(&instruction.count);
        }
    }
    let mut lines: Vec<(u32, u64)> = sums.into_iter().filter(|(_, sum)| *sum > 0).collect();
    lines.sort_by_key(|(line, sum)| (Reverse(*sum), *line));
    lines.into_iter().map(|(line, _)| line).collect()
}

/// The lines with the most instructions, as the counts of the source have them.
fn hottest(report: &Report<'_>) -> Option<Fact> {
    let lines = most_of(report.profile?.instructions.iter(), |count| count.executed);
    let named = lines.into_iter().take(MOST_LINES).map(Word::Line);
    let words = named.enumerate().flat_map(|(number, line)| {
        let before = if number == 0 { "most instructions: " } else { ", " };
        [text(before), line]
    });
    Some(fact("hottest lines", vec![words.collect()]))
}

/// Those of the compiled kernel, or else those that are planned.
fn registers(report: &Report<'_>) -> Fact {
    let planned = report.plan.registers();
    let Some(compiled) = &report.resources else {
        let said = format!(
            "about {} of {} a thread, as planned; the kernel is not compiled",
            planned.estimate(),
            planned.limit
        );
        return fact("registers", vec![vec![text(said)]]);
    };
    let Resources { architecture, registers, spilled_bytes, .. } = compiled;
    let said = format!("{registers} of {} a thread, compiled for {architecture}; ", planned.limit);
    let (state, bytes) = match spilled_bytes {
        0 => (State::Plain, ": none".to_owned()),
        bytes => (State::Warned, format!(": {bytes} B, which makes the kernel slower")),
    };
    Fact { name: "registers", state, lines: vec![vec![text(said), SPILL.word(), text(bytes)]] }
}

/// The estimate, and what was measured.
fn time(report: &Report<'_>) -> Fact {
    let Launch { shape, batch, machine } = report.launch;
    let seconds = Footprint::of(report.plan).seconds(shape, batch, &machine);
    let extents = report.launch.extents();
    let said = format!("about {} for {extents}, an estimate of the ", duration(seconds));
    let estimate = vec![text(said), COST_MODEL.word()];
    let measured = report.times.iter().find(|time| time.is_reported).map(|time| {
        let [m, n, k] = time.shape;
        let took = format!("measured: {} µs up to {m} × {n} × {k}, ", time.microseconds);
        vec![text(took + &time.device)]
    });
    fact("time", [estimate].into_iter().chain(measured).collect())
}

/// A duration with two digits.
fn duration(seconds: f64) -> String {
    // Rounded first, as 0.9999 ms is 1.0 ms.
    let exponent = seconds.max(1e-12).log10().floor() as i32;
    let step = 10_f64.powi(exponent - 1);
    let rounded = (seconds / step).round() * step;
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    // A little less than the unit is the unit, as a power of ten is not exact.
    let found = units.into_iter().find(|(unit, _)| rounded >= unit * (1.0 - 1e-9));
    let (unit, name) = found.unwrap_or((1e-9, "ns"));
    let value = rounded / unit;
    let digits = usize::from(value < 10.0 - 1e-9);
    format!("{value:.digits$} {name}")
}

/// What bounds the blocks of an SM, the speed and the waves.
fn limits(report: &Report<'_>) -> Fact {
    let Report { plan, launch, resources, .. } = report;
    let Launch { machine, .. } = launch;
    let registers = match resources {
        Some(compiled) => compiled.registers,
        None => plan.registers().estimate(),
    };
    let occupancy = plan.occupancy_on(machine.target, registers);
    let blocks = occupancy.blocks_per_sm();
    let blocks = if blocks == 1 { "1 block".to_owned() } else { format!("{blocks} blocks") };
    let said = format!(" of {blocks} an SM, bound by {}", occupancy.binding().join(" and "));
    let occupancy = vec![OCCUPANCY.word(), text(said)];
    let roof = roofline::Limits::of(plan, launch).map(|limits| {
        let (what, limit) = match limits.is_of_memory(machine) {
            true => ("the bandwidth of memory", limits.intensity * machine.memory),
            false => ("the unit that multiplies", limits.rate),
        };
        let share = 100.0 * limits.estimate / limit;
        vec![text(format!("speed: bound by {what}; the estimate is {share:.0} % of that limit"))]
    });
    let waves = vec![WAVE.word(), text(format!("s: {}", raster::waves(plan, launch)))];
    fact("limits", [Some(occupancy), roof, Some(waves)].into_iter().flatten().collect())
}

/// On what the launch is drawn, and that it is not what the kernel was compiled for.
fn device(report: &Report<'_>) -> Fact {
    let drawn = report.launch.machine.target;
    let mut lines = vec![vec![text(drawn_on(&report.launch))]];
    let compiled = report.resources.as_ref().map(|compiled| &*compiled.architecture);
    if let Some(compiled) = compiled.filter(|compiled| *compiled != drawn.name()) {
        let said = format!(
            "The kernel was compiled and checked for {compiled}; its blocks, waves and time are those of a \
             device of {drawn}."
        );
        lines.push(vec![text(said)]);
    }
    fact("device", lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_two_digits() {
        let of = [
            (1.234e-5, "12 µs"),
            (9.96e-6, "10 µs"),
            (1.0e-6, "1.0 µs"),
            (9.996e-4, "1.0 ms"),
            (1.26e-4, "130 µs"),
            (0.0314, "31 ms"),
            (2.0, "2.0 s"),
            (4.4e-9, "4.4 ns"),
        ];
        for (seconds, said) in of {
            assert_eq!(duration(seconds), said);
        }
    }
}
