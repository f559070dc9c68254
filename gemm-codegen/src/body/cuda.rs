//! Typed body → one CUDA C++ function, and those of the user's own that it calls.

mod added;
mod guard;
mod own;

use std::collections::BTreeSet;

use crate::element::ScalarType::{self, Bool, F32, F64, I32};
use crate::spec::{BinaryOp, Output, Spec, UnaryOp};

use super::device_function::{DeviceFunction, wrapping};
use super::function;
use super::name::cuda_name;
use super::parameters::{accumulator, parameters, value};
use super::text::{Binding, Text, head};
use super::typed::{Defined, Expr, ExprKind, Resolved};
use crate::text::wrap::wrap;

pub(crate) use guard::guard;

/// The text of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyText {
    /// The function `float body(const float acc, ..)`, of the body's own types, or `Result body(..)`
    /// where it has several values: after the accumulator come the coordinates that it reads, the operands
    /// of [`Resolved::values`] in that order and the output's old element if it is read, these by
    /// [`cuda_name`].
    pub(crate) function: String,
    /// The functions of the user's own that it calls, if any.
    pub(crate) own: Option<String>,
    /// The device functions that these call, callees first.
    pub(crate) calls: Vec<&'static DeviceFunction>,
    /// Whether what functions return is stored as floats of 16 bits at most.
    pub(crate) halves: bool,
    /// The function `added_scale` of the scalars that it reads, if an added term is scaled.
    pub(crate) scale: Option<String>,
}

/// Writes the body as a `__device__` function. `resolved` is the body of `spec`.
pub(crate) fn emit(resolved: &Resolved, spec: &Spec) -> BodyText {
    let parameters = parameters(resolved, spec);
    let mut writer = Writer::new(&resolved.locals, spec, &parameters);
    writer.functions = &resolved.functions;
    writer.bind(&resolved.bindings);
    writer.results(&resolved.results);
    let result = match &resolved.results[..] {
        [value] => value.ty.cuda(),
        _ => "Result",
    };
    let mut lines = head(result, "body", &parameters);
    lines.append(&mut writer.lines);
    lines.push("}\n".to_owned());
    let mut called: Vec<&str> = writer.called.into_iter().collect();
    let scale = added::emit(resolved, spec, &mut called);
    let own = own::emit(resolved, spec, &mut called);
    let calls = function::closure(|function| called.contains(&function.name));
    let halves = calls_for_halves(resolved, spec);
    BodyText { function: lines.join("\n"), own, calls, halves, scale }
}

/// Whether every output is of floats of 16 bits at most, but for those that depend on no function.
fn calls_for_halves(resolved: &Resolved, spec: &Spec) -> bool {
    let is_half = |output: &Output| output.element.value() == F32 && output.element.bytes() <= 2;
    let mut stored = spec.outputs.iter().zip(&resolved.results);
    stored.all(|(output, result)| is_half(output) || !resolved.calls(result))
}

/// Where the value of an expression goes.
enum Destination {
    Return,
    Variable(String),
}

struct Writer<'a> {
    spec: &'a Spec,
    /// The functions of the user's own.
    functions: &'a [Defined],
    /// Name of each `let`, as written.
    names: &'a [String],
    /// Emitted name of each `let`; empty until it is reached.
    locals: Vec<String>,
    /// Every name taken.
    taken: BTreeSet<String>,
    /// Every function called.
    called: BTreeSet<&'static str>,
    lines: Vec<String>,
    indent: usize,
}

