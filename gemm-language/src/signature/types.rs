//! Types as tokens.

use gemm_codegen::spelling;
use quote::ToTokens;
use syn::Type;
use syn::ext::IdentExt;

/// The type inside the invisible brackets of a `macro_rules!` fragment.
pub(super) fn ungroup(mut ty: &Type) -> &Type {
    while let Type::Group(group) = ty {
        ty = &group.elem;
    }
    ty
}

/// The last segment of a path.
pub(super) fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map(|segment| segment.ident.unraw().to_string())
        }
        _ => None,
    }
}

/// The help for a type that is not one of `candidates`, which `all` lists: another number of Rust's is
/// not a misspelling of one of them.
pub(super) fn did_you_mean<'a>(
    name: Option<&str>,
    candidates: impl IntoIterator<Item = &'a str>,
    all: &str,
) -> String {
    spelling::did_you_mean(
        name.filter(|name| !is_number(name)).unwrap_or_default(),
        candidates,
        all,
    )
}

/// Whether this is a number of Rust's that is not an element type.
pub(super) fn is_number(name: &str) -> bool {
    ["i16", "i64", "i128", "isize", "u16", "u32", "u64", "u128", "usize"].contains(&name)
}

/// Tokens as source text.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let pairs =
        [(" <", "<"), ("< ", "<"), (" >", ">"), (" ,", ","), ("& mut", "&mut"), (" :: ", "::")];
    pairs.into_iter().fold(spaced, |text, (with, without)| text.replace(with, without))
}
