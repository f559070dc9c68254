//! The examples of a function's documentation.

use syn::{Attribute, Expr, ExprLit, Lit, Meta, MetaNameValue};

/// Lines of documentation but those of code blocks: a test of the same example would run for the function and for its
/// module.
pub(super) fn left_out<'a>(
    docs: impl Iterator<Item = &'a Attribute>,
) -> impl Iterator<Item = &'a Attribute> {
    let mut is_code = false;
    docs.filter(move |line| {
        let is_fence = text_of(line).trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The text of a line of documentation, if it is a literal.
fn text_of(line: &Attribute) -> String {
    match &line.meta {
        Meta::NameValue(MetaNameValue {
            value: Expr::Lit(ExprLit { lit: Lit::Str(text), .. }),
            ..
        }) => text.value(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn examples_are_left_out() {
        let function: syn::ItemFn = parse_quote! {
            /// Multiplies.
            ///
            /// ```
            /// f();
            /// ```
            /// Then more.
            #[doc = include_str!("more.md")]
            fn f() {}
        };
        let kept: Vec<String> = left_out(function.attrs.iter()).map(text_of).collect();
        assert_eq!(kept, [" Multiplies.", "", " Then more.", ""]);
    }
}
