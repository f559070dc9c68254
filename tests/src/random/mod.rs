//! Random specs of the whole key space: drawn, judged by brute force, run.
//!
//! What is right is decided without the generator: the laws are checked by simulation, the
//! numbers by a host function that is written beside each body.

pub mod draw;
pub mod run;

use fastrand::Rng;
use gemm_codegen::{Kernel, Plan, Rule, emit};
use gemm_runtime::Device;

use crate::Problem;
use crate::data::Alignment;
use draw::{Drawn, Form, Orders, Stored, draw, in_turn, reduced};

/// Draws after which something is wrong with the drawing.
pub const MOST_DRAWS: usize = 200;

/// Launches of each accepted spec.
const LAUNCHES: usize = 2;

/// The numbers from which the spec of this number is drawn, and its shapes and data after it.
pub fn rng(seed: u64, number: usize) -> Rng {
    Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64)
}

/// The first legal spec of this number, if one of [`MOST_DRAWS`] is.
pub fn legal(rng: &mut Rng, form: Form, number: usize) -> Option<(Drawn, Plan)> {
    (0..MOST_DRAWS).find_map(|_| {
        let drawn = draw(rng, form, Orders::number(number));
        Plan::new(&drawn.spec).ok().map(|plan| (drawn, plan))
    })
}

/// Launches the kernel of a plan at random shapes and one random alignment, since each is a compilation.
///
/// # Errors
/// The launch that went wrong, and how.
pub fn launch(
    device: &Device,
    rng: &mut Rng,
    (drawn, plan, kernel): (&Drawn, &Plan, &Kernel),
) -> Result<(), String> {
    launch_stored(device, rng, (drawn, &Stored::of(drawn)), (plan, kernel))?;
    match rng.u8(0..3) {
        0 => launch_reduced(device, rng, (drawn, plan)),
        1 => launch_in_turn(device, rng, (drawn, plan)),
        _ => Ok(()),
    }
}

fn launch_stored(
    device: &Device,
    rng: &mut Rng,
    drawn: (&Drawn, &[Stored]),
    (plan, kernel): (&Plan, &Kernel),
) -> Result<(), String> {
    let alignment = Alignment::random(rng);
    for _ in 0..LAUNCHES {
        let shape = run::shape(rng, kernel.launch.block_tile);
        run::run(device, drawn, (plan, kernel), (shape, alignment, rng.u64(..)))
            .map_err(|failure| format!("{shape:?}, alignment {alignment:?}: {failure}"))?;
    }
    Ok(())
}

/// The same of a spec whose outputs are reduced, some of them or all. What is legal of matrices is of vectors
/// too, but for the rule that is theirs.
fn launch_reduced(
    device: &Device,
    rng: &mut Rng,
    (drawn, plan): (&Drawn, &Plan),
) -> Result<(), String> {
    let Some((spec, stored)) = reduced(rng, drawn, plan) else { return Ok(()) };
    match Plan::new(&spec) {
        Ok(plan) => launch_stored(device, rng, (drawn, &stored), (&plan, &emit(&plan)))
            .map_err(|failure| format!("reduced {stored:?}: {failure}")),
        Err(broken) if broken.iter().all(|one| one.rule == Rule::ReductionOfTile) => Ok(()),
        Err(broken) => Err(format!("reduced {stored:?}: {broken:?}")),
    }
}

/// The same of several products in turn, each computed as the one that was drawn. What is legal of one is of them.
fn launch_in_turn(
    device: &Device,
    rng: &mut Rng,
    (drawn, plan): (&Drawn, &Plan),
) -> Result<(), String> {
    let Some((spec, slots)) = in_turn(rng, drawn, plan) else { return Ok(()) };
    let plan = Plan::new(&spec).map_err(|broken| format!("in turn: {broken:?}\n{spec:?}"))?;
    let kernel = emit(&plan);
    let alignment = Alignment::random(rng);
    for _ in 0..LAUNCHES {
        let shape = run::shape(rng, kernel.launch.block_tile);
        let (batch, seed) = (rng.usize(1..4), rng.u64(..));
        let problem = &mut Problem::new(device, shape, alignment, seed).of_batch(batch);
        run::in_turn(problem, (drawn, &slots), (&plan, &kernel)).map_err(|failure| {
            format!(
                "in turn, {shape:?}, alignment {alignment:?}: {failure}\n{}",
                plan.declaration()
            )
        })?;
    }
    Ok(())
}
