//! [`Record`]: measurements as a text that people read, compare and commit.
//!
//! ```toml
//! version = 1
//!
//! [[measured]]
//! device = "NVIDIA H200, sm_90, 132 multiprocessors"
//! function = "linear"
//! kernels = "0f6c3e9a55d1b7c2"
//! alignment = [16, 16, 16]
//! m = 64
//! n = 4096
//! k = 4096
//! batch = 1
//! fastest = "64x64x256B-2x2x2-4"
//! microseconds = 11.9
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::cache;
use crate::tuning::Measurement;
use crate::tuning::bucket::Bucket;

mod document;

/// Everything that a measurement depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// The model of the device, its architecture and its multiprocessors.
    pub(crate) device: String,
    /// The function's name, for people.
    pub(crate) function: String,
    /// A hash that tells functions apart.
    pub(crate) kernels: String,
    /// Of each argument in memory, in bytes, at most 16.
    pub(crate) alignment: Vec<u32>,
    /// The factors, `A` or `B`, that a launch by tensor copies copies first.
    pub(crate) copied: Vec<String>,
    pub(crate) shape: Bucket,
}

/// The fastest kernel for a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(super) key: Key,
    /// The id of its schedule.
    fastest: String,
    /// Of a launch of the first shape of the bucket, for people.
    microseconds: f64,
}

/// The measurements by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record(BTreeMap<Key, Measured>);

/// The version of the text that this crate writes. A text that has measurements and names none is of
/// version 1.
pub(crate) const VERSION: u32 = 1;

/// Why a text is not a record of a [`Tuning`](crate::Tuning).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not TOML.
    #[error(transparent)]
    Toml(Box<toml::de::Error>),

    /// A key is missing, has a value of another type, or is not a record's.
    #[error("line {line}: {what}")]
    Field {
        /// The line of the value, or of the table that lacks it.
        line: usize,
        /// The key and what is wrong about it.
        what: String,
    },

    /// It is of a version that this crate does not read.
    #[error("it is of version {got}, expected {VERSION}: record it again with this crate")]
    Version {
        /// The version that it names.
        got: u32,
    },

    /// It has neither a version nor a measurement.
    #[error("it has neither `version = {VERSION}`, which an empty record has, nor `[[measured]]`")]
    Empty,
}

/// The first line of a record.
const HEADER: &str = "# The fastest schedule of each function by device and shape, as gemm-runtime \
                      measured it.\n";

impl Key {
    /// The name of the file of all shapes.
    pub(super) fn file(&self) -> String {
        let mut key = cache::Key::builder();
        key.add(&self.device);
        key.add(&self.kernels);
        format!("tuning-{}.toml", key.finish())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { device, alignment, copied, shape, .. } = self;
        write!(f, "{shape} on {device} with alignments of {alignment:?} B")?;
        match copied.is_empty() {
            true => Ok(()),
            false => write!(f, ", where tensor copies cannot read {}", copied.join(" and ")),
        }
    }
}

impl Measured {
    /// The kernel with this id, and the seconds it takes.
    pub(crate) fn new(key: Key, id: &str, seconds: f64) -> Measured {
        // Four digits are more than a measurement has.
        let microseconds = (seconds * 1e9).round() / 1e3;
        Measured { key, fastest: id.to_owned(), microseconds }
    }
}

impl From<&Measured> for Measurement {
    fn from(measured: &Measured) -> Measurement {
        let Measured { key, fastest, microseconds } = measured;
        let (shape, batch) = key.shape.largest();
        Measurement {
            device: key.device.clone(),
            function: key.function.clone(),
            kernels: key.kernels.clone(),
            shape,
            batch,
            fastest: fastest.clone(),
            microseconds: *microseconds,
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { key, fastest, microseconds } = self;
        write!(f, "{}: {fastest} is the fastest for {key}, {microseconds} µs", key.function)
    }
}

impl Record {
    /// Reads the text of [`Self::to_text`], which people may have edited.
    pub(super) fn parse(text: &str) -> Result<Record, RecordError> {
        let (version, measured) = document::read(text)?;
        match version {
            None if measured.is_empty() => return Err(RecordError::Empty),
            Some(got) if got != VERSION => return Err(RecordError::Version { got }),
            _ => {}
        }
        Ok(Record(measured.into_iter().map(|one| (one.key.clone(), one)).collect()))
    }

    /// As TOML, sorted by device, function and shape.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        // Writing to a string cannot fail.
        let _ = document::write(&mut text, self.0.values());
        text
    }

    /// The id of the fastest schedule.
    pub(super) fn fastest(&self, key: &Key) -> Option<&str> {
        self.0.get(key).map(|measured| measured.fastest.as_str())
    }

    /// All of them, sorted.
    pub(super) fn measurements(&self) -> Vec<Measurement> {
        self.0.values().map(Measurement::from).collect()
    }

    pub(super) fn set(&mut self, measured: Measured) {
        self.0.insert(measured.key.clone(), measured);
    }

    /// Adds the measurements of keys that it lacks.
    pub(super) fn add_missing(&mut self, other: Record) {
        for (key, measured) in other.0 {
            self.0.entry(key).or_insert(measured);
        }
    }
}

#[cfg(test)]
mod tests;
