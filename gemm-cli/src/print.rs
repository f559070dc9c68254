//! Standard output, which may be a pipe that is closed early.

use std::fmt::Display;
use std::io::{self, Write as _};

use anyhow::Result;
use comfy_table::{Cell, CellAlignment, Row, Table, presets};

/// Prints a text. Not `print!`, which panics when the reader has gone: `| head`.
pub(crate) fn text(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// A Markdown table.
pub(crate) fn table<const N: usize>(titles: [&str; N], rows: impl Iterator<Item = Row>) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(titles).add_rows(rows);
    format!("{table}\n")
}

/// A cell that is aligned to the right.
pub(crate) fn number(value: impl Display) -> Cell {
    Cell::new(value).set_alignment(CellAlignment::Right)
}
