//! `.loc` directives: from positions in the CUDA source to frames of inlined calls.

use std::collections::HashMap;
use std::fmt;

use cpp_demangle::{DemangleOptions, Symbol};

use crate::program::{SourceFrame, SourceMap};
use crate::ptx::ast::{Inlined, Location, Position, Source};

/// The most frames of a chain of inlined calls that are kept.
const MAX_DEPTH: usize = 64;

/// The longest name that is made readable; a longer one is cut. A limit on what a malformed text can make us do.
const MAX_NAME: usize = 512;

/// The most new and delete expressions of a name that is made readable: each is parsed in two ways, one within the
/// other, so that each may double the time.
const MAX_ALTERNATIVES: usize = 12;

/// The longest readable name; what would be longer stays mangled.
const MAX_READABLE: usize = 4096;

/// The frames of a kernel while it is decoded.
#[derive(Default)]
pub(super) struct Lines {
    /// The frame of the latest directive of each position.
    latest: HashMap<Position, u32>,
    /// The frame that each function was last called from at a position.
    callers: HashMap<(String, Position), u32>,
    /// The directive before.
    previous: Option<(Position, u32)>,
    numbers: HashMap<SourceFrame, u32>,
    functions: HashMap<String, u32>,
    depths: Vec<usize>,
}

impl Lines {
    /// The frame of a directive. Line 0 stands for code of no line and has none.
    pub(super) fn frame(
        &mut self,
        location: &Location,
        source: &Source,
        map: &mut SourceMap,
    ) -> Option<u32> {
        if location.at.line == 0 {
            return None;
        }
        let inlined = location.inlined.as_ref();
        let caller = inlined.map(|inlined| self.caller(inlined, map));
        let function = inlined.and_then(|inlined| source.strings.get(&inlined.function));
        let function = function.map(|name| self.function(name, map));
        let frame = self.number(location.at, function, caller, map);
        self.latest.insert(location.at, frame);
        self.previous = Some((location.at, frame));
        Some(frame)
    }

    /// The frame that an inlined function was called from.
    ///
    /// The directive names a position, at which there can be several: those of the instances of a
    /// template. The compiler writes the call's own directive before the first instruction
    /// from there and leaves it out for later ones, so what follows something else belongs to the
    /// call that the function came from before.
    fn caller(&mut self, inlined: &Inlined, map: &mut SourceMap) -> u32 {
        let key = (inlined.function.clone(), inlined.at);
        let right_before = self.previous.filter(|(at, _)| *at == inlined.at);
        let known = right_before.map(|(_, frame)| frame);
        let known = known.or_else(|| self.callers.get(&key).copied());
        let frame = match known.or_else(|| self.latest.get(&inlined.at).copied()) {
            Some(frame) if self.depths[frame as usize] < MAX_DEPTH => frame,
            // The call's own line has no instruction before this one, or the chain is too long.
            _ => self.number(inlined.at, None, None, map),
        };
        self.callers.insert(key, frame);
        frame
    }

    fn number(
        &mut self,
        at: Position,
        function: Option<u32>,
        caller: Option<u32>,
        map: &mut SourceMap,
    ) -> u32 {
        let frame = SourceFrame { file: at.file, line: at.line, function, caller };
        let next = map.frames.len() as u32;
        let number = *self.numbers.entry(frame).or_insert(next);
        if number == next {
            map.frames.push(frame);
            self.depths.push(caller.map_or(0, |caller| self.depths[caller as usize] + 1));
        }
        number
    }

    fn function(&mut self, mangled: &str, map: &mut SourceMap) -> u32 {
        if let Some(number) = self.functions.get(mangled) {
            return *number;
        }
        let number = map.functions.len() as u32;
        map.functions.push(readable(mangled).into());
        self.functions.insert(mangled.to_owned(), number);
        number
    }
}

