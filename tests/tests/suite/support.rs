//! The tables of docs/support.md: each pair of elements in each order, as its derived plan has it, on
//! tensor cores and without.
//!
//! `UPDATE_EXPECT=1 cargo test -p gemm-tests --test suite support` writes it.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use expect_test::expect_file;
use gemm_codegen::level::mma::Unit;
use gemm_codegen::{Atom, Element, LoadPath, Mma, Plan, Schedule, Side};

use crate::Test;
use crate::shared::{atom, orders, product, tensor_precision, with_table};

/// The derived plan of a product in these orders: with this atom, or on tensor cores if none is named.
fn plan(pair: [Element; 2], order: [bool; 3], mma: Option<Mma>) -> Plan {
    let precision = tensor_precision(pair[0]).filter(|_| mma.is_none());
    let spec = product(pair, order, Schedule { mma, precision, ..Schedule::default() });
    Plan::new(&spec).unwrap_or_else(|broken| panic!("{pair:?}: {broken}"))
}

/// How a side is read, in words.
fn path(plan: &Plan, side: Side) -> &'static str {
    match plan.feed(side).loads().map(|loads| loads.path) {
        Some(LoadPath::Ldmatrix { transposed: false }) => "`ldmatrix`",
        Some(LoadPath::Ldmatrix { transposed: true }) => "`ldmatrix.trans`",
        Some(LoadPath::LdmatrixBytes) => "`ldmatrix.trans` of 2 bytes",
        Some(LoadPath::Elements) => "element by element",
        Some(LoadPath::Runs(_)) => "vectors along k",
        Some(LoadPath::Packed(_)) => "packed vectors",
        Some(LoadPath::Vectors(_)) => unreachable!("no tensor core reads vectors"),
        Some(LoadPath::Chunks) => "by chunks",
        None => "by descriptor",
    }
}

/// Proves all orders of a pair legal and free of bank conflicts.
fn prove(pair: [Element; 2], mma: Option<Mma>) {
    for number in 0..8 {
        let plan = plan(pair, orders(number), mma);
        for side in Side::BOTH {
            assert_eq!(plan.feed(side).bank_passes(), 1, "{pair:?} {number}");
            assert_eq!(plan.global_to_shared(side).bank_passes, 1, "{pair:?} {number}");
        }
    }
}

/// One row of the table of tensor cores.
fn row(text: &mut String, pair: [Element; 2]) {
    prove(pair, None);
    let [a, b] = pair;
    let order = |k_contiguous| plan(pair, [k_contiguous, k_contiguous, true], None);
    let (along_k, across) = (order(true), order(false));
    let of_warps = Mma::ALL.into_iter().rev().filter(|shape| shape.warps() == 1);
    let mut atoms: Vec<&Atom> = of_warps.filter_map(|shape| Atom::find(shape, a, b)).collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.shape.shape()[2]));
    let names: Vec<String> =
        atoms.iter().map(|atom| format!("{} ({})", atom.shape.name(), atom.on)).collect();
    let sums = atoms[0].accumulators;
    assert!(atoms.iter().all(|atom| atom.accumulators == sums), "{pair:?}");
    let sums = sums.iter().map(|sums| sums.name()).collect::<Vec<_>>().join(", ");
    let elements = match (tensor_precision(a), a == b) {
        (Some(precision), _) => format!("{a}, `precision = {}`", precision.name()),
        (None, true) => a.to_string(),
        (None, false) => format!("{a} by {b}"),
    };
    let [with_k, without_k] = [&along_k, &across].map(|plan| path(plan, Side::A));
    assert_eq!([path(&along_k, Side::B), path(&across, Side::B)], [with_k, without_k]);
    let _ =
        writeln!(text, "| {elements} | {sums} | {} | {with_k} | {without_k} |", names.join(", "));
}

fn table() -> String {
    let mut text = String::from(
        "| elements | sums | atoms, and since when | rows along K | rows along M or N |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for a in Element::ALL {
        for b in Element::ALL {
            if atom([a, b]).is_some() && a as u32 <= b as u32 {
                row(&mut text, [a, b]);
            }
        }
    }
    text
}

/// One row of the table of register tiles.
fn lanes(text: &mut String, element: Element, mma: Mma) {
    prove([element; 2], Some(mma));
    let plan = |k_contiguous| plan([element; 2], [k_contiguous, k_contiguous, true], Some(mma));
    let vector = |k_contiguous| {
        let plan = plan(k_contiguous);
        let Unit::Fma(tile) = plan.mma().unit else { panic!("it has no tensor core") };
        let [a, b] = Side::BOTH.map(|side| tile.vector(side));
        assert_eq!(a, b, "both sides are alike");
        format!("{a} elements, {} B", a * element.bytes())
    };
    let (along_k, across) = (vector(true), vector(false));
    let sums = plan(true).mma().accumulator.name();
    let _ = writeln!(text, "| {element} | {sums} | {along_k} | {across} |");
}

fn table_of_lanes() -> String {
    let mut text = String::from(
        "| elements | sums | vectors of rows along K | vectors of rows along M or N |\n\
         | --- | --- | --- | --- |\n",
    );
    let eight = NonZeroU16::new(8).expect("it is 8");
    for element in [Element::F16, Element::Bf16, Element::F32, Element::F64] {
        lanes(&mut text, element, Mma::Fma { m: eight, n: eight });
    }
    text
}

pub(crate) fn tests() -> Vec<Test> {
    tests![the_document_has_the_tables]
}

fn the_document_has_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/support.md");
    let document = std::fs::read_to_string(path).expect("docs/support.md");
    let written = with_table(&document, "elements", &table());
    expect_file![path].assert_eq(&with_table(&written, "lanes", &table_of_lanes()));
}
