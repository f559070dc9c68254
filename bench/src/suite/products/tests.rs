//! The parts of the comparison that need no GPU.

use half::bf16;

use super::operands::{Outputs, place};
use super::{Products, Stored};
use crate::operands::{Sample as _, random};

#[test]
fn an_element_is_the_same_in_one_buffer_and_in_several() {
    let (rows, columns) = (3, 8);
    let value = |row: usize, column: usize| bf16::from_f64((row * 2 * columns + column) as f64);
    let of = |columns: &dyn Fn(usize) -> std::ops::Range<usize>, count: usize| {
        let buffer =
            |at| (0..rows).flat_map(move |row| columns(at).map(move |column| value(row, column)));
        let buffers: Vec<Vec<bf16>> = (0..count).map(|at| buffer(at).collect()).collect();
        Outputs { widths: vec![columns(0).len(); buffers.len()], buffers }
    };
    let joined = of(&|_| 0..2 * columns, 1);
    let separate = of(&|at| at * columns..(at + 1) * columns, 2);
    for row in 0..rows {
        for column in 0..2 * columns {
            assert_eq!(joined.at(row, column), value(row, column).to_f64());
            assert_eq!(separate.at(row, column), value(row, column).to_f64());
        }
    }
}

#[test]
fn sums_have_unit_variance() {
    let (sums, k) = (1000, 1024);
    let products = Products { m: sums, columns: &[1, 1], k, stored: Stored::Gated };
    let x = random::<bf16>(sums * k, bf16::LARGEST);
    let weights = random::<bf16>(sums * k, products.largest_weight());
    let sum = |(x, w): (&[bf16], &[bf16])| -> f64 {
        x.iter().zip(w).map(|(x, w)| x.to_f64() * w.to_f64()).sum()
    };
    let pairs = x.chunks_exact(k).zip(weights.chunks_exact(k));
    let variance = pairs.map(|pair| sum(pair).powi(2)).sum::<f64>() / sums as f64;
    // Its standard deviation is 0.045.
    assert!((0.75..1.25).contains(&variance), "{variance}");
}

#[test]
fn the_joined_product_has_the_columns_of_all() {
    let products = Products { m: 16, columns: &[4096; 3], k: 4096, stored: Stored::Sums };
    assert_eq!(products.joined().shape, [16, 3 * 4096, 4096]);
    assert_eq!(products.outputs(), [4096; 3]);
    assert_eq!(products.name(), "3 of 16×4096×4096");
    assert_eq!(Products { stored: Stored::Gated, ..products }.outputs(), [4096]);
    let grouped = Products { columns: &[4096, 1024, 1024], ..products };
    assert_eq!(grouped.joined().shape, [16, 6144, 4096]);
    assert_eq!(grouped.name(), "16×(4096 + 1024 + 1024)×4096");
}

#[test]
fn a_column_of_all_lies_in_one_matrix() {
    let places = [0, 3, 4, 5, 6].map(|column| place(&[4, 1, 2], column));
    assert_eq!(places, [(0, 0), (0, 3), (1, 0), (2, 0), (2, 1)]);
}
