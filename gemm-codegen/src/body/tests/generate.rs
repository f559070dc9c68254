//! Random bodies: arenas of any shape, and well-typed trees.

use proptest::prelude::*;

use crate::body::Coordinate;
use crate::body::function;
use crate::body::function::FUNCTIONS;
use crate::body::samples::{in_place, scalar};
use crate::element::Element;
use crate::element::ScalarType::{self, Bool, F32, F64, I32};
use crate::spec::{BinaryOp, Body, Node, NodeId, Spec, UnaryOp};

const ARITHMETIC: [BinaryOp; 5] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem];
const COMPARISONS: [BinaryOp; 6] =
    [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];

/// Names of `let`s that are apt to clash with something.
const NAMES: [&str; 8] = ["y", "bias", "acc", "value", "bias_2", "int", "größe", "value_"];

/// Nodes with arbitrary children, mostly earlier ones.
pub(super) fn arena() -> impl Strategy<Value = Vec<Node>> {
    prop::collection::vec(node(), 0..12)
}

fn node() -> impl Strategy<Value = Node> {
    let id = || (0usize..12).prop_map(NodeId);
    let name = || prop::sample::select(vec!["x", "w", "bias", "alpha", "count", "y", "", "nope"]);
    let function = || {
        prop::sample::select(vec![
            "matmul", "gelu", "elu", "max", "powi", "abs", "e", "row", "batch",
        ])
    };
    let operators: Vec<BinaryOp> =
        ARITHMETIC.into_iter().chain(COMPARISONS).chain([BinaryOp::And, BinaryOp::Or]).collect();
    let arguments = || prop::collection::vec(id(), 0..3);
    prop_oneof![
        any::<f64>().prop_map(Node::Float),
        any::<i64>().prop_map(Node::Int),
        (-3i64..3).prop_map(Node::Int),
        any::<bool>().prop_map(Node::Bool),
        name().prop_map(|name| Node::Name(name.to_owned())),
        prop::sample::select(vec!["c", "x", "bias", "y", ""])
            .prop_map(|name| Node::Deref(name.to_owned())),
        (function(), arguments())
            .prop_map(|(f, arguments)| Node::Call { function: f.to_owned(), arguments }),
        (id(), function(), arguments()).prop_map(|(receiver, f, arguments)| Node::Method {
            receiver,
            method: f.to_owned(),
            arguments
        }),
        (prop::sample::select(vec![UnaryOp::Neg, UnaryOp::Not]), id())
            .prop_map(|(op, x)| Node::Unary(op, x)),
        (prop::sample::select(operators), id(), id()).prop_map(|(op, x, y)| Node::Binary(op, x, y)),
        (id(), scalar_type()).prop_map(|(x, to)| Node::Cast(x, to)),
        (id(), scalar_type()).prop_map(|(x, ty)| Node::Typed(x, ty)),
        (id(), id(), id()).prop_map(|(condition, then, otherwise)| Node::If {
            condition,
            then,
            otherwise
        }),
        (prop::collection::vec((name().prop_map(str::to_owned), id()), 0..3), id())
            .prop_map(|(bindings, value)| Node::Block { bindings, value }),
        arguments().prop_map(Node::Tuple),
    ]
}

fn scalar_type() -> impl Strategy<Value = ScalarType> {
    prop::sample::select(vec![F32, F64, I32, Bool])
}

/// What [`typed`] decides by.
pub(super) fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

/// A legal spec whose body the choices decide; few choices make a small body.
pub(super) fn typed(choices: &[u8]) -> Spec {
    let mut spec = in_place("matmul(x, w)");
    spec.outputs[0].batch.push("B".to_owned());
    spec.operands.push(scalar("float", F32));
    spec.operands.push(scalar("value", I32));
    spec.operands.push(scalar("double", F64));
    let body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
    let scope = vec![
        ("bias".to_owned(), F32),
        ("residual".to_owned(), F32),
        ("alpha".to_owned(), F32),
        ("count".to_owned(), I32),
        ("float".to_owned(), F32),
        ("value".to_owned(), I32),
        ("double".to_owned(), F64),
    ];
    let old = F32;
    let mut writer = Writer { choices: choices.iter(), body, scope, old, anchored: true };
    if writer.choose(2) == 1 {
        spec.outputs[0].element = Element::F64;
        writer.old = F64;
    }
    let (a, b) = (writer.node(Node::Name("x".into())), writer.node(Node::Name("w".into())));
    let product = writer.node(Node::Call { function: "matmul".to_owned(), arguments: vec![a, b] });
    let name = writer.pick(&NAMES).to_string();
    writer.scope.push((name.clone(), F32));
    let value = writer.expr(writer.old, 0);
    writer.body.root = writer.node(Node::Block { bindings: vec![(name, product)], value });
    spec.body = writer.body;
    spec
}

struct Writer<'a> {
    choices: std::slice::Iter<'a, u8>,
    body: Body,
    scope: Vec<(String, ScalarType)>,
    /// The type of the output's old elements, and of the body.
    old: ScalarType,
    /// Whether the place of an expression says its type, so that literals there need not.
    anchored: bool,
}

