//! Declarations of variables and parameters.

use super::ast::Variable;
use super::cursor::Cursor;
use super::error::Problem;
use super::lexer::TokenKind;
use super::types::{Space, Type};

/// The most bytes one variable may have; a limit on what a malformed text can make us allocate.
const MAX_VARIABLE_BYTES: u64 = 1 << 28;

/// The most dimensions of an array.
const MAX_DIMENSIONS: u32 = 8;

/// The space a declaration's directive names.
pub(super) fn space_of(directive: &str) -> Option<Space> {
    Some(match directive {
        ".global" => Space::Global,
        ".const" => Space::Constant,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".param" => Space::Parameter,
        _ => return None,
    })
}

/// One declaration with its comma-separated names, up to and including the semicolon.
pub(super) fn variables(
    cursor: &mut Cursor<'_>,
    space: Space,
    into: &mut Vec<Variable>,
) -> Result<(), Problem> {
    let (align, ty) = alignment_and_type(cursor)?;
    loop {
        into.push(variable(cursor, space, align, ty)?);
        if !cursor.accept(',') {
            break;
        }
    }
    cursor.expect(';')
}

fn alignment_and_type(cursor: &mut Cursor<'_>) -> Result<(Option<u32>, Type), Problem> {
    let mut align = None;
    loop {
        let name = cursor.name()?;
        match name {
            ".align" => {
                let value = cursor.size()?;
                if !value.is_power_of_two() || value > 4096 {
                    return Err(cursor.problem("alignment is not a power of two up to 4096"));
                }
                align = Some(value);
            }
            // Attributes of a pointer parameter that say nothing of its size.
            ".ptr" | ".global" | ".shared" | ".const" | ".local" => {}
            _ => {
                let ty = name.strip_prefix('.').and_then(Type::parse);
                let ty = ty.ok_or_else(|| cursor.problem(format!("unknown type {name}")))?;
                return Ok((align, ty));
            }
        }
    }
}

fn variable(
    cursor: &mut Cursor<'_>,
    space: Space,
    align: Option<u32>,
    ty: Type,
) -> Result<Variable, Problem> {
    let line = cursor.line();
    let mut align = align.unwrap_or(ty.bytes());
    // A pointer parameter may carry `.ptr .space .align N` between type and name.
    while matches!(cursor.peek(), Some(TokenKind::Name(name)) if name.starts_with('.')) {
        if cursor.name()? == ".align" {
            cursor.size()?;
            align = align.max(ty.bytes());
        }
    }
    let name = cursor.name()?.to_owned();
    let mut bytes = u64::from(ty.bytes());
    while cursor.accept('[') {
        let count = match cursor.peek() {
            Some(TokenKind::Mark(']')) => 0,
            _ => u64::from(cursor.size()?),
        };
        bytes = bytes.saturating_mul(count);
        cursor.expect(']')?;
    }
    if bytes > MAX_VARIABLE_BYTES {
        return Err(Problem::new(line, format!("variable {name} is too large")));
    }
    let mut initial = Vec::new();
    if cursor.accept('=') {
        initializer(cursor, ty, 0, &mut initial)?;
        if initial.len() as u64 > bytes {
            return Err(Problem::new(line, "initializer is longer than the variable"));
        }
    }
    Ok(Variable { name, space, align, bytes, initial: initial.into() })
}

fn initializer(
    cursor: &mut Cursor<'_>,
    ty: Type,
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<(), Problem> {
    if depth > MAX_DIMENSIONS {
        return Err(cursor.problem("initializer is nested too deeply"));
    }
    if cursor.accept('{') {
        loop {
            initializer(cursor, ty, depth + 1, out)?;
            if !cursor.accept(',') {
                return cursor.expect('}');
            }
        }
    }
    let bytes = ty.bytes() as usize;
    let value = match cursor.peek() {
        Some(TokenKind::Single(bits)) => {
            cursor.advance();
            u64::from(bits)
        }
        Some(TokenKind::Double(bits)) => {
            cursor.advance();
            bits
        }
        _ => cursor.integer()? as u64,
    };
    out.extend_from_slice(&value.to_le_bytes()[..bytes]);
    Ok(())
}

/// A list of parameters in parentheses, if there is one.
pub(super) fn parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Variable>, Problem> {
    let mut out = Vec::new();
    if !cursor.accept('(') || cursor.accept(')') {
        return Ok(out);
    }
    loop {
        match cursor.name()? {
            ".param" => {}
            other => return Err(cursor.problem(format!("unknown parameter space {other}"))),
        }
        let (align, ty) = alignment_and_type(cursor)?;
        out.push(variable(cursor, Space::Parameter, align, ty)?);
        if !cursor.accept(',') {
            cursor.expect(')')?;
            return Ok(out);
        }
    }
}
