//! The cost model chooses well among schedules whose times were measured:
//! `studies/measurements/h200_f16.csv`, microseconds by `bench choice --clock turns --rounds 3` on an
//! H200. Those below [`LONGEST`] are compared; longer ones depend on the clock more than on
//! the schedule.

use std::collections::HashMap;

use gemm_runtime::prelude::*;
use gemm_runtime::{Machine, Target};

/// Microseconds of the longest product that is compared.
const LONGEST: f64 = 170.0;

/// As the driver describes it.
const H200: Machine =
    Machine { target: Target::Sm90, processors: 132, clock: 1.98e9, memory: 4.917e12 };

/// The function that was measured.
#[gemm(auto)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

#[test]
fn the_model_chooses_schedules_near_the_fastest() {
    let chosen: Vec<f64> = shares();
    assert!(chosen.len() > 180, "{}", chosen.len());
    let logs: f64 = chosen.iter().map(|share| share.ln()).sum();
    let mean = (logs / chosen.len() as f64).exp();
    let near = chosen.iter().filter(|share| **share >= 0.97).count();
    let worst = chosen.iter().copied().fold(1.0, f64::min);
    let near_share = near as f64 / chosen.len() as f64;
    println!(
        "{} shapes: mean {mean:.4}, within 3 % {near_share:.3}, worst {worst:.3}",
        chosen.len()
    );
    assert!(mean >= 0.975 && near_share >= 0.74 && worst >= 0.75);
}

/// Of each shape, the time of the fastest schedule over that of the one that the model chooses.
fn shares() -> Vec<f64> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/measurements/h200_f16.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let ids: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let choices: HashMap<&str, _> =
        product::KERNELS.choices().map(|choice| (choice.id(), choice)).collect();
    let share = |record: csv::StringRecord| {
        let extent = |column: usize| record[column].parse::<usize>().unwrap();
        let [m, n, k] = [0, 1, 2].map(extent);
        let times = ids.iter().zip(record.iter()).skip(3);
        let times: Vec<(&str, f64)> =
            times.filter_map(|(id, time)| Some((id.as_str(), time.parse().ok()?))).collect();
        let seconds = |id: &str| {
            let choice = choices[id];
            let shape = if choice.is_swapped() { [n, m, k] } else { [m, n, k] };
            choice.footprint().seconds(shape, 1, &H200)
        };
        let fastest = times.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
        let (_, chosen) =
            times.iter().min_by(|(one, _), (other, _)| seconds(one).total_cmp(&seconds(other)))?;
        (fastest < LONGEST).then_some(fastest / chosen)
    };
    reader.records().filter_map(|record| share(record.unwrap())).collect()
}
