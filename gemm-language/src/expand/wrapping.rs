//! Arithmetic of a body as on the device, where integers wrap and `clamp` takes any bounds: operators become
//! calls.
//!
//! rustc checks that an `i32` does not overflow in builds with debug assertions, and there is no
//! operator that does not. Each call has the place of its operator, and its operands keep theirs.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, ExprBinary, Lit, Stmt, UnOp, parse_quote};

/// The statements of a block whose integers wrap, and whose `clamp` does not panic. Other operators of floats
/// are computed as before.
pub(super) fn wrapping(block: &Block) -> Vec<Stmt> {
    let mut block = block.clone();
    statements(&mut block);
    block.stmts
}

fn statements(block: &mut Block) {
    for statement in &mut block.stmts {
        match statement {
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    expression(&mut init.expr);
                }
            }
            Stmt::Expr(value, _) => expression(value),
            // A body has none.
            Stmt::Item(_) | Stmt::Macro(_) => {}
        }
    }
}

fn expression(expr: &mut Expr) {
    match expr {
        Expr::Paren(inner) => {
            expression(&mut inner.expr);
            // A call needs none, and rustc would say so.
            if matches!(*inner.expr, Expr::Call(_)) {
                *expr = (*inner.expr).clone();
            }
        }
        Expr::Group(inner) => expression(&mut inner.expr),
        Expr::Block(inner) => statements(&mut inner.block),
        Expr::Cast(cast) => expression(&mut cast.expr),
        Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(expression),
        // Its arguments are factors and what is applied to them.
        Expr::Call(call) if matches!(&*call.func, Expr::Path(of) if of.path.is_ident("matmul")) => {
        }
        Expr::Call(call) => call.args.iter_mut().for_each(expression),
        Expr::Assign(assign) => expression(&mut assign.right),
        Expr::If(branch) => {
            expression(&mut branch.cond);
            statements(&mut branch.then_branch);
            if let Some((_, otherwise)) = &mut branch.else_branch {
                expression(otherwise);
            }
        }
        Expr::MethodCall(_) | Expr::Unary(_) | Expr::Binary(_) => operation(expr),
        _ => {}
    }
}

/// What may panic itself.
fn operation(expr: &mut Expr) {
    let wrapping = match expr {
        Expr::MethodCall(call) => {
            expression(&mut call.receiver);
            call.args.iter_mut().for_each(expression);
            let place = call.method.span();
            match &call.args.iter().collect::<Vec<_>>()[..] {
                [] if call.method == "abs" => Some(called("abs", place, [&call.receiver])),
                [lo, hi] if call.method == "clamp" => {
                    Some(called("clamp", place, [&call.receiver, lo, hi]))
                }
                _ => None,
            }
        }
        Expr::Unary(unary) => {
            expression(&mut unary.expr);
            // The minus of a literal belongs to it: `-2147483648` is in range.
            let is_literal =
                matches!(&*unary.expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)));
            let is_minus = matches!(unary.op, UnOp::Neg(_)) && !is_literal;
            is_minus.then(|| called("neg", unary.op.span(), [&unary.expr]))
        }
        Expr::Binary(binary) => {
            expression(&mut binary.left);
            expression(&mut binary.right);
            operator(binary)
        }
        _ => None,
    };
    if let Some(wrapping) = wrapping {
        *expr = wrapping;
    }
}

/// The call in place of an operator that may overflow.
fn operator(ExprBinary { left, op, right, .. }: &ExprBinary) -> Option<Expr> {
    let (name, assigns) = match op {
        BinOp::Add(_) => ("add", false),
        BinOp::Sub(_) => ("sub", false),
        BinOp::Mul(_) => ("mul", false),
        BinOp::Div(_) => ("div", false),
        BinOp::Rem(_) => ("rem", false),
        BinOp::AddAssign(_) => ("add", true),
        BinOp::SubAssign(_) => ("sub", true),
        BinOp::MulAssign(_) => ("mul", true),
        BinOp::DivAssign(_) => ("div", true),
        BinOp::RemAssign(_) => ("rem", true),
        _ => return None,
    };
    let value = called(name, op.span(), [left, right]);
    Some(if assigns { parse_quote!(#left = #value) } else { value })
}

/// `name(arguments)`, a function of the runtime, at this place.
fn called<const N: usize>(name: &str, place: Span, arguments: [&Expr; N]) -> Expr {
    let span = Span::mixed_site().located_at(place);
    let name = syn::Ident::new(name, span);
    let arguments = arguments.map(bare);
    let path: TokenStream = quote_spanned!(span=> ::gemm_runtime::__private::wrapping::#name);
    let arguments = quote!(#(#arguments),*);
    parse_quote!(#path(#arguments))
}

/// An argument without parentheses, which rustc would find unnecessary.
fn bare(argument: &Expr) -> &Expr {
    match argument {
        Expr::Paren(inner) => bare(&inner.expr),
        other => other,
    }
}
