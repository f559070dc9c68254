//! Bodies for tests, written in Rust.

use syn::{Expr, FnArg, Item, ItemFn, Pat, ReturnType};

use crate::element::{Element, ScalarType};
use crate::spec::{
    BinaryOp, Body, Node, NodeId, Operand, OperandKind, Output, OutputIndices, Precision, Schedule,
    Spec, UnaryOp, UserFunction,
};

/// A spec with this body over `x`, `w` (multiplied), `bias`, `residual`, `alpha` and `count`.
pub(crate) fn spec(body: &str) -> Spec {
    let mut spec = product(Element::F16, body);
    let bias = OperandKind::Vector { element: Element::F16, index: "N".to_owned() };
    spec.operands.extend([
        operand("bias", bias),
        matrix("residual", Element::F16, ["M", "N"]),
        scalar("alpha", ScalarType::F32),
        scalar("count", ScalarType::I32),
    ]);
    spec
}

/// A spec with this body over `x` and `w` of one element on tensor cores, stored as i32 if that is i8.
pub(crate) fn product(element: Element, body: &str) -> Spec {
    let stored = if element == Element::I8 { Element::I32 } else { element };
    let indices = ["M", "N"].map(str::to_owned);
    Spec {
        name: "sample".to_owned(),
        operands: vec![matrix("x", element, ["M", "K"]), matrix("w", element, ["N", "K"])],
        outputs: vec![Output {
            in_place: None,
            batch: Vec::new(),
            element: stored,
            indices: OutputIndices::Matrix(indices),
        }],
        body: parse(body),
        schedule: Schedule {
            precision: (element == Element::F32).then_some(Precision::Tf32),
            ..Schedule::default()
        },
    }
}

/// The same of f64: all but `residual`, which is f32, and `count`.
pub(crate) fn doubles(body: &str) -> Spec {
    let mut spec = spec(body);
    for operand in &mut spec.operands {
        match &mut operand.kind {
            OperandKind::Matrix { element, .. } | OperandKind::Vector { element, .. } => {
                *element = if operand.name == "residual" { Element::F32 } else { Element::F64 };
            }
            OperandKind::Scalar(ty @ ScalarType::F32) => *ty = ScalarType::F64,
            OperandKind::Tiled { .. } | OperandKind::DeviceScalar(_) | OperandKind::Scalar(_) => {}
        }
    }
    spec.outputs[0].element = Element::F64;
    spec
}

/// The same with an output for each of these elements.
pub(crate) fn outputs(elements: &[Element], body: &str) -> Spec {
    let mut spec = spec(body);
    let output = |element: &Element| Output { element: *element, ..spec.output().clone() };
    spec.outputs = elements.iter().map(output).collect();
    spec
}

/// The same with an output that is batched over these indices.
pub(crate) fn batched(indices: &[&str], body: &str) -> Spec {
    let mut spec = spec(body);
    spec.outputs[0].batch = indices.iter().map(|index| (*index).to_owned()).collect();
    spec
}

/// The same with an output `c` that is a parameter.
pub(crate) fn in_place(body: &str) -> Spec {
    let mut spec = spec(body);
    spec.outputs[0].in_place = Some("c".to_owned());
    spec
}

fn matrix(name: &str, element: Element, indices: [&str; 2]) -> Operand {
    operand(name, OperandKind::Matrix { element, indices: indices.map(str::to_owned) })
}

pub(crate) fn scalar(name: &str, ty: ScalarType) -> Operand {
    operand(name, OperandKind::Scalar(ty))
}

/// An operand that is not batched.
pub(crate) fn operand(name: &str, kind: OperandKind) -> Operand {
    Operand { name: name.to_owned(), batch: Vec::new(), kind }
}

/// The body that a Rust expression is.
pub(crate) fn parse(text: &str) -> Body {
    let expr: Expr = syn::parse_str(text).unwrap_or_else(|e| panic!("{e} in `{text}`"));
    let mut body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
    body.root = convert(&mut body, &expr);
    body
}

/// The spec with these functions of the user's own, written in Rust.
pub(crate) fn with_functions(mut spec: Spec, functions: &str) -> Spec {
    let file: syn::File = syn::parse_str(functions).unwrap_or_else(|e| panic!("{e}"));
    for item in file.items {
        let Item::Fn(ItemFn { sig, block, .. }) = item else { panic!("not a function") };
        let parameter = |input: &FnArg| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => (name.ident.to_string(), named_type(&typed.ty)),
                _ => panic!("not a name"),
            },
            FnArg::Receiver(_) => panic!("a receiver"),
        };
        let ReturnType::Type(_, result) = &sig.output else { panic!("no result") };
        let root = convert_block(&mut spec.body, &block);
        spec.body.functions.push(UserFunction {
            name: sig.ident.to_string(),
            parameters: sig.inputs.iter().map(parameter).collect(),
            result: named_type(result),
            root,
        });
    }
    spec
}

