//! Literals of a body.

use gemm_codegen::ScalarType;
use gemm_codegen::body::{Node, NodeId};
use syn::Lit;

use super::Reader;

impl Reader<'_> {
    pub(super) fn literal(&mut self, literal: &Lit) -> NodeId {
        let node = match literal {
            Lit::Bool(value) => Node::Bool(value.value),
            Lit::Int(value) if matches!(value.suffix(), "" | "i32") => {
                // After a minus sign, `i32::MAX` + 1 is an i32.
                match value.base10_parse::<i64>() {
                    Ok(number) if number <= 1 << 31 => Node::Int(number),
                    _ => {
                        let help = "write a float, such as `1e10`";
                        return self.fail(literal, "exceeds `i32::MAX`", help);
                    }
                }
            }
            Lit::Int(value) if matches!(value.suffix(), "f32" | "f64") => {
                return self.float(literal, value.base10_digits(), value.suffix());
            }
            Lit::Float(value) if matches!(value.suffix(), "" | "f32" | "f64") => {
                return self.float(literal, value.base10_digits(), value.suffix());
            }
            _ => {
                let help = "use `f32`, `f64`, `i32` and `bool` literals";
                return self.fail(literal, "unsupported literal in a body", help);
            }
        };
        self.push(node, literal)
    }

    /// Reads digits as rustc does: rounded once, to the type of the literal.
    fn float(&mut self, literal: &Lit, digits: &str, suffix: &str) -> NodeId {
        let (single, double) = (digits.parse::<f32>(), digits.parse::<f64>());
        let (Ok(single), Ok(double)) = (single, double) else {
            return self.fail(literal, "unsupported literal in a body", "write it as `1.5`");
        };
        if suffix == "f32" && single.is_infinite() {
            return self.fail(literal, "exceeds `f32::MAX`", "use at most 3.4028235e38");
        }
        if double.is_infinite() {
            let most = "use at most 1.7976931348623157e308";
            return self.fail(literal, "exceeds `f64::MAX`", most);
        }
        let float = |reader: &mut Self, value| reader.push(Node::Float(value), literal);
        let (ty, value) = match suffix {
            // Its type is inferred later: rounding to f64 must not change the nearest f32.
            "" if single == double as f32 => return float(self, double),
            "" => {
                let help = "add the suffix `f32` or `f64`";
                return self.fail(
                    literal,
                    "a literal with more digits than f32 has, and of no stated type",
                    help,
                );
            }
            "f32" => (ScalarType::F32, single.into()),
            _ => (ScalarType::F64, double),
        };
        let value = float(self, value);
        self.push(Node::Typed(value, ty), literal)
    }
}
