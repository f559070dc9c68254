//! Runs every golden on the emulator, which refuses any access that a GPU might let pass, and
//! checks every element of the output.

use fastrand::Rng;
use gemm_runtime::{Device, Shape};
use gemm_tests::data::Alignment;
use gemm_tests::{Golden, Problem, goldens};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let tests = goldens::ALL.iter().map(|golden| Trial::test(golden.name, || run(golden)));
    libtest_mimic::run(&Arguments::from_args(), tests.collect()).exit();
}

fn run(golden: &'static Golden) -> Result<(), Failed> {
    let device = Device::emulator();
    for (seed, (shape, alignment)) in cases(golden).into_iter().enumerate() {
        let mut problem = Problem::new(&device, shape, alignment, seed as u64);
        (golden.check)(&mut problem)
            .map_err(|failure| format!("{shape:?}, alignment {alignment:?}: {failure}"))?;
    }
    Ok(())
}

/// The edges of a golden's tile from both sides, the smallest shapes, and each alignment.
fn cases(golden: &Golden) -> Vec<(Shape, Alignment)> {
    let [m, n, k] = golden.kernel.block_tile.map(|extent| extent as usize);
    let shape = |m, n, k| Shape { m, n, k };
    let mut rng = Rng::with_seed(m as u64 ^ n as u64);
    let mut odd = |extent: usize| rng.usize(0..extent / 2) * 2 + 1;
    vec![
        (shape(1, 1, 1), Alignment::Bytes(2)),
        (shape(m, n, k), Alignment::Bytes(16)),
        (shape(m + 1, n - 1, 2 * k + 1), Alignment::Bytes(16)),
        (shape(odd(m), n + odd(n), 3 * k + odd(k)), Alignment::Bytes(8)),
        (shape(m + odd(m), odd(n), odd(k)), Alignment::Bytes(4)),
        (shape(odd(m), odd(n), 6 * k - odd(k)), Alignment::Bytes(2)),
        (shape(m - 1, n + 1, 5 * k), Alignment::Mixed),
        (shape(odd(m), odd(n), 0), Alignment::Bytes(16)),
        (shape(0, n, k), Alignment::Bytes(16)),
        (shape(m, 0, k), Alignment::Bytes(16)),
    ]
}
