//! The picture of a step of a tensor core, from sums of the emulator.

use gemm_book::summation::{BEFORE, DRAWN, Product, add};
use gemm_pictures::Picture;
use gemm_pictures::summation::{Step, Term, picture};
use roxmltree::Node;

use crate::parse::{document, having, number, word};

/// Adds in one step onto zero.
fn add_once(products: &[Product]) -> f64 {
    f64::from(add(&[products]).expect("it runs"))
}

/// What a step whose largest exponent is 0 keeps of a product: 1 and −1 cancel.
fn kept(product: Product) -> f64 {
    add_once(&[[1.0, 1.0], [-1.0, 1.0], product])
}

/// The step that the book describes.
fn step() -> Step {
    let c = f64::from(add(&[&BEFORE]).expect("it runs"));
    assert!((1.0..2.0).contains(&c));
    let products = DRAWN.iter().enumerate().map(|(k, &product)| Term {
        name: format!("a{k} · b{k}"),
        value: product.map(f64::from).iter().product(),
        kept: kept(product),
    });
    let is_kept = |bits: &i32| kept([2f32.powi(-12), 2f32.powi(12 - bits)]) != 0.0;
    let fraction_bits = (14..27).take_while(is_kept).last().expect("some") as u32;
    let first = Term { name: "c".to_owned(), value: c, kept: c };
    let sum = add(&[&BEFORE, &DRAWN]).expect("it runs");
    Step { terms: [first].into_iter().chain(products).collect(), fraction_bits, sum }
}

/// The picture in the book.
pub(crate) fn drawn() -> Picture {
    picture(&step())
}

/// The number that a row shows, and what is left without the bits that are dropped.
fn read(row: Node<'_, '_>) -> [f64; 2] {
    let sign = if row.has_attribute("data-negative") { -1.0 } else { 1.0 };
    let mut read = [0.0; 2];
    for bit in having(row, "below") {
        let value = sign * f64::from(number(bit, "bit")) * 0.5f64.powi(number(bit, "below") as i32);
        read[0] += value;
        read[1] += if bit.has_attribute("data-lost") { 0.0 } else { value };
    }
    read
}

#[test]
fn the_bits_of_a_step_are_those_of_the_emulator() {
    let (step, picture) = (step(), drawn());
    let document = document(&picture);
    let rows: Vec<_> = having(document.root_element(), "term").collect();
    assert_eq!(rows.len(), step.terms.len() + 2);
    for (row, term) in rows.iter().zip(&step.terms) {
        assert_eq!(word(*row, "term"), term.name);
        assert_eq!(read(*row), [term.value, term.kept], "{}", term.name);
    }
    let sum = f64::from(step.sum);
    let exact: f64 = step.terms.iter().map(|term| term.kept).sum();
    assert_eq!(read(rows[rows.len() - 2]), [exact, sum]);
    assert_eq!(read(rows[rows.len() - 1]), [sum, sum]);
}

#[test]
fn a_step_truncates_as_the_book_says() {
    let step = step();
    assert_eq!(step.fraction_bits, 25);
    for term in &step.terms {
        let scale = 2f64.powi(25);
        assert_eq!(term.kept, (term.value * scale).trunc() / scale, "{}", term.name);
    }
    let ulps = |x: f64| x * 2f64.powi(23);
    let all: f64 = step.terms.iter().map(|term| term.value).sum();
    assert_eq!(ulps(f64::from(step.sum) - 1.5), 10.0);
    assert_eq!(ulps(f64::from(all as f32) - 1.5), 11.0);
}
