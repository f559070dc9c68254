//! Names of operands and indices: every assignment of roles is tried.

use gemm_codegen::{OperandKind, ScalarType, Spec};

use super::{body, terms};

/// Whether no assignment of M, N and K to the indices of the multiplied operands and the output
/// is a product.
pub(super) fn contraction(spec: &Spec) -> bool {
    body::multiplied(spec).is_some() && roles(spec).is_none() && !have_own_columns(spec)
}

/// The names of M, N and K: A has M and K, B has N and K, the output M and N.
pub(super) fn roles(spec: &Spec) -> Option<[String; 3]> {
    let of_first = leading(spec).or_else(|| body::multiplied(spec))?;
    let [a, b] = of_first.map(|operand| match &spec.operands[operand].kind {
        OperandKind::Matrix { indices, .. } => Some(indices.clone()),
        _ => None,
    });
    let (a, b) = (a?, b?);
    let [row, column] = spec.outputs[0].indices.names() else { return None };
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let ([m, n], k) = ([&a[i], &b[j]], &a[1 - i]);
        let distinct = m != n && n != k && m != k;
        let stored = (row == m && column == n) || (row == n && column == m);
        if distinct && stored && b[1 - j] == *k {
            return Some([m.clone(), n.clone(), k.clone()]);
        }
    }
    None
}

/// Whether second factors differ in what a tile of all of them has, or rows of the output do not run along
/// their columns.
pub(super) fn lie_apart(spec: &Spec) -> bool {
    let Some(products) = body::products(spec).filter(|products| products.len() > 1) else {
        return false;
    };
    let Some([m, n, _]) = roles(spec) else { return false };
    let of = |product: &[usize; 2]| {
        let operand = &spec.operands[product[1]];
        (&operand.kind, &operand.batch)
    };
    let differ = || products.iter().any(|product| of(product) != of(&products[0]));
    !have_own_columns(spec) && differ() || spec.outputs[0].indices.names() == [n, m]
}

/// Whether there is an output for each product, the first one has columns of one of them, and another has other ones.
pub(super) fn have_own_columns(spec: &Spec) -> bool {
    let products = body::products(spec).unwrap_or_default();
    let indices = |operand: usize| indices_of(spec, operand);
    let Some([a, b]) = leading(spec).filter(|_| products.len() == spec.outputs.len()) else {
        return false;
    };
    let shared: Vec<String> =
        indices(a).into_iter().filter(|index| indices(b).contains(index)).collect();
    let [k] = &shared[..] else { return false };
    // The columns of each that is summed over the same index.
    let free = products.iter().filter(|[_, second]| indices(*second).contains(k));
    let free = free.filter_map(|[_, second]| indices(*second).into_iter().find(|of| of != k));
    let free: Vec<String> = free.collect();
    let stored = spec.outputs[0].indices.names().last();
    // A factor that has the rows of the first one was meant to have columns of an output that no other has.
    let is_free = |of: &&String| !products.iter().flatten().any(|one| indices(*one).contains(of));
    let any_free =
        spec.outputs.iter().filter_map(|of| of.indices.names().last()).any(|of| is_free(&of));
    let counts = |index: &String| any_free || !indices(a).contains(index);
    stored.is_some_and(|stored| {
        free.contains(stored) && free.iter().any(|index| index != stored && counts(index))
    })
}

/// The product of the first output, where each product has one; else the first product.
fn leading(spec: &Spec) -> Option<[usize; 2]> {
    let products = body::products(spec)?;
    let first = *products.first()?;
    let stored = spec.outputs[0].indices.names().last()?;
    let has = |[_, second]: &[usize; 2]| indices_of(spec, *second).contains(stored);
    let each = products.len() == spec.outputs.len() && !indices_of(spec, first[0]).contains(stored);
    products.iter().copied().find(|product| !each || has(product)).or(Some(first))
}

fn indices_of(spec: &Spec, operand: usize) -> Vec<String> {
    match &spec.operands[operand].kind {
        OperandKind::Matrix { indices, .. } => indices.to_vec(),
        _ => Vec::new(),
    }
}

/// How many products lie next to each other; one where that is not clear.
pub(super) fn products(spec: &Spec) -> u32 {
    let clear = !lie_apart(spec) && !contraction(spec) && !are_unclear(spec);
    let products = body::products(spec).filter(|_| clear);
    products.map_or(1, |products| products.len().max(1) as u32)
}