/// `mma_atom` for `_Z8mma_atomRA4_fPKjS2_`; any other name is left unchanged.
fn readable(mangled: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let symbol = Some(mangled)
        .filter(|name| name.len() <= MAX_NAME && alternatives(name) <= MAX_ALTERNATIVES);
    let symbol = symbol.and_then(|name| Symbol::new(name).ok());
    let mut text = Bounded::default();
    let Some(Ok(())) = symbol.map(|symbol| symbol.structured_demangle(&mut text, &options)) else {
        return mangled.chars().take(MAX_NAME).collect();
    };
    // The function around a lambda is written with its parameters all the same.
    match text.0.split_once("::{lambda") {
        Some((around, _)) => format!("{}::{{lambda}}", around.split('(').next().unwrap_or(around)),
        None => text.0,
    }
}

/// How many pairs of letters a name has that may be a new or delete expression.
fn alternatives(name: &str) -> usize {
    name.as_bytes().windows(2).filter(|pair| matches!(*pair, b"nw" | b"na" | b"dl" | b"da")).count()
}

/// A text of at most [`MAX_READABLE`] bytes: a mangled name may refer back to its own parts, so that each few letters
/// of it double what it stands for.
#[derive(Default)]
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_READABLE {
            return Err(fmt::Error);
        }
        self.0 += text;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_readable() {
        let tile = "_Z18shared_to_registerI5TileAEvRAsrT_9REGISTERS_jjii";
        assert_eq!(readable(tile), "shared_to_register<TileA>");
        assert_eq!(readable("_Z8mma_atomRA4_fPKjS2_"), "mma_atom");
        assert_eq!(readable("_ZZ8mainloopRA2_fPhiENKUlvE_clEv"), "mainloop::{lambda}");
        assert_eq!(readable("kernel"), "kernel");
    }

    #[test]
    fn names_that_double_with_each_part_stay_mangled() {
        let name = |parts: &str| format!("_Z1fI1A{parts}Evv");
        let doubled = ["S0_", "S2_", "S4_", "S6_", "S8_", "SA_", "SC_", "SE_", "SG_", "SI_"];
        let parts = doubled.map(|part| format!("1PI{part}{part}E"));
        assert!(readable(&name(&parts[..8].concat())).starts_with("f<A, P<A, A>, P<P<A, A>"));
        assert_eq!(readable(&name(&parts.concat())), name(&parts.concat()));
        let long = "_Z1f".repeat(200);
        assert_eq!(readable(&long), long[..MAX_NAME]);
    }

    fn at(line: u32) -> Position {
        Position { file: 1, line, column: 5 }
    }

    /// The functions of a directive's frame and of its callers, innermost first.
    fn functions(
        lines: &mut Lines,
        map: &mut SourceMap,
        line: u32,
        call: Option<(&str, u32)>,
    ) -> Vec<String> {
        let inlined =
            call.map(|(function, line)| Inlined { function: function.to_owned(), at: at(line) });
        let names = ["load_a", "load_b", "part_a", "part_b"];
        let strings = names.map(|name| (name.to_owned(), name.to_owned())).into();
        let source = Source { strings, ..Source::default() };
        let frame = lines.frame(&Location { at: at(line), inlined }, &source, map);
        let functions = map.lines(frame).into_iter().filter_map(|line| line.function);
        functions.map(|name| name.to_string()).collect()
    }

    #[test]
    fn instances_of_a_template_are_told_apart_where_their_calls_are_written_once() {
        let (lines, map) = (&mut Lines::default(), &mut SourceMap::default());
        for (part, load) in [("part_a", "load_a"), ("part_b", "load_b")] {
            functions(lines, map, 10, Some((part, 20)));
            assert_eq!(functions(lines, map, 5, Some((load, 10))), [load, part]);
        }
        functions(lines, map, 30, None);
        for (part, load) in [("part_a", "load_a"), ("part_b", "load_b"), ("part_a", "load_a")] {
            assert_eq!(functions(lines, map, 5, Some((load, 10))), [load, part]);
        }
        // Another call of the same function, from its own line.
        functions(lines, map, 10, Some(("part_b", 21)));
        assert_eq!(functions(lines, map, 5, Some(("load_a", 10))), ["load_a", "part_b"]);
    }
}
