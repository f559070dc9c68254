//! Syntax that a body cannot contain: each error names it, at its token, with an alternative.

use gemm_codegen::body::NodeId;
use quote::ToTokens;
use syn::{Expr, Item, StmtMacro};

use super::{Reader, binary_op};
use crate::spans::TokenRange;

const POSSIBLE: &str = "a body can have arithmetic, comparisons, `&&`, `||`, `!`, `as f32`, \
                        `as f64`, `as i32`, literals, `let`, `if`/`else`, calls such as `gelu(x)` and \
                        methods such as `x.max(0.0)`";

impl Reader<'_> {
    /// The error for an expression without a device function.
    pub(super) fn unsupported(&mut self, expr: &Expr) -> NodeId {
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
    match expr {
        Expr::Array(e) => (TokenRange::of(e), "an array", POSSIBLE),
        Expr::Assign(e) => {
            (TokenRange::of(e.eq_token), "an assignment", "bind a new value with `let`")
        }
        Expr::Await(e) => (TokenRange::of(e.await_token), "`await`", POSSIBLE),
        Expr::Binary(e) if e.op.to_token_stream().to_string().ends_with('=') => {
            (TokenRange::of(e.op), "an assignment", "bind a new value with `let`")
        }
        Expr::Binary(e) => (TokenRange::of(e.op), "this operator", POSSIBLE),
        Expr::Closure(e) => (TokenRange::of(e), "a closure", "bind its value with `let`"),
        Expr::Field(e) => (TokenRange::of(&e.member), "a field", POSSIBLE),
        Expr::ForLoop(e) => (TokenRange::of(e.for_token), "a loop", POSSIBLE),
        Expr::Index(e) => (
            TokenRange::at(e.bracket_token.span.join()),
            "an index",
            "use the operand's name: it is the element at the output's position",
        ),
        Expr::Let(e) => (TokenRange::of(e.let_token), "`if let`", "compare with `==` or `<`"),
        Expr::Loop(e) => (TokenRange::of(e.loop_token), "a loop", POSSIBLE),
        Expr::Macro(e) => (TokenRange::of(&e.mac.path), "a macro", POSSIBLE),
        Expr::Match(e) => (TokenRange::of(e.match_token), "`match`", "write `if`/`else`"),
        Expr::MethodCall(e) => (TokenRange::of(&e.turbofish), "a type argument", "remove it"),
        Expr::Path(e) => (
            TokenRange::of(e),
            "a path",
            "call functions by their plain name, such as `gelu(x)`, and methods as `x.max(0.0)`",
        ),
        Expr::Range(e) => (TokenRange::of(e), "a range", POSSIBLE),
        Expr::Reference(e) => {
            (TokenRange::of(e.and_token), "a reference", "remove the reference: values are numbers")
        }
        Expr::Return(e) => (
            TokenRange::of(e.return_token),
            "`return`",
            "remove `return`: the value of a body is its last expression",
        ),
        Expr::Struct(e) => (TokenRange::of(e), "a struct", POSSIBLE),
        Expr::Try(e) => (TokenRange::of(e.question_token), "`?`", "remove `?`: a body cannot fail"),
        Expr::Tuple(e) => (TokenRange::of(e), "an empty tuple", POSSIBLE),
        Expr::Unary(e) => (TokenRange::of(e.op), "this operator", POSSIBLE),
        Expr::Unsafe(e) => (TokenRange::of(e.unsafe_token), "`unsafe`", POSSIBLE),
        Expr::While(e) => (TokenRange::of(e.while_token), "a loop", POSSIBLE),
        other => (TokenRange::of(other), "this", POSSIBLE),
    }
}
