//! [`Explained`]: why mutants survive, as it is written down in `studies/mutants/GOLDEN.toml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

/// The harm of a surviving mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Harm {
    /// Nothing: it is right on every input.
    None,
    /// It is right, and may be slower.
    Speed,
    /// It is wrong on some input or some device, and nothing here shows it.
    Missed,
}

/// Why some mutants survive.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Their harm.
    pub harm: Harm,
    /// Why they survive.
    pub why: String,
    /// Their names.
    pub mutants: Vec<String>,
}

/// All that is known of one golden's survivors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    #[serde(default, rename = "reason")]
    reasons: Vec<Reason>,
}

impl Explained {
    /// The reasons for a golden's survivors; none without a file.
    ///
    /// # Errors
    /// A file that cannot be read, or is not of this form.
    pub fn of(golden: &str) -> io::Result<Explained> {
        let path = Explained::path(golden);
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Explained::default()),
            Err(error) => Err(error),
        }
    }

    /// The file of a golden.
    pub fn path(golden: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("mutants/{golden}.toml"))
    }

    /// Why a mutant survives.
    pub fn reason(&self, mutant: &str) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.mutants.iter().any(|name| name == mutant))
    }

    /// Names that are explained and are none of these.
    pub fn others<'a>(&'a self, survivors: &[&str]) -> Vec<&'a str> {
        let names = self.reasons.iter().flat_map(|reason| &reason.mutants);
        names.map(String::as_str).filter(|name| !survivors.contains(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutants;
    use gemm_tests::goldens;

    #[test]
    fn a_reason_is_found_by_the_mutants_name() {
        let text = "[[reason]]\nharm = 'speed'\nwhy = 'banks'\nmutants = ['f: a', 'f: b']\n";
        let explained: Explained = toml::from_str(text).unwrap();
        assert_eq!(explained.reason("f: b").map(|reason| reason.harm), Some(Harm::Speed));
        assert_eq!(explained.reason("f: c"), None);
        assert_eq!(explained.others(&["f: a"]), ["f: b"]);
    }

    #[test]
    fn every_file_explains_mutants_that_there_are() {
        for golden in goldens::ALL.iter() {
            let all = mutants(&golden.kernel.text);
            let names: Vec<&str> = all.iter().map(|mutant| mutant.name.as_str()).collect();
            let explained = Explained::of(golden.name).unwrap();
            assert_eq!(explained.others(&names), [""; 0], "{}", golden.name);
        }
    }
}
