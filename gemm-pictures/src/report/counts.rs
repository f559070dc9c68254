//! What a profile counted: of each source line, and of each way to use a memory.

use std::collections::{BTreeMap, BTreeSet};

use gemm_codegen::{BankPasses, Kernel, Part, Plan, Side};
use gemm_emulator::{Count, Profile};

use super::access::{Access, Function, Transfer};
use super::table;
use crate::page::{Content, Counted};

/// The lines of the source that were executed, each with the device functions for which it was. What is
/// inlined into a line counts as the line's own.
pub fn lines(kernel: &Kernel, profile: &Profile) -> BTreeMap<u32, (BTreeSet<Function>, Count)> {
    let mut sums: BTreeMap<u32, (BTreeSet<Function>, Count)> = BTreeMap::new();
    for instruction in profile.instructions.iter().filter(|one| one.count.executed > 0) {
        let Some(innermost) = instruction.source.first() else { continue };
        let (functions, sum) = sums.entry(innermost.line).or_default();
        functions.extend(Function::of(kernel, &instruction.source).map(|(function, _)| function));
        *sum += instruction.count;
    }
    sums
}

/// The same for a page.
pub(super) fn counted(kernel: &Kernel, profile: &Profile) -> BTreeMap<u32, Counted> {
    let line = |(line, (functions, count)): (u32, (BTreeSet<Function>, Count))| {
        let mut pictures: Vec<String> = Vec::new();
        for name in functions.iter().flat_map(pictures_of) {
            if !pictures.contains(&name) {
                pictures.push(name);
            }
        }
        let counted = Counted {
            executed: count.executed,
            wavefronts: count.shared.wavefronts,
            conflicts: count.shared.conflicts(),
            sectors: count.global.sectors,
            pictures,
        };
        (line, counted)
    };
    lines(kernel, profile).into_iter().map(line).collect()
}

/// The pictures that show what a device function does.
fn pictures_of(function: &Function) -> Vec<String> {
    let sides = |name: &str| {
        let of_function =
            Side::BOTH.into_iter().filter(|side| function.side.is_none_or(|of| of == *side));
        of_function.map(|side| format!("{name}_{}", side.letter())).collect::<Vec<_>>()
    };
    let one = |name: &str| vec![name.to_owned()];
    match function.part {
        Part::Copies => [sides("copies"), sides("shared_tile")].concat(),
        Part::Loads => [sides("shared_tile"), one("fragments")].concat(),
        Part::Multiply => [one("fragments"), one("registers")].concat(),
        Part::Mainloop | Part::Staging | Part::Epilogue => one("memory_map"),
        Part::Warps => one("warps"),
        Part::Tiles => one("raster"),
        Part::Reduction | Part::Entry => Vec::new(),
    }
}

/// The uses of shared memory that occur.
pub(super) fn shared(kernel: &Kernel, profile: &Profile, plan: &Plan) -> Content {
    let passes = BankPasses::of(plan);
    let used = Access::ALL.into_iter().map(|access| (access, access.traffic(kernel, profile)));
    let rows = used.filter(|(_, traffic)| traffic.groups > 0).map(|(access, traffic)| {
        let most = u64::from(traffic.most_per_group);
        let numbers = [traffic.wavefronts, traffic.groups, most].map(|one| one.to_string());
        let passes = access.passes(&passes).to_string();
        [access.named(plan)].into_iter().chain(numbers).chain([passes]).collect()
    });
    table(["access", "wavefronts", "least", "most of one", "plan says"], rows.collect())
}

/// The uses of global memory that occur.
pub(super) fn global(kernel: &Kernel, profile: &Profile, plan: &Plan) -> Content {
    let used =
        Transfer::ALL.into_iter().map(|transfer| (transfer, transfer.traffic(kernel, profile)));
    let rows = used.filter(|(_, traffic)| traffic.requests > 0).map(|(transfer, traffic)| {
        let numbers = [traffic.requests, traffic.bytes, traffic.sectors];
        let density = format!("{:.1}", traffic.bytes as f64 / traffic.sectors.max(1) as f64);
        let numbers = numbers.map(|one| one.to_string());
        [transfer.named(plan)].into_iter().chain(numbers).chain([density]).collect()
    });
    table(["access", "requests", "bytes", "sectors", "bytes of 32 a sector"], rows.collect())
}
