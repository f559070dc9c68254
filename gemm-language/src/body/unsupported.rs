//! Syntax that a body cannot contain: each error names it, at its token, with an alternative.

use gemm_codegen::body::{Node, NodeId};
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprBinary, ExprUnary, Item, Lit, Member, Stmt, StmtMacro, UnOp};

use super::Reader;
use super::assigned::line;
use super::operator::binary_op;
use crate::spans::TokenRange;

const POSSIBLE: &str = "a body can have arithmetic, comparisons, `&&`, `||`, `!`, `as f32`, \
                        `as f64`, `as i32`, literals, `let`, `if`/`else`, calls such as `gelu(x)` and \
                        methods such as `x.max(0.0)`";

/// In place of an assignment.
const LET: &str = "bind a new value with `let`";

impl Reader<'_> {
    /// The error for an expression without a device function.
    pub(super) fn unsupported(&mut self, expr: &Expr) -> NodeId {
        if let Some(failed) = self.assigned(expr) {
            return failed;
        }
        match expr {
            Expr::Binary(ExprBinary { left, op: op @ BinOp::BitXor(_), right, .. }) => {
                return self.written_power(left, op, right);
            }
            Expr::Binary(product) => {
                if let Some(exponent) = power(product) {
                    return self.written_power(&product.left, &product.op, exponent);
                }
            }
            // As the method: what is said of a transpose depends on the operand.
            Expr::Field(field) if is_transpose(&field.member) => {
                let receiver = self.expression(&field.base);
                let (method, arguments) = ("t".to_owned(), Vec::new());
                return self.push(Node::Method { receiver, method, arguments }, &field.member);
            }
            _ => {}
        }
        let (place, what, help) = describe(expr);
        self.fail(place, &format!("{what} is not supported in a body"), help)
    }

    /// The error for `fn name(..) -> ..;`, whose block is read as the `;` alone.
    pub(super) fn no_body(&mut self, block: &Block) -> Option<NodeId> {
        match &block.stmts[..] {
            [Stmt::Expr(Expr::Verbatim(nothing), Some(semicolon))] if nothing.is_empty() => {
                let help = "write a block in place of the `;`, such as `{ matmul(a, b) }`";
                Some(self.fail(semicolon, "a function needs a body", help))
            }
            _ => None,
        }
    }

    /// The error for a power that is written as an operator.
    fn written_power(&mut self, of: &Expr, op: &BinOp, power: &Expr) -> NodeId {
        let is_float = matches!(power, Expr::Lit(lit) if matches!(lit.lit, Lit::Float(_)));
        let method = if is_float { "powf" } else { "powi" };
        let help = format!("write a power as `{}.{method}({})`", line(of), line(power));
        self.fail(op, "this operator is not supported in a body", &help)
    }

    /// The error for an item inside a block.
    pub(super) fn item(&mut self, item: &Item) -> NodeId {
        self.fail(item, "an item is not supported in a body", POSSIBLE)
    }

    /// The error for a macro as a statement.
    pub(super) fn macro_call(&mut self, call: &StmtMacro) -> NodeId {
        self.fail(&call.mac.path, "a macro is not supported in a body", POSSIBLE)
    }
}

/// The exponent of `x ** 2`, which is a product with what a literal refers to.
pub(super) fn power(product: &ExprBinary) -> Option<&Expr> {
    let ExprBinary { op: BinOp::Mul(_), right, .. } = product else { return None };
    match &**right {
        Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. })
            if matches!(**expr, Expr::Lit(_)) =>
        {
            Some(expr)
        }
        _ => None,
    }
}

/// Whether a field is what libraries of tensors call the transpose.
fn is_transpose(member: &Member) -> bool {
    matches!(member, Member::Named(name) if ["T", "mT"].iter().any(|transpose| name == transpose))
}

/// Whether a body can contain an expression of this kind.
pub(super) fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => binary_op(&binary.op).is_some(),
        Expr::Block(_)
        | Expr::Call(_)
        | Expr::Cast(_)
        | Expr::Group(_)
        | Expr::If(_)
        | Expr::Lit(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Tuple(_)
        | Expr::Unary(_) => true,
        _ => false,
    }
}

/// The token to point at, its name, and the alternative.
fn describe(expr: &Expr) -> (TokenRange, &'static str, &'static str) {
    let assigns = |op: &BinOp| op.to_token_stream().to_string().ends_with('=');
    match expr {
        Expr::Assign(e) => (TokenRange::of(e.eq_token), "an assignment", LET),
        Expr::Binary(e) if assigns(&e.op) => (TokenRange::of(e.op), "an assignment", LET),
        Expr::Closure(e) => (
            TokenRange::of(e),
            "a closure",
            "write what it computes in place, or as a plain `fn` of a module that has `#[gemm]`, too",
        ),
        Expr::Index(e) => (
            TokenRange::at(e.bracket_token.span.join()),
            "an index",
            "use the operand's name: it is the element at the output's position; rows at other positions are gathered \
             before the launch, and a choice by position is an `if`, such as `if row() < split { x } else { y }`",
        ),
        Expr::Let(e) => (TokenRange::of(e.let_token), "`if let`", "compare with `==` or `<`"),
        Expr::Match(e) => (TokenRange::of(e.match_token), "`match`", "write `if`/`else`"),
        Expr::MethodCall(e) => (TokenRange::of(&e.turbofish), "a type argument", "remove it"),
        Expr::Path(e) => (
            TokenRange::of(e),
            "a path",
            "call functions by their plain name, such as `gelu(x)`, and methods as `x.max(0.0)`; a function of \
             your own is a plain `fn` of a module or an `impl` that has `#[gemm]`, too",
        ),
        Expr::Reference(e) => {
            (TokenRange::of(e.and_token), "a reference", "remove the reference: values are numbers")
        }
        Expr::Return(e) => (
            TokenRange::of(e.return_token),
            "`return`",
            "remove `return`: the value of a body is its last expression",
        ),
        Expr::Try(e) => (TokenRange::of(e.question_token), "`?`", "remove `?`: a body cannot fail"),
        other => {
            let (place, what) = without_alternative(other);
            (place, what, POSSIBLE)
        }
    }
}

/// The token to point at and its name, for what nothing else stands for.
fn without_alternative(expr: &Expr) -> (TokenRange, &'static str) {
    match expr {
        Expr::Array(e) => (TokenRange::of(e), "an array"),
        Expr::Await(e) => (TokenRange::of(e.await_token), "`await`"),
        Expr::Binary(e) => (TokenRange::of(e.op), "this operator"),
        Expr::Field(e) => (TokenRange::of(&e.member), "a field"),
        Expr::ForLoop(e) => (TokenRange::of(e.for_token), "a loop"),
        Expr::Loop(e) => (TokenRange::of(e.loop_token), "a loop"),
        Expr::Macro(e) => (TokenRange::of(&e.mac.path), "a macro"),
        Expr::Range(e) => (TokenRange::of(e), "a range"),
        Expr::Struct(e) => (TokenRange::of(e), "a struct"),
        Expr::Tuple(e) => (TokenRange::of(e), "an empty tuple"),
        Expr::Unary(e) => (TokenRange::of(e.op), "this operator"),
        Expr::Unsafe(e) => (TokenRange::of(e.unsafe_token), "`unsafe`"),
        Expr::While(e) => (TokenRange::of(e.while_token), "a loop"),
        other => (TokenRange::of(other), "this"),
    }
}
