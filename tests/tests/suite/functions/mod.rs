//! The table of functions in docs/support.md: how far what the device text of a function computes is
//! from the function in f64, over a sweep of each type.
//!
//! `UPDATE_EXPECT=1 cargo test -p gemm-tests --test suite functions` writes it.

#[allow(unused_variables, reason = "not every group is of two arguments")]
mod kernels;
mod measure;
mod mixed;

use std::fmt::Write as _;

use expect_test::expect_file;
use gemm_runtime::prelude::*;

use self::kernels::{Exact, Factors, GROUPS, Group, Swept};
use self::measure::{EXTENT, distance, shuffled};
use self::mixed::{
    functions_of_integers_are_exact, outputs_next_to_one_of_f32_are_its_results_rounded,
    results_of_8_bits_are_rounded_to_nearest,
};
use crate::Test;
use crate::shared::with_table;

pub(crate) fn tests() -> Vec<Test> {
    tests![
        the_document_has_the_errors_of_all_functions,
        outputs_next_to_one_of_f32_are_its_results_rounded,
        results_of_8_bits_are_rounded_to_nearest,
        functions_of_integers_are_exact,
    ]
}

/// Below it, results of the 16-bit forms may be 0.
const FLUSHED: f64 = f64::from_bits((1023 - 119) << 52);

/// The arguments of a type, on the host and on the device.
struct Sweep<T: Swept> {
    device: Device,
    factors: Factors,
    values: [Vec<T>; 2],
    matrices: [Matrix<T>; 2],
}

impl<T: Swept> Sweep<T> {
    fn new() -> Sweep<T> {
        let device = Device::emulator();
        let x = T::arguments();
        let values = [shuffled(&x), x];
        let matrices = [1, 0]
            .map(|at| device.matrix(EXTENT, EXTENT, &values[at]).expect("it fits the memory"));
        let [y, x] = values;
        Sweep { factors: Factors::ones(&device), device, values: [x, y], matrices }
    }

    /// The largest error of each function of a group, and where it is.
    fn worst(&self, group: &Group) -> [Worst; 4] {
        let [x, y] = &self.matrices;
        // The 16-bit forms flush a factor below 2^-126; the other one is below 2^7.
        let has_short_form = T::DIGITS < 20 && group.has_short_form;
        let flushed_below = if has_short_form { FLUSHED } else { 0.0 };
        let results = T::run(group)(&self.device, &self.factors, x, y);
        let results = results.iter().map(|result| result.to_vec().expect("it was written"));
        let results: Vec<Vec<T>> = results.collect();
        std::array::from_fn(|at| self.largest(group.functions[at].1, &results[at], flushed_below))
    }

    fn largest(&self, exact: Exact, results: &[T], flushed_below: f64) -> Worst {
        let mut worst = Worst::default();
        for ((x, y), result) in self.values[0].iter().zip(&self.values[1]).zip(results) {
            let arguments = [x.to_f64(), y.to_f64()];
            let expected = exact(arguments[0], arguments[1]);
            let flushed = result.to_f64() == 0.0 && expected.abs() < flushed_below;
            let error = if flushed { 0.0 } else { distance(*result, expected) };
            if error > worst.error {
                worst = Worst { error, arguments, result: result.to_f64(), expected };
            }
        }
        worst
    }
}

/// The largest error, in units in the last place, and where it is.
#[derive(Default)]
struct Worst {
    error: f64,
    arguments: [f64; 2],
    result: f64,
    expected: f64,
}

impl Worst {
    /// A zero of the wrong sign, a NaN or an infinity are not a matter of units.
    fn check(&self, of: &str) {
        let Worst { error, arguments: [x, y], result, expected } = self;
        assert!(error.is_finite(), "{of} is {result} at ({x}, {y}), not {expected}");
    }
}

fn errors<T: Swept>() -> Vec<Worst> {
    let sweep = Sweep::<T>::new();
    GROUPS.iter().flat_map(|group| sweep.worst(group)).collect()
}

/// Errors as the table states them: rounded up, so that no digit hangs on the host's libraries.
fn stated(worst: &Worst, of: &str) -> String {
    worst.check(of);
    match worst.error {
        0.0 => "exact".to_owned(),
        error if error < 1.0 => format!("{:.2}", (error * 100.0).ceil() / 100.0),
        error if error < 10.0 => format!("{:.1}", (error * 10.0).ceil() / 10.0),
        error => format!("{:.0}", (error / 10.0).ceil() * 10.0),
    }
}

/// The same for f64, whose twin on the host rounds, too: a power of two.
fn stated_from_two(worst: &Worst, of: &str) -> String {
    worst.check(of);
    match worst.error {
        0.0 => "exact".to_owned(),
        error if error <= 0.5 => "0.5".to_owned(),
        error => format!("{:.0}", error.max(2.0).log2().ceil().exp2()),
    }
}

fn table() -> String {
    let [f16, bf16, f32] = [errors::<f16>(), errors::<bf16>(), errors::<f32>()];
    let f64 = errors::<f64>();
    let mut text =
        String::from("| function | f16 | bf16 | f32 | f64 |\n| --- | --- | --- | --- | --- |\n");
    let functions = GROUPS.iter().flat_map(|group| group.functions);
    for (row, (name, _)) in functions.enumerate() {
        let [f16, bf16, f32] = [&f16, &bf16, &f32].map(|column| stated(&column[row], name));
        let f64 = stated_from_two(&f64[row], name);
        let _ = writeln!(text, "| `{name}` | {f16} | {bf16} | {f32} | {f64} |");
    }
    text
}

fn the_document_has_the_errors_of_all_functions() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/support.md");
    let document = std::fs::read_to_string(path).expect("docs/support.md");
    expect_file![path].assert_eq(&with_table(&document, "functions", &table()));
}
