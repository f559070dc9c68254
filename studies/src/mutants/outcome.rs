//! [`Outcome`]: what became of a mutant.

use std::fmt;

use gemm_emulator::Fault;
use gemm_runtime::Error;
use serde::{Deserialize, Serialize};

use gemm_tests::Failure;

/// The outcome of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It does not compile.
    Refused,
    /// Its PTX is the original's.
    Same,
    /// It was seen to be wrong.
    Caught {
        /// The check that found it.
        by: Catcher,
        /// The shape, the alignment, and what is wrong.
        how: String,
    },
    /// It was not.
    Survived,
}

/// A check that catches mutants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Catcher {
    /// The emulator, by the violation of this name.
    Emulator(String),
    /// The comparison with the reference, by the failure of this name.
    Numbers(String),
    /// It did not end: the limit on instructions, or that on time.
    Endless,
    /// The process that judged it ended, by a signal or a panic.
    Crash,
}

impl fmt::Display for Catcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Catcher::Emulator(violation) => write!(f, "emulator: {violation}"),
            Catcher::Numbers(failure) => write!(f, "numbers: {failure}"),
            Catcher::Endless => f.write_str("did not end"),
            Catcher::Crash => f.write_str("crashed the judge"),
        }
    }
}

impl Outcome {
    /// The outcome of a failed run.
    ///
    /// # Errors
    /// A failure that is not the mutant's, such as a library that is missing.
    pub fn of_failure(failure: Failure, case: &dyn fmt::Display) -> Result<Outcome, Failure> {
        let how = format!("{case}: {failure}");
        let by = match &failure {
            Failure::Runtime(Error::Compile(_)) => return Ok(Outcome::Refused),
            Failure::Runtime(Error::Fault { source, .. }) => of_fault(source),
            // An instruction that no kernel of ours has.
            Failure::Runtime(Error::Parse { .. }) => Catcher::Emulator("Parse".to_owned()),
            Failure::Runtime(_) => return Err(failure),
            _ => Catcher::Numbers(name_of(&failure)),
        };
        Ok(Outcome::Caught { by, how })
    }
}

fn of_fault(fault: &Fault) -> Catcher {
    let name = match fault {
        Fault::Violation { violation, .. } => name_of(violation),
        other => name_of(other),
    };
    match name.as_str() {
        "InstructionLimit" => Catcher::Endless,
        _ => Catcher::Emulator(name),
    }
}

/// The name of a value's variant.
fn name_of(value: &dyn fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_have_names() {
        let failure = Failure::NotWritten { row: 1, column: 2 };
        let outcome = Outcome::of_failure(failure, &"here").unwrap();
        let Outcome::Caught { by, how } = outcome else { panic!("{outcome:?}") };
        assert_eq!(by, Catcher::Numbers("NotWritten".to_owned()));
        assert_eq!(how, "here: row 1, column 2 was not written");
    }

    #[test]
    fn what_is_not_the_mutants_fault_is_an_error() {
        assert!(Outcome::of_failure(Error::NoGpu.into(), &"here").is_err());
    }
}
