//! Index names → axes: what is multiplied, read and stored, and along which axes each runs.

use super::added::{self, Added};
use super::factor::{Factor, FactorId, Multiplied};
use super::kind::ParameterKind;
use super::product::{Product, Term};
use super::store::{Reduces, Store};
use super::{in_turn, operand, segments, side_by_side};
use crate::axis::{Axis, Multiplicands, PerSide, Side};
use crate::element::Element;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Output, OutputIndices, Planes, Spec};

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
    /// The term that is added to the first product, if there is one.
    pub(crate) added: Option<Added>,
    /// What is stored; all matrices have this order.
    pub(crate) stores: Vec<Store>,
    order: [Axis; 2],
    /// The columns of each product in turn, by output; empty where all products have the same.
    pub(super) columns: Vec<Axis>,
    /// Their names.
    pub(super) column_names: Vec<String>,
}

impl Axes {
    /// A factor of the first product. Those of the others on its side have the same element and order.
    pub(crate) fn factor(&self, side: Side) -> &Factor {
        let FactorId(number) = *self.products[0].terms[0].0.get(side);
        &self.factors[number]
    }

    /// The factors whose tiles lie next to each other on a side, in their order.
    pub(crate) fn factors(&self, side: Side) -> &[Factor] {
        match side {
            Side::A => &self.factors[..1],
            Side::B => &self.factors[1..],
        }
    }

    /// The side on which an operand is multiplied, if it is.
    pub(crate) fn side(&self, operand: usize) -> Option<Side> {
        let is_on = |side: &Side| self.sharing(*side).any(|of| of.operand == operand);
        Side::BOTH.into_iter().find(is_on)
    }

    /// The factors whose tiles are on a side, next to each other or in turn.
    pub(crate) fn sharing(&self, side: Side) -> impl Iterator<Item = &Factor> {
        let added = self.added.iter().map(move |added| added.factors.get(side));
        self.factors(side).iter().chain(added)
    }

    /// The same with factors whose rows run along K, of elements of planes, and a vector of exponents for
    /// each, after the other operands.
    pub(super) fn in_planes(mut self, planes: Planes) -> Axes {
        for factor in &mut self.factors {
            factor.in_planes(planes);
        }
        for (number, factor) in self.factors.iter().enumerate() {
            let own = if number == 0 { Axis::M } else { Axis::N };
            self.operands[factor.operand] =
                ParameterKind::Matrix { element: planes.element(), rows: own, columns: Axis::K };
            if planes.is_scaled() {
                self.operands.push(ParameterKind::Vector { element: Element::I32, length: own });
            }
        }
        self
    }

    /// Whether products with different columns are computed in turn.
    pub(crate) fn is_in_turn(&self) -> bool {
        !self.columns.is_empty()
    }

    /// How many products there are.
    pub(crate) fn products(&self) -> u32 {
        self.products.len() as u32
    }

    /// Which factors' rows run along K.
    pub(crate) fn orders(&self) -> PerSide<bool> {
        PerSide::of(|side| self.factor(side).k_contiguous())
    }

    /// The elements of the outputs that are matrices.
    pub(crate) fn stored_matrices(&self) -> Vec<Element> {
        let matrices = self.stores.iter().filter(|store| store.reduced_along().is_none());
        matrices.map(Store::element).collect()
    }

    /// What is reduced.
    pub(crate) fn reduces(&self) -> Reduces {
        let mut along: Vec<Axis> = self.stores.iter().filter_map(Store::reduced_along).collect();
        along.dedup();
        match along[..] {
            [] => Reduces::Nothing,
            [axis] if axis == self.order[0] => Reduces::Rows,
            _ => Reduces::Columns,
        }
    }

    /// The rows and the columns of what is stored; [M, N] where all of it is reduced.
    pub(crate) fn order(&self) -> [Axis; 2] {
        self.order
    }

