//! The pictures of all goldens, read back and compared with their plans.

mod copies;
mod documents;
mod fragments;
mod frame;
mod goldens;
mod links;
mod memory;
mod parse;
mod pipeline;
mod raster;
mod rustdoc;
mod shared_tile;
mod summation;
mod svgs;
mod warps;

use std::sync::LazyLock;

use gemm_codegen::auto::Machine;
use gemm_codegen::hardware::{A100, H200};
use gemm_codegen::{Plan, Target};
use gemm_pictures::{Launch, Picture};

/// Every golden with its plan.
static GOLDENS: LazyLock<Vec<(String, Plan)>> = LazyLock::new(goldens::all);

/// A launch on a device like an H200 where the plan runs there, else on one like an A100.
fn launch(plan: &Plan, shape: [usize; 3]) -> Launch {
    let is_hopper = |target: &&Target| target.capability() == (9, 0);
    let machine = match plan.targets().iter().find(is_hopper) {
        Some(target) => Machine { target: *target, ..H200 },
        None => {
            let target = plan.targets()[0];
            Machine { target, ..A100 }
        }
    };
    Launch { shape, batch: 1, machine }
}

/// Every picture of every golden, and the pipelines of some.
static PICTURES: LazyLock<Vec<(&'static str, Picture)>> = LazyLock::new(|| {
    let of = |(name, plan): &'static (String, Plan)| {
        let launch = launch(plan, [2048, 3000, 1024]);
        let mut all = gemm_pictures::of_plan(plan);
        all.extend(gemm_pictures::of_launch(plan, &launch));
        all.push(gemm_pictures::overview::picture(plan));
        all.into_iter().map(|picture| (name.as_str(), picture))
    };
    let pipelines = pipeline::KERNELS.map(|name| (name, pipeline::drawn(name).2));
    let maps = GOLDENS.iter().filter_map(|(name, plan)| {
        Some((name.as_str(), gemm_pictures::fragments::true_and_wrong(plan)?))
    });
    let step = [("summation", summation::drawn())];
    GOLDENS.iter().flat_map(of).chain(pipelines).chain(maps).chain(step).collect()
});
