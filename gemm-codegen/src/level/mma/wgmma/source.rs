//! [`SourceOfA`]: where an instruction of a warpgroup has its first factor.

use super::REGISTERS_OF_A;

/// Where an instruction has its factor A; that of B lies in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level::mma) enum SourceOfA {
    /// In shared memory, at a descriptor.
    Shared,
    /// In registers of the lanes.
    Registers,
}

/// How the text of an instruction has its factor A.
pub(super) struct Source {
    /// What both factors are, in words.
    pub(super) words: &'static str,
    pub(super) parameter: String,
    /// Its operands of `asm`, by their numbers.
    pub(super) number: String,
    pub(super) constraint: String,
    /// How many there are.
    pub(super) count: u32,
}

impl SourceOfA {
    /// That of an instruction with this number of sums, its first operands.
    pub(super) fn cuda(self, sums: u32) -> Source {
        let registers = || 0..REGISTERS_OF_A;
        match self {
            SourceOfA::Shared => Source {
                words: "of descriptors",
                parameter: "unsigned long long a".to_owned(),
                number: format!("%{sums}"),
                constraint: "\"l\"(a)".to_owned(),
                count: 1,
            },
            SourceOfA::Registers => {
                let join =
                    |of: &dyn Fn(u32) -> String| registers().map(of).collect::<Vec<_>>().join(", ");
                Source {
                    words: "a in registers",
                    parameter: format!("const unsigned (&a)[{REGISTERS_OF_A}]"),
                    number: format!("{{{}}}", join(&|i| format!("%{}", sums + i))),
                    constraint: join(&|i| format!("\"r\"(a[{i}])")),
                    count: REGISTERS_OF_A,
                }
            }
        }
    }
}
