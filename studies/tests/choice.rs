//! The cost model chooses well among schedules whose times were measured, in microseconds, by `bench
//! choice --clock turns` on an H200: `studies/measurements/h200_f16.csv` has older times of schedules
//! without clusters, `h200_f16_clusters.csv` those of all. Products below [`LONGEST`] are compared; longer
//! ones depend on the clock more than on the schedule.

use std::collections::HashMap;

use gemm_codegen::hardware::H200;
use gemm_runtime::prelude::*;

/// Microseconds of the longest product that is compared.
const LONGEST: f64 = 170.0;

/// The function that was measured.
#[gemm(auto)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

#[test]
fn the_model_chooses_schedules_near_the_fastest() {
    are_near("h200_f16.csv", 180, [0.974, 0.76, 0.74]);
    are_near("h200_f16_clusters.csv", 110, [0.967, 0.70, 0.74]);
}

/// Checks that at more shapes of a record than `least` the model chooses schedules near the fastest: their
/// mean, the share within 3 %, and the worst are at least `bounds`.
fn are_near(record: &str, least: usize, bounds: [f64; 3]) {
    let chosen: Vec<f64> = shares(record);
    assert!(chosen.len() > least, "{}", chosen.len());
    let logs: f64 = chosen.iter().map(|share| share.ln()).sum();
    let mean = (logs / chosen.len() as f64).exp();
    let near = chosen.iter().filter(|share| **share >= 0.97).count();
    let worst = chosen.iter().copied().fold(1.0, f64::min);
    let near_share = near as f64 / chosen.len() as f64;
    println!(
        "{record}, {} shapes: mean {mean:.4}, within 3 % {near_share:.3}, worst {worst:.3}",
        chosen.len()
    );
    let found = [mean, near_share, worst];
    assert!(found.iter().zip(&bounds).all(|(found, bound)| found >= bound), "{found:?}");
}

/// Of each shape, the time of the fastest schedule over that of the one that the model chooses.
fn shares(record: &str) -> Vec<f64> {
    let path = format!("{}/measurements/{record}", env!("CARGO_MANIFEST_DIR"));
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
