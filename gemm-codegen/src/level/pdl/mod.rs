//! Grid → grid: a kernel that starts before the one in front of it has ended (programmatic
//! dependent launch).
//!
//! What the kernel in front does not write is on its way before that one has ended; everything else
//! waits. Each block waits before it lets the next grid start: when that one runs, all that was in
//! front of this one has ended, so that a promise is about one kernel and no other.

use crate::contraction::Contraction;
use crate::field::Field;
use crate::hardware::Target;
use crate::level::global_to_shared::CopyAtom;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{PerSide, Side, Spec};

/// Since when a kernel can wait for the grids in front (PTX ISA, "griddepcontrol").
pub(crate) const OLDEST: Target = Target::Sm90;

/// What of a kernel does not wait for the grid in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdl {
    /// The multiplied operands that are loaded before the grid in front has ended.
    pub early: PerSide<bool>,
}

/// Every target can wait for the grids in front.
pub(crate) fn check_targets(spec: &Spec, targets: &[Target]) -> Result<(), Vec<Diagnostic>> {
    if spec.schedule.pdl.is_none() {
        return Ok(());
    }
    let too_old = targets.iter().enumerate().filter(|(_, target)| **target < OLDEST);
    let broken = too_old.map(|(number, target)| {
        Diagnostic::new(
            Rule::PdlOnTarget,
            Field::Target(number),
            format!("programmatic dependent launch came with {OLDEST}, {target} does not have it"),
            format!("targets = [{OLDEST}], or leave out `pdl`"),
        )
    });
    let broken: Vec<Diagnostic> = broken.collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Proves that the operands that are named are multiplied, each named once, and copied by what waits
/// in no register. `multiplied` are the operands of `matmul`, where they are known.
pub(crate) fn plan(
    spec: &Spec,
    multiplied: Option<PerSide<usize>>,
    copy: &PerSide<CopyAtom>,
) -> Result<Option<Pdl>, Vec<Diagnostic>> {
    let Some(named) = &spec.schedule.pdl else { return Ok(None) };
    let mut early = PerSide::both(false);
    let mut broken = Vec::new();
    for (number, name) in named.iter().enumerate() {
        match find(spec, multiplied, copy, &named[..number], name) {
            Ok(Some(Side::A)) => early.a = true,
            Ok(Some(Side::B)) => early.b = true,
            Ok(None) => {}
            Err((message, help)) => {
                let at = Field::PdlOperand(number);
                broken.push(Diagnostic::new(Rule::PdlOperands, at, message, help));
            }
        }
    }
    if broken.is_empty() { Ok(Some(Pdl { early })) } else { Err(broken) }
}

/// The side that an operand of this name is, behind others that were named; or what is wrong with it
/// and a way out. `None` where it is not known what is multiplied.
fn find(
    spec: &Spec,
    multiplied: Option<PerSide<usize>>,
    copy: &PerSide<CopyAtom>,
    before: &[String],
    name: &String,
) -> Result<Option<Side>, (String, String)> {
    let factors = match multiplied {
        Some(of) => {
            [of.a, of.b].map(|number| format!("`{}`", spec.operands[number].name)).join(" and ")
        }
        None => "the arguments of `matmul`".to_owned(),
    };
    let possible = || format!("possible here: {factors}, or nothing: `pdl = []`");
    let Some(number) = spec.operands.iter().position(|operand| operand.name == *name) else {
        return Err((format!("`{name}` is no operand that is read"), possible()));
    };
    if before.contains(name) {
        return Err((format!("`{name}` is named twice"), "leave out one of the two".to_owned()));
    }
    let Some(of) = multiplied else { return Ok(None) };
    let side = match number {
        _ if number == of.a => Side::A,
        _ if number == of.b => Side::B,
        _ => {
            let message = format!(
                "`{name}` is not multiplied: what is read behind the product waits for the kernel \
                 in front anyway"
            );
            return Err((message, possible()));
        }
    };
    let message = match copy.get(side) {
        CopyAtom::CpAsync { .. } => return Ok(Some(side)),
        CopyAtom::LdGlobal { .. } => format!(
            "`{name}` is copied through registers, {}: it cannot be on its way while a block waits",
            copy.get(side).name()
        ),
        CopyAtom::Tma => {
            format!("`{name}` is copied by tma, which starts no copy before a block has waited")
        }
    };
    Err((message, "`copy = cp_async(16, cg)`, or `pdl = []`".to_owned()))
}

impl Pdl {
    /// Where the block waits for the grid in front.
    fn wait(self) -> Wait {
        match (self.early.a, self.early.b) {
            (false, false) => Wait::BeforeMainloop,
            (true, true) => Wait::BehindMainloop,
            _ => Wait::InPrologue,
        }
    }

    /// The parameters that the kernel reads before it has waited, by number.
    pub(crate) fn parameters(self, contraction: &Contraction) -> Vec<usize> {
        let early = Side::BOTH.into_iter().filter(|side| *self.early.get(*side));
        early.map(|side| contraction.operand(side)).collect()
    }

    /// The device functions that wait, and the prologue of a main loop that has one of its own.
    pub(crate) fn cuda(self) -> Vec<&'static str> {
        vec![include_str!("../../ptx/griddepcontrol.cuh")]
    }

    /// The prologue that waits between the copies of both sides, if the main loop calls one.
    pub(crate) fn prologue(self) -> Option<&'static str> {
        (self.wait() == Wait::InPrologue).then_some(match self.early.a {
            true => include_str!("prologue_a_early.cuh"),
            false => include_str!("prologue_b_early.cuh"),
        })
    }

    /// The kernel's lines, each with its end, in front of the main loop and behind it.
    pub(crate) fn around_mainloop(self) -> [&'static str; 2] {
        match self.wait() {
            Wait::BeforeMainloop => [WAIT, ""],
            Wait::InPrologue => ["", ""],
            Wait::BehindMainloop => ["", WAIT],
        }
    }

    /// As the plan's table has it.
    pub(crate) fn row(self) -> &'static str {
        match self.wait() {
            Wait::BeforeMainloop => "waits for the kernel in front before it reads anything",
            Wait::InPrologue if self.early.a => {
                "waits for the kernel in front behind the first tiles of A"
            }
            Wait::InPrologue => "waits for the kernel in front behind the first tiles of B",
            Wait::BehindMainloop => "waits for the kernel in front behind its main loop",
        }
    }
}

/// Where a block waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    BeforeMainloop,
    InPrologue,
    BehindMainloop,
}

/// The statements that wait, outside of a prologue.
const WAIT: &str = "    wait_for_grid_in_front();\n    start_next_grid();\n";

#[cfg(test)]
mod tests;
