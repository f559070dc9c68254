//! The emulator's counts and a profiler's, as Markdown.

use std::fmt::Write as _;

use gemm_codegen::Target;
use gemm_runtime::emulator::{Class, Count, InstructionProfile, Profile};
use gemm_runtime::{Device, EmulatorOptions};

use super::ncu::Launch;
use super::pattern::Operation;
use super::{Case, cases};

/// Something that both count.
#[derive(Clone, Copy, Debug)]
struct Quantity {
    name: &'static str,
    /// Nsight Compute's name, without `.sum`.
    metric: &'static str,
    /// The emulator's count is the sum over these.
    counts: fn(&InstructionProfile) -> bool,
    value: fn(Count) -> u64,
}

/// A row is the quantity, its metric, the classes of instructions (with a modifier), and what of them is counted.
macro_rules! quantities {
    ($($name:literal $metric:literal $($class:ident)|+ $([$modifier:literal])? => $value:expr;)+) => {
        const QUANTITIES: &[Quantity] = &[$(Quantity {
            name: $name,
            metric: $metric,
            counts: |one| {
                matches!(one.class, $(Class::$class)|+) $(&& one.opcode.contains($modifier))?
            },
            value: $value,
        }),+];
    };
}

quantities! {
    "mma" "sm__inst_executed_pipe_tensor_op_hmma" Multiply => EXECUTED;
    "ldmatrix" "sm__sass_inst_executed_op_ldsm" LoadMatrix => EXECUTED;
    "ldmatrix wavefronts" "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm"
        LoadMatrix => WAVEFRONTS;
    "cp.async" "sm__sass_inst_executed_op_ldgsts" AsyncCopy => EXECUTED;
    "cp.async.ca sectors" "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access"
        AsyncCopy [".ca."] => SECTORS;
    "sectors from L2" "l1tex__m_xbar2l1tex_read_sectors" AsyncCopy | LoadGlobal => SECTORS;
    "ld.shared" "sm__sass_inst_executed_op_shared_ld" LoadShared => EXECUTED;
    "ld.shared wavefronts" "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld"
        LoadShared => WAVEFRONTS;
    "load conflicts" "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"
        LoadShared | LoadMatrix => |count| count.shared.conflicts();
    "st.shared" "sm__sass_inst_executed_op_shared_st" StoreShared => EXECUTED;
    "st.shared wavefronts" "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st"
        StoreShared => WAVEFRONTS;
    "ld.global" "sm__sass_inst_executed_op_global_ld" LoadGlobal => EXECUTED;
    "ld.global sectors" "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld" LoadGlobal => SECTORS;
    "st.global" "sm__sass_inst_executed_op_global_st" StoreGlobal => EXECUTED;
    "st.global sectors" "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st"
        StoreGlobal => SECTORS;
}

const EXECUTED: fn(Count) -> u64 = |count| count.executed;
const WAVEFRONTS: fn(Count) -> u64 = |count| count.shared.wavefronts;
const SECTORS: fn(Count) -> u64 = |count| count.global.sectors;

impl Quantity {
    fn metric(&self) -> String {
        format!("{}.sum", self.metric)
    }

    fn of(&self, profile: &Profile) -> u64 {
        (self.value)(profile.sum(self.counts))
    }
}

/// The metrics that the profiler collects.
pub fn metrics() -> Vec<String> {
    QUANTITIES.iter().map(Quantity::metric).collect()
}

/// The counts of one case: the emulator's and the profiler's for each quantity.
struct Compared {
    case: Case,
    counts: Vec<(u64, u64)>,
}

/// The tables of goldens and of patterns.
///
/// # Errors
/// A failed launch on the emulator, or other launches than the profiler saw.
pub fn table(launches: &[Launch]) -> Result<String, String> {
    let cases = cases();
    if launches.len() != cases.len() {
        return Err(format!("{} launches instead of {}", launches.len(), cases.len()));
    }
    let compared = cases.into_iter().zip(launches).map(|(case, launch)| compare(case, launch));
    let compared = compared.collect::<Result<Vec<_>, _>>()?;
    Ok(goldens(&compared) + "\n" + &patterns(&compared))
}

fn compare(case: Case, launch: &Launch) -> Result<Compared, String> {
    if launch.kernel != case.entry() {
        return Err(format!("the profiler saw {} instead of {case}", launch.kernel));
    }
    // Lanes of a pattern may write to one place, which is a race. The GPU ran code for sm_90.
    let options = EmulatorOptions::default().profile(true).races(false).target(Target::Sm90);
    let device = Device::emulator_with(options);
    case.launch(&device).map_err(|failure| format!("{case}: {failure}"))?;
    let launched = device.last_profile().ok_or_else(|| format!("{case} was not launched"))?;
    let profile = launched.statistics.profile.as_ref();
    let profile = profile.ok_or_else(|| format!("{case} was not counted"))?;
    let count = |quantity: &Quantity| {
        let metric = quantity.metric();
        let measured = launch.metrics.get(&metric).ok_or_else(|| format!("{metric} is missing"))?;
        Ok((quantity.of(profile), *measured))
    };
    let counts = QUANTITIES.iter().map(count).collect::<Result<Vec<_>, String>>()?;
    Ok(Compared { case, counts })
}

/// A row for each quantity, a column for each golden.
fn goldens(compared: &[Compared]) -> String {
    let goldens: Vec<_> =
        compared.iter().filter(|one| matches!(one.case, Case::Golden { .. })).collect();
    let mut text = String::from("| |");
    goldens.iter().for_each(|one| _ = write!(text, " {} |", one.case));
    text += "\n| --- |";
    text += &" ---: |".repeat(goldens.len());
    for (at, quantity) in QUANTITIES.iter().enumerate() {
        _ = write!(text, "\n| {} |", quantity.name);
        for one in &goldens {
            _ = match one.counts[at] {
                (counted, measured) if counted == measured => write!(text, " {counted} |"),
                (counted, measured) => write!(text, " **{counted}** ({measured}) |"),
            };
        }
    }
    text + "\n"
}

/// A row for each operation: in how many patterns all quantities agree, and those that do not.
fn patterns(compared: &[Compared]) -> String {
    let mut text = String::from(
        "| operation | patterns | all counts equal | different |\n| --- | ---: | ---: | --- |\n",
    );
    for operation in Operation::ALL {
        let is_of = |one: &&Compared| matches!(&one.case, Case::Pattern(pattern) if pattern.operation == operation);
        let all: Vec<_> = compared.iter().filter(is_of).collect();
        let equal = all.iter().filter(|one| differences(one).is_empty()).count();
        let different = all.iter().flat_map(|one| differences(one)).collect::<Vec<_>>().join("; ");
        _ = writeln!(text, "| {} | {} | {equal} | {different} |", operation.entry(), all.len());
    }
    text
}

fn differences(one: &Compared) -> Vec<String> {
    let name = match &one.case {
        Case::Pattern(pattern) => pattern.name.clone(),
        golden => golden.to_string(),
    };
    let counts =
        QUANTITIES.iter().zip(&one.counts).filter(|(_, (counted, measured))| counted != measured);
    counts
        .map(|(quantity, (counted, measured))| {
            format!("{name}: {} {counted} ({measured})", quantity.name)
        })
        .collect()
}
