//! What operators and casts take.

use gemm_codegen::Rule;
use gemm_codegen::ScalarType::{self, Bool};
use gemm_codegen::body::{BinaryOp, NodeId, UnaryOp};

use super::types::{Type, common, is_float};
use super::walk::{Scope, Walk};

impl Walk<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, x: NodeId, scope: &mut Scope) -> Option<Type> {
        let ty = self.value(x, scope);
        let wrong = if op == UnaryOp::Neg { Type::Is(Bool) } else { Type::Float };
        self.check(!ty.is_some_and(|ty| ty.meets(wrong)), Rule::BodyTypes);
        ty
    }

    pub(super) fn cast(&mut self, x: NodeId, to: ScalarType, scope: &mut Scope) -> Option<Type> {
        let from = self.value(x, scope);
        let none = match (from, to) {
            (Some(from), Bool) => from != Type::Is(Bool),
            (Some(Type::Is(Bool)), to) => is_float(to),
            _ => false,
        };
        self.check(!none, Rule::BodyTypes);
        Some(Type::Is(to))
    }

    pub(super) fn operator(
        &mut self,
        op: BinaryOp,
        x: Option<Type>,
        y: Option<Type>,
    ) -> Option<Type> {
        let bool = Type::Is(Bool);
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.expect(x, bool);
                self.expect(y, bool);
                Some(bool)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.check(x != Some(bool) && y != Some(bool), Rule::BodyTypes);
                self.same(x, y);
                common(x, y)
            }
            _ => {
                self.same(x, y);
                Some(bool)
            }
        }
    }
}
