//! The pictures of all goldens, read back and compared with their plans.

mod copies;
mod fragments;
mod frame;
mod goldens;
mod memory;
mod parse;
mod raster;
mod shared_tile;
mod svgs;
mod warps;

use std::sync::LazyLock;

use gemm_codegen::auto::Machine;
use gemm_codegen::{Plan, Target};
use gemm_pictures::{Launch, Picture};

/// Every golden with its plan.
static GOLDENS: LazyLock<Vec<(String, Plan)>> = LazyLock::new(goldens::all);

/// A launch on a device like an A100, or on one like an H200 where the plan needs its architecture.
fn launch(plan: &Plan, shape: [usize; 3]) -> Launch {
    let targets = plan.targets();
    let machine = match targets.contains(&Target::Sm80) {
        true => Machine { target: Target::Sm80, processors: 108, clock: 1.41e9, memory: 1.555e12 },
        false => Machine { target: targets[0], processors: 132, clock: 1.98e9, memory: 4.917e12 },
    };
    Launch { shape, machine }
}

/// Every picture of every golden.
static PICTURES: LazyLock<Vec<(&'static str, Picture)>> = LazyLock::new(|| {
    let of = |(name, plan): &'static (String, Plan)| {
        let launch = launch(plan, [2048, 3000, 1024]);
        let mut all = gemm_pictures::of_plan(plan);
        all.extend(gemm_pictures::of_launch(plan, &launch));
        all.into_iter().map(|picture| (name.as_str(), picture))
    };
    GOLDENS.iter().flat_map(of).collect()
});
