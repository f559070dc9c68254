//! Every test of the package but those that need a program of it: one binary, which is linked once
//! and whose tests share the cores to the end.
//!
//! `cargo test -p gemm-tests --test suite emulator::` runs those of one module.

use std::env;

use libtest_mimic::{Arguments, Failed, Trial};

/// A list of [`Test`]s from functions that panic when they fail.
macro_rules! tests {
    ($($name:ident),+ $(,)?) => {
        vec![$($crate::Test::new(stringify!($name), || { $name(); Ok(()) })),+]
    };
}

mod bank_conflicts;
mod check_kernel;
mod circles;
mod derived;
mod documents;
mod emulator;
mod error_bounds;
mod facts;
mod forms;
mod functions;
mod goldens;
mod harness;
mod interleavings;
pub mod legal;
mod nvrtc;
mod ownership;
mod planted_bugs;
mod ptx_features;
mod ptxas;
mod random_specs;
mod raster;
mod shared;
mod summation;
mod support;

/// A test and its name within its module.
struct Test {
    name: String,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

impl Test {
    fn new(
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) -> Test {
        Test { name: name.into(), run: Box::new(run) }
    }
}

/// A module's name and its tests.
type Module = (&'static str, fn() -> Vec<Test>);

/// The modules; those with the longest tests first, so that no core is left with one at the end.
const MODULES: [Module; 23] = [
    ("bank_conflicts", bank_conflicts::tests),
    ("derived", derived::tests),
    ("ptxas", ptxas::tests),
    ("planted_bugs", planted_bugs::tests),
    ("random_specs", random_specs::tests),
    ("summation", summation::tests),
    ("ownership", ownership::tests),
    ("raster", raster::tests),
    ("functions", functions::tests),
    ("error_bounds", error_bounds::tests),
    ("check_kernel", check_kernel::tests),
    ("emulator", emulator::tests),
    ("interleavings", interleavings::tests),
    ("goldens", goldens::tests),
    ("facts", facts::tests),
    ("forms", forms::tests),
    ("support", support::tests),
    ("legal", legal::tests),
    ("harness", harness::tests),
    ("nvrtc", nvrtc::tests),
    ("ptx_features", ptx_features::tests),
    ("circles", circles::tests),
    ("documents", documents::tests),
];

/// Has each test print a line when it starts: `cargo xtask test` shows which ones run.
const STARTS_VARIABLE: &str = "GEMM_TEST_STARTS";

fn main() {
    let starts = env::var_os(STARTS_VARIABLE).is_some();
    let trials = MODULES.into_iter().flat_map(|(module, tests)| {
        let trial = move |test: Test| {
            let name = format!("{module}::{}", test.name);
            Trial::test(name.clone(), move || {
                if starts {
                    println!("start {name}");
                }
                (test.run)()
            })
        };
        tests().into_iter().map(trial)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
