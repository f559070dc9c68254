//! Pieces of CUDA C++: expressions that know how tightly they bind, and the head of a function.

use crate::element::ScalarType;
use crate::text::wrap::COLUMNS;

/// How tightly an expression holds together; a tighter one needs no parentheses inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Prefix,
    Atom,
}

pub(crate) struct Text {
    /// The piece itself.
    pub(crate) text: String,
    /// Its outermost operator.
    pub(crate) binding: Binding,
}

impl Text {
    /// A name, a call or a literal.
    pub(crate) fn atom(text: String) -> Text {
        Text { text, binding: Binding::Atom }
    }

    /// In parentheses unless it binds at least as tightly as `least`.
    pub(crate) fn at_least(self, least: Binding) -> String {
        if self.binding >= least { self.text } else { format!("({})", self.text) }
    }

    /// A literal of type `float`.
    pub(crate) fn float(value: f32) -> Text {
        if value.is_nan() {
            return Text::atom("__int_as_float(0x7fc00000)".to_owned());
        }
        if value.is_infinite() {
            return Text::atom(format!("__int_as_float({:#010x})", value.to_bits()));
        }
        let binding = if value.is_sign_negative() { Binding::Prefix } else { Binding::Atom };
        Text { text: format!("{value:?}f"), binding }
    }

    /// A literal of type `double`.
    pub(crate) fn double(value: f64) -> Text {
        if value.is_nan() {
            return Text::atom("__longlong_as_double(0x7ff8000000000000)".to_owned());
        }
        if value.is_infinite() {
            return Text::atom(format!("__longlong_as_double({:#018x})", value.to_bits()));
        }
        let binding = if value.is_sign_negative() { Binding::Prefix } else { Binding::Atom };
        Text { text: format!("{value:?}"), binding }
    }

    /// A literal of type `int`.
    pub(crate) fn int(value: i32) -> Text {
        // In C++ the minus is an operator, and 2147483648 does not fit an int.
        let text = if value == i32::MIN { "-2147483647 - 1".to_owned() } else { value.to_string() };
        let binding = match value {
            i32::MIN => Binding::Sum,
            value if value < 0 => Binding::Prefix,
            _ => Binding::Atom,
        };
        Text { text, binding }
    }
}

/// The first lines of a function: on one line if they fit, else a parameter a line.
pub(crate) fn head(result: &str, name: &str, parameters: &[(ScalarType, String)]) -> Vec<String> {
    let parameters: Vec<String> =
        parameters.iter().map(|(ty, name)| format!("const {} {name}", ty.cuda())).collect();
    let begin = format!("__device__ __forceinline__ {result} {name}(");
    let line = format!("{begin}{}) {{", parameters.join(", "));
    if line.len() <= COLUMNS {
        return vec![line];
    }
    let mut lines = vec![begin];
    for (i, parameter) in parameters.iter().enumerate() {
        let end = if i + 1 == parameters.len() { ") {" } else { "," };
        lines.push(format!("        {parameter}{end}"));
    }
    lines
}
