//! What several modules of the suite use: a plain product, what every text keeps to, and the place of a table in a
//! document.

use gemm_codegen::body::Body;
use gemm_codegen::{
    Atom, Element, Kernel, Mma, Operand, OperandKind, Output, OutputIndices, Precision, Schedule,
    Spec, Variant,
};

/// Of a line of an emitted text.
const MOST_COLUMNS: usize = 100;

/// What every emitted text keeps to: no line is too long to be read beside another file, and the alignment of each
/// operand is where its variants say another.
pub(crate) fn check_emitted(kernel: &Kernel) -> Result<(), String> {
    if let Some(line) = kernel.text.lines().find(|line| line.chars().count() > MOST_COLUMNS) {
        return Err(format!("a line is longer than {MOST_COLUMNS} columns:\n{line}"));
    }
    for constant in kernel.parameters.iter().filter_map(|one| one.align_constant.as_deref()) {
        let mut variant = Variant::default();
        variant.push(constant, 1);
        if variant.text(&kernel.text) == kernel.text {
            return Err(format!("the text does not say {constant}"));
        }
    }
    Ok(())
}

/// An atom that multiplies a pair of elements, if there is one.
pub(crate) fn atom([a, b]: [Element; 2]) -> Option<&'static Atom> {
    Mma::ALL.into_iter().find_map(|shape| Atom::find(shape, a, b))
}

/// The precision with which tensor cores multiply factors of this element, if it is written.
pub(crate) fn tensor_precision(element: Element) -> Option<Precision> {
    (element == Element::F32).then_some(Precision::Tf32)
}

/// A product without an epilogue, stored as its sums. The orders are those of A, B and the output: true where the
/// second index is the usual one, K of the factors and N of the output.
pub(crate) fn product(pair: [Element; 2], order: [bool; 3], schedule: Schedule) -> Spec {
    let indices = |usual: bool, [row, column]: [&str; 2]| {
        if usual { [row, column] } else { [column, row] }.map(str::to_owned)
    };
    let matrix = |name: &str, element, indices| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix { element, indices },
    };
    let value = atom(pair).expect("there is an atom").accumulators[0].value();
    let stored = Element::ALL.into_iter().find(|element| element.stored_from()[0] == value);
    Spec {
        name: "product".to_owned(),
        operands: vec![
            matrix("a", pair[0], indices(order[0], ["M", "K"])),
            matrix("b", pair[1], indices(order[1], ["N", "K"])),
        ],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element: stored.expect("every sum can be stored"),
            indices: OutputIndices::Matrix(indices(order[2], ["M", "N"])),
        }],
        body: Body::matmul("a", "b"),
        schedule,
    }
}

/// The orders of a number from 0 to 7.
pub(crate) fn orders(number: u32) -> [bool; 3] {
    [0, 1, 2].map(|bit| number >> bit & 1 == 0)
}

/// The document with a table between the comments of its name.
pub(crate) fn with_table(document: &str, name: &str, table: &str) -> String {
    let [before, _, after] = around_table(document, name);
    format!("{before}{table}{after}")
}

/// The table between the comments of its name.
pub(crate) fn table_in<'a>(document: &'a str, name: &str) -> &'a str {
    around_table(document, name)[1]
}

/// What comes before a table, with the comment of its name, the table, and what comes after it.
fn around_table<'a>(document: &'a str, name: &str) -> [&'a str; 3] {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let start = document.find(&start).expect("a place for the table") + start.len();
    let (before, rest) = document.split_at(start);
    let (table, after) = rest.split_at(rest.find(&end).expect("an end of the table"));
    [before, table, after]
}
