//! A launch's counts as text.

use std::collections::BTreeMap;
use std::fmt;

use gemm_emulator::{Class, Count, Profile, SourceLine};

use crate::device::LaunchProfile;
use crate::error::count;

/// Lines of the table of bank conflicts: those that cost most.
const MOST_CONFLICTS: usize = 8;

/// The launch, then Markdown tables: instructions by kind, what moves sectors of global memory, and
/// the source lines with bank conflicts, the worst first.
impl fmt::Display for LaunchProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LaunchProfile { kernel, shape, batch, blocks, threads, target, .. } = self;
        write!(f, "{kernel} ({target}): {}x{}x{}", shape.m, shape.n, shape.k)?;
        if *batch > 1 {
            write!(f, ", {batch} matrices")?;
        }
        writeln!(
            f,
            ", {} of {threads} threads with {} B of shared memory, {:.1?}",
            count((*blocks).into(), "block"),
            self.shared_bytes,
            self.elapsed
        )?;
        let Some(profile) = &self.statistics.profile else { return Ok(()) };
        for table in [instructions(profile), global(profile), conflicts(profile)] {
            table.fmt(f)?;
        }
        Ok(())
    }
}

/// A name, then numbers, in each row.
struct Rows {
    titles: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl fmt::Display for Rows {
    /// Nothing where there are no rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let titles: Vec<String> = self.titles.iter().map(|&title| title.to_owned()).collect();
        let width = |at: usize| {
            let cells = self.rows.iter().chain([&titles]).filter_map(|row| row.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..titles.len()).map(width).collect();
        let rule = widths.iter().map(|width| "-".repeat(*width)).collect();
        f.write_str("\n")?;
        for row in [&titles, &rule].into_iter().chain(&self.rows) {
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                match at {
                    0 => write!(f, "| {cell:<width$} ")?,
                    _ => write!(f, "| {cell:>width$} ")?,
                }
            }
            f.write_str("|\n")?;
        }
        Ok(())
    }
}

/// The classes with their counts, the largest first by `weight`, without those whose weight is 0.
fn classes(profile: &Profile, weight: impl Fn(&Count) -> u64) -> Vec<(Class, Count)> {
    let all = Class::ALL.into_iter().map(|class| (class, profile.of_class(class)));
    let mut met: Vec<_> = all.filter(|(_, count)| weight(count) > 0).collect();
    met.sort_by_key(|(_, count)| std::cmp::Reverse(weight(count)));
    met
}

fn instructions(profile: &Profile) -> Rows {
    let total = profile.total().executed.max(1) as f64;
    let row = |(class, count): (Class, Count)| {
        let share = format!("{:.1} %", 100.0 * count.executed as f64 / total);
        vec![class.to_string(), count.executed.to_string(), share]
    };
    let rows = classes(profile, |count| count.executed).into_iter().map(row).collect();
    Rows { titles: vec!["warp instructions", "executed", "share"], rows }
}

fn global(profile: &Profile) -> Rows {
    let row = |(class, count): (Class, Count)| {
        let density = count.global.bytes as f64 / count.global.sectors as f64;
        let numbers = [count.global.requests, count.global.bytes, count.global.sectors];
        let numbers = numbers.map(|number| number.to_string());
        [class.to_string()].into_iter().chain(numbers).chain([format!("{density:.1}")]).collect()
    };
    let rows = classes(profile, |count| count.global.sectors).into_iter().map(row).collect();
    Rows {
        titles: vec!["global memory", "requests", "bytes", "sectors", "bytes of 32 a sector"],
        rows,
    }
}

/// `linear.cu:12`: NVRTC has put a folder before the name, which does not hold the file.
fn place(line: &SourceLine) -> String {
    let file = line.file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{file}:{}", line.line)
}

fn conflicts(profile: &Profile) -> Rows {
    let mut lines: BTreeMap<(String, &str), Count> = BTreeMap::new();
    for instruction in &profile.instructions {
        if instruction.count.shared.conflicts() > 0 {
            let line = instruction.source.first().map(place).unwrap_or_default();
            *lines.entry((line, &instruction.opcode)).or_default() += instruction.count;
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, count)| std::cmp::Reverse(count.shared.conflicts()));
    let row = |((line, opcode), count): ((String, &str), Count)| {
        let shared = count.shared;
        let numbers = [shared.conflicts(), shared.wavefronts, shared.most_per_group.into()];
        let numbers = numbers.map(|number| number.to_string());
        [line].into_iter().chain(numbers).chain([opcode.to_owned()]).collect()
    };
    let rows = lines.into_iter().take(MOST_CONFLICTS).map(row).collect();
    let titles =
        vec!["bank conflicts at", "conflicts", "wavefronts", "most at once", "instruction"];
    Rows { titles, rows }
}
