//! Tokens of the attribute → `Schedule`.
//!
//! The entries are split at their commas before any is read, so that a mistake in one does not
//! hide a mistake in the next.

mod copy_and_swizzle;
mod elements;
mod entry;
mod extents;
mod keys;
mod names;
mod sides;
mod tiling;

use std::num::NonZeroU16;

use gemm_codegen::{Field, Raster, Schedule, Splits};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, token};

use crate::errors::{Errors, Unknown, list};
use crate::signature::TypeParameter;
use crate::spans::{Spans, TokenRange};
use elements::list_of;
use entry::{Entry, Written};
use keys::CHOSEN;
pub(crate) use keys::KEYS;

/// Reads the arguments of the attribute of a function that declares these type parameters.
pub(crate) fn parse(
    arguments: TokenStream,
    declared: Vec<Ident>,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Attribute {
    let unlisted = |name| TypeParameter { name, elements: Vec::new(), is_listed: false };
    let type_parameters = declared.into_iter().map(unlisted).collect();
    let schedule = Schedule::default();
    let (runtime, auto, derived, unread) = (None, false, false, false);
    let mut reader =
        Reader { schedule, type_parameters, runtime, auto, derived, unread, spans, errors };
    let mut seen: Vec<Ident> = Vec::new();
    for piece in entry::split(arguments) {
        let entry = match piece.parse::<Entry>() {
            Ok(entry) => entry,
            Err(error) => {
                reader.errors.push_syn(error);
                reader.unread = true;
                continue;
            }
        };
        if seen.contains(&entry.key) {
            let help = "remove one of the two";
            reader.errors.push(&entry.key, format!("`{}` is given twice", entry.key), help);
            continue;
        }
        seen.push(entry.key.clone());
        reader.entry(&entry);
    }
    reader.finish(&seen)
}

/// The content of the attribute.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) schedule: Schedule,
    /// Those of the function, in their order, with the types that are listed.
    pub(crate) type_parameters: Vec<TypeParameter>,
    /// The path of the runtime, if it has another name.
    pub(crate) runtime: Option<TokenStream>,
    /// Whether a launch chooses among candidates: no key fixes the schedule.
    pub(crate) auto: bool,
}

/// The schedule read so far.
pub(crate) struct Reader<'a> {
    schedule: Schedule,
    type_parameters: Vec<TypeParameter>,
    runtime: Option<TokenStream>,
    auto: bool,
    derived: bool,
    /// Whether a key was not understood, which may have been meant to fix the schedule.
    unread: bool,
    spans: &'a mut Spans,
    errors: &'a mut Errors,
}

