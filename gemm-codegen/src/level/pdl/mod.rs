//! Grid → grid: programmatic dependent launch, a kernel that starts before its predecessor has
//! completed.
//!
//! Copies of what the predecessor does not write are issued before it has completed; everything else
//! waits. Without `pdl` that is everything, and blocks start when those of the predecessor have ended: what they save is
//! the time between two kernels. With it they start beside those of the predecessor, if that has `pdl` too. Then each
//! block waits before it lets the dependent kernel launch: once that one runs, every kernel
//! before this one has completed, so a promise concerns one predecessor and no other.
//!
//! On targets before sm_90 no kernel starts early, and the same text has no instruction that waits.

mod together;

use crate::axis::{Multiplicands, PerSide, Side};
use crate::field::Field;
use crate::form::Form;
use crate::problem::{Factor, Problem, Read};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{CopyAtom, Spec};
use crate::text::Sections;
use together::Together;

/// Where a kernel waits for its predecessor, and when its successor may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdl {
    /// The multiplied operands that are copied before the predecessor has completed.
    pub early: PerSide<bool>,
    /// Whether the blocks of the dependent kernel may start beside those of this one, once all of these run; otherwise they
    /// start as these have ended.
    pub launches_dependents: bool,
}

/// Proves that the named operands are multiplied, or are scales or offsets of such, each named once, and that those who
/// multiply by `mma` can copy them early. `read` is what is multiplied, where that is known.
pub(crate) fn plan(
    spec: &Spec,
    read: Option<&Multiplicands<Read>>,
    (copy, form): (&PerSide<CopyAtom>, Form),
) -> Result<Pdl, Vec<Diagnostic>> {
    let named = spec.schedule.pdl.as_deref().unwrap_or_default();
    let mut broken = Vec::new();
    for (number, name) in named.iter().enumerate() {
        if let Err((message, help)) = check(spec, read, (copy, form), &named[..number], name) {
            let at = Field::PdlOperand(number);
            broken.push(Diagnostic::new(Rule::PdlOperands, at, message, help));
        }
    }
    let together = read.map(|read| Together { spec, read, named });
    if broken.is_empty() {
        broken.extend(together.as_ref().and_then(Together::incomplete));
    }
    let early = |side| together.as_ref().is_some_and(|together| together.is_early(side));
    let early = PerSide { a: early(Side::A), b: early(Side::B) };
    let launches_dependents = spec.schedule.pdl.is_some();
    if broken.is_empty() { Ok(Pdl { early, launches_dependents }) } else { Err(broken) }
}

/// Whether an operand of this name can be copied early, after others that were named; else what is wrong with it and a
/// way out.
fn check(
    spec: &Spec,
    read: Option<&Multiplicands<Read>>,
    (copy, form): (&PerSide<CopyAtom>, Form),
    before: &[String],
    name: &String,
) -> Result<(), (String, String)> {
    let rest = || rest(spec, read, name);
    let Some(number) = spec.operands.iter().position(|operand| operand.name == *name) else {
        let help = format!(
            "write {}, or name a factor that the predecessor kernel does not write",
            rest()
        );
        return Err((format!("`{name}` is not an input operand"), help));
    };
    if before.contains(name) {
        return Err((format!("`{name}` is named twice"), "remove one of the two".to_owned()));
    }
    let Some(read) = read else { return Ok(()) };
    let side = Side::BOTH.into_iter().find(|side| read.on(*side).any(|of| of.factor == number));
    let Some(side) = side else {
        // Another rule has none early beside an added term. Scales are copied where their factor is.
        if read.all().flat_map(Read::all).any(|operand| operand == number) {
            return Ok(());
        }
        let message = format!(
            "`{name}` is not a factor: the epilogue reads it after the predecessor kernel has \
             ended"
        );
        let help = format!("write {}: `{name}` is read after the wait in any case", rest());
        return Err((message, help));
    };
    let early = starts_early(*copy.get(side), form, name);
    early.map_err(|(why, other)| (why, format!("{other}, or {}", rest())))
}

