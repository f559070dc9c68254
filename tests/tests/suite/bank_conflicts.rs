//! What a plan says of bank conflicts, without running anything, is what the emulator counts.
//!
//! Shapes are whole tiles and rows are aligned for the widest copies: every lane takes part, and
//! every copy is as wide as the plan's atom.

use fastrand::Rng;
use gemm_codegen::level::mma::Unit;
use gemm_codegen::{Allow, BankPasses, Kernel, PerSide, Plan, Swizzle, emit};
use gemm_runtime::emulator::{InstructionProfile, Profile};
use gemm_runtime::{Device, EmulatorOptions, Shape, SplitK};
use gemm_tests::cases::deep_enough;
use gemm_tests::check::access::{Access, Function};
use gemm_tests::data::Alignment;
use gemm_tests::random::draw::{Drawn, Form, Orders, Stored, draw};
use gemm_tests::random::run;
use gemm_tests::{Golden, Problem, goldens};

use crate::Test;

/// Accepted specs that are run.
const SPECS: usize = 24;

/// Multiplications of a launch above which a spec is passed over: what takes about a second.
const WORK: usize = 16 << 20;

fn device() -> Device {
    Device::emulator_with(EmulatorOptions::default().races(false).profile(true))
}

/// Deep enough that every stage of a ring is filled again.
fn whole_tiles(block_tile: [u32; 3], split_k: Option<SplitK>, stages: u32) -> Shape {
    let [m, n, k] = block_tile.map(|extent| extent as usize);
    Shape { m, n, k: deep_enough(2 * stages as usize * k, split_k, k) }
}

/// Compares what was counted in the last launch with a plan, and says where they differ. A staging
/// store is to move `run` elements, where that is known.
fn compare(device: &Device, kernel: &Kernel, run: Option<usize>) -> Result<BankPasses, String> {
    let facts = kernel.facts.as_ref().ok_or("the kernel states nothing")?;
    let launch = device.last_profile().ok_or("nothing was launched")?;
    let profile: &Profile = launch.statistics.profile.as_ref().ok_or("nothing was counted")?;
    let access_of = |one: &InstructionProfile| Access::of(kernel, one);
    let staging = profile.instructions.iter().filter(|one| access_of(one) == Some(Access::Stage));
    let widest = staging.map(words).chain(run).max();
    for access in Access::ALL {
        let said = access.passes(&facts.bank_passes);
        // A unit of the SM copies boxes by itself: no lane asks for anything.
        let is_copy = matches!(access, Access::Copy(_));
        if is_copy && profile.instructions.iter().any(|one| one.opcode.contains("bulk.tensor")) {
            continue;
        }
        // The compiler takes some staging stores apart, or all of them, which no plan can know.
        let is_part =
            |one: &InstructionProfile| access == Access::Stage && Some(words(one)) < widest;
        let is_it = |one: &InstructionProfile| access_of(one) == Some(access) && !is_part(one);
        let counted = profile.sum(is_it).shared.most_per_group;
        let all_apart = access == Access::Stage && !profile.instructions.iter().any(is_it);
        // The copy unit reads what it stores: the loads of threads are for other rows.
        let by_copies = access == Access::Unstage && counted == 0;
        if counted != said && !all_apart && !by_copies {
            return Err(format!("{}: counted {counted}, the plan says {said}", access.name()));
        }
    }
    Ok(facts.bank_passes)
}

/// Each instruction with a source line lies in a device function of a part, or in one that such a
/// function calls.
fn every_instruction_has_a_part(device: &Device, kernel: &Kernel) -> Result<(), String> {
    let launch = device.last_profile().ok_or("nothing was launched")?;
    let profile = launch.statistics.profile.as_ref().ok_or("nothing was counted")?;
    let mut with_lines = profile.instructions.iter().filter(|one| !one.source.is_empty());
    match with_lines.find(|one| Function::of(kernel, &one.source).is_none()) {
        Some(one) => Err(format!("no part has {} of {:?}", one.opcode, one.source)),
        None => Ok(()),
    }
}

