//! Which part of a kernel an instruction belongs to, what it uses the memories for, and what that
//! costs the banks of shared memory: as counted, and as the plan says.

use gemm_codegen::{BankPasses, Kernel, Part, Plan, Side};
use gemm_emulator::{Class, GlobalTraffic, InstructionProfile, Profile, SharedTraffic, SourceLine};

use super::named;

/// A device function of a kernel's text; what it calls outside of any part counts as its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Function {
    /// Its name, or that of its class.
    pub name: String,
    /// The part that it belongs to.
    pub part: Part,
    /// The side whose tile it, or a function that calls it, is instantiated by.
    pub side: Option<Side>,
}

impl Function {
    /// That of an instruction whose lines these are, innermost first, with its line there. `None` if
    /// it has no lines, or the kernel no facts.
    pub fn of<'a>(kernel: &Kernel, lines: &'a [SourceLine]) -> Option<(Function, &'a SourceLine)> {
        let facts = kernel.facts.as_ref()?;
        // What the compiler moves out of a function is the kernel's own.
        let of_kernel = |line: &SourceLine| line.function.is_none().then_some(Part::Entry);
        let part = |line: &SourceLine| facts.part(line.line).or_else(|| of_kernel(line));
        let mut found = lines.iter().enumerate();
        let (at, line, part) = found.find_map(|(at, line)| Some((at, line, part(line)?)))?;
        let side = lines[at..].iter().find_map(side_of);
        let name = line.function.as_deref().map(class_of).unwrap_or("the kernel itself");
        Some((Function { name: name.to_owned(), part, side }, line))
    }
}

/// The side whose tile the function of a line is instantiated by.
pub(super) fn side_of(line: &SourceLine) -> Option<Side> {
    line.function.as_deref().and_then(side_of_tile)
}

fn side_of_tile(function: &str) -> Option<Side> {
    // The tile is the first parameter of a template.
    let (_, parameters) = function.split_once('<')?;
    let is_of = |side: &Side| side.tiles().iter().any(|tile| parameters.starts_with(tile));
    Side::BOTH.into_iter().find(is_of)
}

/// `Source<TileA>` for `Source<TileA>::row`.
fn class_of(function: &str) -> &str {
    function.split("::").next().unwrap_or(function)
}

/// A way in which a kernel uses shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// The copies of a side's tiles from global memory.
    Copy(Side),
    /// The loads of a side's fragments.
    Load(Side),
    /// The stores that stage the output.
    Stage,
    /// The loads of what was staged.
    Unstage,
}

impl Access {
    /// Every one.
    pub const ALL: [Access; 6] = [
        Access::Copy(Side::A),
        Access::Copy(Side::B),
        Access::Load(Side::A),
        Access::Load(Side::B),
        Access::Stage,
        Access::Unstage,
    ];

    /// Which way an instruction uses shared memory; none if in no way of these.
    pub fn of(kernel: &Kernel, instruction: &InstructionProfile) -> Option<Access> {
        let (function, _) = Function::of(kernel, &instruction.source)?;
        match (instruction.class, function.part) {
            (Class::AsyncCopy | Class::StoreShared, Part::Copies) => {
                function.side.map(Access::Copy)
            }
            (Class::LoadMatrix | Class::LoadShared, Part::Loads) => function.side.map(Access::Load),
            (Class::StoreShared, Part::Staging) => Some(Access::Stage),
            (Class::LoadShared, Part::Epilogue) => Some(Access::Unstage),
            _ => None,
        }
    }

    /// What a plan says of it.
    pub fn passes(self, plan: &BankPasses) -> u32 {
        match self {
            Access::Copy(side) => *plan.copy.get(side),
            Access::Load(side) => *plan.load.get(side),
            Access::Stage => plan.stage,
            Access::Unstage => plan.unstage,
        }
    }

    /// What the banks did for it.
    pub fn traffic(self, kernel: &Kernel, profile: &Profile) -> SharedTraffic {
        profile.sum(|instruction| Access::of(kernel, instruction) == Some(self)).shared
    }

    /// What it is called, with the operand as its author named it.
    pub(super) fn named(self, plan: &Plan) -> String {
        match self {
            Access::Copy(side) => format!("copies of {}", named(plan, side)),
            Access::Load(side) => format!("loads of {}", named(plan, side)),
            Access::Stage | Access::Unstage => self.name().to_owned(),
        }
    }

    /// What it is called in a table.
    pub fn name(self) -> &'static str {
        match self {
            Access::Copy(Side::A) => "copies of A",
            Access::Copy(Side::B) => "copies of B",
            Access::Load(Side::A) => "loads of A",
            Access::Load(Side::B) => "loads of B",
            Access::Stage => "staging stores",
            Access::Unstage => "staging loads",
        }
    }
}

/// A way in which a kernel uses global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transfer {
    /// The copies of a side's tiles to shared memory.
    Copy(Side),
    /// The other loads: what the body reads.
    Load,
    /// The stores of the output.
    Store,
}

impl Transfer {
    /// Every one.
    pub const ALL: [Transfer; 4] =
        [Transfer::Copy(Side::A), Transfer::Copy(Side::B), Transfer::Load, Transfer::Store];

    /// Which way an instruction uses global memory; none if in no way of these.
    fn of(kernel: &Kernel, instruction: &InstructionProfile) -> Option<Transfer> {
        let side = || {
            let (function, _) = Function::of(kernel, &instruction.source)?;
            function.side.filter(|_| function.part == Part::Copies)
        };
        match instruction.class {
            Class::AsyncCopy | Class::LoadGlobal => {
                Some(side().map_or(Transfer::Load, Transfer::Copy))
            }
            Class::StoreGlobal => Some(Transfer::Store),
            _ => None,
        }
    }

    /// What it moves.
    pub fn traffic(self, kernel: &Kernel, profile: &Profile) -> GlobalTraffic {
        profile.sum(|instruction| Transfer::of(kernel, instruction) == Some(self)).global
    }

    /// What it is called, with the operand as its author named it.
    pub(super) fn named(self, plan: &Plan) -> String {
        match self {
            Transfer::Copy(side) => format!("copies of {}", named(plan, side)),
            Transfer::Load | Transfer::Store => self.name().to_owned(),
        }
    }

    /// What it is called in a table.
    pub fn name(self) -> &'static str {
        match self {
            Transfer::Copy(Side::A) => "copies of A",
            Transfer::Copy(Side::B) => "copies of B",
            Transfer::Load => "other loads",
            Transfer::Store => "stores",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_class_and_their_tile() {
        let names = [
            ("shared_to_register<TileA, true>", "shared_to_register<TileA, true>", Some(Side::A)),
            ("Source<TileB>::Source", "Source<TileB>", Some(Side::B)),
            ("Source<PartOfB<1>>::row", "Source<PartOfB<1>>", Some(Side::B)),
            ("mainloop::{lambda}", "mainloop", None),
            ("TileA::offset", "TileA", None),
        ];
        for (function, class, side) in names {
            assert_eq!((class_of(function), side_of_tile(function)), (class, side), "{function}");
        }
    }
}
