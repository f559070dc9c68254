//! Random specs: a legal one compiles for each of its targets and gives right numbers on the
//! emulator, an illegal one is refused for reasons that brute force confirms.
//!
//! Each test draws until a spec is accepted. `GEMM_RANDOM_SPECS` says how many are to be
//! (10 by default), `GEMM_RANDOM_WGMMA` how many of `mma = wgmma` (5); a failure prints the
//! `GEMM_RANDOM_SEED` with which it can be seen again. With `GEMM_EVERY_KERNEL` each is compiled for all
//! of its targets, otherwise for one: the first spec for its first, the second for its second.

use std::env;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use fastrand::Rng;
use gemm_brute_force::{Case, kernel_of, needs, violates};
use gemm_codegen::{Diagnostics, Kernel, Plan, Rule, Spec, Target, emit};
use gemm_runtime::Device;
use gemm_runtime::compile::{Format, Program, cached};
use gemm_tests::cases::{slow, tries_every_kernel};
use gemm_tests::random::draw::{Drawn, Form, Orders, draw};
use gemm_tests::random::{self, MOST_DRAWS};
use libtest_mimic::Failed;

use crate::Test;
use crate::shared::check_emitted;

/// Specs of the tests that only look at what is accepted and what is refused.
const JUDGED: usize = 900;
const JUDGED_OF_WGMMA: usize = 450;

/// The most of them in `cargo xtask test --long`, where a rule that is rarely broken takes more.
const MOST_JUDGED: usize = 20_000;

/// The seed of the gate, so that a change is judged by the same specs as its parent. `cargo xtask
/// test --long` draws another one each time.
const SEED: u64 = 15;

pub(crate) fn tests() -> Vec<Test> {
    let seed = seed();
    let all = [(Form::Warps, "spec", "SPECS", 10), (Form::Warpgroups, "wgmma", "WGMMA", 5)];
    let each = all.into_iter().flat_map(move |(form, name, count, usual)| {
        let count: usize = variable(&format!("GEMM_RANDOM_{count}")).unwrap_or(usual);
        (0..count).map(move |number| {
            let run = move || with_seed(seed, || spec(seed, form, number));
            Test::new(format!("{name}_{number:04}"), run)
        })
    });
    let judged = [(Form::Warps, "judgements"), (Form::Warpgroups, "judgements_of_wgmma")];
    let judged = judged.into_iter().map(move |(form, name)| {
        Test::new(name, move || with_seed(seed, || judgements(seed, form)))
    });
    each.chain(judged).collect()
}

/// From which random tests draw.
pub(crate) fn seed() -> u64 {
    variable("GEMM_RANDOM_SEED").unwrap_or(SEED)
}

/// The value of an environment variable.
fn variable<T: FromStr<Err: Debug>>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error:?}")))
}

/// Says with which seed a failure can be seen again.
pub(crate) fn with_seed(
    seed: u64,
    test: impl FnOnce() -> Result<(), Failed>,
) -> Result<(), Failed> {
    test().map_err(|failed| {
        let text = failed.message().unwrap_or_default();
        format!("{text}\nto see it again: GEMM_RANDOM_SEED={seed}").into()
    })
}

/// Draws specs until one is accepted, and runs that one.
fn spec(seed: u64, form: Form, number: usize) -> Result<(), Failed> {
    let mut rng = random::rng(seed, number);
    for _ in 0..MOST_DRAWS {
        let drawn = draw(&mut rng, form, Orders::number(number));
        let about = |what: &dyn Display| Failed::from(format!("{what}\n{:#?}", drawn.spec));
        if let Some(plan) = judge(&drawn.spec).map_err(|what| about(&what))? {
            return accepted(&mut rng, number, (&drawn, &plan)).map_err(|what| about(&what));
        }
    }
    Err(format!("none of {MOST_DRAWS} specs was accepted").into())
}

/// The rules that only specs of `mma = wgmma` break.
const OF_WGMMA: [Rule; 9] = [
    Rule::WarpgroupsOfBlock,
    Rule::WarpgroupColumns,
    Rule::WgmmaShape,
    Rule::WarpgroupCopies,
    Rule::WarpgroupSplits,
    Rule::PingpongWarpgroups,
    Rule::ClusterSize,
    Rule::SplitsAlone,
    Rule::SplitColumns,
];

/// Others that specs of it are to break as well, at limits of their own.
const ALSO_OF_WGMMA: [Rule; 12] = [
    Rule::ElementsMatchAtom,
    Rule::AccumulatorOfAtom,
    Rule::AtomOnTarget,
    Rule::WarpsOfAtom,
    Rule::WarpsTileBlock,
    Rule::AtomsTileWarp,
    Rule::AtomsTileK,
    Rule::TensorCopy,
    Rule::CopiesAlike,
    Rule::PipelineDepth,
    Rule::SharedMemoryFits,
    Rule::RegistersFit,
];

/// The rule of what no spec that is drawn has.
const NOT_DRAWN: Rule = Rule::ReductionOfTile;

/// The rules that specs of a form are to break.
fn broken_by(form: Form) -> Vec<Rule> {
    let is_drawn = |rule: &Rule| match form {
        Form::Warps => !OF_WGMMA.contains(rule) && *rule != NOT_DRAWN,
        Form::Warpgroups => OF_WGMMA.contains(rule) || ALSO_OF_WGMMA.contains(rule),
    };
    Rule::ALL.iter().copied().filter(is_drawn).collect()
}

