//! Specs whose outputs are reduced: a legal spec with vectors in place of some of its outputs, or next to them.

use fastrand::Rng;
use gemm_codegen::body::{Node, NodeId, Reduction};
use gemm_codegen::{Axis, OutputIndices, Plan, ScalarType, Spec};

use super::pick::pick;
use super::{Derived, Drawn};

/// What an output of such a spec is.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// What it is of the value of the body.
    pub derived: Derived,
    /// How that is reduced, and the index that is left.
    pub reduced: Option<(Reduction, Axis)>,
}

impl Stored {
    /// The outputs of a spec that was drawn.
    pub fn of(drawn: &Drawn) -> Vec<Stored> {
        drawn.derived.iter().map(|derived| Stored { derived: *derived, reduced: None }).collect()
    }
}

/// A legal spec with some of its outputs reduced; `None` if it is in place.
pub fn reduced(rng: &mut Rng, drawn: &Drawn, plan: &Plan) -> Option<(Spec, Vec<Stored>)> {
    let (mut spec, mut stored) = (drawn.spec.clone(), Stored::of(drawn));
    if spec.outputs.iter().any(|output| output.in_place.is_some()) {
        return None;
    }
    let mut types: Vec<ScalarType> = plan.results().collect();
    if let [only] = stored[..] {
        add_another(&mut spec);
        stored.push(only);
        types.push(types[0]);
    }
    let Node::Block { bindings, value } = spec.body.nodes[spec.body.root.0].clone() else {
        return None;
    };
    let Node::Tuple(mut values) = spec.body.nodes[value.0].clone() else { return None };
    let first = rng.usize(0..values.len());
    for number in 0..values.len() {
        let is_one = number == first || types[number] == types[first] && rng.bool();
        // What is reduced alone has the order of M and N.
        let is_last = stored.iter().filter(|of| of.reduced.is_none()).count() == 1;
        if is_one && (!is_last || plan.problem().n_contiguous()) {
            let of = (pick(rng, &Reduction::ALL), pick(rng, &[Axis::M, Axis::N]));
            values[number] = reduce(&mut spec, values[number], number, of, plan);
            stored[number].reduced = Some(of);
        }
    }
    let value = spec.body.push(Node::Tuple(values));
    spec.body.root = spec.body.push(Node::Block { bindings, value });
    Some((spec, stored))
}

/// Stores the value of a body twice.
fn add_another(spec: &mut Spec) {
    let value = spec.body.root;
    let values = [(); 2].map(|()| spec.body.push(Node::Name("y".to_owned())));
    let tuple = spec.body.push(Node::Tuple(values.to_vec()));
    spec.body.root =
        spec.body.push(Node::Block { bindings: vec![("y".to_owned(), value)], value: tuple });
    spec.outputs.push(spec.outputs[0].clone());
}

/// Reduces an output to the elements of one index.
fn reduce(
    spec: &mut Spec,
    value: NodeId,
    number: usize,
    (by, along): (Reduction, Axis),
    plan: &Plan,
) -> NodeId {
    let index = plan.problem().indices()[along as usize].clone();
    spec.outputs[number].indices = OutputIndices::Reduced(index);
    spec.body.push(Node::Call { function: by.name().to_owned(), arguments: vec![value] })
}
