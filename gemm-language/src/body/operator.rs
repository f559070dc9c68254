//! The operators of a body.

use gemm_codegen::body::{BinaryOp, UnaryOp};
use syn::{BinOp, UnOp};

/// `None` for `*`, which stands before the name of an output alone.
pub(super) fn unary_op(op: &UnOp) -> Option<UnaryOp> {
    match op {
        UnOp::Neg(_) => Some(UnaryOp::Neg),
        UnOp::Not(_) => Some(UnaryOp::Not),
        _ => None,
    }
}

/// `None` for operators of bits and assignments.
pub(super) fn binary_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        _ => return None,
    })
}
