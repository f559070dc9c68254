//! The function's block → the arena of `gemm_codegen::body`, with a span for each node.

mod assigned;
mod constant;
mod conversion;
mod function;
mod in_place;
mod literal;
mod operator;
mod own;
mod path;
mod unsupported;

use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Field, ScalarType};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Block, Expr, ExprCall, ExprCast, ExprIf, ExprPath, Ident, Local, Pat, Stmt, Token, Type,
};

use crate::errors::Errors;
use crate::signature::BodyUse;
use crate::spans::{Spans, TokenRange};

pub(crate) use constant::{Constant, constants};
pub(crate) use function::parse_function;
use operator::{binary_op, unary_op};
use unsupported::power;

/// What a body begins with.
pub(crate) struct Start<'a> {
    /// The functions of the user's own, and their nodes.
    pub(crate) body: Body,
    /// The names of the plain functions of the `impl` around it, if that is annotated.
    pub(crate) associated: Option<&'a [String]>,
}

/// Reads the block of a function, whose nodes follow those of `start`. A node that could not be read is a zero.
pub(crate) fn parse(
    block: &Block,
    form: BodyUse<'_>,
    start: Start<'_>,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Body {
    let Start { body, associated } = start;
    let mut reader = Reader { body, associated, spans, errors };
    reader.no_attributes(block.to_token_stream());
    reader.body.root = reader.function(block, form);
    reader.body
}

/// The body read so far.
struct Reader<'a> {
    body: Body,
    /// As of [`Start`].
    associated: Option<&'a [String]>,
    spans: &'a mut Spans,
    errors: &'a mut Errors,
}

