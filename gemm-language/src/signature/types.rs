//! Types as tokens.

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

/// Tokens as source text.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    spaced.replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",")
}
