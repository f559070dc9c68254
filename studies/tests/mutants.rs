//! A mutant of a golden is caught, refused by the compiler, the same as the original, or survives
//! for a reason that `studies/mutants` gives: a sample, and every barrier, wait and commit of one
//! golden. `cargo xtask mutants` runs them all.

use std::env;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use gemm_studies::mutants::{
    DEFAULT_GOLDENS, Explained, Mutant, Outcome, Worker, judge_all, mutants,
};
use gemm_tests::{Golden, goldens};

/// Mutants of each golden in the random sample.
const SAMPLE: usize = 12;

#[test]
fn a_mutant_of_a_sample_is_caught_or_explained() {
    let seed = env::var("GEMM_RANDOM_SEED").map_or_else(
        |_| fastrand::u64(..),
        |text| text.parse().unwrap_or_else(|error| panic!("GEMM_RANDOM_SEED={text}: {error}")),
    );
    println!("GEMM_RANDOM_SEED={seed}");
    let mut rng = Rng::with_seed(seed);
    for name in DEFAULT_GOLDENS {
        let all = mutants(&golden(name).kernel.text);
        let mut numbers: Vec<usize> = (0..all.len()).collect();
        rng.shuffle(&mut numbers);
        assert_caught_or_explained(name, &all, &numbers[..SAMPLE]);
    }
}

#[test]
fn every_barrier_wait_and_commit_is_needed_or_explained() {
    let name = DEFAULT_GOLDENS[0];
    let all = mutants(&golden(name).kernel.text);
    let numbers: Vec<usize> =
        (0..all.len()).filter(|number| all[*number].is_synchronization).collect();
    let caught = assert_caught_or_explained(name, &all, &numbers);
    assert!(caught >= 20, "only {caught} of {} were caught", numbers.len());
}

fn golden(name: &str) -> &'static Golden {
    goldens::named(name).expect("the golden is there")
}

/// How many were caught.
fn assert_caught_or_explained(golden: &'static str, all: &[Mutant], numbers: &[usize]) -> usize {
    let worker = Worker {
        program: PathBuf::from(env!("CARGO_BIN_EXE_mutants")),
        golden,
        limit: Duration::from_secs(300),
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let judged = judge_all(&worker, numbers, cores, &|_, _| ()).unwrap_or_else(|error| {
        panic!("{golden}: {error}");
    });
    let explained = Explained::of(golden).expect("the file is readable");
    let survivors = judged.iter().filter(|(_, outcome)| *outcome == Outcome::Survived);
    let unexplained: Vec<&str> = survivors
        .map(|(number, _)| all[*number].name.as_str())
        .filter(|name| explained.reason(name).is_none())
        .collect();
    assert!(
        unexplained.is_empty(),
        "{golden}: nothing catches, and {} does not explain\n{}",
        Explained::path(golden).display(),
        unexplained.join("\n")
    );
    judged.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Caught { .. })).count()
}
