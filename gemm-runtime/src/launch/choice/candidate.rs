//! [`Candidate`]: a kernel that can run a launch.

use gemm_codegen::Target;
use gemm_codegen::auto::{self, Machine, Member};

use crate::compile::required;
use crate::launch::choice::kernels::Choice;
use crate::launch::choice::query::LaunchQuery;
use crate::version::Version;

/// A choice that can run.
#[derive(Clone, Copy, Debug)]
pub(in crate::launch) struct Candidate<'k> {
    /// Its place in [`Kernels::choices`](crate::launch::Kernels::choices).
    pub(in crate::launch) number: usize,
    pub(in crate::launch) choice: &'k Choice<'k>,
    /// The estimate for a launch.
    pub(in crate::launch) seconds: f64,
}

/// The choices of one class that can run, compiled by an NVRTC of this version, the best estimate first. Without a
/// version, where no NVRTC was found, all count as compiled: the launch returns the error.
pub(in crate::launch) fn candidates<'a>(
    query: &LaunchQuery<'a>,
    nvrtc: Option<Version>,
) -> Vec<Candidate<'a>> {
    let ([m, n, k], machine) = (query.key.shape, query.device.machine());
    let [a, b] = query.key.unreadable;
    let estimate = |(number, choice): (usize, &'a Choice<'a>)| {
        // Products in turn take whole tiles each.
        let launch = choice.launch();
        let n = if launch.columns.is_empty() { n } else { query.key.extents.tiled(launch).n };
        let (shape, unreadable) = match choice.is_swapped() {
            true => ([n, m, k], [b, a]),
            false => ([m, n, k], [a, b]),
        };
        let (footprint, batch) = (choice.footprint(), query.key.batch);
        let seconds = footprint.seconds_with_copies(shape, batch, unreadable, &machine);
        Candidate { number, choice, seconds }
    };
    let able = query.kernels.choices().enumerate();
    let compiles =
        |choice: &Choice<'_>| nvrtc.is_none_or(|nvrtc| required::compiles(choice.launch(), nvrtc));
    let able = able.filter(|(_, choice)| compiles(choice) && can_run(choice, query, &machine));
    let able: Vec<(usize, &'a Choice<'a>)> = able.collect();
    let class = class(&able, query, &machine);
    let of_class = able.into_iter().filter(|(_, choice)| Some(choice.class()) == class);
    let mut candidates: Vec<Candidate<'a>> = of_class.map(estimate).collect();
    candidates.sort_by(|x, y| x.seconds.total_cmp(&y.seconds));
    candidates
}

