//! The lines as a table.

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::{Report, Row, Versus, Work};

/// The head of a column and what a line has in it.
type Column = (String, Option<String>);

impl Report {
    /// A Markdown table of the columns that any line has something in.
    pub(crate) fn table(&self) -> Table {
        let lines: Vec<Vec<Column>> =
            self.rows.iter().map(|row| columns(row, &self.peer)).collect();
        let count = lines.first().map_or(0, Vec::len);
        let used: Vec<usize> =
            (0..count).filter(|at| lines.iter().any(|line| line[*at].1.is_some())).collect();
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        if let Some(line) = lines.first() {
            table.set_header(used.iter().map(|at| &line[*at].0));
        }
        for line in &lines {
            table.add_row(used.iter().map(|at| {
                let names = *at < 2;
                let side = if names { CellAlignment::Left } else { CellAlignment::Right };
                Cell::new(line[*at].1.as_deref().unwrap_or_default()).set_alignment(side)
            }));
        }
        table
    }
}

/// All columns of a line, the names first.
fn columns(row: &Row, peer: &str) -> Vec<Column> {
    let column = |head: &str, text: Option<String>| (head.to_owned(), text);
    let three = |number: f64| format!("{number:.3}");
    let us = |of: Option<Versus>| of.map(|of| format!("{:.1}", of.peers_us));
    let ratio = |of: Option<Versus>| of.map(|of| three(of.ratio.ratio));
    let (operations, bytes) = match row.work {
        Some(Work::Operations(_)) => (row.rate(), None),
        Some(Work::Bytes(_)) => (None, row.rate()),
        None => (None, None),
    };
    vec![
        column("case", Some(row.case.clone())),
        column("kernel", Some(row.kernel.to_string())),
        column("µs", Some(format!("{:.1}", row.ours_us))),
        column("of whole", row.of_whole.map(|of| three(of.ratio))),
        column("TFLOP/s", operations.map(|rate| format!("{rate:.0}"))),
        column("TB/s", bytes.map(|rate| format!("{rate:.2}"))),
        column("roof", row.roof.map(|share| format!("{:.0}", share.roof))),
        column("of roof", row.roof.map(|share| three(share.share_of_roof))),
        column(&format!("{peer} µs"), us(row.peer)),
        column("ratio", ratio(row.peer)),
        column("least", row.peer.map(|peer| three(peer.ratio.least))),
        column("most", row.peer.map(|peer| three(peer.ratio.most))),
        column("best µs", us(row.best)),
        column("ratio best", ratio(row.best)),
        column("read µs", us(row.floor)),
        column("ratio read", ratio(row.floor)),
    ]
}
