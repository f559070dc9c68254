//! [`Counts`]: the counters of a launch, summed up in the ways a reader asks for.

use std::collections::{BTreeMap, BTreeSet};

use gemm_codegen::{BankPasses, Part, Side};
use gemm_runtime::Kernel;
use gemm_runtime::emulator::{Class, Count, GlobalTraffic, Profile, SharedTraffic};
use serde::Serialize;

use super::access::{self, Access, Transfer};

/// The counters of a launch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Instructions, once for each warp that executes them.
    pub instructions: u64,
    /// The instruction mix, most frequent first.
    pub classes: Vec<Executed>,
    /// The uses of global memory that occur.
    pub global: Vec<Global>,
    /// The uses of shared memory that occur.
    pub shared: Vec<Shared>,
    /// The device functions, most instructions first.
    pub functions: Vec<Function>,
    /// The lines whose accesses meet in banks, most conflicts first.
    pub conflicts: Vec<Conflict>,
    /// The lines of the source that were executed, in order.
    pub lines: Vec<Line>,
}

/// What the instructions of one line of the CUDA source did. Those of functions that are inlined into it
/// count as theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The line, from 1.
    pub line: u32,
    /// The device functions for which it was executed.
    pub functions: Vec<String>,
    /// How often its instructions were executed, once a warp.
    pub executed: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// Those beyond the least.
    pub conflicts: u64,
    /// Sectors of global memory.
    pub sectors: u64,
}

/// How often something was executed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Executed {
    /// What.
    pub name: String,
    /// How often, once a warp.
    pub executed: u64,
    /// Its share of all instructions.
    pub share: f64,
}

/// Traffic with global memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Global {
    /// What for.
    pub name: &'static str,
    /// Instructions that ask for something.
    pub requests: u64,
    /// Bytes that threads ask for.
    pub bytes: u64,
    /// Sectors of 32 bytes that are moved for them.
    pub sectors: u64,
    /// Bytes for each sector: 32 if they are all asked for once, more where the threads of a warp
    /// ask for the same.
    pub bytes_per_sector: f64,
}

/// Traffic with shared memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Shared {
    /// What for.
    pub name: &'static str,
    /// Wavefronts there would be without conflicts.
    pub groups: u64,
    /// Wavefronts.
    pub wavefronts: u64,
    /// Wavefronts over groups: 1 is free of conflicts.
    pub degree: f64,
    /// The most wavefronts of one group.
    pub most: u32,
    /// What the plan says of `most`, if it does.
    pub plan: Option<u32>,
}

/// What the instructions of one device function did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Function {
    /// Its name, and how often.
    #[serde(flatten)]
    pub executed: Executed,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// Those beyond the least.
    pub conflicts: u64,
    /// Sectors of global memory.
    pub sectors: u64,
}

/// Accesses of one line that meet in a bank.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Conflict {
    /// The instruction.
    pub opcode: String,
    /// How many of them the line has become.
    pub instructions: u64,
    /// The device function.
    pub function: String,
    /// The part of the kernel that it belongs to.
    #[serde(skip)]
    pub part: Part,
    /// The side whose tile it accesses.
    #[serde(skip)]
    pub side: Option<Side>,
    /// Line of the CUDA source, from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// How often they were executed.
    pub executed: u64,
    /// Wavefronts there would be without conflicts.
    pub groups: u64,
    /// Wavefronts.
    pub wavefronts: u64,
    /// The most of one group, where 1 would do.
    pub most: u32,
}

impl Counts {
    /// Sums a profile up. `plan` has what the plan says of the accesses to shared memory.
    pub fn new(kernel: &Kernel, profile: &Profile, plan: Option<BankPasses>) -> Counts {
        let instructions = profile.total().executed;
        Counts {
            instructions,
            classes: classes(profile, instructions),
            global: Transfer::ALL
                .into_iter()
                .map(|transfer| (transfer, transfer.traffic(kernel, profile)))
                .filter(|(_, traffic)| traffic.requests > 0)
                .map(|(transfer, traffic)| global(transfer, traffic))
                .collect(),
            shared: Access::ALL
                .into_iter()
                .map(|access| (access, access.traffic(kernel, profile)))
                .filter(|(_, traffic)| traffic.groups > 0)
                .map(|(access, traffic)| shared(access, traffic, plan))
                .collect(),
            functions: functions(kernel, profile, instructions),
            conflicts: conflicts(kernel, profile),
            lines: lines(kernel, profile),
        }
    }
}

