//! The TOML document of a record: a version, and a table for each measurement. Keys of a measurement
//! that this crate does not know are left unread.

use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml_writer::{TomlWrite, WriteTomlValue};

use crate::tuning::bucket::Bucket;
use crate::tuning::record::{Key, Measured, RecordError, VERSION};

/// The version that the document names, and its measurements.
pub(super) fn read(text: &str) -> Result<(Option<u32>, Vec<Measured>), RecordError> {
    let document = DeTable::parse(text).map_err(|mut error| {
        error.set_input(Some(text));
        RecordError::Toml(Box::new(error))
    })?;
    let known = |name: &str| matches!(name, "version" | "measured");
    let top = Table { text, span: document.span(), values: document.get_ref() };
    if let Some(other) = top.values.keys().find(|name| !known(name.get_ref())) {
        let what = format!("`{}` is neither `version` nor `measured`", other.get_ref());
        return Err(top.error(other.span(), what));
    }
    let version = top.optional("version", "a number below 2³²", integer)?;
    let tables = top.optional("measured", "an array of tables", |value| value.as_array())?;
    let measured = tables.into_iter().flatten().map(|one| match one.get_ref().as_table() {
        Some(values) => Table { text, span: one.span(), values }.measured(),
        None => Err(top.error(one.span(), "a measurement is a table".to_owned())),
    });
    Ok((version, measured.collect::<Result<_, _>>()?))
}

/// The document of these measurements.
pub(super) fn write<'a>(
    to: &mut String,
    measured: impl Iterator<Item = &'a Measured>,
) -> fmt::Result {
    entry(to, "version", VERSION)?;
    for Measured { key, fastest, microseconds } in measured {
        to.push_str("\n[[measured]]\n");
        let Key { device, function, kernels, alignment, copied, shape } = key;
        entry(to, "device", device)?;
        entry(to, "function", function)?;
        entry(to, "kernels", kernels)?;
        entry(to, "alignment", alignment)?;
        if !copied.is_empty() {
            entry(to, "copied", copied)?;
        }
        let Bucket { m, n, k, batch } = *shape;
        for (name, extent) in [("m", m), ("n", n), ("k", k), ("batch", batch)] {
            entry(to, name, extent)?;
        }
        entry(to, "fastest", fastest)?;
        entry(to, "microseconds", *microseconds)?;
    }
    Ok(())
}

/// A line `name = value`.
fn entry(to: &mut String, name: &str, value: impl WriteTomlValue) -> fmt::Result {
    to.key(name)?;
    to.space()?;
    to.keyval_sep()?;
    to.space()?;
    to.value(value)?;
    to.newline()
}

/// A table of the document, and where it is in the text.
struct Table<'a> {
    text: &'a str,
    span: Range<usize>,
    values: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    fn measured(&self) -> Result<Measured, RecordError> {
        let extent = |name| self.value(name, "a number from 0 to 2⁶⁴ - 1", integer);
        let string = |name| self.value(name, "a string", string);
        let shape =
            Bucket { m: extent("m")?, n: extent("n")?, k: extent("k")?, batch: extent("batch")? };
        let key = Key {
            device: string("device")?,
            function: string("function")?,
            kernels: string("kernels")?,
            alignment: self.value("alignment", "an array of numbers below 2³²", |value| {
                value.as_array()?.iter().map(|one| integer(one.get_ref())).collect()
            })?,
            copied: self
                .optional("copied", "an array of strings", |value| {
                    value.as_array()?.iter().map(|one| self::string(one.get_ref())).collect()
                })?
                .unwrap_or_default(),
            shape,
        };
        let microseconds = self.optional("microseconds", "a number", number)?.unwrap_or_default();
        Ok(Measured { key, fastest: string("fastest")?, microseconds })
    }

    /// The value of a key that the table must have.
    fn value<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<T, RecordError> {
        let value = self.optional(name, expected, read)?;
        value.ok_or_else(|| self.error(self.span.clone(), format!("`{name}` is missing")))
    }

    /// The value of a key that the table may lack.
    fn optional<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, RecordError> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        match read(value.get_ref()) {
            None => Err(self.error(value.span(), format!("`{name}` is not {expected}"))),
            some => Ok(some),
        }
    }

    fn error(&self, at: Range<usize>, what: String) -> RecordError {
        let line = 1 + self.text[..at.start].matches('\n').count();
        RecordError::Field { line, what }
    }
}

fn string(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn integer<T: TryFrom<u64>>(value: &DeValue<'_>) -> Option<T> {
    let value = value.as_integer()?;
    u64::from_str_radix(value.as_str(), value.radix()).ok()?.try_into().ok()
}

/// People may have written `12` in place of `12.0`.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(_) => integer::<u32>(value).map(f64::from),
        _ => value.as_float()?.as_str().parse().ok(),
    }
}