impl Writer<'_> {
    /// The next choice; 0, the simplest, when none is left.
    fn choose(&mut self, below: usize) -> usize {
        self.choices.next().map_or(0, |choice| usize::from(*choice) % below)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.choose(from.len())]
    }

    fn node(&mut self, node: Node) -> NodeId {
        self.body.push(node)
    }

    /// An expression in a place where anything can stand.
    fn loose(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let anchored = std::mem::replace(&mut self.anchored, false);
        let expr = self.expr(ty, depth);
        self.anchored = anchored;
        expr
    }

    fn expr(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let deepest = depth > 12;
        match if deepest { 0 } else { self.choose(10) } {
            0 | 1 => self.leaf(ty),
            2 => self.unary(ty, depth),
            3..=5 => self.binary(ty, depth),
            6 => self.cast(ty, depth),
            7 => self.call(ty, depth),
            8 => {
                let condition = self.loose(Bool, depth + 1);
                let then = self.expr(ty, depth + 1);
                let otherwise = self.expr(ty, depth + 1);
                self.node(Node::If { condition, then, otherwise })
            }
            _ => self.block(ty, depth),
        }
    }

    fn leaf(&mut self, ty: ScalarType) -> NodeId {
        // The innermost binding of each name is the one that counts.
        let mut names: Vec<String> = Vec::new();
        for (i, (name, of)) in self.scope.iter().enumerate() {
            let shadowed = self.scope[i + 1..].iter().any(|(later, _)| later == name);
            if *of == ty && !shadowed {
                names.push(name.clone());
            }
        }
        let choice = self.choose(names.len() + 2);
        let node = match (names.get(choice), ty) {
            (Some(name), _) => Node::Name(name.clone()),
            (None, _) if ty == self.old && choice > names.len() => Node::Deref("c".to_owned()),
            (None, F32 | F64) => {
                let literal = self.pick(&[
                    0.0,
                    1.0,
                    0.1,
                    1e-7,
                    f32::MAX.into(),
                    -1.5,
                    -0.0,
                    f64::INFINITY,
                    f64::NAN,
                ]);
                if self.anchored {
                    Node::Float(literal)
                } else {
                    Node::Typed(self.node(Node::Float(literal)), ty)
                }
            }
            (None, I32) if choice > names.len() => self.coordinate(),
            (None, I32) => Node::Int(self.pick(&[0, 1, 2, 2147483647, -2147483648, -1])),
            (None, Bool) => Node::Bool(choice == names.len()),
        };
        self.node(node)
    }

    fn coordinate(&mut self) -> Node {
        let function = self.pick(&Coordinate::ALL).name().to_owned();
        Node::Call { function, arguments: Vec::new() }
    }

    fn unary(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let op = match ty {
            F32 | F64 => UnaryOp::Neg,
            I32 => self.pick(&[UnaryOp::Neg, UnaryOp::Not]),
            Bool => UnaryOp::Not,
        };
        let x = self.expr(ty, depth + 1);
        self.node(Node::Unary(op, x))
    }

    fn binary(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let (op, of) = match ty {
            F32 | F64 | I32 => (self.pick(&ARITHMETIC), ty),
            Bool if self.choose(2) == 0 => (self.pick(&[BinaryOp::And, BinaryOp::Or]), Bool),
            Bool => (self.pick(&COMPARISONS), self.pick(&[F32, F64, I32, Bool])),
        };
        let operand = if of == ty { Self::expr } else { Self::loose };
        let x = operand(self, of, depth + 1);
        let y = operand(self, of, depth + 1);
        self.node(Node::Binary(op, x, y))
    }

    fn cast(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let from = match ty {
            F32 | F64 => self.pick(&[I32, F32, F64]),
            I32 => self.pick(&[F32, F64, Bool, I32]),
            Bool => Bool,
        };
        let x = self.loose(from, depth + 1);
        self.node(Node::Cast(x, ty))
    }

    fn call(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let fitting: Vec<_> = FUNCTIONS.iter().filter(|f| f.result == ty).collect();
        if fitting.is_empty() {
            return self.leaf(ty);
        }
        let called = self.pick(&fitting);
        let mut arguments: Vec<NodeId> =
            called.parameters.iter().map(|(_, ty)| self.expr(*ty, depth + 1)).collect();
        let name = called.name.to_owned();
        if name == "clamp" {
            // Of two literals the lower one is first; what is cast is none.
            arguments[1] = self.node(Node::Cast(arguments[1], called.parameters[1].1));
        }
        self.node(match called.syntax {
            function::Syntax::Free => Node::Call { function: name, arguments },
            function::Syntax::Method => {
                let receiver = arguments.remove(0);
                Node::Method { receiver, method: name, arguments }
            }
        })
    }

    fn block(&mut self, ty: ScalarType, depth: usize) -> NodeId {
        let outer = self.scope.len();
        let mut bindings = Vec::new();
        for _ in 0..self.choose(3) + 1 {
            let of = self.pick(&[F32, F64, I32, Bool]);
            let value = self.loose(of, depth + 1);
            let name = self.pick(&NAMES).to_owned();
            bindings.push((name.clone(), value));
            self.scope.push((name, of));
        }
        let value = self.expr(ty, depth + 1);
        self.scope.truncate(outer);
        self.node(Node::Block { bindings, value })
    }
}
