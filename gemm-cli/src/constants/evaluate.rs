//! The value of a constant: literals, their arithmetic and casts, other constants of the crate and those
//! of the standard library.

use syn::spanned::Spanned as _;
use syn::{Expr, Lit, UnOp};

use super::number::{Number, Type};
use super::scope::{Item, Meaning, Module, Scope};

/// How many constants lead to the value of one at most: they may go round in circles.
const DEEPEST: usize = 32;

/// The value of the constant that `name` means in a module, and where it is written.
///
/// # Errors
/// Why it is not known.
pub(super) fn evaluate(
    scope: &Scope,
    module: &Module,
    name: &str,
    ty: Type,
) -> Result<(Number, String), String> {
    let evaluation = Evaluation { scope, module, depth: DEEPEST };
    let path = [name.to_owned()];
    let value = evaluation.path(&path)?;
    if value.ty() != ty {
        return Err(format!("it is of type {}, the kernel takes {ty}", value.ty()));
    }
    let place = match scope.meaning(module, &path)? {
        Meaning::Item(item) => item.place.clone(),
        Meaning::Foreign(path) => path.join("::"),
    };
    Ok((value, place))
}

#[derive(Clone, Copy)]
struct Evaluation<'a> {
    scope: &'a Scope,
    /// The module of the expression.
    module: &'a Module,
    depth: usize,
}

impl Evaluation<'_> {
    /// An expression where one of type `ty` is expected.
    fn value(&self, expr: &Expr, ty: Type) -> Result<Number, String> {
        let value = match expr {
            Expr::Paren(inner) => self.value(&inner.expr, ty),
            Expr::Group(inner) => self.value(&inner.expr, ty),
            Expr::Lit(literal) => number(&literal.lit, "", ty).ok_or_else(|| unknown(expr)),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                // The minus belongs to a literal: `-128i8` is in range.
                let value = match &*unary.expr {
                    Expr::Lit(literal) => number(&literal.lit, "-", ty),
                    inner => self.value(inner, ty)?.negated(),
                };
                value.ok_or_else(|| unknown(expr))
            }
            Expr::Binary(binary) => {
                let left = self.value(&binary.left, ty)?;
                let right = self.value(&binary.right, ty)?;
                left.binary(&binary.op, right).ok_or_else(|| unknown(expr))
            }
            Expr::Cast(cast) => {
                let to = type_of(&cast.ty).ok_or_else(|| unknown(expr))?;
                let from = self.stated(&cast.expr).unwrap_or_else(|| fallback(&cast.expr));
                Ok(self.value(&cast.expr, from)?.cast(to))
            }
            Expr::Path(path) => self.path(&names(path).ok_or_else(|| unknown(expr))?),
            _ => Err(unknown(expr)),
        }?;
        match value.ty() == ty {
            true => Ok(value),
            false => Err(format!("`{}` is not of type {ty}", text(expr))),
        }
    }

    /// A constant by its path.
    fn path(&self, path: &[String]) -> Result<Number, String> {
        match self.scope.meaning(self.module, path)? {
            Meaning::Item(item) => self.item(item),
            Meaning::Foreign(path) => standard(&path)
                .ok_or_else(|| format!("`{}` is not a constant of this crate", path.join("::"))),
        }
    }

    fn item(&self, item: &Item) -> Result<Number, String> {
        let within = |reason: String| match reason.contains(" at ") {
            true => reason,
            false => format!("{reason} at {}", item.place),
        };
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(within("its value is that of itself".to_owned()));
        };
        let ty =
            Type::named(&item.ty).ok_or_else(|| within(format!("it is of type `{}`", item.ty)))?;
        let inner = Evaluation { module: &item.module, depth, ..*self };
        inner.value(&item.value, ty).map_err(within)
    }

    /// The type that an expression has by itself.
    fn stated(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Paren(inner) => self.stated(&inner.expr),
            Expr::Group(inner) => self.stated(&inner.expr),
            Expr::Unary(unary) => self.stated(&unary.expr),
            Expr::Binary(binary) => {
                self.stated(&binary.left).or_else(|| self.stated(&binary.right))
            }
            Expr::Cast(cast) => type_of(&cast.ty),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(value) => Type::named(value.suffix()),
                Lit::Float(value) => Type::named(value.suffix()),
                _ => None,
            },
            Expr::Path(path) => self.path(&names(path)?).ok().map(Number::ty),
            _ => None,
        }
    }
}

/// The type of literals that nothing states.
fn fallback(expr: &Expr) -> Type {
    let is_float = text(expr).split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', 'e', 'E'])
    });
    let name = if is_float { "f64" } else { "i32" };
    Type::named(name).unwrap_or(Type::F64)
}

/// A literal after a sign, where one of type `ty` is expected.
fn number(literal: &Lit, sign: &str, ty: Type) -> Option<Number> {
    let (digits, suffix, is_float) = match literal {
        Lit::Int(value) => (value.base10_digits(), value.suffix(), false),
        Lit::Float(value) => (value.base10_digits(), value.suffix(), true),
        _ => return None,
    };
    let ty = if suffix.is_empty() { ty } else { Type::named(suffix)? };
    // `1` is not a float, but `1f32` is.
    let fits = is_float || !suffix.is_empty() || matches!(ty, Type::Int(..));
    Number::parse(&format!("{sign}{digits}"), ty).filter(|_| fits)
}

/// A constant of the standard library.
fn standard(path: &[String]) -> Option<Number> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let names = match &names[..] {
        ["std" | "core", rest @ ..] => rest,
        all => all,
    };
    macro_rules! constants {
        ($ty:ident, $variant:ident, $name:expr; $($in:ident)+; $($of:ident)+) => {
            match $name {
                [module, "consts", name] if *module == stringify!($ty) => match *name {
                    $(stringify!($in) => Some(Number::$variant(std::$ty::consts::$in)),)+
                    _ => None,
                },
                [ty, name] if *ty == stringify!($ty) => match *name {
                    $(stringify!($of) => Some(Number::$variant($ty::$of)),)+
                    _ => None,
                },
                _ => None,
            }
        };
    }
    macro_rules! floats {
        ($ty:ident, $variant:ident) => {
            constants!($ty, $variant, names;
                E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6
                FRAC_PI_8 LN_10 LN_2 LOG10_2 LOG10_E LOG2_10 LOG2_E PI SQRT_2 TAU;
                EPSILON INFINITY MAX MIN MIN_POSITIVE NAN NEG_INFINITY)
        };
    }
    let integer = || match names {
        [ty, limit @ ("MIN" | "MAX")] => match Type::named(ty) {
            Some(ty @ Type::Int(_, least, most)) => {
                Some(Number::Int(if *limit == "MIN" { least } else { most }, ty))
            }
            _ => None,
        },
        _ => None,
    };
    floats!(f32, F32).or_else(|| floats!(f64, F64)).or_else(integer)
}

/// The names of a path without arguments.
fn names(path: &syn::ExprPath) -> Option<Vec<String>> {
    let is_plain = path.qself.is_none()
        && path.path.segments.iter().all(|segment| segment.arguments.is_none());
    is_plain.then(|| path.path.segments.iter().map(|one| one.ident.to_string()).collect())
}

fn type_of(ty: &syn::Type) -> Option<Type> {
    Type::named(&quote::ToTokens::to_token_stream(ty).to_string())
}

/// As it is written.
fn text(expr: &Expr) -> String {
    expr.span().source_text().unwrap_or_default()
}

fn unknown(expr: &Expr) -> String {
    format!("`{}` is not evaluated", text(expr))
}
