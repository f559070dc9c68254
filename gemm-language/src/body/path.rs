//! Paths of a body: constants of `f32`, `f64` and `i32`, whose values a macro knows.

use std::f32::consts as singles;
use std::f64::consts as doubles;

use gemm_codegen::ScalarType;
use gemm_codegen::body::{Node, NodeId};
use gemm_codegen::spelling::did_you_mean;
use syn::ExprPath;
use syn::ext::IdentExt;

use super::Reader;
use crate::errors::list;

/// A constant of a float, of both widths.
struct Float {
    name: &'static str,
    single: f32,
    double: f64,
}

/// Each name with its values of both widths, in these types or modules.
macro_rules! floats {
    ($name:ident: $single:ident $double:ident { $($constant:ident)+ }) => {
        const $name: &[Float] = &[$(Float {
            name: stringify!($constant),
            single: $single::$constant,
            double: $double::$constant,
        }),+];
    };
}

floats! { ASSOCIATED: f32 f64 { INFINITY NEG_INFINITY NAN MAX MIN MIN_POSITIVE EPSILON } }
floats! { MATHEMATICAL: singles doubles {
    PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI
    FRAC_1_SQRT_2 FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
} }

/// Those of `i32`.
const INTEGERS: [(&str, i32); 2] = [("MAX", i32::MAX), ("MIN", i32::MIN)];

/// What other languages call some of the constants of floats.
const ABBREVIATED: [(&str, &str); 4] = [
    ("INF", "INFINITY"),
    ("NEG_INF", "NEG_INFINITY"),
    ("NINF", "NEG_INFINITY"),
    ("EPS", "EPSILON"),
];

/// What a path names.
enum Named {
    Value(Node, ScalarType),
    /// A name that the type, or its module of constants, lacks; the paths of those that it has.
    Nothing {
        of: String,
        name: String,
        names: Vec<&'static str>,
    },
    /// Something else.
    Other,
}

impl Reader<'_> {
    /// A path of several segments that stands for a value.
    pub(super) fn path(&mut self, path: &ExprPath) -> NodeId {
        match named(path) {
            Named::Value(node, ScalarType::I32) => self.push(node, path),
            Named::Value(node, ty) => {
                let value = self.push(node, path);
                self.push(Node::Typed(value, ty), path)
            }
            Named::Nothing { of, name, names } => {
                let paths: Vec<String> =
                    names.iter().map(|known| format!("{of}::{known}")).collect();
                let all = format!("the constants are {}", list(&paths));
                let written = format!("{of}::{name}");
                let help = match ABBREVIATED.iter().find(|(short, _)| *short == name) {
                    Some((_, full)) => format!("write `{of}::{full}`"),
                    None => did_you_mean(&written, paths.iter().map(String::as_str), all),
                };
                self.fail(path, &format!("`{written}` is not a constant of a body"), &help)
            }
            Named::Other => self.fail(
                path,
                "a path is not supported in a body",
                "name the value with a constant outside of the function, such as \
                 `const LIMIT: f32 = ..;`, and use `LIMIT`, or pass it to a function that the body \
                 calls; constants of `f32`, `f64` and `i32` are supported, such as `f32::MAX`",
            ),
        }
    }
}

/// What this path names, with or without `std` or `core` before it.
fn named(path: &ExprPath) -> Named {
    let is_plain = path.qself.is_none() && path.path.segments.iter().all(|s| s.arguments.is_none());
    let segments: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let segments = match &segments[..] {
        ["std" | "core", rest @ ..] => rest,
        all if path.path.leading_colon.is_none() => all,
        _ => return Named::Other,
    };
    match segments {
        _ if !is_plain => Named::Other,
        [ty @ ("f32" | "f64"), name] => float(ty, "", name, ASSOCIATED),
        [ty @ ("f32" | "f64"), "consts", name] => float(ty, "::consts", name, MATHEMATICAL),
        ["i32", name] => match INTEGERS.iter().find(|(known, _)| known == name) {
            Some((_, value)) => Named::Value(Node::Int((*value).into()), ScalarType::I32),
            None => nothing("i32".to_owned(), name, INTEGERS.map(|(name, _)| name).to_vec()),
        },
        _ => Named::Other,
    }
}

/// The float of this name among those of a type, or of its module.
fn float(ty: &str, module: &str, name: &str, all: &[Float]) -> Named {
    let Some(known) = all.iter().find(|known| known.name == name) else {
        return nothing(
            format!("{ty}{module}"),
            name,
            all.iter().map(|known| known.name).collect(),
        );
    };
    match ty {
        "f64" => Named::Value(Node::Float(known.double), ScalarType::F64),
        _ => Named::Value(Node::Float(known.single.into()), ScalarType::F32),
    }
}

fn nothing(of: String, name: &str, names: Vec<&'static str>) -> Named {
    Named::Nothing { of, name: name.to_owned(), names }
}
