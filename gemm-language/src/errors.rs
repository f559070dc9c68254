//! The accumulator of a phase's errors.

use std::fmt::Display;

use gemm_codegen::Diagnostic;
use gemm_codegen::spelling::did_you_mean;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Every error found so far, each at its own tokens.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
    /// Those of unknown names, by their places in `all`.
    unknown: Vec<(usize, Unknown)>,
}

/// A name that is not one of those that are possible where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    /// What is wrong with it.
    pub(crate) message: String,
    /// The name.
    pub(crate) written: String,
    /// The possible names.
    pub(crate) candidates: Vec<String>,
    /// What the help says of them all; without it, it lists them.
    pub(crate) all: Option<String>,
    /// What it is written as.
    pub(crate) tokens: TokenStream,
    /// Whether it is an element type, in the signature or the attribute; else a name of the attribute.
    pub(crate) is_element: bool,
}

impl Unknown {
    /// The error whose help suggests one of these candidates.
    fn error(&self, candidates: &[&str]) -> syn::Error {
        let all = self.all.clone().unwrap_or_else(|| match candidates {
            [] => expected(&self.candidates),
            _ => expected(candidates),
        });
        let help = did_you_mean(&self.written, candidates.iter().copied(), all);
        error(&self.tokens, &self.message, help)
    }
}

impl Errors {
    /// An error at `tokens`: a message (lower case, no full stop) and a help.
    pub(crate) fn push(
        &mut self,
        tokens: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.push_syn(error(tokens, message, help));
    }

    /// A rule broken by the kernels that `of` names, if not by all; `helps` are those of other kernels.
    pub(crate) fn push_diagnostic(
        &mut self,
        tokens: impl ToTokens,
        of: &str,
        diagnostic: &Diagnostic,
        helps: &str,
    ) {
        let Diagnostic { rule, message, help, .. } = diagnostic;
        self.push(tokens, format!("{of}{message}"), format!("{help}{helps}\n= rule: {rule}"));
    }

    /// An error of syn itself.
    pub(crate) fn push_syn(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// Whether this was said of an unknown name elsewhere.
    pub(crate) fn has_unknown(&self, message: &str) -> bool {
        self.unknown.iter().any(|(_, unknown)| unknown.message == message)
    }

    /// An unknown name, whose help suggests any candidate until [`Errors::judge`] tells which are legal.
    pub(crate) fn push_unknown(&mut self, unknown: Unknown) {
        let candidates: Vec<&str> = unknown.candidates.iter().map(String::as_str).collect();
        let error = unknown.error(&candidates);
        self.unknown.push((self.all.len(), unknown));
        self.all.push(error);
    }

    /// Leaves in the help of each unknown name the candidates that are `legal` in place of the name.
    pub(crate) fn judge(&mut self, legal: impl Fn(&Unknown) -> Vec<bool>) {
        for (at, unknown) in &self.unknown {
            let kept = unknown.candidates.iter().zip(legal(unknown)).filter(|(_, legal)| *legal);
            let kept: Vec<&str> = kept.map(|(candidate, _)| candidate.as_str()).collect();
            self.all[*at] = unknown.error(&kept);
        }
    }

    /// Adds those of another part of the phase.
    pub(crate) fn extend(&mut self, other: Errors) {
        let before = self.all.len();
        self.all.extend(other.all);
        self.unknown.extend(other.unknown.into_iter().map(|(at, of)| (before + at, of)));
    }

    /// The messages, without their helps, but for those of unknown names.
    pub(crate) fn first_lines(&self) -> impl Iterator<Item = String> {
        let is_unknown = |at: usize| self.unknown.iter().any(|(of, _)| *of == at);
        let errors = self.all.iter().enumerate().filter(move |(at, _)| !is_unknown(*at));
        let errors = errors.flat_map(|(_, error)| error.clone());
        errors.map(|error| error.to_string().lines().next().unwrap_or_default().to_owned())
    }

    /// Whether nothing was reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them as one; `None` if there is none.
    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        })
    }

    /// One `compile_error!` for each error; nothing if there is none.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.all.iter().map(syn::Error::to_compile_error).collect()
    }

    /// The texts in order, for tests of a phase.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.all.iter().flat_map(|error| error.clone()).map(|e| e.to_string()).collect()
    }
}

/// One error at `tokens`. rustc indents the lines after the first, so they look like notes.
pub(crate) fn error(
    tokens: impl ToTokens,
    message: impl Display,
    help: impl Display,
) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{message}\n= help: {help}"))
}

/// A help that names what is possible.
pub(crate) fn expected<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<T> = names.into_iter().collect();
    let one_of = if names.len() == 1 { "" } else { "one of " };
    format!("expected {one_of}{}", list(names))
}

/// `a`, `b` and `c` in backticks, as the end of a help.
pub(crate) fn list<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
