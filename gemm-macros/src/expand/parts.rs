//! [`Parts`]: texts that have most of their paragraphs in common, each of which is written once.
//!
//! The kernels of several schedules differ in their constants and in what follows from them. Whole,
//! sixteen of them would be 400 kB of a program, of which its parts are a fifth.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;

/// The paragraphs of some texts.
#[derive(Default)]
pub(super) struct Parts<'t> {
    all: Vec<&'t str>,
    numbers: HashMap<&'t str, u16>,
}

impl<'t> Parts<'t> {
    /// The expression of a text, which names its paragraphs in a `PARTS`.
    pub(super) fn text(&mut self, text: &'t str) -> TokenStream {
        let numbers: Vec<u16> =
            text.split_inclusive("\n\n").map(|part| self.number(part)).collect();
        quote!(::gemm_runtime::__private::join(&PARTS, &[#(#numbers),*]))
    }

    fn number(&mut self, part: &'t str) -> u16 {
        // A text has some fifty paragraphs.
        let next = self.all.len() as u16;
        let number = *self.numbers.entry(part).or_insert(next);
        if number == next {
            self.all.push(part);
        }
        number
    }

    /// The paragraphs, in the order of their numbers.
    pub(super) fn items(&self) -> TokenStream {
        let (count, all) = (self.all.len(), &self.all);
        quote! {
            static PARTS: [&::core::primitive::str; #count] = [#(#all),*];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_their_parts_in_order_and_none_is_there_twice() {
        let texts = ["a\n\nb\nc\n\nd\n", "b\nc\n\na\n\nd\n", "", "b\nc"];
        let mut parts = Parts::default();
        for text in texts {
            let numbers = text.split_inclusive("\n\n").map(|part| parts.number(part));
            let numbers: Vec<u16> = numbers.collect();
            let joined: String = numbers.iter().map(|number| parts.all[*number as usize]).collect();
            assert_eq!(joined, text);
        }
        assert_eq!(parts.all, ["a\n\n", "b\nc\n\n", "d\n", "b\nc"]);
    }
}
