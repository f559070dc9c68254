//! Random specs of the whole key space: drawn, judged by brute force, run.
//!
//! What is right is decided without the generator: the laws are checked by simulation, the
//! numbers by a host function that is written beside each body.

pub mod brute_force;
pub mod draw;
pub mod run;

use fastrand::Rng;
use gemm_codegen::{Kernel, Plan};
use gemm_runtime::Device;

use crate::data::Alignment;
use draw::{Drawn, Form, Orders, draw};

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
    let alignment = Alignment::random(rng);
    for _ in 0..LAUNCHES {
        let shape = run::shape(rng, kernel.launch.block_tile);
        run::run(device, drawn, (plan, kernel), (shape, alignment, rng.u64(..)))
            .map_err(|failure| format!("{shape:?}, alignment {alignment:?}: {failure}"))?;
    }
    Ok(())
}
