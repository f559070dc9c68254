//! The terms of an element, for a message.

use std::fmt::Write as _;

use gemm_check::record::{Record, RecordedMatrix};
use gemm_codegen::Axis;

/// Lines of a message.
const LINES: usize = 64;

/// The products that element (m, n) of a matrix is the sum of, in the order of k, each product of factors apart.
pub(super) fn terms(record: &Record, matrix: usize, [m, n]: [usize; 2]) -> String {
    let of = |axis| {
        record
            .matrices
            .iter()
            .filter(move |matrix| matrix.axes.contains(&Axis::K) && matrix.axes.contains(&axis))
    };
    let mut text = String::new();
    for a in of(Axis::M).take(1) {
        for (number, b) in of(Axis::N).enumerate() {
            let depth = a.shape[usize::from(a.axes[1] == Axis::K)];
            let _ = writeln!(
                text,
                "  terms of product {number}: a[m][k] * b[k][n], and their sum in f64"
            );
            let mut sum = 0.0;
            for k in 0..depth.min(LINES) {
                let [x, y] = [(a, m), (b, n)].map(|(from, at)| element(from, matrix, at, k));
                sum += x * y;
                let _ = writeln!(text, "    k = {k}: {x:e} * {y:e} = {:e}; {sum:e}", x * y);
            }
            if depth > LINES {
                let _ = writeln!(text, "    and {} more", depth - LINES);
            }
        }
    }
    text
}

/// The element of a factor at a row or column and k. A factor with fewer matrices than the output is taken by the
/// remainder of the number.
fn element(of: &RecordedMatrix, matrix: usize, at: usize, k: usize) -> f64 {
    let [rows, columns] = of.shape;
    let [row, column] = if of.axes[1] == Axis::K { [at, k] } else { [k, at] };
    let matrices = (of.elements.len() / (rows * columns).max(1)).max(1);
    let index = (matrix % matrices * rows + row) * columns + column;
    of.elements.get(index).copied().unwrap_or(f64::NAN)
}