    /// Whether N is the contiguous dimension of what is stored; else M is.
    pub(crate) fn n_contiguous(&self) -> bool {
        self.order == [Axis::M, Axis::N]
    }
}

/// Whether products have different columns, whatever else is wrong with them: or may have, where the first one has no
/// index to sum over and each has an output.
pub(super) fn are_in_turn(spec: &Spec, of: &Multiplicands<Multiplied<'_>>) -> bool {
    match roles(spec, of.first) {
        Ok(indices) => !segments::further(spec, of, &indices).is_empty(),
        Err(_) => !of.more.is_empty() && spec.outputs.len() == of.products() as usize,
    }
}

/// Derives the axes from the operands that `matmul` multiplies.
pub(super) fn solve(
    spec: &Spec,
    of: &Multiplicands<Multiplied<'_>>,
) -> Result<Axes, Vec<Diagnostic>> {
    let indices = roles(spec, of.first).map_err(|wrong| vec![broken(wrong, spec)])?;
    let added = of.added.map(|term| added::solve(spec, term, of.first, &indices));
    let added = added.transpose()?;
    let of_term = added.as_ref().map(|added| (added.along, &added.index));
    let further = segments::further(spec, of, &indices);
    let named = |name: &String| {
        let in_turn = Axis::COLUMNS.into_iter().skip(1).zip(further.iter().copied());
        let mut all = Axis::ALL.into_iter().zip(&indices).chain(of_term).chain(in_turn);
        all.find(|(_, index)| *index == name)
    };
    let axis = |name: &String| named(name).map(|(axis, _)| axis);
    let mut broken = match further.is_empty() {
        true => side_by_side::check(spec, of, &indices),
        false => in_turn::check(spec, of, &indices),
    };
    let operands = operand::kinds(spec, of, (axis, &indices[2]), &mut broken);
    if !broken.is_empty() {
        return Err(broken);
    }
    let order = match spec.order().is_none_or(|order| order[0] == indices[0]) {
        true => [Axis::M, Axis::N],
        false => [Axis::N, Axis::M],
    };
    let last = |of: &Output| named(of.indices.names().last()?);
    let in_turn = spec.outputs.iter().filter(|_| !further.is_empty()).filter_map(last);
    let (columns, column_names): (Vec<_>, _) =
        in_turn.map(|(axis, name)| (axis, name.clone())).unzip();
    let stores = stores(spec, (order, &columns), &indices);
    let factors: Vec<Factor> =
        of.of_products().map(|factor| factor.summed_over(&indices[2], spec)).collect();
    let product =
        |b: usize| Product { terms: vec![Term(PerSide { a: FactorId(0), b: FactorId(b) })] };
    let products = (1..factors.len()).map(product).collect();
    Ok(Axes { indices, operands, factors, products, added, stores, order, columns, column_names })
}

/// Where each value is stored: all have this order, products in turn columns of their own.
fn stores(
    spec: &Spec,
    (order, columns): ([Axis; 2], &[Axis]),
    indices: &[String; 3],
) -> Vec<Store> {
    let order_of = |output: usize| match columns.get(output) {
        Some(columns) => [order[0], *columns],
        None => order,
    };
    let outputs = spec.outputs.iter().enumerate();
    outputs.map(|(number, output)| store(output, order_of(number), indices)).collect()
}

/// Where a value is stored, by the index names of M, N and K.
fn store(output: &Output, [rows, columns]: [Axis; 2], [m, _, _]: &[String; 3]) -> Store {
    let element = output.element;
    match &output.indices {
        OutputIndices::Matrix(_) => Store::Matrix { element, rows, columns },
        OutputIndices::Reduced(index) => {
            Store::Reduced { element, along: if index == m { Axis::M } else { Axis::N } }
        }
    }
}

/// Indices that are not those of a product.
struct Wrong {
    at: Field,
    message: String,
    /// What a help says before its example.
    help: &'static str,
}

impl Wrong {
    fn new(at: Field, message: String) -> Wrong {
        Wrong { at, message, help: "" }
    }

