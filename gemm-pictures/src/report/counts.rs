//! What a profile counted: of each source line, and of each way to use a memory.

use std::collections::{BTreeMap, BTreeSet};

use gemm_codegen::Plan;
use gemm_emulator::{Count, Profile};

use super::access::{Access, Degrees, Transfer, part};
use super::table;
use crate::page::{Content, Counted};

/// The lines of the source that were executed, each with the device functions for which it was. What is
/// inlined into a line counts as the line's own.
pub fn lines(profile: &Profile) -> BTreeMap<u32, (BTreeSet<String>, Count)> {
    let mut sums: BTreeMap<u32, (BTreeSet<String>, Count)> = BTreeMap::new();
    for instruction in profile.instructions.iter().filter(|one| one.count.executed > 0) {
        let Some(innermost) = instruction.source.first() else { continue };
        let (functions, sum) = sums.entry(innermost.line).or_default();
        functions.extend(part(instruction).map(|(function, _)| function));
        *sum += instruction.count;
    }
    sums
}

/// The same for a page.
pub(super) fn counted(profile: &Profile) -> BTreeMap<u32, Counted> {
    let line = |(line, (functions, count)): (u32, (BTreeSet<String>, Count))| {
        let mut pictures: Vec<String> = Vec::new();
        for name in functions.iter().flat_map(|function| pictures_of(function)) {
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
    lines(profile).into_iter().map(line).collect()
}

/// The pictures that show what a device function does.
fn pictures_of(function: &str) -> Vec<String> {
    let side = |name: &str| match function.split_once("<Tile") {
        Some((_, tile)) if tile.starts_with('A') => vec![format!("{name}_a")],
        Some(_) => vec![format!("{name}_b")],
        None => vec![format!("{name}_a"), format!("{name}_b")],
    };
    match function.split('<').next().unwrap_or(function) {
        "global_to_shared" | "global_to_register" | "register_to_shared" | "Source" => {
            [side("copies"), side("shared_tile")].concat()
        }
        "shared_to_register" => [side("shared_tile"), vec!["fragments".to_owned()]].concat(),
        "mma" | "wgmma" => vec!["fragments".to_owned(), "registers".to_owned()],
        "mainloop" | "stage" | "epilogue" => vec!["memory_map".to_owned()],
        "warps" => vec!["warps".to_owned()],
        "grid" | "raster" => vec!["raster".to_owned()],
        _ => Vec::new(),
    }
}

/// The uses of shared memory that occur.
pub(super) fn shared(profile: &Profile, plan: &Plan) -> Content {
    let degrees = Degrees::of_plan(plan);
    let used = Access::ALL.into_iter().map(|access| (access, access.traffic(profile)));
    let rows = used.filter(|(_, traffic)| traffic.groups > 0).map(|(access, traffic)| {
        let most = u64::from(traffic.most_per_group);
        let numbers = [traffic.wavefronts, traffic.groups, most].map(|one| one.to_string());
        let plan = degrees.get(access).to_string();
        [access.name().to_owned()].into_iter().chain(numbers).chain([plan]).collect()
    });
    table(["access", "wavefronts", "least", "most of one", "plan says"], rows.collect())
}

/// The uses of global memory that occur.
pub(super) fn global(profile: &Profile) -> Content {
    let used = Transfer::ALL.into_iter().map(|transfer| (transfer, transfer.traffic(profile)));
    let rows = used.filter(|(_, traffic)| traffic.requests > 0).map(|(transfer, traffic)| {
        let numbers = [traffic.requests, traffic.bytes, traffic.sectors];
        let density = format!("{:.1}", traffic.bytes as f64 / traffic.sectors.max(1) as f64);
        let numbers = numbers.map(|one| one.to_string());
        [transfer.name().to_owned()].into_iter().chain(numbers).chain([density]).collect()
    });
    table(["access", "requests", "bytes", "sectors", "bytes of 32 a sector"], rows.collect())
}
