//! Runs an emitted body: the subset of C++ that we write, with the precedences of C++.

use std::collections::BTreeMap;

use super::value::{Value, apply, binary};
use crate::spec::BinaryOp;

/// The value that the function in `text` returns.
pub(super) fn run(text: &str, arguments: &[Value]) -> Value {
    let (head, body) = text.split_once('{').unwrap();
    let parameters = head.split_once('(').unwrap().1.trim_end().trim_end_matches(')');
    let mut names = BTreeMap::new();
    let parameters: Vec<&str> = parameters.split(',').collect();
    assert_eq!(parameters.len(), arguments.len(), "{text}");
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let [ty, name] =
            parameter.trim().strip_prefix("const ").unwrap().split(' ').collect::<Vec<_>>()[..]
        else {
            panic!("{parameter}")
        };
        assert!(has_type(*argument, ty), "{parameter}");
        assert!(names.insert(name, Some(*argument)).is_none(), "{name} twice");
    }
    let mut reader = Reader { tokens: tokens(body), next: 0, names };
    let value = reader.statements(true).expect("a return");
    assert_eq!(reader.next, reader.tokens.len(), "text after the function");
    value
}

fn has_type(value: Value, ty: &str) -> bool {
    matches!(
        (value, ty),
        (Value::Float(_), "float")
            | (Value::Double(_), "double")
            | (Value::Int(_), "int")
            | (Value::Bool(_), "bool")
    )
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if ["<=", ">=", "==", "!=", "&&", "||", "--", "++"]
            .iter()
            .any(|op| rest.starts_with(op))
        {
            2
        } else {
            1
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn number_length(text: &str) -> usize {
    let mut length = 0;
    for (i, c) in text.char_indices() {
        let sign = (c == '-' || c == '+') && text[..i].ends_with('e');
        if !(c.is_ascii_alphanumeric() || c == '.' || sign) {
            break;
        }
        length = i + 1;
    }
    length
}

struct Reader<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    /// Every name ever declared; no value until it is assigned.
    names: BTreeMap<&'a str, Option<Value>>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.next).copied().unwrap_or("")
    }

    fn take(&mut self) -> &'a str {
        self.next += 1;
        self.tokens[self.next - 1]
    }

    fn expect(&mut self, token: &str) {
        assert_eq!(self.take(), token);
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.next += usize::from(found);
        found
    }

    /// Statements up to the closing brace; what they return. Without `live` they have no effect
    /// but on the position.
    fn statements(&mut self, live: bool) -> Option<Value> {
        let mut returned = None;
        while !self.accept("}") {
            let value = self.statement(live && returned.is_none());
            returned = returned.or(value);
        }
        returned
    }

    fn statement(&mut self, live: bool) -> Option<Value> {
        if self.accept("if") {
            return self.choice(live);
        }
        if self.accept("return") {
            let value = self.expression(live);
            self.expect(";");
            return value.filter(|_| live);
        }
        let constant = self.accept("const");
        let declared =
            matches!(self.peek(), "float" | "double" | "int" | "bool").then(|| self.take());
        let name = self.take();
        let mut value = None;
        if self.accept("=") {
            value = self.expression(live);
        } else {
            assert!(declared.is_some() && !constant, "{name} without a value");
        }
        self.expect(";");
        if let Some(ty) = declared {
            assert!(value.is_none_or(|value| has_type(value, ty)), "{name}");
            assert!(self.names.insert(name, value).is_none(), "{name} is declared twice");
        } else if live {
            let old = self.names.insert(name, value).expect("assigned after its declaration");
            assert!(old.is_none(), "{name} is assigned twice");
        }
        None
    }

    fn choice(&mut self, live: bool) -> Option<Value> {
        self.expect("(");
        let condition = self.expression(live);
        self.expect(")");
        self.expect("{");
        let condition = matches!(condition, Some(Value::Bool(true)));
        let then = self.statements(live && condition);
        self.expect("else");
        let otherwise = if self.accept("if") {
            self.choice(live && !condition)
        } else {
            self.expect("{");
            self.statements(live && !condition)
        };
        if condition { then } else { otherwise }
    }

    /// An expression; no value where it is not `live`.
    fn expression(&mut self, live: bool) -> Option<Value> {
        let condition = self.operators(0, live);
        if !self.accept("?") {
            return condition;
        }
        let then = self.expression(live);
        self.expect(":");
        let otherwise = self.expression(live);
        match condition {
            Some(Value::Bool(true)) => then,
            Some(Value::Bool(false)) => otherwise,
            other => {
                assert!(!live, "a choice by {other:?}");
                None
            }
        }
    }

    /// Infix operators of at least the precedence `least`, all to the left.
    fn operators(&mut self, least: u32, live: bool) -> Option<Value> {
        let mut left = self.prefix(live);
        while let Some((op, precedence)) = infix(self.peek()).filter(|(_, p)| *p >= least) {
            self.next += 1;
            let right = self.operators(precedence + 1, live);
            left = left.zip(right).map(|(x, y)| {
                let ints = matches!((x, y), (Value::Int(_), Value::Int(_)));
                let minimum = matches!((x, y), (Value::Int(-2147483647), Value::Int(1)));
                assert!(precedence < 5 || !ints || minimum, "{x:?} {op:?} {y:?} may overflow");
                binary(op, x, y)
            });
        }
        left
    }

    fn prefix(&mut self, live: bool) -> Option<Value> {
        let op = self.peek();
        if !matches!(op, "-" | "!" | "~") {
            return self.atom(live);
        }
        self.next += 1;
        self.prefix(live).map(|x| match (op, x) {
            ("-", Value::Float(x)) => Value::Float(-x),
            ("-", Value::Double(x)) => Value::Double(-x),
            // Only of literals.
            ("-", Value::Int(x)) => Value::Int(x.checked_neg().unwrap()),
            ("!", Value::Bool(x)) => Value::Bool(!x),
            ("~", Value::Int(x)) => Value::Int(!x),
            _ => panic!("{op} of {x:?}"),
        })
    }

    fn atom(&mut self, live: bool) -> Option<Value> {
        let token = self.take();
        match token {
            "(" => {
                let value = self.expression(live);
                self.expect(")");
                return value;
            }
            "true" | "false" => return Some(Value::Bool(token == "true")),
            "__int_as_float" | "__longlong_as_double" => {
                self.expect("(");
                let bits = u64::from_str_radix(&self.take()[2..], 16).unwrap();
                self.expect(")");
                return Some(match token {
                    "__int_as_float" => Value::Float(f32::from_bits(bits as u32)),
                    _ => Value::Double(f64::from_bits(bits)),
                });
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                return Some(match token.strip_suffix('f') {
                    Some(float) => Value::Float(float.parse().unwrap()),
                    None if token.contains(['.', 'e']) => Value::Double(token.parse().unwrap()),
                    None => Value::Int(token.parse().unwrap()),
                });
            }
            _ => {}
        }
        if !self.accept("(") {
            let value = *self.names.get(token).unwrap_or_else(|| panic!("{token} is not declared"));
            assert!(!live || value.is_some(), "{token} is read before it has a value");
            return value.filter(|_| live);
        }
        let mut arguments = Vec::new();
        while !self.accept(")") {
            arguments.push(self.expression(live));
            self.accept(",");
        }
        let arguments: Option<Vec<Value>> = arguments.into_iter().collect();
        arguments.filter(|_| live).map(|arguments| apply(token, &arguments))
    }
}

/// An infix operator of C++ and its precedence; higher binds tighter.
fn infix(token: &str) -> Option<(BinaryOp, u32)> {
    Some(match token {
        "||" => (BinaryOp::Or, 1),
        "&&" => (BinaryOp::And, 2),
        "==" => (BinaryOp::Eq, 3),
        "!=" => (BinaryOp::Ne, 3),
        "<" => (BinaryOp::Lt, 4),
        "<=" => (BinaryOp::Le, 4),
        ">" => (BinaryOp::Gt, 4),
        ">=" => (BinaryOp::Ge, 4),
        "+" => (BinaryOp::Add, 5),
        "-" => (BinaryOp::Sub, 5),
        "*" => (BinaryOp::Mul, 6),
        "/" => (BinaryOp::Div, 6),
        _ => return None,
    })
}
