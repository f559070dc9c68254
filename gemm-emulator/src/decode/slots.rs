//! Where registers, constants and variables go.

use super::limits::{MAX_MODULE_BYTES, MAX_SLOTS, MAX_VARIABLES};
use super::{Class, Decoder};
use crate::program::{Constant, Extent, Slot, StaticVariable};
use crate::ptx::ast::Variable;
use crate::ptx::{Problem, Space};

/// Space left between two variables of local or parameter memory, so that running over one is found.
const REDZONE: u64 = 16;

impl Decoder<'_> {
    pub(super) fn new_slot(&mut self, class: Class) -> Result<Slot, Problem> {
        let counter = match class {
            Class::Predicate => &mut self.program.predicates,
            Class::Word => &mut self.program.words,
            Class::Long => &mut self.program.longs,
        };
        let index = *counter as u32;
        *counter += 1;
        if *counter > MAX_SLOTS {
            return Err(self.problem("kernel has too many registers"));
        }
        Ok(match class {
            Class::Predicate => Slot::Predicate(index),
            Class::Word => Slot::Word(index),
            Class::Long => Slot::Long(index),
        })
    }

    /// The slot that holds a constant, made at its first use.
    pub(super) fn constant(&mut self, class: Class, constant: Constant) -> Result<Slot, Problem> {
        if let Some(slot) = self.constants.get(&(class, constant)) {
            return Ok(*slot);
        }
        let slot = self.new_slot(class)?;
        self.constants.insert((class, constant), slot);
        self.program.constants.push((slot, constant));
        Ok(slot)
    }

    pub(super) fn sink(&mut self, class: Class) -> Result<Slot, Problem> {
        if let Some(slot) = self.sinks.get(&class) {
            return Ok(*slot);
        }
        let slot = self.new_slot(class)?;
        self.sinks.insert(class, slot);
        Ok(slot)
    }

    pub(super) fn place_variable(&mut self, variable: &Variable) -> Result<u32, Problem> {
        let placed = &mut self.program.variables;
        if variable.space != Space::Shared {
            self.variable_bytes += variable.bytes;
        }
        if placed.len() == MAX_VARIABLES || self.variable_bytes > MAX_MODULE_BYTES {
            return Err(self.problem("kernel has too many or too large variables"));
        }
        placed.push(StaticVariable {
            space: variable.space,
            align: variable.align,
            bytes: variable.bytes,
            initial: variable.initial.clone(),
        });
        Ok(placed.len() as u32 - 1)
    }

    /// A place for a variable in each thread's local memory.
    pub(super) fn place_local(&mut self, variable: &Variable) -> Constant {
        let offset = reserve(&mut self.program.local_bytes, variable);
        self.program.locals.push(Extent { offset, bytes: variable.bytes });
        Constant::Offset(Space::Local, offset)
    }
}

/// Takes aligned space for a variable, followed by a redzone.
pub(super) fn reserve(used: &mut u64, variable: &Variable) -> u64 {
    let offset = used.next_multiple_of(u64::from(variable.align.max(1)));
    *used = offset + variable.bytes + REDZONE;
    offset
}