/// Draws many specs and asks only whether they are legal: about a third have to be. In `cargo xtask
/// test --long` every rule of their form has to be broken by some, and of those by warpgroups some have
/// clusters along both sides: what is rare takes more specs than the usual number.
fn judgements(seed: u64, form: Form) -> Result<(), Failed> {
    let mut rng = Rng::with_seed(seed);
    let takes_rare = tries_every_kernel();
    let mut unbroken = if takes_rare { broken_by(form) } else { Vec::new() };
    let mut lacks_clusters = takes_rare && form == Form::Warpgroups;
    let (mut drawn, mut accepted) = (0, 0);
    let count = if form == Form::Warps { JUDGED } else { JUDGED_OF_WGMMA };
    while drawn < count || drawn < MOST_JUDGED && (lacks_clusters || !unbroken.is_empty()) {
        let Drawn { spec, .. } = draw(&mut rng, form, Orders::number(drawn));
        drawn += 1;
        match judge(&spec).map_err(|what| format!("{what}\n{spec:#?}"))? {
            Some(plan) => {
                accepted += 1;
                let blocks = plan.cluster().map_or([1, 1], |cluster| cluster.blocks);
                lacks_clusters &= blocks.contains(&1);
            }
            None => {
                let reasons = Plan::new(&spec).err();
                let is_broken = |rule| reasons.iter().flatten().any(|reason| reason.rule == rule);
                unbroken.retain(|rule| !is_broken(*rule));
            }
        }
    }
    let share = f64::from(accepted) / drawn as f64;
    if !(0.25..=0.6).contains(&share) {
        return Err(format!("{:.0} % of the specs were accepted", share * 100.0).into());
    }
    if lacks_clusters {
        return Err("no accepted spec has a cluster along both sides".into());
    }
    match unbroken.first() {
        Some(rule) => Err(format!("no spec broke {rule}").into()),
        None => Ok(()),
    }
}

/// Compares what is said of a spec with what brute force finds; the plan of an accepted one.
fn judge(spec: &Spec) -> Result<Option<Plan>, String> {
    match Plan::new(spec) {
        Ok(plan) => {
            let kernel = kernel_of(spec);
            let case = Case::of_plan(kernel.as_ref().unwrap_or(spec), &plan)
                .map_err(|key| format!("the plan has another `{key}` than the spec"))?
                .asked_by(spec);
            match Rule::ALL.iter().find(|rule| violates(**rule, &case)) {
                Some(rule) => Err(format!("accepted, but brute force says that it breaks {rule}")),
                None => Ok(Some(plan)),
            }
        }
        Err(diagnostics) => confirm(spec, &diagnostics).map(|()| None),
    }
}

/// Every diagnostic names a rule that is broken, and none is missing that could be judged.
fn confirm(spec: &Spec, diagnostics: &Diagnostics) -> Result<(), String> {
    let kernel = kernel_of(spec);
    let case = Case::of_spec(kernel.as_ref().unwrap_or(spec)).asked_by(spec);
    if diagnostics.iter().next().is_none() {
        return Err("refused without a reason".to_owned());
    }
    if let Some(wrong) = diagnostics.iter().find(|reason| !violates(reason.rule, &case)) {
        return Err(format!("refused, but brute force denies this reason:\n{wrong}"));
    }
    let reported = |rule: Rule| {
        diagnostics.iter().any(|reason| reason.rule == rule || reason.also.contains(&rule))
    };
    let judged = |rule: Rule| {
        needs(rule).is_some_and(|needs| needs.into_iter().all(|need| !violates(need, &case)))
    };
    let missing = |rule: &&Rule| !reported(**rule) && judged(**rule) && violates(**rule, &case);
    match Rule::ALL.iter().find(missing) {
        Some(rule) => Err(format!("{rule} is broken, but not among the reasons:\n{diagnostics}")),
        None => Ok(()),
    }
}

/// Compiles the kernel for its targets and runs it.
fn accepted(rng: &mut Rng, number: usize, (drawn, plan): (&Drawn, &Plan)) -> Result<(), String> {
    let kernel = emit(plan);
    check_text(&drawn.spec, &kernel)?;
    let targets = plan.targets();
    let one = number % targets.len();
    for target in if tries_every_kernel() { targets } else { &targets[one..=one] } {
        check_compiles(&kernel, *target)?;
    }
    let device = Device::emulator_with(slow());
    random::launch(&device, rng, (drawn, plan, &kernel))
}

/// What is promised of every text.
fn check_text(spec: &Spec, kernel: &Kernel) -> Result<(), String> {
    let again = Plan::new(spec).map(|plan| emit(&plan));
    if again.as_ref() != Ok(kernel) {
        return Err("the same spec has two kernels".to_owned());
    }
    if kernel.text.contains("#include") {
        return Err("the text includes something".to_owned());
    }
    check_emitted(kernel)
}

fn check_compiles(kernel: &Kernel, target: Target) -> Result<(), String> {
    let program = Program {
        name: "random.cu",
        text: &kernel.text,
        architecture: target.name(),
        options: Vec::new(),
        format: Format::Cubin,
    };
    match cached(&program) {
        Ok(compilation) if compilation.resources(&kernel.entry).is_none() => {
            Err(format!("{target}: ptxas says nothing of the entry"))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{target}: {error}")),
    }
}
