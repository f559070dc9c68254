//! Reads the text of a golden from its files. Other packages include this file.
//!
//! `NAME.cu` is a whole text. `NAME.cuh` has the lines that are the golden's own; its other lines name
//! files of `sections/`, without their ending.

use std::fs;
use std::io;
use std::path::Path;

/// Starts a line of sections, each a paragraph: an empty line stands before and after it.
pub const PARAGRAPHS: &str = "//> ";

/// Starts a line of sections whose lines continue a paragraph.
pub const LINES: &str = "//| ";

/// The text of a golden, from the folder of all.
///
/// # Errors
/// A file cannot be read.
pub fn text(folder: &Path, name: &str) -> io::Result<String> {
    let whole = folder.join(format!("{name}.cu"));
    if whole.exists() {
        return fs::read_to_string(whole);
    }
    let golden = fs::read_to_string(folder.join(format!("{name}.cuh")))?;
    expand(&golden, |section| fs::read_to_string(folder.join(format!("sections/{section}.cuh"))))
}

/// The text of a golden, given its `NAME.cuh` and how to get the text of a section.
///
/// # Errors
/// Those of `section`.
pub fn expand<S: AsRef<str>, E>(
    golden: &str,
    section: impl Fn(&str) -> Result<S, E>,
) -> Result<String, E> {
    let mut text = String::new();
    let mut paragraph_ended = false;
    for line in golden.lines() {
        let paragraphs = line.strip_prefix(PARAGRAPHS);
        if paragraph_ended && paragraphs.is_none() {
            text.push('\n');
        }
        paragraph_ended = paragraphs.is_some();
        let Some(names) = paragraphs.or_else(|| line.strip_prefix(LINES)) else {
            text += line;
            text.push('\n');
            continue;
        };
        for name in names.split(' ') {
            if paragraph_ended {
                text.push('\n');
            }
            text += section(name)?.as_ref();
        }
    }
    Ok(text)
}
