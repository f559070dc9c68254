//! `T = [f16, bf16]`: the element types of a type parameter.

use syn::Type;
use syn::ext::IdentExt;

use super::Reader;
use super::entry::{Entry, Piece};
use crate::errors::error;
use crate::signature::Listed;

impl Reader<'_> {
    /// The number of the type parameter of this name.
    pub(super) fn type_parameter(&self, key: &str) -> Option<usize> {
        self.type_parameters.iter().position(|of| of.name.unraw() == key)
    }

    /// Reads the list of the type parameter of this number.
    pub(super) fn elements(&mut self, number: usize, entry: &Entry) {
        self.type_parameters[number].is_listed = true;
        let Some(value) = self.value(entry) else { return };
        let help = format!("write for example `{}`", list_of(&entry.key));
        let pieces = match value.list(error(value, "expected element types in brackets", &help)) {
            Ok(pieces) => pieces,
            Err(error) => return self.errors.push_syn(error),
        };
        if pieces.is_empty() {
            self.errors.push(value, "an empty list of element types", help);
        }
        for piece in &pieces {
            self.listed(number, piece);
        }
    }

    /// Reads one type of a list.
    fn listed(&mut self, number: usize, piece: &Piece) {
        let ty = piece.parse::<Type>().ok();
        let Some(listed) = Listed::new(piece, ty.as_ref(), self.errors) else { return };
        let elements = &mut self.type_parameters[number].elements;
        match elements.iter().any(|other| other.element == listed.element) {
            true => {
                let message = format!("`{}` is listed twice", listed.element);
                self.errors.push(piece, message, "remove one of the two");
            }
            false => elements.push(listed),
        }
    }
}

/// An example of the list of a type parameter.
pub(super) fn list_of(type_parameter: &syn::Ident) -> String {
    format!("{type_parameter} = [f16, bf16, f32]")
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use crate::attribute::parse;
    use crate::errors::Errors;
    use crate::signature::TypeParameter;
    use crate::spans::Spans;

    #[test]
    fn a_list_of_element_types_for_each_type_parameter() {
        let read = |arguments: TokenStream| {
            let declared = ["T", "U"].map(|name| quote::format_ident!("{name}")).to_vec();
            let (mut spans, mut errors) = (Spans::default(), Errors::default());
            let read = parse(arguments, declared, &mut spans, &mut errors);
            let elements = |of: &TypeParameter| {
                let elements = of.elements.iter().map(|listed| listed.element.name());
                (of.is_listed, elements.collect::<Vec<_>>())
            };
            let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
            let errors: Vec<String> = errors.texts().into_iter().map(first_line).collect();
            (read.type_parameters.iter().map(elements).collect::<Vec<_>>(), errors)
        };
        assert_eq!(
            read(quote!(T = [f16, half::bf16], stages = 4)),
            (vec![(true, vec!["f16", "bf16"]), (false, vec![])], vec![])
        );
        let (lists, errors) = read(quote!(T = [f16, f16, i64, 3], U = [], V = [f32]));
        assert_eq!(lists, [(true, vec!["f16"]), (true, vec![])]);
        assert_eq!(
            errors,
            [
                "`f16` is listed twice",
                "`i64` is not an element type",
                "`3` is not an element type",
                "an empty list of element types",
                "unknown key `V`: the function has no type parameter of this name",
            ]
        );
        assert_eq!(read(quote!(T = f16)).1, ["expected element types in brackets"]);
        assert_eq!(read(quote!(T)).1, ["`T` has the wrong form"]);
    }
}
