//! Extents: counts from 1 to 65535, written as plain literals.

use std::num::NonZeroU16;

use syn::parse::ParseStream;
use syn::{BinOp, Expr, ExprBinary, ExprLit, Ident, Lit, LitFloat, LitInt, Token};

use super::KEYS;
use super::entry::Piece;
use crate::errors::{Errors, error};
use crate::spans::TokenRange;

/// Reads `[x, y, ..]` with one extent for each of `names`. Each wrong literal is an error.
pub(crate) fn array<const N: usize>(
    value: &Piece,
    key: &str,
    names: [&str; N],
    errors: &mut Errors,
) -> Option<([NonZeroU16; N], [TokenRange; N])> {
    let pieces = pieces(value, key, names, errors)?;
    let extents = pieces.each_ref().map(|piece| one(piece, key, errors));
    let places = pieces.each_ref().map(TokenRange::of);
    all(extents).map(|extents| (extents, places))
}

/// Reads `[x, y]` or `[x, y, z]`; a missing third extent is 1 and has no span.
pub(crate) fn two_or_three(
    value: &Piece,
    key: &str,
    names: [&str; 3],
    errors: &mut Errors,
) -> Option<([NonZeroU16; 3], [Option<TokenRange>; 3])> {
    let form = format!("`{key} = [..]` with 2 or 3 numbers: {}", names.join(", "));
    let pieces = list(value, "2 or 3", &form, errors)?;
    if !(2..=3).contains(&pieces.len()) {
        let message = format!("`{key}` takes 2 or 3 numbers, got {}", pieces.len());
        errors.push(value, message, format!("write {form}"));
        return None;
    }
    let mut extents = [Some(NonZeroU16::MIN); 3];
    let mut places = [None; 3];
    for (at, piece) in pieces.iter().enumerate() {
        (extents[at], places[at]) = (one(piece, key, errors), Some(TokenRange::of(piece)));
    }
    all(extents).map(|extents| (extents, places))
}

/// The `N` pieces of `[x, y, ..]`.
pub(crate) fn pieces<const N: usize>(
    value: &Piece,
    key: &str,
    names: [&str; N],
    errors: &mut Errors,
) -> Option<[Piece; N]> {
    let form = format!("`{key} = [..]` with {N} numbers: {}", names.join(", "));
    let pieces = list(value, &N.to_string(), &form, errors)?;
    let count = pieces.len();
    pieces
        .try_into()
        .map_err(|_| {
            let message = format!("`{key}` takes {N} numbers, got {count}");
            errors.push(value, message, format!("write {form}"));
        })
        .ok()
}

/// The pieces of a list of `count`.
fn list(value: &Piece, count: &str, form: &str, errors: &mut Errors) -> Option<Vec<Piece>> {
    let otherwise =
        error(value, format!("expected {count} numbers in brackets"), format!("write {form}"));
    match value.list(otherwise) {
        Ok(pieces) => Some(pieces),
        Err(error) => {
            errors.push_syn(error);
            None
        }
    }
}

/// Reads one extent.
pub(crate) fn one(piece: &Piece, what: &str, errors: &mut Errors) -> Option<NonZeroU16> {
    let number = number(piece, what, 1..=u16::MAX.into(), errors)?;
    u16::try_from(number).ok().and_then(NonZeroU16::new)
}

/// Reads the extent that is the only argument of a call of this name.
pub(crate) fn argument(
    arguments: &Piece,
    name: &Ident,
    what: &str,
    errors: &mut Errors,
) -> Option<NonZeroU16> {
    let pieces = arguments.split();
    let [_, surplus, ..] = &pieces[..] else { return one(arguments, what, errors) };
    let message = format!("`{name}` takes one number, got {}", pieces.len());
    errors.push(surplus, message, format!("remove it: write for example `{name}(8)`"));
    None
}

/// An entry with legal numbers of this kind.
fn example(what: &str) -> &'static str {
    let key = match what {
        "an extent of `fma`" => return "mma = fma(8, 8)",
        "the width of a strip" => "raster",
        other => other,
    };
    KEYS.iter().find(|(name, ..)| key.contains(name)).map_or("", |(_, example, _)| example)
}

/// The numbers that are legal, in words.
fn legal(what: &str, [least, most]: [u64; 2]) -> String {
    match what {
        "cluster" => "1, 2, 4 or 8".to_owned(),
        _ => format!("{least} to {most}"),
    }
}

/// Reads a literal in a range.
pub(crate) fn number(
    piece: &Piece,
    what: &str,
    range: std::ops::RangeInclusive<u64>,
    errors: &mut Errors,
) -> Option<u64> {
    let literal = match piece.parse_with(literal) {
        Ok(literal) => literal,
        Err(error) => {
            errors.push_syn(computed(piece).unwrap_or(error));
            return None;
        }
    };
    // A literal that exceeds u64 is also out of range.
    let number = literal.base10_digits().parse().unwrap_or(u64::MAX);
    if range.contains(&number) {
        return Some(number);
    }
    let (digits, [least, most]) = (literal.base10_digits(), [*range.start(), *range.end()]);
    let nearest =
        if number < least { format!("at least {least}") } else { format!("at most {most}") };
    errors.push(
        &literal,
        format!("{what} = {digits} is out of range: it must be {}", legal(what, [least, most])),
        format!("use {nearest}, for example `{}`", example(what)),
    );
    None
}

/// What is said of numbers that a macro would have to compute.
fn computed(piece: &Piece) -> Option<syn::Error> {
    let computed: ExprBinary = piece.parse().ok()?;
    let help = match value(&Expr::Binary(computed)) {
        Some(value) => format!("write `{value}`"),
        None => "write the number that it is".to_owned(),
    };
    Some(error(piece, "expected a literal number: a macro computes none", help))
}

/// The value of an expression of literals.
fn value(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        Expr::Paren(inner) => value(&inner.expr),
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let (left, right) = (value(left)?, value(right)?);
            match op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                BinOp::Shl(_) => u32::try_from(right)
                    .ok()
                    .and_then(|by| 1_u64.checked_shl(by)?.checked_mul(left)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An integer literal without a suffix; else an error that says why not.
fn literal(input: ParseStream<'_>) -> syn::Result<LitInt> {
    if input.peek(Token![-]) {
        // syn would read the sign as a part of the literal.
        let sign: Token![-] = input.parse()?;
        return Err(error(sign, "expected a positive number", "remove the sign"));
    }
    if input.peek(LitInt) {
        let literal: LitInt = input.parse()?;
        return match literal.suffix() {
            "" => Ok(literal),
            suffix => {
                let message = format!("expected a number without the suffix `{suffix}`");
                Err(error(&literal, message, format!("write `{}`", literal.base10_digits())))
            }
        };
    }
    if input.peek(LitFloat) {
        let literal: LitFloat = input.parse()?;
        let whole = literal.base10_digits().split('.').next().unwrap_or_default().to_owned();
        return Err(error(&literal, "expected a whole number", format!("write `{whole}`")));
    }
    if input.peek(Ident) {
        let constant: Ident = input.parse()?;
        let message = "expected a literal number: a macro cannot evaluate a constant";
        return Err(error(&constant, message, format!("write the number that `{constant}` is")));
    }
    Err(input.error("expected a whole number\n= help: write a literal such as `4`"))
}

/// The array of all values, if none is missing.
pub(crate) fn all<T: Copy, const N: usize>(values: [Option<T>; N]) -> Option<[T; N]> {
    let present: Vec<T> = values.into_iter().flatten().collect();
    present.try_into().ok()
}
