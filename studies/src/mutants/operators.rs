//! The tokens of one statement → its mutants: operators, numbers and conditions.

use std::ops::Range;

use super::tokens::{Kind as TokenKind, Token};
use super::{Kind, Mutant};

/// Operators with a space on both sides, so that brackets of templates, signs and pointers are
/// none; and what stands there instead.
const OPERATORS: [(&str, &str); 18] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("%", "/"),
    ("/", "%"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("<<", ">>"),
    (">>", "<<"),
    ("&", "|"),
    ("^", "|"),
    ("+=", "-="),
];

/// Other words and symbols.
const OTHERS: [(&str, &str); 11] = [
    ("-=", "+="),
    ("++", "--"),
    ("--", "++"),
    ("min", "max"),
    ("max", "min"),
    ("fminf", "fmaxf"),
    ("fmaxf", "fminf"),
    ("true", "false"),
    ("false", "true"),
    ("volatile", ""),
    ("\"memory\"", ""),
];

const OPENING: [&str; 3] = ["(", "[", "{"];
const CLOSING: [&str; 3] = [")", "]", "}"];

/// A statement that is mutated.
pub(super) struct Scope<'t> {
    /// The whole text.
    pub(super) text: &'t str,
    /// The function or struct it stands in.
    pub(super) place: &'t str,
    pub(super) is_synchronization: bool,
}

/// The mutants of a statement's own tokens.
pub(super) fn within(scope: &Scope<'_>, tokens: &[Token]) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = &scope.text[token.range.clone()];
        match token.kind {
            TokenKind::Number => found.extend(numbers(scope, token.range.clone())),
            TokenKind::Directive => found.extend(defined_number(scope, token)),
            TokenKind::String if word.contains('%') => found.extend(placeholders(scope, token)),
            _ => {}
        }
        let is_spaced = is_spaced(scope.text, &token.range);
        let operator = OPERATORS.iter().filter(|_| is_spaced).chain(&OTHERS);
        for (_, new) in operator.filter(|(old, _)| *old == word) {
            // What is left out takes the colon of a list of clobbers with it.
            let range = if word == "\"memory\"" {
                scope.text[..token.range.start].rfind(':').unwrap_or(token.range.start)
                    ..token.range.end
            } else {
                token.range.clone()
            };
            found.push(scope.mutant(Kind::Operator, range, new));
        }
        match word {
            "if" | "while" => found.extend(always(scope, tokens, at)),
            "&&" | "||" => found.extend(parts(scope, tokens, at)),
            _ => {}
        }
    }
    found
}

fn is_spaced(text: &str, range: &Range<usize>) -> bool {
    text[..range.start].ends_with(char::is_whitespace)
        && text[range.end..].starts_with(char::is_whitespace)
}

fn numbers(scope: &Scope<'_>, range: Range<usize>) -> [Mutant; 2] {
    let number = &scope.text[range.clone()];
    ["+", "-"]
        .map(|sign| scope.mutant(Kind::Number, range.clone(), &format!("({number} {sign} 1)")))
}

/// The number at the end of a `#define`.
fn defined_number(scope: &Scope<'_>, token: &Token) -> Vec<Mutant> {
    let line = &scope.text[token.range.clone()];
    let number = line.rsplit(' ').next().unwrap_or_default();
    if !line.starts_with("#define") || number.parse::<u32>().is_err() {
        return Vec::new();
    }
    numbers(scope, token.range.end - number.len()..token.range.end).into()
}

/// The next operand for each one that inline assembly names.
fn placeholders(scope: &Scope<'_>, token: &Token) -> Vec<Mutant> {
    let text = &scope.text[token.range.clone()];
    let operands = text.match_indices('%').filter_map(|(at, _)| {
        let digits: String = text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        let start = token.range.start + at + 1;
        let next = digits.parse::<u32>().ok()? + 1;
        Some(scope.mutant(Kind::Number, start..start + digits.len(), &next.to_string()))
    });
    operands.collect()
}

/// The condition of `if` or `while` holds always.
fn always(scope: &Scope<'_>, tokens: &[Token], at: usize) -> Option<Mutant> {
    let word = |at: usize| &scope.text[tokens[at].range.clone()];
    let open = (at + 1..tokens.len()).find(|at| word(*at) == "(")?;
    let inside = tokens[open + 1..].iter();
    let close = open + 1 + extent(scope.text, inside, [OPENING, CLOSING], false);
    let range = tokens.get(open + 1)?.range.start..tokens.get(close - 1)?.range.end;
    Some(scope.mutant(Kind::Condition, range, "true"))
}

/// Drops the operand on either side of `&&` or `||`.
fn parts(scope: &Scope<'_>, tokens: &[Token], at: usize) -> [Mutant; 2] {
    let operator = &tokens[at].range;
    let right = at + extent(scope.text, tokens[at + 1..].iter(), [OPENING, CLOSING], true);
    let left = at - extent(scope.text, tokens[..at].iter().rev(), [CLOSING, OPENING], true);
    // With the space next to the operator.
    let behind = scope.text[..operator.start].trim_end().len()..tokens[right].range.end;
    let space = scope.text[operator.end..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let front = tokens[left].range.start..operator.end + space;
    [front, behind].map(|range| scope.mutant(Kind::Condition, range, ""))
}

/// How many tokens there are up to the bracket that closes what they stand in; of an operand, up to
/// the next operator that binds less than a comparison. Backwards, an opening bracket closes.
fn extent<'t>(
    text: &str,
    tokens: impl Iterator<Item = &'t Token>,
    [opening, closing]: [[&str; 3]; 2],
    is_operand: bool,
) -> usize {
    let (mut depth, mut count) = (0i32, 0);
    for token in tokens {
        let word = &text[token.range.clone()];
        depth += i32::from(opening.contains(&word)) - i32::from(closing.contains(&word));
        let ends = matches!(word, "&&" | "||" | "?" | ":" | "," | ";" | "=" | "return");
        if depth < 0 || (is_operand && depth == 0 && ends) {
            break;
        }
        count += 1;
    }
    count
}

impl Scope<'_> {
    /// The text with `new` at `range`.
    fn mutant(&self, kind: Kind, range: Range<usize>, new: &str) -> Mutant {
        let start = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at);
        let old = self.text[range.clone()].trim();
        let (before, after) = (&self.text[start..range.start], &self.text[range.end..end]);
        let arrow = if new.is_empty() { "->" } else { "-> " };
        // A part that is left out took a space with it.
        let space = |is: bool| if is && new.is_empty() { " " } else { "" };
        let left = space(old.starts_with("&&") || old.starts_with("||"));
        let right = space(old.ends_with("&&") || old.ends_with("||"));
        let line = format!("{before}{left}[{old} {arrow}{new}]{right}{after}");
        let code = line.split_once("  //").map_or(line.as_str(), |(code, _)| code);
        let words: Vec<&str> = code.split_whitespace().collect();
        let place = if self.place.is_empty() { "text" } else { self.place };
        Mutant {
            kind,
            name: format!("{place}: {}", words.join(" ")),
            is_synchronization: self.is_synchronization,
            edits: vec![(range, new.to_owned())],
        }
    }
}
