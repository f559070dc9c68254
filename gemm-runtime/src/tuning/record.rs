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

use serde::{Deserialize, Serialize};

use crate::cache;
use crate::tuning::Measurement;
use crate::tuning::bucket::Bucket;

/// Everything that a measurement depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) copied: Vec<String>,
    #[serde(flatten)]
    pub(crate) shape: Bucket,
}

/// The fastest kernel for a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    #[serde(flatten)]
    pub(super) key: Key,
    /// The id of its schedule.
    fastest: String,
    /// Of a launch of the first shape of the bucket, for people.
    #[serde(default)]
    microseconds: f64,
}

/// The measurements by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record(BTreeMap<Key, Measured>);

/// The version of the text that this crate writes. A text that has measurements and names none is of
/// version 1.
pub(crate) const VERSION: u32 = 1;

/// The TOML document of a record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    version: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    measured: Vec<Measured>,
}

/// Why a text is not a record of a [`Tuning`](crate::Tuning).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not TOML, or has other keys.
    #[error(transparent)]
    Toml(Box<toml::de::Error>),

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
        let document = toml::from_str(text).map_err(|error| RecordError::Toml(Box::new(error)))?;
        let Document { version, measured } = document;
        match version {
            None if measured.is_empty() => return Err(RecordError::Empty),
            Some(got) if got != VERSION => return Err(RecordError::Version { got }),
            _ => {}
        }
        Ok(Record(measured.into_iter().map(|one| (one.key.clone(), one)).collect()))
    }

    /// As TOML, sorted by device, function and shape.
    pub(super) fn to_text(&self) -> String {
        let measured = self.0.values().cloned().collect();
        // Strings and numbers below 2⁶³ can all be written.
        let text =
            toml::to_string(&Document { version: Some(VERSION), measured }).unwrap_or_default();
        format!("{HEADER}\n{text}")
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
mod tests {
    use super::*;

    fn measured(m: usize, fastest: &str) -> Measured {
        let key = Key {
            device: "NVIDIA \"X\", sm_90, 132 multiprocessors".to_owned(),
            function: "linear".to_owned(),
            kernels: "0f6c3e9a55d1b7c2".to_owned(),
            alignment: vec![16, 4],
            copied: Vec::new(),
            shape: Bucket::of([m, 4096, 4096], 1),
        };
        Measured { key, fastest: fastest.to_owned(), microseconds: 11.875 }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut record = Record::default();
        assert_eq!(Record::parse(&record.to_text()).expect("it is empty"), record);
        record.set(measured(64, "linear_1"));
        record.set(measured(4, "linear_2"));
        let text = record.to_text();
        assert_eq!(Record::parse(&text).expect("it is whole"), record, "{text}");
        let expected = format!(
            "{HEADER}
version = 1

[[measured]]
device = 'NVIDIA \"X\", sm_90, 132 multiprocessors'
function = \"linear\"
kernels = \"0f6c3e9a55d1b7c2\"
alignment = [16, 4]
m = 4
n = 4096
k = 4096
batch = 1
fastest = \"linear_2\"
microseconds = 11.875
"
        );
        assert!(text.starts_with(&expected), "{text}");
    }

    #[test]
    fn rows_that_have_to_be_copied_are_a_key_of_their_own() {
        let mut record = Record::default();
        let one = measured(64, "linear_1");
        let mut other = measured(64, "linear_2");
        other.key.copied = vec!["A".to_owned(), "B".to_owned()];
        assert!(other.key.to_string().ends_with("where tensor copies cannot read A and B"));
        [&one, &other].into_iter().for_each(|measured| record.set(measured.clone()));
        let text = record.to_text();
        assert_eq!(text.matches("copied = [\"A\", \"B\"]").count(), 1, "{text}");
        let read = Record::parse(&text).expect("it is whole");
        assert_eq!(read.fastest(&one.key), Some("linear_1"));
        assert_eq!(read.fastest(&other.key), Some("linear_2"));
    }

    #[test]
    fn fields_for_people_may_be_missing() {
        let mut record = Record::default();
        record.set(measured(64, "linear_1"));
        let keep = |line: &&str| !line.starts_with("microseconds");
        let text = record.to_text();
        let short: Vec<&str> = text.lines().filter(keep).collect();
        let read = Record::parse(&short.join("\n")).expect("it is whole");
        assert_eq!(read.fastest(&measured(64, "").key), Some("linear_1"));
    }

    #[test]
    fn a_text_that_is_not_a_record_is_an_error_with_its_line() {
        let error = Record::parse("[[measured]]\ndevice = \"X\n").expect_err("a quote is missing");
        assert!(error.to_string().contains("line 2"), "{error}");
        let error =
            Record::parse("[[measured]]\ndevice = \"X\"\n").expect_err("fields are missing");
        assert!(error.to_string().contains("missing field"), "{error}");
        assert!(Record::parse("half a").is_err());
        assert!(matches!(Record::parse("[x]"), Err(RecordError::Toml(_))));
    }

    #[test]
    fn a_record_is_of_the_version_of_this_crate() {
        let parse = |text: &str| Record::parse(text).map_err(|error| error.to_string());
        for text in ["", "# nothing\n", "measured = []"] {
            assert!(matches!(Record::parse(text), Err(RecordError::Empty)), "{text}");
        }
        let other = parse("version = 99").expect_err("it is another one");
        assert_eq!(other, "it is of version 99, expected 1: record it again with this crate");
        assert_eq!(parse("version = 1"), Ok(Record::default()));
        // As it was written before records had versions.
        let mut record = Record::default();
        record.set(measured(64, "linear_1"));
        let text = record.to_text().replace("version = 1\n", "");
        assert_eq!(parse(&text), Ok(record));
    }

    #[test]
    fn known_measurements_stay() {
        let mut record = Record::default();
        record.set(measured(64, "linear_1"));
        let mut other = Record::default();
        other.set(measured(64, "linear_2"));
        other.set(measured(4, "linear_2"));
        record.add_missing(other);
        assert_eq!(record.fastest(&measured(64, "").key), Some("linear_1"));
        assert_eq!(record.fastest(&measured(4, "").key), Some("linear_2"));
        record.set(measured(64, "linear_3"));
        assert_eq!(record.fastest(&measured(64, "").key), Some("linear_3"));
    }
}
