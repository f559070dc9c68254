//! Assignments: a body binds values and does not change them, so each help has the `let` that is meant.

use gemm_codegen::body::NodeId;
use quote::ToTokens;
use syn::{Block, Expr, ExprBinary, ExprIf, ExprReturn, Ident, Stmt, Token};

use super::in_place::{compound, dereferenced};
use super::unsupported::is_value;
use super::{Reader, plain_name};
use crate::spans::TokenRange;

/// A value that a name is given.
struct Assigned {
    /// The name, or `*name`.
    to: String,
    value: String,
    /// The `=`.
    place: TokenRange,
}

impl Reader<'_> {
    /// The error for an expression as a statement before the value of a block.
    pub(super) fn statement(&mut self, value: &Expr) -> NodeId {
        if let Some(failed) = self.assigned(value) {
            return failed;
        }
        if !is_value(value) {
            return self.unsupported(value);
        }
        if let Expr::If(branch) = value
            && let Some(returned) = returned(&branch.then_branch)
        {
            let help = format!(
                "end in one value: `if {} {{ {returned} }} else {{ .. }}`",
                line(&branch.cond)
            );
            return self.fail(value, "a `return` before the end is not supported", &help);
        }
        let help = match value {
            Expr::If(_) => "bind its value, `let z = if .. { .. } else { .. };`, or remove it",
            _ => "remove it: only `let` may precede the value of a body",
        };
        self.fail(value, "a statement without effect", help)
    }

    /// The error for `let mut`.
    pub(super) fn mutable(&mut self, token: Token![mut], name: &Ident) {
        let help =
            format!("remove `mut`, and bind another value to the name again: `let {name} = ..;`");
        self.errors.push(token, "`mut` is not supported in a body", help);
    }

    /// The error for an assignment, or for an `if` whose branches assign.
    pub(super) fn assigned(&mut self, expr: &Expr) -> Option<NodeId> {
        let Assigned { to, value, place } = assigned(expr)?;
        let help = match (to.starts_with('*'), expr) {
            (true, Expr::If(_)) => {
                format!("assign once, at the end of the body: `{to} = {value};`")
            }
            (true, _) => format!(
                "assign `{to}` once, at the end of the body, and bind values before it with `let`"
            ),
            (false, _) => format!("bind the new value: `let {to} = {value};`"),
        };
        Some(self.fail(place, "an assignment is not supported in a body", &help))
    }
}

/// What a block returns, if that is all that it does.
fn returned(block: &Block) -> Option<String> {
    match &block.stmts[..] {
        [Stmt::Expr(Expr::Return(ExprReturn { expr: Some(value), .. }), _)] => Some(line(value)),
        _ => None,
    }
}

/// What an expression assigns, if it does nothing else.
fn assigned(expr: &Expr) -> Option<Assigned> {
    match expr {
        Expr::Assign(e) => Some(Assigned {
            to: target(&e.left)?,
            value: line(&e.right),
            place: TokenRange::of(e.eq_token),
        }),
        Expr::Binary(e) => updated(e),
        Expr::If(branch) => chosen(branch),
        _ => None,
    }
}

/// What `name += value` assigns.
fn updated(e: &ExprBinary) -> Option<Assigned> {
    let (op, to) = (compound(&e.op)?, target(&e.left)?);
    let value = match &*e.right {
        Expr::Binary(_) | Expr::Cast(_) | Expr::If(_) => format!("({})", line(&e.right)),
        other => line(other),
    };
    let value = format!("{to} {} {value}", op.symbol());
    Some(Assigned { to, value, place: TokenRange::of(e.op) })
}

/// What an `if` assigns, whose other branch assigns the same name or is absent.
fn chosen(ExprIf { cond, then_branch, else_branch, .. }: &ExprIf) -> Option<Assigned> {
    let Assigned { to, value, place } = of_block(then_branch)?;
    let otherwise = match else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
        None => format!("{{ {to} }}"),
        Some(Expr::Block(block)) => {
            format!("{{ {} }}", of_block(&block.block).filter(|of| of.to == to)?.value)
        }
        Some(further) => assigned(further).filter(|of| of.to == to)?.value,
    };
    Some(Assigned { value: format!("if {} {{ {value} }} else {otherwise}", line(cond)), to, place })
}

/// What the only statement of a block assigns.
fn of_block(block: &Block) -> Option<Assigned> {
    match &block.stmts[..] {
        [Stmt::Expr(expr, _)] => assigned(expr),
        _ => None,
    }
}

/// The name that is assigned to.
fn target(to: &Expr) -> Option<String> {
    match to {
        Expr::Path(path) => plain_name(path).map(ToString::to_string),
        _ => dereferenced(to).map(|name| format!("*{name}")),
    }
}

/// Tokens on one line.
pub(super) fn line(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
