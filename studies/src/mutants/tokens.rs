//! CUDA C++ text → tokens with their places. Comments and space are left out.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number, with its suffix.
    Number,
    /// A string, with its quotes.
    String,
    /// An operator or a bracket.
    Symbol,
    /// A whole line for the preprocessor.
    Directive,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
}

/// Symbols of more than one character, the longer ones first.
const SYMBOLS: [&str; 19] = [
    "<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "->", "::",
];

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("//") {
            (None, line_length(rest))
        } else if first == '#' {
            (Some(Kind::Directive), line_length(rest))
        } else if first == '"' {
            (Some(Kind::String), string_length(rest))
        } else if first.is_ascii_digit() {
            (Some(Kind::Number), number_length(rest))
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            (Some(Kind::Word), length.unwrap_or(rest.len()))
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            (Some(Kind::Symbol), symbol.map_or(first.len_utf8(), |symbol| symbol.len()))
        };
        found.extend(kind.map(|kind| Token { kind, range: at..at + length }));
        at += length;
    }
    found
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// The emitted strings have no escaped quotes.
fn string_length(rest: &str) -> usize {
    rest[1..].find('"').map_or(rest.len(), |end| end + 2)
}

/// Hexadecimal, binary and floating-point numbers: a sign belongs to a number after its `e`.
fn number_length(rest: &str) -> usize {
    let hexadecimal = rest.starts_with("0x");
    let mut before = ' ';
    rest.find(|c: char| {
        let sign = (c == '-' || c == '+') && matches!(before, 'e' | 'E') && !hexadecimal;
        before = c;
        !c.is_alphanumeric() && c != '.' && !sign
    })
    .unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| &text[token.range]).collect()
    }

    #[test]
    fn a_statement_is_cut_at_its_operators() {
        assert_eq!(
            cut("x += 0x1c0 >> 3;  // why\ny = f<a::B>(-3.4e-38f);"),
            [
                "x", "+=", "0x1c0", ">>", "3", ";", "y", "=", "f", "<", "a", "::", "B", ">", "(",
                "-", "3.4e-38f", ")", ";"
            ]
        );
    }

    #[test]
    fn strings_and_directives_are_one_token() {
        assert_eq!(
            cut("#define A 16\nasm(\"a [%0]; // b\" :: \"r\"(x));"),
            [
                "#define A 16",
                "asm",
                "(",
                "\"a [%0]; // b\"",
                "::",
                "\"r\"",
                "(",
                "x",
                ")",
                ")",
                ";"
            ]
        );
    }
}
