//! Index names → roles: which operand is A, which is B, which dimension is contiguous in each.

use crate::axis::{Axis, Side};
use crate::element::Element;
use crate::field::Field;
use crate::parameter::ParameterKind;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{OperandKind, Spec};

/// What is multiplied: the roles derived from the index names of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contraction {
    /// The index names that play M, N and K.
    pub indices: [String; 3],
    /// Operand number of A.
    pub a: usize,
    /// Operand number of B.
    pub b: usize,
    /// The roles of the operands, in order of declaration.
    pub operands: Vec<ParameterKind>,
    /// The roles of the outputs, which are all of one order.
    pub outputs: Vec<ParameterKind>,
}

impl Contraction {
    /// Operand number of a side.
    pub fn operand(&self, side: Side) -> usize {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    /// Whether K is the contiguous dimension of a side.
    pub fn k_contiguous(&self, side: Side) -> bool {
        matches!(self.operands[self.operand(side)], ParameterKind::Matrix { columns: Axis::K, .. })
    }

    /// Element type of a side.
    pub fn element(&self, side: Side) -> Element {
        element_of(&self.operands[self.operand(side)])
    }

    /// Whether N is the contiguous dimension of the outputs; else M is.
    pub fn n_contiguous(&self) -> bool {
        matches!(self.outputs.first(), Some(ParameterKind::Matrix { columns: Axis::N, .. }))
    }
}

/// The element type of a matrix or vector; f32 for a scalar, which the rules keep from here.
fn element_of(kind: &ParameterKind) -> Element {
    kind.element().unwrap_or(Element::F32)
}

/// Derives the roles. `a` and `b` are the operands that `matmul` multiplies.
pub(crate) fn solve(spec: &Spec, a: usize, b: usize) -> Result<Contraction, Vec<Diagnostic>> {
    let indices = roles(spec, a, b).map_err(|diagnostic| vec![diagnostic])?;
    let axis = |name: &String| Axis::ALL.into_iter().zip(&indices).find(|(_, i)| *i == name);
    let axis = |name: &String| axis(name).map(|(axis, _)| axis);
    let mut broken = Vec::new();
    let mut operands = Vec::new();
    for number in 0..spec.operands.len() {
        let multiplied = number == a || number == b;
        match kind(spec, number, multiplied, axis) {
            Ok(kind) => operands.push(kind),
            Err(diagnostic) => broken.push(diagnostic),
        }
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let out_rows = if spec.output().indices[0] == indices[0] { Axis::M } else { Axis::N };
    let out_columns = if out_rows == Axis::M { Axis::N } else { Axis::M };
    let outputs = spec.outputs.iter().map(|output| ParameterKind::Matrix {
        element: output.element,
        rows: out_rows,
        columns: out_columns,
    });
    Ok(Contraction { indices, a, b, operands, outputs: outputs.collect() })
}

/// What the kernel takes for an operand. A bool is left to the rules of the body.
fn kind(
    spec: &Spec,
    number: usize,
    multiplied: bool,
    axis: impl Fn(&String) -> Option<Axis>,
) -> Result<ParameterKind, Diagnostic> {
    match &spec.operands[number].kind {
        OperandKind::Scalar(ty) => Ok(ParameterKind::Scalar(*ty)),
        OperandKind::DeviceScalar(element) => Ok(ParameterKind::DeviceScalar(*element)),
        OperandKind::Vector { element, index } => match axis(index) {
            Some(length @ (Axis::M | Axis::N)) => {
                Ok(ParameterKind::Vector { element: *element, length })
            }
            _ => Err(stray(spec, number, 0, "a vector has one of the output's indices")),
        },
        OperandKind::Matrix { element, indices: [row, column] } => {
            let (rows, columns) = match (axis(row), axis(column)) {
                (None, _) => return Err(stray(spec, number, 0, ELEMENTWISE)),
                (Some(rows), Some(columns)) if rows != columns => (rows, columns),
                (Some(_), _) => return Err(stray(spec, number, 1, ELEMENTWISE)),
            };
            match [rows, columns].iter().position(|axis| *axis == Axis::K) {
                Some(at) if !multiplied => Err(stray(spec, number, at, ELEMENTWISE)),
                _ => Ok(ParameterKind::Matrix { element: *element, rows, columns }),
            }
        }
    }
}

const ELEMENTWISE: &str = "a matrix of the epilogue has the output's two indices";

/// An index of a value operand that is not one the output has.
fn stray(spec: &Spec, operand: usize, at: usize, law: &str) -> Diagnostic {
    let [row, column] = &spec.output().indices;
    let name = &spec.operands[operand].name;
    let index = match &spec.operands[operand].kind {
        OperandKind::Matrix { indices, .. } => &indices[at],
        OperandKind::Vector { index, .. } => index,
        OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => name,
    };
    Diagnostic::new(
        Rule::OperandIndices,
        Field::OperandIndex(operand, at),
        format!("`{name}` has the index `{index}`, but the output has `{row}` and `{column}`"),
        law,
    )
}

/// The index names of M, N and K.
fn roles(spec: &Spec, a: usize, b: usize) -> Result<[String; 3], Diagnostic> {
    let matrix = |number: usize| match &spec.operands[number].kind {
        OperandKind::Matrix { indices, .. } => Some((&spec.operands[number].name, indices)),
        _ => None,
    };
    let (Some((name_a, of_a)), Some((name_b, of_b))) = (matrix(a), matrix(b)) else {
        return Err(broken(Field::Function, "`matmul` takes two matrices".to_owned(), spec));
    };
    for (at, indices) in [
        (Field::OperandIndex(a, 1), of_a),
        (Field::OperandIndex(b, 1), of_b),
        (Field::OutputIndex(0, 1), &spec.output().indices),
    ] {
        if indices[0] == indices[1] {
            let message =
                format!("both indices are `{}`: row and column indices must differ", indices[0]);
            return Err(broken(at, message, spec));
        }
    }
    let shared: Vec<&String> = of_a.iter().filter(|i| of_b.contains(i)).collect();
    let [k] = shared[..] else {
        let what = match shared[..] {
            [] => "share no index to sum over",
            _ => "share both indices, but exactly one is summed over",
        };
        let message = format!("`{name_a}` and `{name_b}` {what}");
        return Err(broken(Field::OperandIndex(b, 0), message, spec));
    };
    if let Some(at) = spec.output().indices.iter().position(|i| i == k) {
        let message = format!("`{k}` is summed over, so the output cannot have it");
        return Err(broken(Field::OutputIndex(0, at), message, spec));
    }
    let free = |indices: &[String; 2]| indices.iter().find(|i| *i != k).cloned();
    let (Some(m), Some(n)) = (free(of_a), free(of_b)) else {
        return Err(broken(
            Field::Function,
            "an argument of `matmul` has no index left for the output".into(),
            spec,
        ));
    };
    for (at, index) in spec.output().indices.iter().enumerate() {
        if *index != m && *index != n {
            let message = format!("`{index}` is an index of neither `{name_a}` nor `{name_b}`");
            return Err(broken(Field::OutputIndex(0, at), message, spec));
        }
    }
    Ok([m, n, k.clone()])
}

fn broken(at: Field, message: String, spec: &Spec) -> Diagnostic {
    let [row, column] = &spec.output().indices;
    let (row, column) = if row == column { ("M", "N") } else { (row.as_str(), column.as_str()) };
    let k = if row == "K" || column == "K" { "L" } else { "K" };
    let operands = format!("a: Mat<_, {row}, {k}>, b: Mat<_, {column}, {k}>");
    let form = match &spec.output().in_place {
        None => format!("({operands}) -> Mat<_, {row}, {column}>"),
        Some(name) => format!("({operands}, {name}: &mut Mat<_, {row}, {column}>)"),
    };
    let help =
        format!("write for example `{form}`, which sums over `{k}`; each matrix may be transposed");
    Diagnostic::new(Rule::ContractionIndices, at, message, help)
}
