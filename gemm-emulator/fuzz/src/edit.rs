//! Edits of a text that leave it mostly PTX.

use arbitrary::Arbitrary;

use super::words::{INTEGERS, MODIFIERS, OPCODES, SPECIALS, pick, words};

/// One edit. Numbers of lines and words are taken modulo how many there are.
#[derive(Arbitrary, Clone, Debug)]
pub enum Edit {
    Drop { line: u16 },
    Swap { line: u16, other: u16 },
    Copy { from: u16, to: u16 },
    Opcode { line: u16, opcode: u8 },
    Modifier { line: u16, at: u8, change: Change, modifier: u8 },
    Guard { line: u16, guard: Option<(u16, bool)> },
    Word { line: u16, word: u8, with: Operand },
    Insert { line: u16, opcode: u8, modifiers: Vec<u8>, operands: Vec<Operand> },
}

/// An edit of a modifier.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Change {
    Insert,
    Replace,
    Remove,
}

/// The replacement of an operand, or of any other word. A register is named by a line: it is the first in or after it.
#[derive(Arbitrary, Clone, Debug)]
pub enum Operand {
    Register(u16),
    Elsewhere { line: u16, word: u8 },
    Small(u8),
    Boundary(u8),
    Integer(u64),
    Single(u32),
    Double(u64),
    Special(u8),
    Address { register: u16, offset: i16 },
    Vector(Vec<u16>),
    Pair(u16, u16),
    Negated(u16),
    Sink,
}

/// The lines of a text.
pub type Lines = Vec<String>;

fn index(number: u16, lines: &Lines) -> usize {
    usize::from(number) % lines.len().max(1)
}

fn line(number: u16, lines: &Lines) -> &str {
    lines.get(index(number, lines)).map_or("", String::as_str)
}

fn register(number: u16, lines: &Lines) -> &str {
    let start = index(number, lines);
    let around = lines[start.min(lines.len())..].iter().chain(&lines[..start.min(lines.len())]);
    let mut found = around.flat_map(|line| words(line).into_iter().map(move |word| &line[word]));
    found.find(|word| word.starts_with('%')).unwrap_or("%r1")
}

impl Operand {
    fn text(&self, lines: &Lines) -> String {
        let register = |number: &u16| register(*number, lines);
        match self {
            Operand::Register(number) => register(number).to_owned(),
            Operand::Elsewhere { line: number, word } => {
                let line = line(*number, lines);
                let words = words(line);
                let word = words.get(usize::from(*word) % words.len().max(1));
                word.map_or_else(String::new, |word| line[word.clone()].to_owned())
            }
            Operand::Small(value) => value.to_string(),
            Operand::Boundary(number) => pick(INTEGERS, *number).to_string(),
            Operand::Integer(value) => (*value as i64).to_string(),
            Operand::Single(bits) => format!("0f{bits:08X}"),
            Operand::Double(bits) => format!("0d{bits:016X}"),
            Operand::Special(number) => pick(SPECIALS, *number).to_owned(),
            Operand::Address { register: number, offset } => {
                format!("[{}+{offset}]", register(number))
            }
            Operand::Vector(numbers) => {
                let registers: Vec<_> = numbers.iter().take(9).map(register).collect();
                format!("{{{}}}", registers.join(", "))
            }
            Operand::Pair(first, second) => format!("{}|{}", register(first), register(second)),
            Operand::Negated(number) => format!("!{}", register(number)),
            Operand::Sink => "_".to_owned(),
        }
    }
}

/// The start of a line's opcode: past its guard.
fn opcode_start(line: &str) -> usize {
    let start = line.len() - line.trim_start().len();
    match line[start..].starts_with('@') {
        true => words(line).get(1).map_or(line.len(), |word| word.start),
        false => start,
    }
}

impl Edit {
    /// Changes the text.
    pub fn apply(&self, lines: &mut Lines) {
        match self {
            Edit::Drop { line } => {
                if lines.len() > 1 {
                    lines.remove(index(*line, lines));
                }
            }
            Edit::Swap { line, other } => {
                let (line, other) = (index(*line, lines), index(*other, lines));
                lines.swap(line, other);
            }
            Edit::Copy { from, to } => {
                let copied = line(*from, lines).to_owned();
                lines.insert(index(*to, lines), copied);
            }
            Edit::Insert { line, opcode, modifiers, operands } => {
                let mut text = pick(OPCODES, *opcode).to_owned();
                for modifier in modifiers.iter().take(10) {
                    text.push('.');
                    text += pick(MODIFIERS, *modifier);
                }
                let operands: Vec<_> =
                    operands.iter().take(6).map(|operand| operand.text(lines)).collect();
                lines.insert(index(*line, lines), format!("{text} {};", operands.join(", ")));
            }
            Edit::Opcode { line: number, .. }
            | Edit::Modifier { line: number, .. }
            | Edit::Guard { line: number, .. }
            | Edit::Word { line: number, .. } => {
                let changed = self.changed(line(*number, lines), lines);
                let at = index(*number, lines);
                lines[at] = changed;
            }
        }
    }

    /// A line after an edit within it.
    fn changed(&self, line: &str, lines: &Lines) -> String {
        let start = opcode_start(line);
        match self {
            Edit::Guard { guard, .. } => {
                let guard = guard.map(|(number, negated)| {
                    format!("@{}{} ", if negated { "!" } else { "" }, register(number, lines))
                });
                format!("{}{}", guard.unwrap_or_default(), &line[start..])
            }
            Edit::Opcode { opcode, .. } => {
                let rest = line[start..].find(|c: char| !c.is_ascii_alphanumeric());
                let rest = rest.map_or("", |at| &line[start + at..]);
                format!("{}{}{rest}", &line[..start], pick(OPCODES, *opcode))
            }
            Edit::Modifier { at, change, modifier, .. } => {
                let end =
                    line[start..].find([' ', '\t', ';']).map_or(line.len(), |end| start + end);
                let mut parts: Vec<&str> = line[start..end].split('.').collect();
                let modifier = pick(MODIFIERS, *modifier);
                let at = 1 + usize::from(*at) % parts.len();
                match change {
                    Change::Replace if at < parts.len() => parts[at] = modifier,
                    Change::Remove if at < parts.len() => drop(parts.remove(at)),
                    Change::Insert | Change::Replace => parts.insert(at.min(parts.len()), modifier),
                    Change::Remove => {}
                }
                format!("{}{}{}", &line[..start], parts.join("."), &line[end..])
            }
            Edit::Word { word, with, .. } => {
                let words = words(line);
                match words.get(usize::from(*word) % words.len().max(1)) {
                    Some(at) => {
                        format!("{}{}{}", &line[..at.start], with.text(lines), &line[at.end..])
                    }
                    None => line.to_owned(),
                }
            }
            Edit::Drop { .. } | Edit::Swap { .. } | Edit::Copy { .. } | Edit::Insert { .. } => {
                line.to_owned()
            }
        }
    }
}
