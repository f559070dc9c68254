//! The in-place form: a body that ends in `*c = value` or `*c += value`.

use gemm_codegen::body::{BinaryOp, Node, NodeId};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{BinOp, Block, Expr, Ident, Stmt, UnOp};

use super::{Reader, plain_name};
use crate::signature::BodyUse;

/// An assignment as it is written.
struct Assignment<'a> {
    to: &'a Expr,
    /// The operator before the `=`.
    op: Option<BinaryOp>,
    value: &'a Expr,
    token: &'a dyn ToTokens,
}

impl Reader<'_> {
    /// The block of the function.
    pub(super) fn function(&mut self, block: &Block, form: BodyUse<'_>) -> NodeId {
        self.block_ending_in(block, |reader, last| match (assignment(last), form) {
            (Some(assignment), BodyUse::InPlace(name)) => {
                reader.assignment(&assignment, Some(name))
            }
            (Some(assignment), BodyUse::Unclear) => reader.assignment(&assignment, None),
            (None, BodyUse::InPlace(name)) => reader.not_assigned(last, name),
            _ => reader.last(last),
        })
    }

    /// `*name = value` or `*name += value`; any name if none is known.
    fn assignment(&mut self, assignment: &Assignment<'_>, name: Option<&Ident>) -> NodeId {
        let Assignment { to, op, value, token } = assignment;
        let target = dereferenced(to).filter(|target| name.is_none_or(|name| *target == name));
        let value = self.expression(value);
        match (target, name, op) {
            (Some(target), _, Some(op)) => {
                let old = self.push(Node::Deref(target.unraw().to_string()), to);
                self.push(Node::Binary(*op, old, value), token)
            }
            (None, Some(name), _) => {
                let help = format!("assign to `*{name}`, the `&mut` parameter");
                self.fail(to, "assignment to something other than the output", &help)
            }
            _ => value,
        }
    }

    /// The end of a body that is not an assignment.
    fn not_assigned(&mut self, last: &Stmt, name: &Ident) -> NodeId {
        match last {
            Stmt::Expr(value, _) if !matches!(value, Expr::Return(_)) => {
                if let Some(failed) = self.assigned(value) {
                    return failed;
                }
                self.expression(value);
                let message = format!("nothing is assigned to `*{name}`");
                self.fail(value, &message, &format!("write `*{name} = ..` or `*{name} += ..`"))
            }
            _ => self.last(last),
        }
    }
}

/// The assignment that a statement is.
fn assignment(statement: &Stmt) -> Option<Assignment<'_>> {
    match statement {
        Stmt::Expr(Expr::Assign(e), _) => {
            Some(Assignment { to: &e.left, op: None, value: &e.right, token: &e.eq_token })
        }
        Stmt::Expr(Expr::Binary(e), _) => compound(&e.op).map(|op| Assignment {
            to: &e.left,
            op: Some(op),
            value: &e.right,
            token: &e.op,
        }),
        _ => None,
    }
}

/// The operator of a compound assignment.
pub(super) fn compound(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        BinOp::RemAssign(_) => BinaryOp::Rem,
        _ => return None,
    })
}

/// The name in `*name`.
pub(super) fn dereferenced(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => match &*unary.expr {
            Expr::Path(path) => plain_name(path),
            _ => None,
        },
        _ => None,
    }
}
