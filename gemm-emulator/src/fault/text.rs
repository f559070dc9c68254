//! Parts of messages.

use super::access::Nearest;

/// Where an address lies, from the nearest bytes that may be accessed.
pub(super) fn nearest_text(address: u64, nearest: &Option<Nearest>) -> String {
    let Some(Nearest { operand, row, rows, base, bytes }) = nearest else { return String::new() };
    let place = match address.checked_sub(*base) {
        Some(offset) => format!(", at byte {offset} of "),
        None => format!(", {} B before ", base - address),
    };
    let of = match operand {
        None => format!("the {bytes} B at {base:#x}"),
        Some(name) if *rows == 1 => format!("the {bytes} B of {name}"),
        Some(name) => format!("row {row} of {name}, which has {rows} rows of {bytes} B"),
    };
    place + &of
}

pub(super) fn operand_text(operand: &Option<String>) -> String {
    operand.as_ref().map_or_else(String::new, |name| format!(" (operand {name})"))
}

pub(super) fn other_text(other: Option<u32>) -> String {
    other.map_or_else(|| "several threads".to_owned(), |thread| format!("thread {thread}"))
}

pub(super) fn missing_text(missing: Option<u32>, exited: bool) -> String {
    match missing {
        None => "the block has no others".to_owned(),
        Some(thread) if exited => format!("thread {thread} has exited"),
        Some(thread) => format!("thread {thread} waits elsewhere"),
    }
}
