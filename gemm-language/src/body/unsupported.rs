//! Syntax that a body cannot contain: each error names it, at its token, with an alternative.

use gemm_codegen::body::NodeId;
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, Item, Lit, StmtMacro};

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
        if let Expr::Binary(ExprBinary { left, op: op @ BinOp::BitXor(_), right, .. }) = expr {
            let is_float = matches!(&**right, Expr::Lit(lit) if matches!(lit.lit, Lit::Float(_)));
            let power = if is_float { "powf" } else { "powi" };
            let help = format!("write a power as `{}.{power}({})`", line(left), line(right));
            return self.fail(op, "this operator is not supported in a body", &help);
        }
        let (place, what, help) = describe(expr);
        self.fail(place, &format!("{what} is not supported in a body"), help)
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
            "use the operand's name: it is the element at the output's position",
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
