//! Parsed PTX.

use crate::decode;
use crate::exec;
use crate::fault::{Fault, LaunchError};
use crate::launch::Launch;
use crate::memory::Memory;
use crate::program::Program;
use crate::ptx::{self, ParseError};
use crate::statistics::Statistics;

/// The kernels of a PTX text, decoded for execution.
#[derive(Debug)]
pub struct Module {
    programs: Vec<Program>,
    /// The text, to cite from.
    ptx: String,
}

impl Module {
    /// Parses PTX text. An instruction, modifier or directive that the emulator does not model is an error.
    pub fn parse(ptx: &str) -> Result<Module, ParseError> {
        let parsed = ptx::parse(ptx).and_then(|source| decode::programs(&source));
        let programs = parsed.map_err(|problem| problem.locate(ptx))?;
        Ok(Module { programs, ptx: ptx.to_owned() })
    }

    /// The names of the kernels.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(|program| program.name.as_str())
    }

    /// Runs a grid to its end. The module's own variables start afresh at each launch.
    pub fn launch(&self, memory: &Memory, launch: &Launch<'_>) -> Result<Statistics, Fault> {
        let program = self.programs.iter().find(|program| program.name == launch.entry);
        let unknown = || LaunchError::UnknownEntry { entry: launch.entry.to_owned() };
        exec::run(program.ok_or_else(unknown)?, memory, launch).map_err(|fault| self.cite(fault))
    }

    /// Adds the text of the instruction.
    fn cite(&self, mut fault: Fault) -> Fault {
        if let Fault::Violation { place, .. } = &mut fault {
            let line = self.ptx.lines().nth((place.ptx_line as usize).saturating_sub(1));
            line.unwrap_or_default().trim().clone_into(&mut place.instruction);
        }
        fault
    }
}
