//! Batches in emitted text: the matrix of a block, and the copies that take its indices as coordinates.
//!
//! Device text is written for a batch of several indices: a matrix is a `Matrix`, with a member for each
//! index, and `Counts` has the values of all but the outermost. Where there is one index, a matrix is its
//! number; without a batch there is none.

use crate::text::{Parts, select};

/// What is left out of device text where a batch has a single index or none.
const OF_COUNTS: [(&str, &str); 5] = [
    ("Counts counts;\n    ", ""),
    ("Counts counts, ", ""),
    ("counts(counts), ", ""),
    ("counts, ", ""),
    ("counts.matrix(tile / (tiles_m * tiles_n))", "tile / (tiles_m * tiles_n)"),
];

/// What is left out of it where there is no batch.
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
    with_coordinates(&text, rank)
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

/// The parameters of an entry point that are the counts of such a batch.
pub(crate) fn counts(rank: usize) -> Vec<String> {
    (1..rank).map(|index| format!("count_{index}")).collect()
}

/// The argument that has these counts, after others.
pub(crate) fn counts_argument(rank: usize) -> String {
    let counts = counts(rank);
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

/// Columns of a line, and those before the operands of an instruction.
const COLUMNS: usize = 100;
const INDENT: usize = 17;

/// A text whose tensor copies have a coordinate for each index in the place of the operand `matrix`.
fn with_coordinates(text: &str, rank: usize) -> String {
    let mut rest = text;
    let mut all = String::with_capacity(text.len());
    while let Some((before, from)) = rest.split_once("    asm volatile(") {
        let Some((statement, after)) = from.split_once(");\n") else { break };
        all += before;
        match Instruction::parse(statement).and_then(|one| one.with_coordinates(rank)) {
            Some(instruction) => all += &instruction.text(),
            None => all += &format!("    asm volatile({statement});\n"),
        }
        rest = after;
    }
    all + rest
}

/// An inline instruction: its template and its operands.
struct Instruction {
    template: Vec<String>,
    operands: Vec<String>,
}

impl Instruction {
    fn parse(statement: &str) -> Option<Instruction> {
        let (template, operands) = statement.split_once(&format!("\n{:INDENT$}:: ", ""))?;
        let (operands, _) = operands.rsplit_once(": \"memory\"")?;
        let template = template.lines().map(|line| line.trim().trim_matches('"').to_owned());
        let operands = operands.split(',').map(|operand| operand.trim().to_owned());
        Some(Instruction { template: template.collect(), operands: operands.collect() })
    }

    /// That of a map with a dimension for each index: the copy unit counts the innermost first.
    fn with_coordinates(mut self, rank: usize) -> Option<Instruction> {
        let is_matrix = |operand: &String| operand.ends_with("matrix)");
        let at = self.operands.iter().position(is_matrix)?;
        let matrix = self.operands[at].trim_start_matches("\"r\"(").trim_end_matches(')');
        let coordinates = coordinates(matrix, rank);
        let operands = coordinates.iter().rev().map(|value| format!("\"r\"({value})"));
        self.operands.splice(at..=at, operands.collect::<Vec<_>>());
        for line in &mut self.template {
            *line =
                renumbered(line, at, rank).replace(".tensor.3d", &format!(".tensor.{}d", rank + 2));
        }
        Some(self)
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for line in &self.template {
            let room = COLUMNS - INDENT - 2;
            match line.find(" [").filter(|_| line.len() > room) {
                Some(at) => lines.extend([line[..=at].to_owned(), line[at + 1..].to_owned()]),
                None => lines.push(line.clone()),
            }
        }
        let template = lines.join(&format!("\"\n{:INDENT$}\"", ""));
        let mut text = format!("    asm volatile(\"{template}\"\n{:INDENT$}::", "");
        let mut column = INDENT + 2;
        for (number, operand) in self.operands.iter().enumerate() {
            let comma = if number + 1 == self.operands.len() { "" } else { "," };
            if column + 1 + operand.len() + comma.len() > COLUMNS {
                text += &format!("\n{:1$}", "", INDENT + 2);
                column = INDENT + 2;
            }
            text += &format!(" {operand}{comma}");
            column += 1 + operand.len() + comma.len();
        }
        let end = ": \"memory\");";
        if column + 1 + end.len() > COLUMNS {
            text += &format!("\n{:INDENT$}{end}\n", "");
        } else {
            text += &format!(" {end}\n");
        }
        text
    }
}

/// A template in which operand `at` becomes this number of operands.
fn renumbered(line: &str, at: usize, count: usize) -> String {
    let list = (at..at + count).map(|number| format!(", %{number}")).collect::<String>();
    let mut parts = line.split('%');
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        let number = number.parse::<usize>().unwrap_or_default();
        if number == at {
            all = all.trim_end_matches(", ").to_owned() + &list + rest;
        } else {
            let number = if number > at { number + count - 1 } else { number };
            all += &format!("%{number}{rest}");
        }
    }
    all
}
