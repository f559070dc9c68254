//! The tables of docs/support.md: each pair of elements in each order, as its derived plan has it, on
//! tensor cores and without.
//!
//! `UPDATE_EXPECT=1 cargo test -p gemm-tests --test suite support` writes it.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use expect_test::expect_file;
use gemm_codegen::body::Body;
use gemm_codegen::{
    Atom, Element, LoadPath, Mma, Operand, OperandKind, Output, Plan, Schedule, Side, Spec,
};

use crate::Test;

/// The derived plan of a product in these orders, with this atom if one is named.
fn plan([a, b]: [Element; 2], [a_k, b_k]: [bool; 2], n_contiguous: bool, mma: Option<Mma>) -> Plan {
    let order = |along: bool, [row, column]: [&str; 2]| {
        if along { [row, column] } else { [column, row] }.map(str::to_owned)
    };
    let matrix = |name: &str, element, indices| Operand {
        name: name.to_owned(),
        batch: None,
        kind: OperandKind::Matrix { element, indices },
    };
    let product = Mma::ALL.into_iter().find_map(|shape| Atom::find(shape, a, b));
    let value = product.expect("there is an atom").accumulators[0].value();
    let stored = Element::ALL.into_iter().find(|element| element.stored_from()[0] == value);
    let spec = Spec {
        name: "product".to_owned(),
        operands: vec![
            matrix("a", a, order(a_k, ["M", "K"])),
            matrix("b", b, order(b_k, ["N", "K"])),
        ],
        outputs: vec![Output {
            in_place: None,
            batch: None,
            element: stored.expect("every sum can be stored"),
            indices: order(n_contiguous, ["M", "N"]),
        }],
        body: Body::matmul("a", "b"),
        schedule: Schedule { mma, ..Schedule::default() },
    };
    Plan::new(&spec).unwrap_or_else(|broken| panic!("{a} by {b}: {broken}"))
}

/// How a side is read, in words.
fn path(plan: &Plan, side: Side) -> &'static str {
    match plan.shared_to_register(side).path {
        LoadPath::Ldmatrix { transposed: false } => "`ldmatrix`",
        LoadPath::Ldmatrix { transposed: true } => "`ldmatrix.trans`",
        LoadPath::LdmatrixBytes => "`ldmatrix.trans` of 2 bytes",
        LoadPath::Elements => "element by element",
        LoadPath::Vectors(_) => unreachable!("no tensor core reads vectors"),
    }
}

/// Proves all orders of a pair legal and free of bank conflicts.
fn prove(pair: [Element; 2], mma: Option<Mma>) {
    for number in 0..8 {
        let bit = |at: u32| number >> at & 1 == 0;
        let plan = plan(pair, [bit(0), bit(1)], bit(2), mma);
        for side in Side::BOTH {
            assert_eq!(plan.shared_to_register(side).bank_passes, 1, "{pair:?} {number}");
            assert_eq!(plan.global_to_shared(side).bank_passes, 1, "{pair:?} {number}");
        }
    }
}

/// One row of the table of tensor cores.
fn row(text: &mut String, pair: [Element; 2]) {
    prove(pair, None);
    let [a, b] = pair;
    let order = |k_contiguous| plan(pair, [k_contiguous; 2], true, None);
    let (along_k, across) = (order(true), order(false));
    let mut atoms: Vec<&Atom> =
        Mma::ALL.into_iter().rev().filter_map(|shape| Atom::find(shape, a, b)).collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.shape.shape()[2]));
    let names: Vec<String> =
        atoms.iter().map(|atom| format!("{} ({})", atom.shape.name(), atom.oldest)).collect();
    let sums = atoms[0].accumulators;
    assert!(atoms.iter().all(|atom| atom.accumulators == sums), "{pair:?}");
    let sums = sums.iter().map(|sums| sums.name()).collect::<Vec<_>>().join(", ");
    let elements = if a == b { a.to_string() } else { format!("{a} by {b}") };
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
            let multiplied = Mma::ALL.into_iter().any(|shape| Atom::find(shape, a, b).is_some());
            if multiplied && a as u32 <= b as u32 {
                row(&mut text, [a, b]);
            }
        }
    }
    text
}

/// One row of the table of register tiles.
fn lanes(text: &mut String, element: Element, mma: Mma) {
    prove([element; 2], Some(mma));
    let plan = |k_contiguous| plan([element; 2], [k_contiguous; 2], true, Some(mma));
    let vector = |k_contiguous| {
        let plan = plan(k_contiguous);
        let tile = plan.mma().tile.expect("it has no tensor core");
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

/// The document with a table in its place.
fn with_table(document: &str, name: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = document.split_once(&start).expect("a place for the table");
    let (_, after) = rest.split_once(&end).expect("an end of the table");
    format!("{before}{start}{table}{end}{after}")
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
