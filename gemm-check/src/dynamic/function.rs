//! The functions of a body on the host.

use gemm_codegen::body::Value;
use gemm_runtime::Real;

macro_rules! functions {
    (
        floats { $($float:literal ($($x:ident),+) => $of_floats:expr;)+ }
        free { $(($($argument:ident),+))+ }
        others { $($other:literal ($($pattern:pat),+) => $of_others:expr;)+ }
    ) => {
        /// The value of a function of [`function_table`](gemm_codegen::body::function_table); the
        /// receiver of a method is the first argument. `None` for any other function.
        pub fn call(function: &str, arguments: &[Value]) -> Option<Value> {
            Some(match (function, arguments) {
                $(
                    ($float, &[$(Value::F32($x)),+]) => Value::F32($of_floats),
                    ($float, &[$(Value::F64($x)),+]) => Value::F64($of_floats),
                )+
                $(($other, &[$($pattern),+]) => $of_others,)+
                $(
                    (_, &[$(Value::F32($argument)),+]) => {
                        Value::F32(Real::call(function, &[$($argument),+])?)
                    }
                    (_, &[$(Value::F64($argument)),+]) => {
                        Value::F64(Real::call(function, &[$($argument),+])?)
                    }
                )+
                _ => return None,
            })
        }
    };
}

functions! {
    floats {
        "abs"(x) => x.abs();
        "max"(x, y) => x.max(y);
        "min"(x, y) => x.min(y);
        // As that of the device: Rust's panics where `low` is above `high`.
        "clamp"(x, low, high) => {
            let raised = if x < low { low } else { x };
            if raised > high { high } else { raised }
        };
        "mul_add"(x, a, b) => x.mul_add(a, b);
        "recip"(x) => x.recip();
        "sqrt"(x) => x.sqrt();
        "exp"(x) => x.exp();
        "exp2"(x) => x.exp2();
        "ln"(x) => x.ln();
        "log2"(x) => x.log2();
        "powf"(x, y) => x.powf(y);
        "tanh"(x) => x.tanh();
        "sin"(x) => x.sin();
        "cos"(x) => x.cos();
        "floor"(x) => x.floor();
        "ceil"(x) => x.ceil();
        "round"(x) => x.round();
        "trunc"(x) => x.trunc();
        "signum"(x) => x.signum();
    }
    // Of one, two and three arguments, by name.
    free { (x) (x, y) (x, y, z) }
    others {
        "powi"(Value::F32(x), Value::I32(n)) => Value::F32(x.powi(n));
        "powi"(Value::F64(x), Value::I32(n)) => Value::F64(x.powi(n));
        "abs"(Value::I32(x)) => Value::I32(x.wrapping_abs());
        "max"(Value::I32(x), Value::I32(y)) => Value::I32(x.max(y));
        "min"(Value::I32(x), Value::I32(y)) => Value::I32(x.min(y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_language_has_its_host_twin() {
        let table = gemm_codegen::body::function_table();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(rows.len() > 50, "the table was not found");
        for row in rows {
            let signature = row.split('`').nth(1).expect("a signature in backticks");
            let (name, rest) = signature.split_once('(').expect("parameters");
            let (parameters, result) = rest.split_once(") -> ").expect("a result");
            let arguments: Vec<Value> = parameters.split(", ").map(argument).collect();
            let name = name.rsplit("::").next().unwrap_or(name);
            let value = call(name, &arguments).unwrap_or_else(|| panic!("no twin of {signature}"));
            let is_of_its_type = matches!(
                (value, result),
                (Value::F32(_), "f32") | (Value::F64(_), "f64") | (Value::I32(_), "i32")
            );
            assert!(is_of_its_type, "{signature} gives {value:?}");
        }
        assert_eq!(call("gelu", &[Value::I32(1)]), None);
        // Raised to 2, then lowered to 1, as on the device.
        let reversed = [0.0, 2.0, 1.0].map(Value::F32);
        assert_eq!(call("clamp", &reversed), Some(Value::F32(1.0)));
    }

    fn argument(parameter: &str) -> Value {
        match parameter.rsplit(": ").next() {
            Some("f32") => Value::F32(0.5),
            Some("f64") => Value::F64(0.5),
            _ => Value::I32(2),
        }
    }
}