/// The class among which a launch chooses: those that can run for any number of rows are compared, so it is the
/// same for all, and the launch has a candidate.
fn class(
    able: &[(usize, &Choice<'_>)],
    query: &LaunchQuery<'_>,
    machine: &Machine,
) -> Option<usize> {
    let members = able.iter().map(|(_, choice)| Member {
        class: choice.class(),
        swapped: choice.is_swapped(),
        footprint: choice.footprint(),
    });
    let members: Vec<Member<'_>> = members.collect();
    auto::fastest_class(&members, query.output()?, query.key.shape, machine)
}

/// Whether a choice can run: for any number of rows, any batch and any alignment, since a launch copies operands that
/// tensor copies cannot read.
fn can_run(choice: &Choice<'_>, query: &LaunchQuery<'_>, machine: &Machine) -> bool {
    let LaunchQuery { device, kernels, key, .. } = query;
    let launch = choice.launch();
    let tiles = key.shape[2].div_ceil(launch.block_tile[2].max(1) as usize);
    // Blocks without a part of K only take SMs.
    let least = launch.split_k.filter(|split_k| !split_k.tail);
    let splits = least.map_or(0, |split_k| split_k.splits as usize);
    // Without the option `target` the emulator runs kernels of any architecture. It chooses as the
    // machine does that it stands for, where that runs the first kernel.
    let on_machine = |targets: &[Target]| {
        targets.iter().any(|target| target.runs_on(machine.target.capability()))
    };
    let chosen_there = on_machine(&launch.targets) || !on_machine(&kernels.first().launch.targets);
    device.supports(choice.id(), launch).is_ok() && chosen_there && tiles >= splits
}

#[cfg(test)]
mod tests {
    use gemm_codegen::PtxFeature;
    use gemm_codegen::hardware::H200;

    use super::*;
    use crate::launch::Kernels;
    use crate::prelude::*;
    use crate::{AsMatrix, Element, EmulatorOptions};

    #[gemm]
    fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }

    #[gemm]
    fn mixed(x: Mat<i8, M, K>, w: Mat<u8, N, K>) -> Mat<i32, M, N> {
        matmul(x, w)
    }

    /// What the best candidate of a launch on an H200 needs, with an NVRTC of this version.
    fn best<A: Element, B: Element>(
        kernels: &Kernels<'_>,
        [m, n, k]: [usize; 3],
        (major, minor): (u32, u32),
    ) -> Option<PtxFeature> {
        let options = EmulatorOptions::default().target(Target::Sm90).machine(H200);
        let device = Device::emulator_with(options);
        let x = device.zeros::<A>(m, k).expect("it fits");
        let w = device.zeros::<B>(n, k).expect("it fits");
        let arguments = [x.argument(), w.argument()];
        let query = LaunchQuery::new(&device, kernels, &arguments).expect("they fit");
        let candidates = candidates(&query, Some(Version { major, minor }));
        kernels.numbered(candidates.first().expect("one runs").number).launch.newest_feature
    }

    #[test]
    fn clusters_are_chosen_by_an_nvrtc_that_compiles_them() {
        let best = |nvrtc| best::<f16, f16>(&product::KERNELS, [1760, 7000, 1760], nvrtc);
        for nvrtc in [(12, 0), (12, 4), (12, 6)] {
            assert_eq!(best(nvrtc), None, "{nvrtc:?}");
        }
        for nvrtc in [(12, 8), (13, 1)] {
            assert_eq!(best(nvrtc), Some(PtxFeature::ClusterFences), "{nvrtc:?}");
        }
    }

    #[test]
    fn warpgroups_of_mixed_signs_are_chosen_by_an_nvrtc_that_compiles_them() {
        let best = |nvrtc| best::<i8, u8>(&mixed::KERNELS, [1024, 1024, 256], nvrtc);
        assert_eq!(best((12, 0)), None);
        assert_eq!(best((12, 4)), Some(PtxFeature::MixedSigns));
    }

    #[gemm]
    fn projections(
        x: Mat<bf16, M, K>,
        q: Mat<bf16, Q, K>,
        k: Mat<bf16, N, K>,
        v: Mat<bf16, N, K>,
    ) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>, Mat<bf16, M, N>) {
        (matmul(x, q), matmul(x, k), matmul(x, v))
    }

    #[test]
    fn tiles_of_each_product_in_turn_are_counted() {
        let options = EmulatorOptions::default().target(Target::Sm90a).machine(H200);
        let device = Device::emulator_with(options);
        let weights = |rows| device.zeros::<bf16>(rows, 4096).expect("it fits");
        let (x, q, k, v) = (weights(512), weights(4096), weights(1024), weights(1024));
        let arguments = [x.argument(), q.argument(), k.argument(), v.argument()];
        let query = LaunchQuery::new(&device, &projections::KERNELS, &arguments).expect("they fit");
        let candidates = candidates(&query, None);
        let best = projections::KERNELS.numbered(candidates.first().expect("one runs").number);
        let [block_m, block_n, _] = best.launch.block_tile.map(|extent| extent as usize);
        let tiles: usize = [4096usize, 1024, 1024].map(|n| n.div_ceil(block_n)).iter().sum();
        // 192 columns would be 128 tiles of one product of all columns, but are 136 of these.
        assert!(512usize.div_ceil(block_m) * tiles <= 132, "{block_m} x {block_n}");
    }
}
