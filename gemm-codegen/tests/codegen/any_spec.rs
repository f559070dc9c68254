//! No spec makes the crate panic or wait: extremes in every place.

mod schedule;

use std::iter;
use std::num::NonZeroU16;
use std::time::Duration;

use cpu_time::ThreadTime;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId, UnaryOp};
use gemm_codegen::{
    Element, Operand, OperandKind, Output, OutputIndices, Plan, ScalarType, Spec, emit,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::shared::{self, Indices, TN, matrix, output};
use schedule::schedule;

/// How long a spec may take: several expand in the time of one keystroke.
const LIMIT: Duration = Duration::from_millis(50);

/// How long one may take that is broken in many places: for each of them values are planned.
const BROKEN_LIMIT: Duration = Duration::from_millis(250);

/// Small and round numbers, others, and the largest.
fn extent() -> impl Strategy<Value = NonZeroU16> {
    let some = [1, 2, 3, 4, 8, 16, 24, 32, 48, 64, 96, 100, 128, 256, 384, 512, 4096, 65_535];
    prop_oneof![8 => select(some.to_vec()), 1 => 1..=u16::MAX].prop_map(shared::extent)
}

/// Identifiers and what is none.
fn name() -> impl Strategy<Value = String> {
    let odd = ["", "out", "r#type", "größe", "two words", "x\ny", "x\\", "*/", "\0", "1"];
    prop_oneof![
        12 => select(vec!["a", "b", "c", "M", "N", "K", "matmul", "row", "batch", "sum"]).prop_map(str::to_owned),
        1 => select(odd.to_vec()).prop_map(str::to_owned),
        1 => ".{0,40}",
        1 => Just("long".repeat(1000)),
    ]
}

fn element() -> impl Strategy<Value = Element> {
    prop_oneof![4 => Just(Element::F16), 1 => select(Element::ALL.to_vec())]
}

fn scalar_type() -> impl Strategy<Value = ScalarType> {
    select(vec![ScalarType::F32, ScalarType::F64, ScalarType::I32, ScalarType::Bool])
}

/// Batch indices, mostly none.
fn few_names() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![9 => Just(Vec::new()), 1 => vec(name(), 1..4)]
}

fn operand() -> impl Strategy<Value = Operand> {
    let kind = prop_oneof![
        (element(), [name(), name()])
            .prop_map(|(element, indices)| OperandKind::Matrix { element, indices }),
        (element(), name()).prop_map(|(element, index)| OperandKind::Vector { element, index }),
        scalar_type().prop_map(OperandKind::Scalar),
        element().prop_map(OperandKind::DeviceScalar),
    ];
    (name(), few_names(), kind).prop_map(|(name, batch, kind)| Operand { name, batch, kind })
}

/// The operands of a product of f16, or of another type, in any order of their indices.
fn product() -> impl Strategy<Value = (Vec<Operand>, Output)> {
    (element(), any::<[bool; 3]>()).prop_map(|(element, swapped)| {
        let order = |[row, column]: Indices<'static>, swapped| {
            if swapped { [column, row] } else { [row, column] }
        };
        let [a, b, out] = TN;
        let a = shared::operand("a", matrix(element, order(a, swapped[0])));
        let b = shared::operand("b", matrix(element, order(b, swapped[1])));
        (vec![a, b], output(element, order(out, swapped[2])))
    })
}

/// Batch indices, and which of them the first two operands and the output have.
fn batches() -> impl Strategy<Value = (Vec<String>, [[bool; 2]; 3])> {
    let (none, all) = ([false; 2], [true; 2]);
    let (first, second) = ([true, false], [false, true]);
    let which = prop_oneof![
        3 => Just([none; 3]),
        1 => select(vec![[all, all, all], [all, none, all], [none, all, all]]),
        1 => select(vec![[all, first, all], [second, all, all], [first, second, all]]),
        1 => any::<[[bool; 2]; 3]>(),
    ];
    let one = || prop_oneof![3 => Just(vec!["B".to_owned()]), 1 => vec(name(), 1)];
    let two = Just(vec!["B".to_owned(), "H".to_owned()]);
    (prop_oneof![3 => one(), 2 => two, 1 => vec(name(), 2)], which)
}

/// A product, one among other operands, or only others.
fn operands() -> impl Strategy<Value = (Vec<Operand>, Output)> {
    let output = (element(), output_indices()).prop_map(|(element, indices)| Output {
        in_place: None,
        batch: Vec::new(),
        element,
        indices,
    });
    let of_any_form = prop_oneof![
        2 => product(),
        1 => (product(), vec(operand(), 0..4))
            .prop_map(|((a_and_b, output), others)| ([a_and_b, others].concat(), output)),
        1 => (vec(operand(), 0..6), output),
    ];
    (of_any_form, option::of(name()), batches()).prop_map(
        |((operands, output), in_place, batch)| {
            let (indices, [a, b, written]) = batch;
            let those = |which: [bool; 2]| -> Vec<String> {
                let chosen = indices.iter().zip(which).filter(|(_, chosen)| *chosen);
                chosen.map(|(index, _)| index.clone()).collect()
            };
            let of_factors = [those(a), those(b)];
            let operands =
                operands.into_iter().enumerate().map(|(number, operand)| {
                    match of_factors.get(number).filter(|batch| !batch.is_empty()) {
                        Some(batch) => Operand { batch: batch.clone(), ..operand },
                        None => operand,
                    }
                });
            (operands.collect(), Output { in_place, batch: those(written), ..output })
        },
    )
}