impl<'a> Writer<'a> {
    fn new(names: &'a [String], spec: &'a Spec, parameters: &[(ScalarType, String)]) -> Writer<'a> {
        Writer {
            spec,
            functions: &[],
            names,
            locals: vec![String::new(); names.len()],
            taken: parameters.iter().map(|(_, name)| name.clone()).collect(),
            called: BTreeSet::new(),
            lines: Vec::new(),
            indent: 4,
        }
    }

    fn line(&mut self, line: &str) {
        self.lines.extend(wrap(line, self.indent));
    }

    /// A name that nothing has yet: `name`, `name_2`, `name_3`, ...
    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 1;
        while !self.taken.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{name}_{number}");
        }
        fresh
    }

    /// Returns what is stored: one value, or a struct of them.
    fn results(&mut self, values: &[Expr]) {
        if let [value] = values {
            return self.assign(value, &Destination::Return);
        }
        let values: Vec<String> = values.iter().map(|value| self.value(value).text).collect();
        self.line(&format!("return Result{{{}}};", values.join(", ")));
    }

    /// Statements that put the value of `expr` into `to`.
    fn assign(&mut self, expr: &Expr, to: &Destination) {
        match &expr.kind {
            ExprKind::Block(bindings, value) => {
                self.bind(bindings);
                self.assign(value, to);
            }
            ExprKind::If(parts) if parts[1..].iter().any(Expr::binds) => {
                self.choose(parts, to, "");
            }
            _ => {
                let text = self.value(expr).text;
                match to {
                    Destination::Return => self.line(&format!("return {text};")),
                    Destination::Variable(name) => self.line(&format!("{name} = {text};")),
                }
            }
        }
    }

    fn bind(&mut self, bindings: &[(usize, Expr)]) {
        for (local, expr) in bindings {
            let name = cuda_name(&self.names[*local]);
            self.locals[*local] = match &expr.kind {
                ExprKind::If(parts) if parts[1..].iter().any(Expr::binds) => {
                    self.chosen(&name, parts, expr.ty)
                }
                _ => {
                    let text = self.value(expr).text;
                    let name = self.fresh(&name);
                    self.line(&format!("const {} {name} = {text};", expr.ty.cuda()));
                    name
                }
            };
        }
    }

    /// The name of a variable that `if` statements assign.
    fn chosen(&mut self, name: &str, parts: &[Expr; 3], ty: ScalarType) -> String {
        let name = self.fresh(name);
        self.line(&format!("{} {name};", ty.cuda()));
        self.choose(parts, &Destination::Variable(name.clone()), "");
        name
    }

    /// `if` statements; `before` is what an `else if` continues.
    fn choose(&mut self, [condition, then, otherwise]: &[Expr; 3], to: &Destination, before: &str) {
        let condition = self.value(condition).text;
        self.line(&format!("{before}if ({condition}) {{"));
        self.indented(|writer| writer.assign(then, to));
        match &otherwise.kind {
            // What the condition binds has to come before the whole chain, so it gets its own.
            ExprKind::If(parts) if !parts[0].binds() => {
                self.choose(parts, to, "} else ");
            }
            _ => {
                self.line("} else {");
                self.indented(|writer| writer.assign(otherwise, to));
                self.line("}");
            }
        }
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 4;
        write(self);
        self.indent -= 4;
    }

    /// The text of an expression; statements that it needs precede it.
    fn value(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            ExprKind::Float(value) if expr.ty == F64 => Text::double(*value),
            // It was rounded to its type.
            ExprKind::Float(value) => Text::float(*value as f32),
            ExprKind::Int(value) => Text::int(*value),
            ExprKind::Bool(value) => Text::atom(value.to_string()),
            ExprKind::Accumulator(product) => Text::atom(accumulator(*product)),
            ExprKind::Apart => unreachable!("a resolved body has no product apart"),
            ExprKind::Coordinate(of) => Text::atom(of.cuda().to_owned()),
            ExprKind::Operand(operand) => Text::atom(value(self.spec, *operand).1),
            ExprKind::Old(name) => Text::atom(cuda_name(name)),
            ExprKind::Local(local) => Text::atom(self.locals[*local].clone()),
            ExprKind::Unary(op, x) => self.unary(*op, x),
            ExprKind::Binary(op, x, y) => self.binary(*op, x, y),
            ExprKind::Cast(x) => self.cast(x, expr.ty),
            ExprKind::Call(function, arguments) => self.call(function.cuda(), arguments),
            ExprKind::Own(number, arguments) => {
                let path = own::path(&self.functions[*number]);
                Text::atom(format!("{path}({})", self.arguments(arguments)))
            }
            ExprKind::If(parts) if parts[1..].iter().any(Expr::binds) => {
                Text::atom(self.chosen("value", parts, expr.ty))
            }
            ExprKind::If(parts) => self.ternary(parts),
            ExprKind::Block(bindings, value) => {
                self.bind(bindings);
                self.value(value)
            }
        }
    }

    fn ternary(&mut self, [condition, then, otherwise]: &[Expr; 3]) -> Text {
        let condition = self.value(condition).at_least(Binding::Or);
        let then = self.value(then).at_least(Binding::Or);
        // `a ? b : c ? d : e` reads as a chain.
        let otherwise = self.value(otherwise).at_least(Binding::Choice);
        Text { text: format!("{condition} ? {then} : {otherwise}"), binding: Binding::Choice }
    }

    fn unary(&mut self, op: UnaryOp, x: &Expr) -> Text {
        let symbol = match (op, x.ty) {
            // An int that overflows is undefined in C++.
            (UnaryOp::Neg, I32) => return self.call("wrapping_neg", [x]),
            (UnaryOp::Neg, _) => "-",
            (UnaryOp::Not, Bool) => "!",
            (UnaryOp::Not, _) => "~",
        };
        // An atom: `--x` would be a decrement.
        let operand = self.value(x).at_least(Binding::Atom);
        Text { text: format!("{symbol}{operand}"), binding: Binding::Prefix }
    }

    fn binary(&mut self, op: BinaryOp, x: &Expr, y: &Expr) -> Text {
        if let Some(name) = wrapping(op).filter(|_| x.ty == I32) {
            return self.call(name, [x, y]);
        }
        let (binding, left, right) = match op {
            BinaryOp::Rem if x.ty == F64 => return self.call("fmod", [x, y]),
            BinaryOp::Rem => return self.call("fmodf", [x, y]),
            BinaryOp::Add | BinaryOp::Sub => (Binding::Sum, Binding::Sum, Binding::Product),
            BinaryOp::Mul | BinaryOp::Div => (Binding::Product, Binding::Product, Binding::Prefix),
            BinaryOp::And => (Binding::And, Binding::And, Binding::Comparison),
            // C++ reads `a && b || c` as Rust does, but its readers and compilers like it spelt out.
            BinaryOp::Or => (Binding::Or, Binding::Comparison, Binding::Comparison),
            _ => (Binding::Comparison, Binding::Sum, Binding::Sum),
        };
        let left_text = self.value(x);
        let chained = op == BinaryOp::Or && left_text.binding == Binding::Or;
        let left = left_text.at_least(if chained { Binding::Or } else { left });
        let right = self.value(y).at_least(right);
        Text { text: format!("{left} {} {right}", op.symbol()), binding }
    }

    fn cast(&mut self, x: &Expr, to: ScalarType) -> Text {
        match (x.ty, to) {
            (from, to) if from == to => self.value(x),
            // Saturates, and takes NaN to 0, as Rust's does; C++'s own is undefined there.
            (F32, I32) => self.call("__float2int_rz", [x]),
            (F64, I32) => self.call("truncated_f64", [x]),
            _ => self.call(to.cuda(), [x]),
        }
    }

    fn call<'e>(
        &mut self,
        name: &'static str,
        arguments: impl IntoIterator<Item = &'e Expr>,
    ) -> Text {
        self.called.insert(name);
        Text::atom(format!("{name}({})", self.arguments(arguments)))
    }

    fn arguments<'e>(&mut self, arguments: impl IntoIterator<Item = &'e Expr>) -> String {
        let arguments: Vec<String> = arguments.into_iter().map(|x| self.value(x).text).collect();
        arguments.join(", ")
    }
}
