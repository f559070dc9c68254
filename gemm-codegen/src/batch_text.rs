//! Batches in emitted text: the matrix of a block, and the copies that take its indices as coordinates.
//!
//! Device text is written for a batch of several indices: a matrix is a `Matrix`, with a member for each
//! index, and `Counts` has the values of all but the outermost. Where there is one index, a matrix is its
//! number; without a batch there is none.

use crate::text::instruction::replace_operand;
use crate::text::{Parts, select};

/// What is left out of device text where a batch has a single index or none.
const OF_COUNTS: [(&str, &str); 5] = [
    ("Counts counts;\n    ", ""),
    ("Counts counts, ", ""),
    ("counts(counts), ", ""),
    ("counts, ", ""),
    ("counts.matrix(tile / matrix_tiles)", "tile / matrix_tiles"),
];

/// What is left out of it without a batch.
const OF_MATRICES: [(&str, &str); 6] = [
    ("Matrix matrix,\n    ", ""),
    ("Matrix matrix, ", ""),
    (", matrix,", ","),
    (
        "BatchBox box, unsigned barrier,\n    unsigned long",
        "Box box, unsigned barrier, unsigned long",
    ),
    ("BatchBox", "Box"),
    ("int col, row; Matrix matrix;", "int col, row;"),
];

/// What a matrix is where a batch has one index.
const OF_ONE: [(&str, &str); 2] =
    [("; Matrix matrix;", ", matrix;"), ("Matrix matrix", "int matrix")];

/// The text of a file with the parts that a plan has, for a batch of this rank.
pub(crate) fn select_rank(file: &str, parts: Parts<'_>, rank: usize) -> String {
    let all: &[&[(&str, &str)]] = match rank {
        0 => &[&OF_COUNTS, &OF_MATRICES],
        1 => &[&OF_COUNTS, &OF_ONE],
        _ => &[],
    };
    let text = select(file, parts);
    let text = all.iter().copied().flatten().fold(text, |text, (from, to)| text.replace(from, to));
    // The copy unit counts the coordinates of the innermost index first.
    let coordinates = |matrix: &str| coordinates(matrix, rank).into_iter().rev().collect();
    let copies = text.replace(".tensor.3d", &format!(".tensor.{}d", rank + 2));
    replace_operand(&copies, "matrix", coordinates)
}

/// The type of the matrix of a block, if there is one.
pub(crate) fn matrix_type(rank: usize) -> Option<&'static str> {
    match rank {
        0 => None,
        1 => Some("int"),
        _ => Some("Matrix"),
    }
}

/// The structs of a matrix of a batch over several indices, and of the values of these.
pub(crate) fn cuda_structs(rank: usize) -> String {
    if rank < 2 {
        return String::new();
    }
    let list = |from: usize| (from..rank).map(|index| format!("i{index}")).collect::<Vec<_>>();
    let value = |index: usize| {
        let within = (index + 1..rank).rev().map(|inner| format!(" / i{inner}"));
        let number = within.fold("number".to_owned(), |number, by| number + &by);
        if index == 0 { number } else { format!("{number} % i{index}") }
    };
    format!(
        "struct Matrix {{ int {members}; }};  // of a batch, by the values of its indices\n\
         struct Counts {{  // values of all indices but the outermost\n    \
         int {inner};\n    \
         __device__ __forceinline__ Matrix matrix(int number) const {{\n        \
         return {{{values}}};\n    \
         }}\n\
         }};\n",
        members = list(0).join(", "),
        inner = list(1).join(", "),
        values = (0..rank).map(value).collect::<Vec<_>>().join(", "),
    )
}

/// The parameter of an entry point that has the values of a batch index.
pub(crate) fn count(index: usize) -> String {
    format!("count_{index}")
}

/// The argument that has these counts, after others.
pub(crate) fn counts_argument(rank: usize) -> String {
    let counts: Vec<String> = (1..rank).map(count).collect();
    if counts.is_empty() { String::new() } else { format!(", {{{}}}", counts.join(", ")) }
}

/// The distance of the matrices of `name` along an index of a batch.
pub(crate) fn stride(name: &str, index: usize, rank: usize) -> String {
    match rank {
        1 => format!("stride_{name}"),
        _ => format!("stride_{index}_{name}"),
    }
}

/// Elements from the first matrix of `name` to `matrix`.
pub(crate) fn offset(name: &str, matrix: &str, rank: usize) -> String {
    let along = |(index, coordinate)| format!("{coordinate} * {}", stride(name, index, rank));
    coordinates(matrix, rank).into_iter().enumerate().map(along).collect::<Vec<_>>().join(" + ")
}

/// The values of the indices of a matrix, the outermost first.
fn coordinates(matrix: &str, rank: usize) -> Vec<String> {
    match rank {
        1 => vec![matrix.to_owned()],
        _ => (0..rank).map(|index| format!("{matrix}.i{index}")).collect(),
    }
}
