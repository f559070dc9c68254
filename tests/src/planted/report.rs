//! The bugs as Markdown.

use std::fmt::Write as _;

use gemm_emulator::Fault;

use super::{Bug, GROUPS};
use crate::goldens;

/// A table for each kind of bug: what is wrong, where it was planted, what is found.
///
/// # Errors
/// A bug that is not found as it should be.
pub fn table() -> Result<String, String> {
    let mut text = String::new();
    for group in GROUPS {
        let _ = writeln!(text, "\n### {}\n", group.title);
        text += "| Planted | In | Found |\n| --- | --- | --- |\n";
        let rows =
            group.bugs.iter().map(|bug| row(bug).map_err(|what| format!("{}: {what}", bug.name)));
        text += &rows.collect::<Result<String, String>>()?;
    }
    Ok(text)
}

/// The line of a bug.
///
/// # Errors
/// It is not found as it should be.
pub fn row(bug: &Bug) -> Result<String, String> {
    let golden = goldens::named(bug.golden)?;
    let planted = bug.plant(golden)?;
    let entry = golden.kernel.entry.as_ref();
    let name =
        |owner: &str| if owner == entry { "the kernel".to_owned() } else { format!("`{owner}`") };
    let owners: Vec<String> = planted.owners().into_iter().map(name).collect();
    let Fault::Violation { violation, .. } = bug.find()? else {
        return Err("the launch did not start".to_owned());
    };
    let found = without("block ", &without("address 0x", &violation.to_string()));
    Ok(format!("| {} | {} | {found} |\n", bug.name, owners.join(", ")))
}

/// The message without the numbers that follow `what`: addresses, which only a debugger can use, and
/// the other block, which depends on which came first.
fn without(what: &str, message: &str) -> String {
    let mut parts = message.split(what);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let (what, number) = match rest.len() == part.len() {
            true => (what, ""),
            false => (what.trim_end_matches("0x"), "…"),
        };
        text += &format!("{what}{number}{rest}");
    }
    text
}

pub(crate) mod tests {
    use super::*;

    self_tests!(addresses_and_numbers_of_blocks_are_left_out);

    fn addresses_and_numbers_of_blocks_are_left_out() {
        let message = "read at shared address 0x1f0, with the mask 0x10";
        let left = without("address 0x", message);
        assert_eq!(left, "read at shared address …, with the mask 0x10");
        let message = "where block 12 of the grid and no other block wrote";
        let left = without("block ", message);
        assert_eq!(left, "where block … of the grid and no other block wrote");
    }
}