impl Reader<'_> {
    /// What was read, by these keys. Reports those that contradict `auto` or `derived`.
    fn finish(self, seen: &[Ident]) -> Attribute {
        let Reader { schedule, type_parameters, runtime, auto, derived, unread, errors, .. } = self;
        let fixing = || seen.iter().filter(|key| CHOSEN.iter().any(|chosen| *key == chosen));
        let asked = [(auto, "auto", "chooses"), (derived, "derived", "derives")];
        for (_, name, does) in asked.into_iter().filter(|(asked, ..)| *asked) {
            if let Some(first) = fixing().next() {
                let are = if fixing().count() == 1 { "it is" } else { "they are" };
                let keys = list(fixing());
                let message = format!("`{name}` {does} {keys}, but {are} also given");
                errors.push(first, message, format!("remove `{name}`, or {keys}"));
            }
        }
        if let (true, Some(key)) = (auto, seen.iter().find(|key| *key == "derived")) {
            let help = "remove `derived` or `auto`";
            errors.push(key, "`auto` means several schedules and `derived` one", help);
        }
        let auto = !derived && !unread && fixing().next().is_none();
        Attribute { schedule, type_parameters, runtime, auto }
    }

    /// Reads the value of one key.
    fn entry(&mut self, entry: &Entry) {
        let key = entry.key.to_string();
        if let Some(number) = self.type_parameter(&key) {
            return self.elements(number, entry);
        }
        if let Some((.., read)) = KEYS.iter().find(|(name, ..)| *name == key) {
            return read(self, entry);
        }
        keys::unknown(entry, self.errors);
        self.unread = true;
    }

    /// The tokens after `key =`; an error if the key has another form.
    fn value<'e>(&mut self, entry: &'e Entry) -> Option<&'e entry::Piece> {
        match &entry.form {
            Written::Equals(value) => Some(value),
            _ => {
                self.wrong_form(entry);
                None
            }
        }
    }

    /// The error for `key`, `key(..)` or `key = ..` where another form is required.
    fn wrong_form(&mut self, entry: &Entry) {
        let known = KEYS.iter().find(|(key, ..)| entry.key == key);
        let example =
            known.map_or_else(|| list_of(&entry.key), |(_, example, _)| example.to_string());
        self.errors.push(
            entry,
            format!("`{}` has the wrong form", entry.key),
            format!("write for example `{example}`"),
        );
    }

    /// Whether the key stands alone; an error if it does not.
    fn alone(&mut self, entry: &Entry) -> bool {
        let alone = matches!(entry.form, Written::Alone);
        if !alone {
            self.wrong_form(entry);
        }
        alone
    }

    fn stages(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        if let Some(stages) = extents::one(value, "stages", self.errors) {
            self.schedule.stages = Some(stages);
        }
        self.spans.set(Field::Stages, TokenRange::of(value));
    }

    fn split_k(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let tail = match value.parse_with(tail) {
            Ok(tail) => tail,
            Err(error) => return self.errors.push_syn(error),
        };
        let splits = match &tail {
            Some((name, most)) => {
                self.spans.set(Field::SplitK, TokenRange::of(most));
                extents::argument(most, name, "split_k", self.errors).map(Splits::Tail)
            }
            None => {
                self.spans.set(Field::SplitK, TokenRange::of(value));
                extents::one(value, "split_k", self.errors).map(Splits::Every)
            }
        };
        self.schedule.split_k = splits.or(self.schedule.split_k);
    }

    fn raster(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Raster, TokenRange::of(value));
        let call = match value.parse::<RasterCall>() {
            Ok(call) => call,
            Err(error) => return self.errors.push_syn(error),
        };
        let raster: fn(NonZeroU16) -> Raster = match call.name.to_string().as_str() {
            "along_m" => Raster::AlongM,
            "along_n" => Raster::AlongN,
            other => {
                let all = "the rasters are `along_m(8)` and `along_n(8)`: strips of 8 blocks";
                return self.errors.push_unknown(Unknown {
                    message: format!("unknown raster `{other}`"),
                    written: other.to_owned(),
                    candidates: vec!["along_m".to_owned(), "along_n".to_owned()],
                    all: Some(all.to_owned()),
                    tokens: call.name.to_token_stream(),
                    is_element: false,
                });
            }
        };
        let RasterCall { name, width } = &call;
        if let Some(width) = extents::argument(width, name, "the width of a strip", self.errors) {
            self.schedule.raster = Some(raster(width));
        }
    }
}

/// The name and the arguments of `tail(8)`; `None` without a name.
fn tail(input: ParseStream<'_>) -> syn::Result<Option<(Ident, entry::Piece)>> {
    if !input.peek(Ident) {
        input.parse::<TokenStream>()?;
        return Ok(None);
    }
    let expected =
        input.error("expected a number, or `tail(8)` to split only the tiles of the last wave");
    let name: Ident = input.parse()?;
    match name == "tail" && input.peek(token::Paren) {
        true => Ok(Some((name, entry::Piece::group(input)?))),
        false => Err(expected),
    }
}

/// `along_m(8)`, its name not interpreted yet.
struct RasterCall {
    name: Ident,
    width: entry::Piece,
}

impl Parse for RasterCall {
    fn parse(input: ParseStream<'_>) -> syn::Result<RasterCall> {
        let expected = "expected `along_m(8)` or `along_n(8)`: strips of 8 blocks along M or N";
        if !(input.peek(Ident) && input.peek2(token::Paren)) {
            return Err(input.error(expected));
        }
        let name = input.parse()?;
        let width = entry::Piece::group(input)?;
        Ok(RasterCall { name, width })
    }
}

#[cfg(test)]
mod tests;
