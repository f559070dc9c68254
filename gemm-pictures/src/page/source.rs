//! The source of a kernel with the counts of its lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::escape;

/// The source of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The text.
    pub text: String,
    /// What some lines did, by their numbers, from 1.
    pub lines: BTreeMap<u32, Counted>,
}

/// What the instructions of a line did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// How often they were executed, once a warp.
    pub executed: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// Those beyond the least.
    pub conflicts: u64,
    /// Sectors of global memory.
    pub sectors: u64,
    /// The names of the pictures that show what the line does.
    pub pictures: Vec<String>,
}

/// A heading, and what stands below it.
type Column = (&'static str, fn(&Counted) -> u64);

/// The columns before the text.
const COLUMNS: [Column; 4] = [
    ("executed", |line| line.executed),
    ("wavefronts", |line| line.wavefronts),
    ("conflicts", |line| line.conflicts),
    ("sectors", |line| line.sectors),
];

impl Source {
    /// A table of the lines. The buttons choose the column by which lines are coloured.
    pub(super) fn html(&self) -> String {
        let most = COLUMNS.map(|(_, of)| self.lines.values().map(of).max().unwrap_or(0));
        let buttons = COLUMNS.iter().fold(String::new(), |mut text, (name, _)| {
            let _ = write!(text, "<button type=\"button\" data-heat=\"{name}\">{name}</button>");
            text
        });
        let head = COLUMNS.iter().fold(String::new(), |mut text, (name, _)| {
            let _ = write!(text, "<th scope=\"col\">{name}</th>");
            text
        });
        let rows = (1..).zip(self.text.lines());
        let rows = rows.map(|(number, text)| self.row(number, text, most)).collect::<String>();
        format!(
            "<p class=\"heat\">Colour lines by {buttons}</p>\n<table class=\"source\" tabindex=\"0\">\n\
             <thead><tr>{head}<th scope=\"col\">line</th><th scope=\"col\">source</th></tr></thead>\n\
             <tbody>\n{rows}</tbody>\n</table>\n"
        )
    }

    fn row(&self, number: u32, text: &str, most: [u64; 4]) -> String {
        let line = self.lines.get(&number);
        let cells = COLUMNS.iter().fold(String::new(), |mut cells, (_, of)| {
            let count = line.map(of).filter(|count| *count > 0);
            let _ =
                write!(cells, "<td>{}</td>", count.map(|one| one.to_string()).unwrap_or_default());
            cells
        });
        let heat = line.map_or(String::new(), |line| {
            let shares = COLUMNS.iter().zip(most).filter_map(|((name, of), most)| {
                // By the root, so that lines of few instructions show, too.
                let share = (of(line) as f64 / most.max(1) as f64).sqrt();
                (share > 0.0).then(|| format!("--{name}:{share:.2}"))
            });
            format!(
                " style=\"{}\" data-pictures=\"{}\"",
                shares.collect::<Vec<_>>().join(";"),
                line.pictures.join(" ")
            )
        });
        format!(
            "<tr data-line=\"{number}\"{heat}>{cells}<th>{number}</th><td>{}</td></tr>\n",
            escape(text)
        )
    }
}