/// Whether an operand has indices that do not say along what it runs.
pub(super) fn are_unclear(spec: &Spec) -> bool {
    operands(spec) || terms::lie_elsewhere(spec)
}

/// Whether an operand that is not multiplied has no element for each element of the output.
pub(super) fn operands(spec: &Spec) -> bool {
    let Some([m, n, k]) = roles(spec) else { return false };
    let multiplied = body::factors(spec).unwrap_or_default();
    spec.operands.iter().enumerate().any(|(number, operand)| match &operand.kind {
        OperandKind::Matrix { indices: [row, column], .. } => {
            let both = (*row == m && *column == n) || (*row == n && *column == m);
            !multiplied.contains(&number) && !both
        }
        OperandKind::Vector { index, .. } => *index != m && *index != n,
        OperandKind::Tiled { indices: [row, column], .. } => {
            let known = |index| [&m, &n, &k].contains(&index);
            !known(row) || !known(column) || (*row == k) == (*column == k)
        }
        OperandKind::DeviceScalar(_)
        | OperandKind::Scalar(
            ScalarType::F32 | ScalarType::F64 | ScalarType::I32 | ScalarType::Bool,
        ) => false,
    })
}

/// Whether an element of the output has not one block that has all it is made of, for every number
/// of the batch.
pub(super) fn batches(spec: &Spec) -> bool {
    let Some(factors) = body::multiplied(spec) else { return false };
    let of = |operand: usize| &spec.operands[operand];
    let wanted = &spec.outputs[0].batch;
    let needed = |index| factors.iter().any(|factor| of(*factor).batch.contains(index));
    let twice = (1..wanted.len()).any(|at| wanted[..at].contains(&wanted[at]));
    // Every choice of indices in their order.
    let choices = (0..1usize << wanted.len()).map(|choice| -> Vec<String> {
        let chosen = wanted.iter().enumerate().filter(|(number, _)| choice >> number & 1 == 1);
        chosen.map(|(_, index)| index.clone()).collect()
    });
    let choices: Vec<Vec<String>> = choices.collect();
    let others = spec.operands.iter().any(|operand| match &operand.kind {
        OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => !operand.batch.is_empty(),
        _ => !choices.contains(&operand.batch),
    });
    let mut within = factors.into_iter().flat_map(|factor| match &of(factor).kind {
        OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => {
            indices.to_vec()
        }
        _ => Vec::new(),
    });
    let within = within.any(|index| wanted.contains(&index))
        || spec.outputs[0].indices.names().iter().any(|index| wanted.contains(index));
    !wanted.iter().all(needed) || twice || others || within
}

/// Whether a name is not an identifier, or two operands have the same.
pub(super) fn names(spec: &Spec) -> bool {
    let mut seen = Vec::new();
    let written = || spec.outputs.iter().filter_map(|o| o.in_place.as_ref());
    let twice = spec.operands.iter().map(|operand| &operand.name).chain(written()).any(|name| {
        let name = body::plain(name);
        seen.contains(&name) || {
            seen.push(name);
            false
        }
    });
    let indices = |kind: &OperandKind| match kind {
        OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => {
            indices.to_vec()
        }
        OperandKind::Vector { index, .. } => vec![index.clone()],
        OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => Vec::new(),
    };
    let of_operands =
        spec.operands.iter().flat_map(|o| [vec![o.name.clone()], indices(&o.kind)].concat());
    let mut all = of_operands
        .chain(written().cloned())
        .chain(spec.outputs.iter().flat_map(|output| output.indices.names().to_vec()))
        .chain(spec.operands.iter().flat_map(|operand| operand.batch.clone()))
        .chain(spec.outputs.iter().flat_map(|output| output.batch.clone()))
        .chain([spec.name.clone()]);
    twice || all.any(|name| !is_identifier(&name))
}

/// Whether Rust takes a name for an identifier.
fn is_identifier(name: &str) -> bool {
    let name = body::plain(name);
    let of_word = |c: char| c == '_' || c.is_alphanumeric();
    name.chars().all(of_word) && name.chars().next().is_some_and(|c| !c.is_numeric())
}
