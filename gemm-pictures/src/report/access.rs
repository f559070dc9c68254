//! Which part of a kernel an instruction belongs to, what it uses the memories for, and what that
//! costs the banks of shared memory: as counted, and as the plan says.

use gemm_codegen::{PerSide, Plan, Side};
use gemm_emulator::{Class, GlobalTraffic, InstructionProfile, Profile, SharedTraffic, SourceLine};

/// The device functions that a kernel is made of; what they call counts as theirs.
const PARTS: [&str; 11] = [
    "grid",
    "warps",
    "Source",
    "global_to_shared",
    "global_to_register",
    "register_to_shared",
    "shared_to_register",
    "mma",
    "mainloop",
    "stage",
    "epilogue",
];

/// The innermost line of an instruction that lies in one of the functions a kernel is made of,
/// with that function's name; the innermost line of all, if it has no such function.
pub fn part(instruction: &InstructionProfile) -> Option<(String, &SourceLine)> {
    part_of(&instruction.source)
}

/// The same of the lines of an instruction, innermost first.
pub fn part_of(lines: &[SourceLine]) -> Option<(String, &SourceLine)> {
    let named = lines.iter().find_map(|line| Some((part_name(line.function.as_deref()?)?, line)));
    let other = || {
        let line = lines.first()?;
        Some((line.function.as_deref().unwrap_or("the kernel itself").to_owned(), line))
    };
    named.or_else(other)
}

/// `Source<TileA>` for `Source<TileA>::row`; none for what only belongs to a caller.
fn part_name(function: &str) -> Option<String> {
    let name = function.split("::").next().unwrap_or(function);
    let base = name.split('<').next().unwrap_or(name);
    PARTS.contains(&base).then(|| name.to_owned())
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
    pub fn of(instruction: &InstructionProfile) -> Option<Access> {
        let (part, _) = part(instruction)?;
        // The tile is the first parameter of a template.
        let side = if part.contains("<TileA") { Side::A } else { Side::B };
        let name = part.split('<').next().unwrap_or(&part);
        match (instruction.class, name) {
            (Class::AsyncCopy | Class::StoreShared, "global_to_shared" | "register_to_shared") => {
                Some(Access::Copy(side))
            }
            (Class::LoadMatrix | Class::LoadShared, "shared_to_register") => {
                Some(Access::Load(side))
            }
            (Class::StoreShared, "stage") => Some(Access::Stage),
            (Class::LoadShared, "epilogue") => Some(Access::Unstage),
            _ => None,
        }
    }

    /// What the banks did for it.
    pub fn traffic(self, profile: &Profile) -> SharedTraffic {
        profile.sum(|instruction| Access::of(instruction) == Some(self)).shared
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
    fn of(instruction: &InstructionProfile) -> Option<Transfer> {
        let side = || {
            let (part, _) = part(instruction)?;
            match part.as_str() {
                "global_to_shared<TileA>" | "global_to_register<TileA>" => Some(Side::A),
                "global_to_shared<TileB>" | "global_to_register<TileB>" => Some(Side::B),
                _ => None,
            }
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
    pub fn traffic(self, profile: &Profile) -> GlobalTraffic {
        profile.sum(|instruction| Transfer::of(instruction) == Some(self)).global
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

/// The most passes of the banks for one group of lanes, as a plan says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Degrees {
    copy: PerSide<u32>,
    load: PerSide<u32>,
    stage: u32,
    unstage: u32,
}

impl Degrees {
    /// Those of a plan.
    pub fn of_plan(plan: &Plan) -> Degrees {
        let copy = |side| plan.global_to_shared(side).bank_passes;
        let load = |side| plan.feed(side).bank_passes();
        Degrees {
            copy: PerSide { a: copy(Side::A), b: copy(Side::B) },
            load: PerSide { a: load(Side::A), b: load(Side::B) },
            stage: plan.epilogue().bank_passes(),
            unstage: plan.staged_load_passes(),
        }
    }

    /// Those that the table of a plan shows. `None` if it is not such a table.
    pub fn of_table(table: &str) -> Option<Degrees> {
        let row = table.lines().find(|line| line.contains("| bank passes"))?;
        let (row, _explanation) = row.split_once('(')?;
        let numbers = row.split(' ').filter_map(|word| word.parse().ok());
        let [load_a, copy_a, load_b, copy_b, stage, unstage] = *numbers.collect::<Vec<u32>>()
        else {
            return None;
        };
        Some(Degrees {
            copy: PerSide { a: copy_a, b: copy_b },
            load: PerSide { a: load_a, b: load_b },
            stage,
            unstage,
        })
    }

    /// What the plan says of an access.
    pub fn get(&self, access: Access) -> u32 {
        match access {
            Access::Copy(side) => *self.copy.get(side),
            Access::Load(side) => *self.load.get(side),
            Access::Stage => self.stage,
            Access::Unstage => self.unstage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_known_by_their_functions() {
        let names = [
            ("shared_to_register<TileA>", Some("shared_to_register<TileA>")),
            ("Source<TileB>::Source", Some("Source<TileB>")),
            ("mainloop::{lambda}", Some("mainloop")),
            ("mma", Some("mma")),
            ("mma_atom", None),
            ("TileA::offset", None),
        ];
        for (function, part) in names {
            assert_eq!(part_name(function).as_deref(), part, "{function}");
        }
    }

    #[test]
    fn the_table_has_the_degrees_of_the_plan() {
        let row = "| bank passes | A 8 load, 2 store; B 4 load, 1 store; output 3 store, 2 load (1 is free) |";
        let degrees = Degrees::of_table(row).expect("it is such a table");
        let said = Access::ALL.map(|access| degrees.get(access));
        assert_eq!(said, [2, 1, 8, 4, 3, 2]);
        assert_eq!(Degrees::of_table("| threads | 128 |"), None);
    }
}
