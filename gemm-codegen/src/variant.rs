//! [`Variant`]: a kernel's text for operands of less alignment than it says.

use std::borrow::Cow;

use crate::parameter::MAX_ALIGN;

/// The alignments of a launch that are less than a kernel's text says.
///
/// The text has a constant for the alignment of each operand and output, in bytes:
/// [`Parameter::align_constant`](crate::Parameter::align_constant). A variant of the kernel is the
/// same text with other values, line for line, compiled when it is first needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant(Vec<(String, u32)>);

impl Variant {
    /// Says that the constant `name` is `bytes`; the least one counts where several arguments have it.
    pub fn push(&mut self, name: &str, bytes: u32) {
        match self.0.iter_mut().find(|(of, _)| of == name) {
            Some((_, least)) => *least = bytes.min(*least),
            None if bytes < MAX_ALIGN => self.0.push((name.to_owned(), bytes)),
            None => {}
        }
    }

    /// The text of the variant: the kernel's own where nothing is less aligned.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.0.iter().fold(Cow::Borrowed(text), |text, (name, bytes)| {
            let before = head(name);
            match text.split_once(&before) {
                Some((start, rest)) => {
                    let end = rest.find(';').map_or("", |end| &rest[end..]);
                    Cow::Owned(format!("{start}{before}{bytes}{end}"))
                }
                None => text,
            }
        })
    }
}

/// The line of the constant `name` in a kernel's text.
pub(crate) fn line(name: &str, bytes: u32) -> String {
    format!("{}{bytes};\n", head(name))
}

fn head(name: &str) -> String {
    format!("constexpr int {name} = ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(bytes: &[(&str, u32)]) -> Variant {
        let mut variant = Variant::default();
        bytes.iter().for_each(|(name, bytes)| variant.push(name, *bytes));
        variant
    }

    #[test]
    fn only_the_lines_of_its_constants_differ() {
        let rest = "constexpr int OUT_VECTOR = ALIGN_out / 4;\n";
        let text = |a, out| line("ALIGN_a", a) + &line("ALIGN_out", out) + rest;
        let aligned = text(16, 16);
        assert!(matches!(variant(&[("ALIGN_a", 16)]).text(&aligned), Cow::Borrowed(_)));
        assert_eq!(variant(&[("ALIGN_a", 2)]).text(&aligned), text(2, 16));
        assert_eq!(variant(&[("ALIGN_out", 8), ("ALIGN_a", 4)]).text(&aligned), text(4, 8));
        assert_eq!(variant(&[("ALIGN_b", 2)]).text(&aligned), aligned);
    }

    #[test]
    fn the_least_alignment_of_a_constant_counts() {
        let several = [("ALIGN_a", 8), ("ALIGN_a", 2), ("ALIGN_a", 16), ("ALIGN_a", 4)];
        assert_eq!(variant(&several), variant(&[("ALIGN_a", 2)]));
    }
}
