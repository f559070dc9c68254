//! [`Cut`]: edits of a kernel's text.

use std::borrow::Cow;

use anyhow::{Context as _, Result, ensure};
use gemm_runtime::Kernel;

/// A stage that is cut out.
pub(super) struct Cut {
    pub(super) name: &'static str,
    /// One after the other.
    edits: Vec<Edit>,
}

/// A change of a text.
#[derive(Clone, Copy)]
pub(super) enum Edit {
    /// A part that occurs once, and its replacement.
    Text(&'static str, &'static str),
    /// A function that is defined once, and its new body.
    Body(&'static str, &'static str),
}

impl Cut {
    /// `edits` are made one list after the other.
    pub(super) fn new(name: &'static str, edits: &[&[Edit]]) -> Cut {
        Cut { name, edits: edits.concat() }
    }

    /// The kernel without it, which is known from the whole one by its text. It states no facts: those of
    /// the whole one are of another text.
    ///
    /// # Errors
    /// If the text does not have what is to be replaced, or has it more than once.
    pub(super) fn of(&self, kernel: &Kernel) -> Result<Kernel> {
        let whole = kernel.text.to_string();
        let text = self.edits.iter().try_fold(whole, |text, edit| edit.apply(&text));
        let text = text.with_context(|| format!("`{}` of {}", self.name, kernel.entry))?;
        Ok(Kernel { text: Cow::Owned(text), facts: None, ..kernel.clone() })
    }
}

impl Edit {
    fn apply(self, text: &str) -> Result<String> {
        match self {
            Edit::Text(from, to) => {
                once(text, from)?;
                Ok(text.replacen(from, to, 1))
            }
            Edit::Body(function, body) => {
                let name = format!(" {function}(");
                let definition = format!("void{name}");
                once(text, &definition)?;
                let (before, after) = text.split_once(&definition).context("it occurs")?;
                let (parameters, _) = after.split_once('{').context("it has no body")?;
                let rest = after_braces(&after[parameters.len()..]);
                let rest = rest.with_context(|| format!("the body of `{function}` has no end"))?;
                Ok([before, &definition, parameters, body, rest].concat())
            }
        }
    }
}

fn once(text: &str, part: &str) -> Result<()> {
    let count = text.matches(part).count();
    ensure!(count == 1, "the text has `{}` {count} times, not once", part.trim());
    Ok(())
}

/// The text after the brace that closes the first one. Braces in strings are lists of `asm`, which are
/// closed too.
fn after_braces(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, brace) in text.match_indices(['{', '}']) {
        depth = if brace == "{" { depth + 1 } else { depth.checked_sub(1)? };
        if depth == 0 {
            return Some(&text[at + 1..]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use gemm_runtime::prelude::*;

    use super::Edit::{Body, Text};
    use super::*;

    #[gemm(derived)]
    fn any(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    #[test]
    fn a_text_that_lacks_what_is_cut_is_an_error_that_names_both() {
        let part = "const int at_k = from + tile * BLK_K;";
        let cut = Cut::new("first columns", &[&[Text(part, "const int at_k = from;")]]);
        let failed = |text: &str| {
            let text = Cow::Owned(text.to_owned());
            let kernel = Kernel { text, ..any::KERNEL.clone() };
            format!("{:#}", cut.of(&kernel).unwrap_err())
        };
        let none = failed("nothing");
        assert!(none.starts_with("`first columns` of any_"), "{none}");
        assert!(none.ends_with(&format!("the text has `{part}` 0 times, not once")), "{none}");
        let twice = failed(&format!("{part}\n{part}\n"));
        assert!(twice.ends_with(&format!("the text has `{part}` 2 times, not once")), "{twice}");
    }

    #[test]
    fn a_body_is_replaced_up_to_its_last_brace() {
        let text =
            "void f(int a) {\n    if (a) {\n        asm(\"{%0}, {%1};\");\n    }\n}\n\nf(1);\n";
        let cut = Body("f", "{}").apply(text).unwrap();
        assert_eq!(cut, "void f(int a) {}\n\nf(1);\n");
        assert!(Body("f", "{}").apply("void f(int a) {\n    {").is_err());
        assert!(Body("f", "{}").apply("f(1);").is_err());
    }
}