fn executed(name: String, count: u64, of: u64) -> Executed {
    Executed { name, executed: count, share: ratio(count, of) }
}

fn ratio(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

fn classes(profile: &Profile, instructions: u64) -> Vec<Executed> {
    let each = Class::ALL.into_iter().map(|class| (class, profile.of_class(class).executed));
    let met = each.filter(|(_, count)| *count > 0);
    let mut classes: Vec<Executed> =
        met.map(|(class, count)| executed(class.to_string(), count, instructions)).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.executed));
    classes
}

fn global(transfer: Transfer, traffic: GlobalTraffic) -> Global {
    let GlobalTraffic { requests, sectors, bytes, .. } = traffic;
    let name = transfer.name();
    Global { name, requests, bytes, sectors, bytes_per_sector: ratio(bytes, sectors) }
}

fn shared(access: Access, traffic: SharedTraffic, plan: Option<BankPasses>) -> Shared {
    let SharedTraffic { groups, wavefronts, most_per_group: most, .. } = traffic;
    let plan = plan.map(|plan| access.passes(&plan));
    Shared {
        name: access.name(),
        groups,
        wavefronts,
        degree: ratio(wavefronts, groups),
        most,
        plan,
    }
}

fn functions(kernel: &Kernel, profile: &Profile, instructions: u64) -> Vec<Function> {
    let mut sums: BTreeMap<String, Count> = BTreeMap::new();
    for instruction in profile.instructions.iter().filter(|one| one.count.executed > 0) {
        let function = access::Function::of(kernel, &instruction.source);
        let name = function.map_or_else(|| "of no line".to_owned(), |(function, _)| function.name);
        *sums.entry(name).or_default() += instruction.count;
    }
    let mut functions: Vec<Function> = sums
        .into_iter()
        .map(|(name, count)| Function {
            executed: executed(name, count.executed, instructions),
            wavefronts: count.shared.wavefronts,
            conflicts: count.shared.conflicts(),
            sectors: count.global.sectors,
        })
        .collect();
    functions.sort_by_key(|function| std::cmp::Reverse(function.executed.executed));
    functions
}

fn lines(kernel: &Kernel, profile: &Profile) -> Vec<Line> {
    let line = |(line, (functions, count)): (u32, (BTreeSet<access::Function>, Count))| Line {
        line,
        functions: functions.into_iter().map(|function| function.name).collect(),
        executed: count.executed,
        wavefronts: count.shared.wavefronts,
        conflicts: count.shared.conflicts(),
        sectors: count.global.sectors,
    };
    gemm_pictures::report::lines(kernel, profile).into_iter().map(line).collect()
}

/// The instructions with conflicts. A line that was unrolled is one entry.
fn conflicts(kernel: &Kernel, profile: &Profile) -> Vec<Conflict> {
    let mut sums: BTreeMap<(&str, access::Function, u32), (u64, Count)> = BTreeMap::new();
    for instruction in profile.instructions.iter().filter(|one| one.count.shared.conflicts() > 0) {
        let Some((function, line)) = access::Function::of(kernel, &instruction.source) else {
            continue;
        };
        let sum = sums.entry((&instruction.opcode, function, line.line)).or_default();
        sum.0 += 1;
        sum.1 += instruction.count;
    }
    let text = |line: u32| kernel.text.lines().nth(line.checked_sub(1)? as usize);
    let mut conflicts: Vec<Conflict> = sums
        .into_iter()
        .map(|((opcode, function, line), (instructions, count))| Conflict {
            opcode: opcode.to_owned(),
            instructions,
            function: function.name,
            part: function.part,
            side: function.side,
            line,
            text: text(line).unwrap_or_default().trim().to_owned(),
            executed: count.executed,
            groups: count.shared.groups,
            wavefronts: count.shared.wavefronts,
            most: count.shared.most_per_group,
        })
        .collect();
    conflicts.sort_by_key(|conflict| std::cmp::Reverse(conflict.wavefronts - conflict.groups));
    conflicts
}