    /// Of a matrix whose indices are one.
    fn equal(at: Field, indices: &[String]) -> Option<Wrong> {
        let [row, column] = indices else { return None };
        if row != column {
            return None;
        }
        let message = format!("both indices are `{row}`: row and column indices must differ");
        let help = "give them different names, as their extents may be equal at run time: ";
        Some(Wrong { at, message, help })
    }
}

/// The index names of M, N and K, or where they are wrong and why.
fn roles(spec: &Spec, of: PerSide<Multiplied<'_>>) -> Result<[String; 3], Wrong> {
    let PerSide { a, b } = of;
    let (of_a, of_b, leading) = (a.indices, b.indices, spec.leading());
    let stored = spec.outputs[leading].indices.names();
    for (at, indices) in [
        (Field::OperandIndex(a.operand, 1), of_a.as_slice()),
        (Field::OperandIndex(b.operand, 1), of_b.as_slice()),
        (Field::OutputIndex(leading, 1), stored),
    ] {
        if let Some(wrong) = Wrong::equal(at, indices) {
            return Err(wrong);
        }
    }
    let k = summed_over(&a, &b)?;
    if let Some(at) = stored.iter().position(|i| i == k) {
        let message = format!("`{k}` is summed over, so the output cannot have it");
        return Err(Wrong::new(Field::OutputIndex(leading, at), message));
    }
    // Each has two indices that differ, and one is K.
    let free = |[row, column]: &[String; 2]| if row == k { column.clone() } else { row.clone() };
    let [m, n] = [of_a, of_b].map(free);
    // Of vectors next to a matrix, the matrix has their indices.
    let alone = if spec.order().is_none() { spec.outputs.len() } else { leading + 1 };
    for (number, output) in spec.outputs.iter().enumerate().take(alone).skip(leading) {
        let stored = output.indices.names();
        if let Some(at) = stored.iter().position(|index| ![&m, &n].contains(&index)) {
            let index = &stored[at];
            let message = format!("`{index}` is an index of neither `{}` nor `{}`", a.name, b.name);
            return Err(Wrong::new(Field::OutputIndex(number, at), message));
        }
    }
    Ok([m, n, k.clone()])
}

/// The one index that both factors have.
fn summed_over<'s>(a: &Multiplied<'s>, b: &Multiplied<'s>) -> Result<&'s String, Wrong> {
    if a.operand == b.operand {
        let message = format!("`{}` is both factors of `matmul`", a.name);
        let help = "declare an operand for each, and pass the matrix for both: ";
        return Err(Wrong { at: Field::OperandIndex(b.operand, 0), message, help });
    }
    let shared: Vec<&String> = a.indices.iter().filter(|i| b.indices.contains(i)).collect();
    let [k] = shared[..] else {
        let what = match shared[..] {
            [] => "share no index to sum over",
            _ => "share both indices, but exactly one is summed over",
        };
        let message = format!("`{}` and `{}` {what}", a.name, b.name);
        return Err(Wrong::new(Field::OperandIndex(b.operand, 0), message));
    };
    Ok(k)
}

fn broken(Wrong { at, message, help }: Wrong, spec: &Spec) -> Diagnostic {
    let (row, column) = match spec.order() {
        Some([row, column]) if row != column => (row.as_str(), column.as_str()),
        _ => ("M", "N"),
    };
    let k = if row == "K" || column == "K" { "L" } else { "K" };
    let operands = format!("a: Mat<_, {row}, {k}>, b: Mat<_, {column}, {k}>");
    let form = match &spec.output().in_place {
        None => format!("({operands}) -> Mat<_, {row}, {column}>"),
        Some(name) => format!("({operands}, {name}: &mut Mat<_, {row}, {column}>)"),
    };
    let help = format!(
        "{help}write for example `{form}`, which sums over `{k}`; each matrix may be transposed"
    );
    Diagnostic::new(Rule::ContractionIndices, at, message, help)
}
