//! The lines as a table.

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::{Report, Row, Work};

/// The head of a column and what a line has in it.
type Column = (String, Option<String>);

impl Report {
    /// A Markdown table of the columns that any line has something in.
    pub(crate) fn table(&self) -> Table {
        let lines: Vec<Vec<Column>> = self.rows.iter().map(|row| columns(row, self.peer)).collect();
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
    let ratio = row.peer.map(|peer| peer.ratio);
    let three = |number: f64| format!("{number:.3}");
    let (operations, bytes) = match row.work {
        Some(Work::Operations(count)) => (Some(count), None),
        Some(Work::Bytes(count)) => (None, Some(count)),
        None => (None, None),
    };
    // 10⁶ a microsecond are 10¹² a second.
    let rate = |count: f64| count / row.ours_us / 1e6;
    vec![
        column("case", Some(row.case.clone())),
        column("kernel", Some(row.kernel.to_string())),
        column("µs", Some(format!("{:.1}", row.ours_us))),
        column("TFLOP/s", operations.map(|count| format!("{:.0}", rate(count)))),
        column("TB/s", bytes.map(|count| format!("{:.2}", rate(count)))),
        column(&format!("{peer} µs"), row.peer.map(|peer| format!("{:.1}", peer.peers_us))),
        column("ratio", ratio.map(|ratio| three(ratio.ratio))),
        column("least", ratio.map(|ratio| three(ratio.least))),
        column("most", ratio.map(|ratio| three(ratio.most))),
    ]
}