fn convert(body: &mut Body, expr: &Expr) -> NodeId {
    let node = match expr {
        Expr::Paren(paren) => return convert(body, &paren.expr),
        Expr::Block(block) => return convert_block(body, &block.block),
        Expr::Lit(literal) => convert_literal(body, &literal.lit),
        Expr::Path(_) => Node::Name(name(expr)),
        Expr::Call(call) => {
            Node::Call { function: name(&call.func), arguments: convert_all(body, &call.args) }
        }
        Expr::Tuple(tuple) => Node::Tuple(convert_all(body, &tuple.elems)),
        Expr::MethodCall(call) => {
            let receiver = convert(body, &call.receiver);
            let arguments = convert_all(body, &call.args);
            Node::Method { receiver, method: call.method.to_string(), arguments }
        }
        Expr::Unary(unary) => match unary.op {
            syn::UnOp::Deref(_) => Node::Deref(name(&unary.expr)),
            syn::UnOp::Neg(_) => Node::Unary(UnaryOp::Neg, convert(body, &unary.expr)),
            _ => Node::Unary(UnaryOp::Not, convert(body, &unary.expr)),
        },
        Expr::Binary(binary) => {
            let (x, y) = (convert(body, &binary.left), convert(body, &binary.right));
            Node::Binary(operator(&binary.op), x, y)
        }
        Expr::Cast(cast) => Node::Cast(convert(body, &cast.expr), named_type(&cast.ty)),
        Expr::If(choice) => {
            let condition = convert(body, &choice.cond);
            let then = convert_block(body, &choice.then_branch);
            let otherwise = convert(body, &choice.else_branch.as_ref().unwrap().1);
            Node::If { condition, then, otherwise }
        }
        _ => panic!("an expression that bodies lack"),
    };
    body.push(node)
}

fn convert_all<'a>(body: &mut Body, values: impl IntoIterator<Item = &'a Expr>) -> Vec<NodeId> {
    values.into_iter().map(|value| convert(body, value)).collect()
}

fn convert_literal(body: &mut Body, literal: &syn::Lit) -> Node {
    match literal {
        syn::Lit::Float(value) => {
            let literal = Node::Float(value.base10_parse().unwrap());
            match value.suffix() {
                "" => literal,
                suffix => Node::Typed(body.push(literal), scalar_type(suffix)),
            }
        }
        syn::Lit::Int(value) => Node::Int(value.base10_parse().unwrap()),
        syn::Lit::Bool(value) => Node::Bool(value.value),
        _ => panic!("a literal that bodies lack"),
    }
}

/// The name that an expression is.
fn name(expr: &Expr) -> String {
    let Expr::Path(path) = expr else { panic!("an expression where bodies have a name") };
    path.path.get_ident().unwrap().to_string()
}

fn named_type(ty: &syn::Type) -> ScalarType {
    let syn::Type::Path(ty) = ty else { panic!("a type with no name") };
    scalar_type(&ty.path.get_ident().unwrap().to_string())
}

fn scalar_type(name: &str) -> ScalarType {
    let all = [ScalarType::F32, ScalarType::F64, ScalarType::I32, ScalarType::Bool];
    all.into_iter().find(|ty| ty.name() == name).unwrap()
}

fn convert_block(body: &mut Body, block: &syn::Block) -> NodeId {
    let mut bindings = Vec::new();
    for statement in &block.stmts {
        match statement {
            syn::Stmt::Local(local) => {
                let mut value = convert(body, &local.init.as_ref().unwrap().expr);
                let name = match &local.pat {
                    syn::Pat::Ident(name) => name,
                    syn::Pat::Type(typed) => {
                        let ty = named_type(&typed.ty);
                        value = body.push(Node::Typed(value, ty));
                        let syn::Pat::Ident(name) = &*typed.pat else { panic!("a pattern") };
                        name
                    }
                    _ => panic!("a pattern"),
                };
                bindings.push((name.ident.to_string(), value));
            }
            syn::Stmt::Expr(value, None) => {
                let value = convert(body, value);
                return body.push(Node::Block { bindings, value });
            }
            _ => panic!("a statement that bodies lack"),
        }
    }
    panic!("a block without a value")
}

fn operator(op: &syn::BinOp) -> BinaryOp {
    match op {
        syn::BinOp::Add(_) => BinaryOp::Add,
        syn::BinOp::Sub(_) => BinaryOp::Sub,
        syn::BinOp::Mul(_) => BinaryOp::Mul,
        syn::BinOp::Div(_) => BinaryOp::Div,
        syn::BinOp::Rem(_) => BinaryOp::Rem,
        syn::BinOp::Lt(_) => BinaryOp::Lt,
        syn::BinOp::Le(_) => BinaryOp::Le,
        syn::BinOp::Gt(_) => BinaryOp::Gt,
        syn::BinOp::Ge(_) => BinaryOp::Ge,
        syn::BinOp::Eq(_) => BinaryOp::Eq,
        syn::BinOp::Ne(_) => BinaryOp::Ne,
        syn::BinOp::And(_) => BinaryOp::And,
        syn::BinOp::Or(_) => BinaryOp::Or,
        _ => panic!("an operator that bodies lack"),
    }
}

thread_local! {
    static RESOLUTIONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts one more body that this thread has resolved.
pub(crate) fn count_resolution() {
    RESOLUTIONS.set(RESOLUTIONS.get() + 1);
}

/// How many bodies this thread has resolved.
pub(crate) fn resolutions() -> usize {
    RESOLUTIONS.get()
}
