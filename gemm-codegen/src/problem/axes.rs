//! Index names → axes: what is multiplied, read and stored, and along which axes each runs.

use super::factor::{Factor, FactorId, Multiplied};
use super::kind::ParameterKind;
use super::product::{Product, Term};
use super::store::Store;
use crate::axis::{Axis, PerSide, Side};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{OperandKind, Spec};

/// What the indices of a spec say of its parameters. It needs neither the body's values nor the batch,
/// so rules of a schedule can judge it where these are wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axes {
    /// The index names that play M, N and K.
    pub(crate) indices: [String; 3],
    /// What the operands are, in order of declaration.
    pub(crate) operands: Vec<ParameterKind>,
    factors: Vec<Factor>,
    products: Vec<Product>,
    /// What is stored, all of one order.
    pub(crate) stores: Vec<Store>,
}

impl Axes {
    /// A factor of the one term of the one product.
    pub(crate) fn factor(&self, side: Side) -> &Factor {
        let FactorId(number) = *self.products[0].terms[0].0.get(side);
        &self.factors[number]
    }

    /// Which factors' rows run along K.
    pub(crate) fn orders(&self) -> PerSide<bool> {
        PerSide::of(|side| self.factor(side).k_contiguous())
    }

    /// Whether N is the contiguous dimension of what is stored; else M is.
    pub(crate) fn n_contiguous(&self) -> bool {
        matches!(self.stores.first(), Some(Store::Matrix { columns: Axis::N, .. }))
    }
}

/// Derives the axes from the operands that `matmul` multiplies.
pub(super) fn solve(spec: &Spec, of: PerSide<Multiplied<'_>>) -> Result<Axes, Vec<Diagnostic>> {
    let indices = roles(spec, of).map_err(|(at, message)| vec![broken(at, message, spec)])?;
    let axis = |name: &String| Axis::ALL.into_iter().zip(&indices).find(|(_, i)| *i == name);
    let axis = |name: &String| axis(name).map(|(axis, _)| axis);
    let mut broken = Vec::new();
    let mut operands = Vec::new();
    for number in 0..spec.operands.len() {
        let multiplied = number == of.a.operand || number == of.b.operand;
        match kind(spec, number, multiplied, axis) {
            Ok(kind) => operands.push(kind),
            Err(diagnostic) => broken.push(diagnostic),
        }
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let [rows, columns] = match spec.output().indices[0] == indices[0] {
        true => [Axis::M, Axis::N],
        false => [Axis::N, Axis::M],
    };
    let stores = spec.outputs.iter().map(|output| output.element);
    let stores = stores.map(|element| Store::Matrix { element, rows, columns }).collect();
    let factors = [of.a, of.b].map(|factor| factor.summed_over(&indices[2])).into();
    let term = Term(PerSide { a: FactorId(0), b: FactorId(1) });
    let products = vec![Product { terms: vec![term] }];
    Ok(Axes { indices, operands, factors, products, stores })
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

/// The index names of M, N and K, or where they are wrong and why.
fn roles(spec: &Spec, of: PerSide<Multiplied<'_>>) -> Result<[String; 3], (Field, String)> {
    let PerSide { a, b } = of;
    let (of_a, of_b, stored) = (a.indices, b.indices, &spec.output().indices);
    for (at, [row, column]) in [
        (Field::OperandIndex(a.operand, 1), of_a),
        (Field::OperandIndex(b.operand, 1), of_b),
        (Field::OutputIndex(0, 1), stored),
    ] {
        if row == column {
            let message = format!("both indices are `{row}`: row and column indices must differ");
            return Err((at, message));
        }
    }
    let shared: Vec<&String> = of_a.iter().filter(|i| of_b.contains(i)).collect();
    let [k] = shared[..] else {
        let what = match shared[..] {
            [] => "share no index to sum over",
            _ => "share both indices, but exactly one is summed over",
        };
        let message = format!("`{}` and `{}` {what}", a.name, b.name);
        return Err((Field::OperandIndex(b.operand, 0), message));
    };
    if let Some(at) = stored.iter().position(|i| i == k) {
        let message = format!("`{k}` is summed over, so the output cannot have it");
        return Err((Field::OutputIndex(0, at), message));
    }
    // Each has two indices that differ, one of which is K.
    let free = |[row, column]: &[String; 2]| if row == k { column.clone() } else { row.clone() };
    let [m, n] = [of_a, of_b].map(free);
    if let Some(at) = stored.iter().position(|index| ![&m, &n].contains(&index)) {
        let index = &stored[at];
        let message = format!("`{index}` is an index of neither `{}` nor `{}`", a.name, b.name);
        return Err((Field::OutputIndex(0, at), message));
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
