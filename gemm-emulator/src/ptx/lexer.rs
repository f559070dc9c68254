//! Splits PTX text into tokens.

use super::error::Problem;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind<'t> {
    /// Names, opcodes with their modifiers, directives, registers: `mul.wide.s32`, `.reg`, `%tid.x`, `$L__BB0_1`.
    Name(&'t str),
    /// An integer literal; a minus sign is a token of its own.
    Integer(u64),
    /// `0fXXXXXXXX`: the bits of an f32.
    Single(u32),
    /// `0dXXXXXXXXXXXXXXXX` or a decimal fraction: the bits of an f64.
    Double(u64),
    Text(&'t str),
    Mark(char),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind<'t>,
    pub(crate) line: u32,
    /// Where it ends in the text.
    pub(crate) end: usize,
}

/// All tokens of `text`, comments dropped.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Problem> {
    let mut lexer = Lexer { text, at: 0, line: 1 };
    let mut out = Vec::with_capacity(text.len() / 4);
    while let Some(token) = lexer.next()? {
        out.push(token);
    }
    Ok(out)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'t> Lexer<'t> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, Problem> {
        self.skip_blank()?;
        let Some(byte) = self.peek(0) else { return Ok(None) };
        let line = self.line;
        let kind = if byte.is_ascii_digit() {
            self.number()?
        } else if starts_name(byte) {
            TokenKind::Name(self.name())
        } else if byte == b'"' {
            self.quoted()?
        } else if b"{}[]()<>,;:=+-!@|*~".contains(&byte) {
            self.at += 1;
            TokenKind::Mark(byte as char)
        } else {
            return Err(Problem::new(line, "unexpected character"));
        };
        Ok(Some(Token { kind, line, end: self.at }))
    }

    fn skip_blank(&mut self) -> Result<(), Problem> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'\n'), _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (Some(b' ' | b'\t' | b'\r' | 0), _) => self.at += 1,
                (Some(b'/'), Some(b'/')) => {
                    while self.peek(0).is_some_and(|b| b != b'\n') {
                        self.at += 1;
                    }
                }
                (Some(b'/'), Some(b'*')) => self.block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Problem> {
        let opened = self.line;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'*'), Some(b'/')) => {
                    self.at += 2;
                    return Ok(());
                }
                (Some(byte), _) => {
                    self.line += u32::from(byte == b'\n');
                    self.at += 1;
                }
                (None, _) => return Err(Problem::new(opened, "comment without end")),
            }
        }
    }

    fn name(&mut self) -> &'t str {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(byte) if continues_name(byte) => self.at += 1,
                // `L2::128B` is one modifier; a single colon ends a label.
                Some(b':') if self.peek(1) == Some(b':') => self.at += 2,
                _ => return &self.text[start..self.at],
            }
        }
    }

    fn quoted(&mut self) -> Result<TokenKind<'t>, Problem> {
        let rest = &self.text[self.at + 1..];
        let end = rest.find(['"', '\n']).filter(|&end| rest.as_bytes()[end] == b'"');
        let end = end.ok_or_else(|| Problem::new(self.line, "string without end"))?;
        self.at += end + 2;
        Ok(TokenKind::Text(&rest[..end]))
    }

    fn number(&mut self) -> Result<TokenKind<'t>, Problem> {
        let start = self.at;
        while self.peek(0).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.') {
            self.at += 1;
        }
        let exponent = matches!(self.text.as_bytes()[self.at - 1], b'e' | b'E');
        let text = &self.text[start..self.at];
        if exponent && !text.starts_with("0x") && matches!(self.peek(0), Some(b'+' | b'-')) {
            self.at += 1;
            while self.peek(0).is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1;
            }
        }
        let text = &self.text[start..self.at];
        literal(text).ok_or_else(|| Problem::new(self.line, format!("malformed number {text}")))
    }
}

fn literal(text: &str) -> Option<TokenKind<'static>> {
    let prefix = text.get(..2).unwrap_or("");
    let rest = text.get(2..).unwrap_or("");
    match prefix {
        "0f" | "0F" => return Some(TokenKind::Single(u32::from_str_radix(rest, 16).ok()?)),
        "0d" | "0D" => return Some(TokenKind::Double(u64::from_str_radix(rest, 16).ok()?)),
        _ => {}
    }
    let whole = text.trim_end_matches('U');
    let digits = whole.get(2..).unwrap_or("");
    let integer = match prefix {
        "0x" | "0X" => u64::from_str_radix(digits, 16),
        "0b" | "0B" => u64::from_str_radix(digits, 2),
        _ if whole.len() > 1 && whole.starts_with('0') && !text.contains('.') => {
            u64::from_str_radix(&whole[1..], 8)
        }
        _ => whole.parse(),
    };
    match integer {
        Ok(value) => Some(TokenKind::Integer(value)),
        Err(_) => text.parse::<f64>().ok().map(|value| TokenKind::Double(value.to_bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        tokens(text).expect("lexes").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn an_opcode_with_double_colon_is_one_name() {
        let kinds = kinds("cp.async.cg.shared.global.L2::128B [%r1], $L1:");
        assert_eq!(kinds[0], TokenKind::Name("cp.async.cg.shared.global.L2::128B"));
        assert_eq!(kinds[5..], [TokenKind::Name("$L1"), TokenKind::Mark(':')]);
    }

    #[test]
    fn numbers_of_every_base() {
        let expected = [
            TokenKind::Integer(16),
            TokenKind::Integer(8),
            TokenKind::Integer(5),
            TokenKind::Integer(7),
            TokenKind::Single(0x3f80_0000),
            TokenKind::Double(0x3ff0_0000_0000_0000),
            TokenKind::Double(1.5e-3f64.to_bits()),
            TokenKind::Integer(0),
        ];
        assert_eq!(kinds("0x10 010 0b101 7U 0f3F800000 0d3FF0000000000000 1.5e-3 0"), expected);
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let tokens = tokens("a /* \n\n */ b // c\n d").expect("lexes");
        assert_eq!(tokens.iter().map(|t| t.line).collect::<Vec<_>>(), [1, 3, 4]);
    }
}
