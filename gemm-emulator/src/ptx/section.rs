//! Debug sections. Only their strings are read: the names of functions that `.loc` refers to.

use std::collections::HashMap;

use super::cursor::Cursor;
use super::error::Problem;
use super::lexer::TokenKind;

/// Parses a section from after its opening brace to the closing one. Labels of zero-terminated strings, as
/// `.debug_str` has them, go to `strings`; anything else is passed over.
pub(crate) fn section(
    cursor: &mut Cursor<'_>,
    name: &str,
    strings: &mut HashMap<String, String>,
) -> Result<(), Problem> {
    if name != ".debug_str" {
        return cursor.skip_braces();
    }
    let mut label = None;
    let mut bytes = Vec::new();
    loop {
        match cursor.peek() {
            Some(TokenKind::Mark('}')) => break,
            Some(TokenKind::Name(next)) if cursor.peek_after() == Some(TokenKind::Mark(':')) => {
                keep(label.replace(next.to_owned()), &mut bytes, strings);
                cursor.advance();
            }
            Some(TokenKind::Integer(byte)) => bytes.push(byte as u8),
            Some(_) => {}
            None => return Err(cursor.problem("section without end")),
        }
        cursor.advance();
    }
    keep(label, &mut bytes, strings);
    cursor.expect('}')
}

fn keep(label: Option<String>, bytes: &mut Vec<u8>, strings: &mut HashMap<String, String>) {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    if let Some(label) = label {
        strings.insert(label, String::from_utf8_lossy(text).into_owned());
    }
    bytes.clear();
}