/// Elements that an access moves at once.
fn words(instruction: &InstructionProfile) -> usize {
    let vectors = [(".v2", 2), (".v4", 4)];
    let vector = vectors.into_iter().find(|(name, _)| instruction.opcode.contains(name));
    vector.map_or(1, |(_, words)| words)
}

pub(crate) fn tests() -> Vec<Test> {
    tests![
        a_golden_meets_the_banks_as_its_plan_says,
        a_random_spec_meets_the_banks_as_its_plan_says
    ]
}

fn a_golden_meets_the_banks_as_its_plan_says() {
    let mut degrees = Vec::new();
    for golden in goldens::ALL.iter() {
        let plan = compare_golden(golden).unwrap_or_else(|what| panic!("{}: {what}", golden.name));
        degrees.extend(Access::ALL.map(|access| access.passes(&plan)));
    }
    // Those that are made to conflict do.
    assert!([2, 4, 8].iter().all(|degree| degrees.contains(degree)), "{degrees:?}");
}

fn compare_golden(golden: &Golden) -> Result<BankPasses, String> {
    let device = device();
    let launch = &golden.kernel.launch;
    let shape = whole_tiles(launch.block_tile, launch.split_k, golden.kernel.footprint.stages);
    let mut problem = Problem::new(&device, shape, Alignment::LINES, 1);
    (golden.check)(&mut problem).map_err(|failure| failure.to_string())?;
    every_instruction_has_a_part(&device, golden.kernel)?;
    compare(&device, golden.kernel, None)
}

fn a_random_spec_meets_the_banks_as_its_plan_says() {
    let mut rng = Rng::with_seed(5);
    let (mut run, mut conflicting) = (0, 0);
    for number in 0.. {
        let (drawn, plan) = draw_accepted(&mut rng, number);
        if let Some(result) = compare_spec(&mut rng, &drawn, &plan) {
            let passes = result.unwrap_or_else(|what| panic!("{what}\n{:#?}", drawn.spec));
            let conflicts = |access: &Access| access.passes(&passes) > 1;
            conflicting += usize::from(Access::ALL.iter().any(conflicts));
            run += 1;
        }
        if run == SPECS {
            break;
        }
    }
    assert!(conflicting >= SPECS / 4, "only {conflicting} of {SPECS} specs have conflicts");
}

/// The next legal spec; every other one has swizzles of no merit.
fn draw_accepted(rng: &mut Rng, number: usize) -> (Drawn, Plan) {
    loop {
        let mut drawn = draw(rng, Form::Warps, Orders::number(number));
        drawn.spec.schedule.allow = vec![Allow::BankConflicts];
        if number.is_multiple_of(2) {
            let mut any = || Some(Swizzle { b: rng.u8(0..4), m: 3, s: rng.u8(1..6) });
            drawn.spec.schedule.swizzle = PerSide { a: any(), b: any() };
        }
        if let Ok(plan) = Plan::new(&drawn.spec) {
            return (drawn, plan);
        }
    }
}

/// Elements that a lane of a register tile has together along the output's rows.
fn run_of(plan: &Plan) -> Option<usize> {
    let along = usize::from(plan.epilogue().n_contiguous());
    match plan.mma().unit {
        Unit::Fma(tile) => Some(tile.runs()[along] as usize),
        Unit::TensorCore(_) | Unit::Warpgroup(_) => None,
    }
}

/// None if the launch would take long.
fn compare_spec(rng: &mut Rng, drawn: &Drawn, plan: &Plan) -> Option<Result<BankPasses, String>> {
    let shape = whole_tiles(plan.warps().block, plan.split_k(), plan.ring().stages);
    let run = |device: &Device| {
        let kernel = emit(plan);
        run::run(
            device,
            (drawn, &Stored::of(drawn)),
            (plan, &kernel),
            (shape, Alignment::LINES, rng.u64(..)),
        )
        .map_err(|failure| failure.to_string())?;
        compare(device, &kernel, run_of(plan))
    };
    (shape.m * shape.n * shape.k <= WORK).then(device).as_ref().map(run)
}
