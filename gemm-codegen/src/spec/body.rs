//! [`Body`]: what happens to the accumulator, as written: names and functions are not resolved yet.
//!
//! Nodes live in an arena so that a diagnostic can point at one with a plain
//! [`Field::Body`](crate::Field::Body) and the macro can keep a span for each.

use crate::element::ScalarType;

/// Index of a node in [`Body::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// An expression tree over the accumulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The nodes; children come before their parents.
    pub nodes: Vec<Node>,
    /// The node whose value is stored, or a tuple of the values that are. In place, `*c = value` has `value` here, and `*c += value`
    /// the sum.
    pub root: NodeId,
    /// The functions of the user's own that it may call, or that these call. Their nodes are among `nodes`.
    pub functions: Vec<UserFunction>,
}

/// A function of the user's own: an expression over its parameters alone, which becomes a device function.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFunction {
    /// Its name in bodies and in the emitted text.
    pub name: String,
    /// Name and type of each parameter.
    pub parameters: Vec<(String, ScalarType)>,
    /// The type of its value.
    pub result: ScalarType,
    /// The node of its value.
    pub root: NodeId,
}

impl Body {
    /// The body that is just `matmul(a, b)`.
    pub fn matmul(a: &str, b: &str) -> Body {
        let nodes = vec![
            Node::Name(a.to_owned()),
            Node::Name(b.to_owned()),
            Node::Call { function: "matmul".to_owned(), arguments: vec![NodeId(0), NodeId(1)] },
        ];
        Body { nodes, root: NodeId(2), functions: Vec::new() }
    }

    /// Adds a node and returns where it is.
    pub fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }
}

/// One node of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `1.5`: of the type that its use gives it, as in Rust.
    Float(f64),
    /// `3`, `3i32`.
    Int(i64),
    /// `true`, `false`.
    Bool(bool),
    /// An operand, a scalar or a `let` binding.
    Name(String),
    /// `*c`: the old element of the output, a `&mut` parameter named `c`.
    Deref(String),
    /// `f(x, y)`: `matmul`, a function of the prelude or one of the user's own.
    Call {
        /// Name of the function.
        function: String,
        /// Its arguments in order.
        arguments: Vec<NodeId>,
    },
    /// `x.f(y)`: a method of `f32`, `f64` or `i32`.
    Method {
        /// What it is called on.
        receiver: NodeId,
        /// Name of the method.
        method: String,
        /// Its arguments without the receiver.
        arguments: Vec<NodeId>,
    },
    /// `-x` or `!x`.
    Unary(UnaryOp, NodeId),
    /// `x + y`, `x < y`, ...
    Binary(BinaryOp, NodeId, NodeId),
    /// `x as f32`.
    Cast(NodeId, ScalarType),
    /// A value that says its type: `1.5f32`, or that of `let y: f32 = x`.
    Typed(NodeId, ScalarType),
    /// `if condition { then } else { otherwise }`.
    If {
        /// The `bool` to decide on.
        condition: NodeId,
        /// Value if true.
        then: NodeId,
        /// Value if false.
        otherwise: NodeId,
    },
    /// `{ let a = ..; let b = ..; value }`. A later binding may shadow an earlier one.
    Block {
        /// The bindings in order, each with the node of its value.
        bindings: Vec<(String, NodeId)>,
        /// Value of the block.
        value: NodeId,
    },
    /// `(x, y)`: the value of each output, at the end of a body.
    Tuple(Vec<NodeId>),
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

impl UnaryOp {
    /// As written in Rust.
    pub const fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// As written in Rust, and in CUDA C++.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}