fn node() -> impl Strategy<Value = Node> {
    let id = || prop_oneof![20 => 0..12usize, 1 => any::<usize>()].prop_map(NodeId);
    let arguments = || vec(id(), 0..4);
    prop_oneof![
        1 => any::<f64>().prop_map(Node::Float),
        1 => any::<i64>().prop_map(Node::Int),
        1 => any::<bool>().prop_map(Node::Bool),
        4 => name().prop_map(Node::Name),
        1 => name().prop_map(Node::Deref),
        2 => (name(), arguments())
            .prop_map(|(function, arguments)| Node::Call { function, arguments }),
        1 => (id(), name(), arguments())
            .prop_map(|(receiver, method, arguments)| Node::Method { receiver, method, arguments }),
        1 => (select(vec![UnaryOp::Neg, UnaryOp::Not]), id()).prop_map(|(op, x)| Node::Unary(op, x)),
        1 => (select(vec![BinaryOp::Add, BinaryOp::Lt, BinaryOp::And]), id(), id())
            .prop_map(|(op, x, y)| Node::Binary(op, x, y)),
        1 => (id(), scalar_type()).prop_map(|(x, to)| Node::Cast(x, to)),
        1 => (id(), scalar_type()).prop_map(|(x, ty)| Node::Typed(x, ty)),
        1 => [id(), id(), id()]
            .prop_map(|[condition, then, otherwise]| Node::If { condition, then, otherwise }),
        1 => (vec((name(), id()), 0..3), id())
            .prop_map(|(bindings, value)| Node::Block { bindings, value }),
        1 => arguments().prop_map(Node::Tuple),
    ]
}

/// `matmul(a, b)`, nothing, any nodes, a very deep body, a very wide one.
fn body() -> impl Strategy<Value = Body> {
    let chain = |depth: usize| {
        let mut body = Body::matmul("a", "b");
        for _ in 0..depth {
            body.root = body.push(Node::Unary(UnaryOp::Neg, body.root));
        }
        body
    };
    let wide = |width: usize| {
        let mut body = Body::matmul("a", "b");
        let bindings = (0..width).map(|_| ("y".to_owned(), body.push(Node::Float(1.0)))).collect();
        let value = body.root;
        body.root = body.push(Node::Block { bindings, value });
        body
    };
    let arena = (vec(node(), 0..12), prop_oneof![10 => 0..12usize, 1 => any::<usize>()]);
    prop_oneof![
        8 => Just(Body::matmul("a", "b")),
        4 => arena.prop_map(|(nodes, root)| Body { nodes, root: NodeId(root), functions: Vec::new() }),
        1 => select(vec![100, 253, 254, 10_000]).prop_map(chain),
        1 => select(vec![10, 200]).prop_map(wide),
    ]
}

pub(super) fn spec() -> impl Strategy<Value = Spec> {
    (name(), operands(), other_outputs(), body(), schedule()).prop_map(
        |(name, (operands, output), others, mut body, schedule)| {
            let like_the_first = others.iter().all(Option::is_none);
            if like_the_first && !others.is_empty() {
                let mut values = vec![body.root];
                values.extend(others.iter().map(|_| body.push(Node::Float(1.0))));
                body.root = body.push(Node::Tuple(values));
            }
            let like = |other: Option<Output>| other.unwrap_or_else(|| output.clone());
            let outputs = iter::once(output.clone()).chain(others.into_iter().map(like)).collect();
            Spec { name, operands, outputs, body, schedule }
        },
    )
}

/// Those of a matrix, or of what is reduced.
fn output_indices() -> impl Strategy<Value = OutputIndices> {
    prop_oneof![
        3 => [name(), name()].prop_map(OutputIndices::Matrix),
        1 => name().prop_map(OutputIndices::Reduced),
    ]
}

/// Outputs after the first: like it, or any.
fn other_outputs() -> impl Strategy<Value = Vec<Option<Output>>> {
    let any = (element(), output_indices(), few_names(), option::of(name())).prop_map(
        |(element, indices, batch, in_place)| Output { in_place, batch, element, indices },
    );
    prop_oneof![
        4 => Just(Vec::new()),
        2 => (1..4usize).prop_map(|count| vec![None; count]),
        1 => vec(option::of(any), 0..6),
        1 => Just(vec![None; 100]),
    ]
}

/// What is said of a spec, and the text of a legal one.
fn answer(spec: &Spec) -> String {
    match Plan::new(spec) {
        Ok(plan) => emit(&plan).text.into_owned(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

/// The time of a proof on its processor; a slow one gets two more tries, since others disturb its
/// caches.
fn time(spec: &Spec, limit: Duration) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = ThreadTime::now();
        let _ = Plan::new(spec);
        best = best.min(start.elapsed());
        if best < limit {
            break;
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: shared::draws(),
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn every_spec_has_an_answer_soon(spec in spec()) {
        prop_assert!(!answer(&spec).is_empty());
        let limit = if Plan::new(&spec).is_ok() { LIMIT } else { BROKEN_LIMIT };
        let time = time(&spec, limit);
        prop_assert!(time < limit, "{time:?}");
    }
}