impl Reader<'_> {
    /// Adds a node with the span `place`, that of its operator or name.
    fn push(&mut self, node: Node, place: impl ToTokens) -> NodeId {
        let id = self.body.push(node);
        self.spans.set(Field::Body(id), TokenRange::of(place));
        id
    }

    /// Reports an error and returns a node for what could not be read.
    fn fail(&mut self, at: impl ToTokens, message: &str, help: &str) -> NodeId {
        self.errors.push(&at, message, help);
        self.push(Node::Float(0.0), at)
    }

    /// A block: `let`s, then a value.
    fn block(&mut self, block: &Block) -> NodeId {
        self.block_ending_in(block, Reader::last)
    }

    /// A block whose last statement is read by `read`.
    fn block_ending_in(
        &mut self,
        block: &Block,
        read: impl FnOnce(&mut Self, &Stmt) -> NodeId,
    ) -> NodeId {
        if let Some(failed) = self.no_body(block) {
            return failed;
        }
        let Some((last, lets)) = block.stmts.split_last() else {
            return self.fail(
                block,
                "a block without a value",
                "end the block with an expression, such as `matmul(a, b)`",
            );
        };
        let bindings: Vec<_> = lets.iter().filter_map(|stmt| self.binding(stmt)).collect();
        let value = read(self, last);
        match bindings.is_empty() {
            true => value,
            false => self.push(Node::Block { bindings, value }, block),
        }
    }

    /// The statement that gives a block its value.
    fn last(&mut self, last: &Stmt) -> NodeId {
        match last {
            Stmt::Expr(value, None) => self.expression(value),
            Stmt::Expr(value @ Expr::Return(_), Some(_)) => self.unsupported(value),
            Stmt::Expr(value, Some(semicolon)) => {
                self.expression(value);
                self.fail(
                    semicolon,
                    "a block that ends in `;` has no value",
                    "remove the `;` after the last expression",
                )
            }
            Stmt::Local(local) => {
                self.binding(last);
                self.fail(
                    local.let_token,
                    "a block that ends in a `let` has no value",
                    "end the block with an expression",
                )
            }
            Stmt::Item(item) => self.item(item),
            Stmt::Macro(call) => self.macro_call(call),
        }
    }

    /// A statement before the value of a block.
    fn binding(&mut self, stmt: &Stmt) -> Option<(String, NodeId)> {
        match stmt {
            Stmt::Local(local) => return self.local(local),
            Stmt::Expr(value, _) => self.statement(value),
            Stmt::Item(item) => self.item(item),
            Stmt::Macro(call) => self.macro_call(call),
        };
        None
    }

    fn local(&mut self, local: &Local) -> Option<(String, NodeId)> {
        let (name, ty) = self.binding_name(&local.pat);
        let Some(init) = &local.init else {
            self.fail(local.let_token, "a `let` without a value", "write `let name = value;`");
            return None;
        };
        if let Some((diverge, _)) = &init.diverge {
            self.fail(diverge, "`let`-`else` is not supported in a body", "write `if`/`else`");
        }
        let mut value = self.expression(&init.expr);
        if let Some((ty, at)) = ty {
            value = self.push(Node::Typed(value, ty), at);
        }
        Some((name?.unraw().to_string(), value))
    }

    /// The name that a pattern binds, if it is a plain name, and its type if stated.
    fn binding_name<'p>(
        &mut self,
        pattern: &'p Pat,
    ) -> (Option<Ident>, Option<(ScalarType, &'p Type)>) {
        match pattern {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                if let Some(token) = p.mutability {
                    self.mutable(token, &p.ident);
                }
                (Some(p.ident.clone()), None)
            }
            Pat::Type(typed) => {
                let ty = scalar_type(&typed.ty);
                if ty.is_none() {
                    let help = "use `f32`, `f64`, `i32` or `bool`";
                    self.fail(&typed.ty, "unsupported type in a body", help);
                }
                (self.binding_name(&typed.pat).0, ty.map(|ty| (ty, &*typed.ty)))
            }
            other => {
                self.fail(other, "expected a plain name", "write `let name = value;`");
                (None, None)
            }
        }
    }

    /// Any expression.
    fn expression(&mut self, expr: &Expr) -> NodeId {
        match expr {
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            Expr::Lit(lit) => self.literal(&lit.lit),
            Expr::Path(path) => match plain_name(path) {
                Some(name) => self.push(Node::Name(name.unraw().to_string()), name),
                None => self.path(path),
            },
            Expr::Unary(unary) => {
                if let Some(name) = in_place::dereferenced(expr) {
                    return self.push(Node::Deref(name.unraw().to_string()), expr);
                }
                let Some(op) = unary_op(&unary.op) else { return self.unsupported(expr) };
                let operand = self.expression(&unary.expr);
                self.push(Node::Unary(op, operand), unary.op)
            }
            Expr::Binary(binary) => {
                let op = binary_op(&binary.op).filter(|_| power(binary).is_none());
                let Some(op) = op else { return self.unsupported(expr) };
                let left = self.expression(&binary.left);
                let right = self.expression(&binary.right);
                self.push(Node::Binary(op, left, right), binary.op)
            }
            Expr::Cast(cast) => self.cast(cast),
            Expr::If(branch) => self.branch(branch),
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let values = self.arguments(&tuple.elems);
                self.push(Node::Tuple(values), tuple)
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) if call.turbofish.is_none() => {
                let receiver = self.expression(&call.receiver);
                let arguments = self.arguments(&call.args);
                let method = call.method.unraw().to_string();
                self.push(Node::Method { receiver, method, arguments }, &call.method)
            }
            _ => self.unsupported(expr),
        }
    }

    fn cast(&mut self, cast: &ExprCast) -> NodeId {
        let value = self.expression(&cast.expr);
        match scalar_type(&cast.ty) {
            Some(to) if to != ScalarType::Bool => self.push(Node::Cast(value, to), cast.as_token),
            _ => self.fail(&cast.ty, "unsupported cast in a body", conversion::cast(&cast.ty)),
        }
    }

    fn call(&mut self, call: &ExprCall) -> NodeId {
        let called = match &*call.func {
            Expr::Path(path) => self.called(path),
            other => Err(self.unsupported(other)),
        };
        let arguments = self.arguments(&call.args);
        match called {
            Ok(function) => self.push(Node::Call { function, arguments }, &call.func),
            Err(failed) => failed,
        }
    }

    fn arguments(&mut self, arguments: &Punctuated<Expr, Token![,]>) -> Vec<NodeId> {
        arguments.iter().map(|argument| self.expression(argument)).collect()
    }

    fn branch(&mut self, branch: &ExprIf) -> NodeId {
        let condition = self.expression(&branch.cond);
        let then = self.block(&branch.then_branch);
        let Some((_, otherwise)) = &branch.else_branch else {
            return self.fail(
                branch.if_token,
                "`if` without `else` has no value",
                "add `else { .. }` with the value for the other case",
            );
        };
        let otherwise = self.expression(otherwise);
        self.push(Node::If { condition, then, otherwise }, branch.if_token)
    }

    /// Refuses attributes, which could change what rustc compiles but not the device's text. No
    /// other token of a body is a `#`.
    fn no_attributes(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.no_attributes(group.stream()),
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    self.errors.push(punct, "attributes are not supported in a body", "remove it");
                }
                _ => {}
            }
        }
    }
}

/// The name that a path consists of.
fn plain_name(path: &ExprPath) -> Option<&Ident> {
    path.path.get_ident().filter(|_| path.qself.is_none())
}

/// `f32`, `f64`, `i32` or `bool`.
fn scalar_type(ty: &Type) -> Option<ScalarType> {
    let name = ty.to_token_stream().to_string();
    let all = [ScalarType::F32, ScalarType::F64, ScalarType::I32, ScalarType::Bool];
    all.into_iter().find(|t| t.name() == name)
}

#[cfg(test)]
mod tests;
