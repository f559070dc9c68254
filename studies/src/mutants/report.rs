//! [`Report`]: the outcomes of a run, as a table and as JSON.

use std::collections::BTreeMap;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde::Serialize;

use super::{Catcher, Explained, Harm, Outcome};

/// The outcome of one mutant.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its golden.
    pub golden: &'static str,
    /// Its name.
    pub mutant: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its harm, if it survived and is explained.
    pub harm: Option<Harm>,
}

/// The outcomes of all mutants of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Adds what became of a golden's mutant.
    pub fn add(&mut self, golden: &'static str, name: &str, outcome: Outcome, why: &Explained) {
        let survived = outcome == Outcome::Survived;
        let harm = why.reason(name).filter(|_| survived).map(|reason| reason.harm);
        self.rows.push(Row { golden, mutant: name.to_owned(), outcome, harm });
    }

    /// The survivors of a golden that nothing explains.
    pub fn unexplained(&self, golden: &str) -> Vec<&str> {
        let rows = self.survivors(golden).filter(|row| row.harm.is_none());
        rows.map(|row| row.mutant.as_str()).collect()
    }

    /// The mutants of a golden that were not caught.
    pub fn survivors(&self, golden: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.golden == golden && row.outcome == Outcome::Survived)
    }

    /// The share of the harmful mutants that was caught; what is not explained counts as harmful.
    pub fn share_caught(&self) -> f64 {
        let caught = self.count(|row| matches!(row.outcome, Outcome::Caught { .. }));
        let missed = self.count(is_missed);
        caught as f64 / (caught + missed).max(1) as f64
    }

    /// A table in Markdown, a column for each golden.
    pub fn markdown(&self) -> String {
        let mut goldens: Vec<&str> = self.rows.iter().map(|row| row.golden).collect();
        goldens.dedup();
        let parts: Vec<Report> = goldens.iter().map(|golden| self.of(golden)).collect();
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header([""].into_iter().chain(goldens).chain(["together"]));
        let parts: Vec<&Report> = parts.iter().chain([self]).collect();
        for (name, of) in self.lines() {
            table.add_row([name].into_iter().chain(parts.iter().map(|part| of(part))));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
        table.to_string()
    }

    /// The lines of the table: a name, and what it says of a report.
    fn lines(&self) -> Vec<(String, Line)> {
        let count = |name: &str, is: fn(&Row) -> bool| -> (String, Line) {
            (name.to_owned(), Box::new(move |report: &Report| report.count(is).to_string()))
        };
        let mut catchers: BTreeMap<&Catcher, usize> = BTreeMap::new();
        for row in &self.rows {
            if let Outcome::Caught { by, .. } = &row.outcome {
                *catchers.entry(by).or_default() += 1;
            }
        }
        let caught = catchers.into_keys().cloned().map(|by| -> (String, Line) {
            let name = format!("caught by {by}");
            let is =
                move |row: &Row| matches!(&row.outcome, Outcome::Caught { by: b, .. } if *b == by);
            (name, Box::new(move |report: &Report| report.count(&is).to_string()))
        });
        let share: Line = Box::new(|report| format!("{:.1} %", report.share_caught() * 100.0));
        let head = [
            count("mutants", |_| true),
            count("refused by the compiler", |row| row.outcome == Outcome::Refused),
            count("same PTX", |row| row.outcome == Outcome::Same),
            count("run", is_run),
            count("caught", |row| matches!(row.outcome, Outcome::Caught { .. })),
        ];
        let tail = [
            count("survived, harmless", |row| row.harm == Some(Harm::None)),
            count("survived, may be slower", |row| row.harm == Some(Harm::Speed)),
            count("survived, harmful", is_missed),
            ("caught of the harmful".to_owned(), share),
        ];
        head.into_iter().chain(caught).chain(tail).collect()
    }

    fn of(&self, golden: &str) -> Report {
        Report { rows: self.rows.iter().filter(|row| row.golden == golden).cloned().collect() }
    }

    fn count(&self, is: impl Fn(&Row) -> bool) -> usize {
        self.rows.iter().filter(|row| is(row)).count()
    }
}

type Line = Box<dyn Fn(&Report) -> String>;

fn is_run(row: &Row) -> bool {
    matches!(row.outcome, Outcome::Caught { .. } | Outcome::Survived)
}

fn is_missed(row: &Row) -> bool {
    row.outcome == Outcome::Survived && !matches!(row.harm, Some(Harm::None | Harm::Speed))
}