/// `pdl` without a name that is wrong in it, for a help. It names no operand that its author did not: one
/// that the predecessor writes would be a race.
fn rest(spec: &Spec, read: Option<&Multiplicands<Read>>, wrong: &str) -> String {
    let named = spec.schedule.pdl.iter().flatten();
    let is_read = |name: &str| {
        let number = spec.operands.iter().position(|operand| operand.name == name);
        let of_factor =
            |number| read.is_none_or(|of| of.all().flat_map(Read::all).any(|of| of == number));
        number.is_some_and(of_factor)
    };
    let mut kept: Vec<String> = Vec::new();
    for name in named {
        if name != wrong && is_read(name) && !kept.contains(name) {
            kept.push(name.clone());
        }
    }
    let complete = read.map(|read| Together { spec, read, named: &kept }.complete());
    format!("`pdl = [{}]`", complete.map_or_else(|| kept.join(", "), |names| names.join(", ")))
}

/// Whether copies by this atom can be issued before the wait; else why not, and the copies that can.
fn starts_early(copy: CopyAtom, form: Form, name: &str) -> Result<(), (String, String)> {
    let why = match copy {
        CopyAtom::CpAsync { .. } => return Ok(()),
        CopyAtom::Tma { .. } if form == Form::Groups => return Ok(()),
        CopyAtom::LdGlobal { .. } => format!(
            "through registers by {}, which cannot start before the wait for the predecessor",
            copy.name()
        ),
        CopyAtom::Tma { .. } => {
            "by tma: without `mma = wgmma` its first copies follow the wait for the predecessor"
                .to_owned()
        }
    };
    let other = if form == Form::Groups { "tma" } else { "cp_async(16, cg)" };
    Err((format!("`{name}` is copied {why}"), format!("use `copy = {other}`")))
}

impl Pdl {
    /// Where the block waits for its predecessor.
    fn wait(self) -> Wait {
        match (self.early.a, self.early.b) {
            (false, false) => Wait::BeforeMainloop,
            (true, true) => Wait::AfterMainloop,
            _ => Wait::InPrologue,
        }
    }

    /// The parameters that the kernel reads before it has waited, by number.
    pub(crate) fn parameters(self, problem: &Problem) -> Vec<usize> {
        let early = Side::BOTH.into_iter().filter(|side| *self.early.get(*side));
        early.flat_map(|side| problem.factors(side)).flat_map(Factor::operands).collect()
    }

    /// The device functions that wait, and let the dependent kernel start.
    pub(crate) fn write(self, text: &mut Sections) {
        text.add(include_str!("../../ptx/wait_for_predecessor.cuh"));
        if self.launches_dependents {
            text.add(include_str!("../../ptx/launch_dependents.cuh"));
        }
    }

    /// The statements that wait, in the entry point.
    pub(crate) fn cuda_wait(self) -> &'static str {
        match self.launches_dependents {
            true => "wait_for_predecessor();\nlaunch_dependents();",
            false => "wait_for_predecessor();",
        }
    }

    /// The side whose copies the prologue issues before it waits, if it waits between both.
    pub(crate) fn early_side(self) -> Option<Side> {
        let early = if self.early.a { Side::A } else { Side::B };
        (self.wait() == Wait::InPrologue).then_some(early)
    }

    /// Whether the entry point waits before it calls the main loop.
    pub(crate) fn waits_before_mainloop(self) -> bool {
        self.wait() == Wait::BeforeMainloop
    }

    /// Whether something is copied before the wait.
    pub(crate) fn is_early(self) -> bool {
        !self.waits_before_mainloop()
    }

    /// Whether it waits after that.
    pub(crate) fn waits_after_mainloop(self) -> bool {
        self.wait() == Wait::AfterMainloop
    }

    /// As the plan's table has it, if `pdl` is written.
    pub(crate) fn row(self) -> Option<&'static str> {
        self.launches_dependents.then(|| match self.wait() {
            Wait::BeforeMainloop => "waits for the predecessor kernel before it reads anything",
            Wait::InPrologue if self.early.a => {
                "waits for the predecessor kernel after the first tiles of A"
            }
            Wait::InPrologue => "waits for the predecessor kernel after the first tiles of B",
            Wait::AfterMainloop => "waits for the predecessor kernel after its main loop",
        })
    }
}

/// Where a block waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    BeforeMainloop,
    InPrologue,
    AfterMainloop,
}

#[cfg(test)]
mod tests;
