//! Module-level directives: variables, functions, files.

use super::ast::{Function, Source};
use super::body;
use super::cursor::Cursor;
use super::error::Problem;
use super::lexer::{TokenKind, tokens};
use super::section::section;
use super::variables::{parameters, space_of, variables};

/// Parses a whole PTX text.
pub(crate) fn parse(text: &str) -> Result<Source, Problem> {
    let mut cursor = Cursor::new(tokens(text)?);
    let mut source = Source::default();
    while cursor.peek().is_some() {
        item(&mut cursor, &mut source)?;
    }
    Ok(source)
}

fn item(cursor: &mut Cursor<'_>, source: &mut Source) -> Result<(), Problem> {
    let line = cursor.line();
    let directive = cursor.name()?;
    match directive {
        ".version" => drop(cursor.advance()),
        ".target" => source.architecture = target(cursor)?,
        ".address_size" => {
            if cursor.integer()? != 64 {
                return Err(Problem::new(line, "only 64-bit addresses are supported"));
            }
        }
        ".file" => file(cursor, source)?,
        ".section" => {
            let name = cursor.name()?;
            cursor.expect('{')?;
            section(cursor, name, &mut source.strings)?;
        }
        ".visible" | ".weak" | ".extern" | ".common" => {}
        ".entry" | ".func" => {
            let function = function(cursor, directive == ".entry", line, source.registers)?;
            source.registers += function.body.as_ref().map_or(0, |body| body.registers.len());
            source.functions.push(function);
        }
        ".global" | ".const" | ".shared" => {
            let space = space_of(directive).ok_or_else(|| Problem::new(line, "unknown space"))?;
            variables(cursor, space, &mut source.variables)?;
        }
        _ => return Err(Problem::new(line, format!("unknown directive {directive}"))),
    }
    Ok(())
}

/// The number of the first name, such as 90 of `sm_90a`; 0 if it has none. Options follow it.
fn target(cursor: &mut Cursor<'_>) -> Result<u32, Problem> {
    let name = cursor.name()?;
    while cursor.accept(',') {
        cursor.name()?;
    }
    let number = name.strip_prefix("sm_").unwrap_or_default();
    let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
    Ok(digits.parse().unwrap_or(0))
}

fn file(cursor: &mut Cursor<'_>, source: &mut Source) -> Result<(), Problem> {
    let index = cursor.size()?;
    let Some(TokenKind::Text(name)) = cursor.advance() else {
        return Err(cursor.problem("expected a file name"));
    };
    source.files.push((index, name.to_owned()));
    while cursor.accept(',') {
        cursor.integer()?;
    }
    Ok(())
}

fn function(
    cursor: &mut Cursor<'_>,
    is_entry: bool,
    line: u32,
    registers: usize,
) -> Result<Function, Problem> {
    let returns = if !is_entry { parameters(cursor)? } else { Vec::new() };
    let name = cursor.name()?.to_owned();
    let parameters = parameters(cursor)?;
    let Directives { max_threads, cluster, explicit_cluster } = performance_directives(cursor)?;
    let body = if cursor.accept(';') { None } else { Some(body::parse(cursor, registers)?) };
    Ok(Function {
        name,
        is_entry,
        parameters,
        returns,
        max_threads,
        cluster,
        explicit_cluster,
        body,
        line,
    })
}

/// Of a function, between its parameters and its body.
#[derive(Default)]
struct Directives {
    max_threads: Option<u64>,
    cluster: Option<[u32; 3]>,
    explicit_cluster: bool,
}

fn performance_directives(cursor: &mut Cursor<'_>) -> Result<Directives, Problem> {
    let mut found = Directives::default();
    while let Some(TokenKind::Name(name)) = cursor.peek() {
        cursor.advance();
        match name {
            ".maxntid" | ".reqntid" => {
                let extents = numbers(cursor)?.into_iter().map(u64::from);
                found.max_threads = Some(extents.fold(1, u64::saturating_mul));
            }
            ".minnctapersm" | ".maxnctapersm" | ".maxnreg" | ".maxclusterrank" => {
                numbers(cursor)?;
            }
            ".reqnctapercluster" => {
                let extents = numbers(cursor)?;
                let extent = |axis| extents.get(axis).copied().unwrap_or(1);
                found.cluster = Some(std::array::from_fn(extent));
            }
            ".explicitcluster" => found.explicit_cluster = true,
            ".noreturn" => {}
            _ => return Err(cursor.problem(format!("unknown directive {name}"))),
        }
    }
    Ok(found)
}

/// Numbers separated by commas.
fn numbers(cursor: &mut Cursor<'_>) -> Result<Vec<u32>, Problem> {
    let mut numbers = vec![cursor.size()?];
    while cursor.accept(',') {
        numbers.push(cursor.size()?);
    }
    Ok(numbers)
}
