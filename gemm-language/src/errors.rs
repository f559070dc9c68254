//! The accumulator of a phase's errors.

use std::fmt::Display;

use gemm_codegen::Diagnostic;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Every error found so far, each at its own tokens.
#[derive(Debug, Default)]
pub(crate) struct Errors(Option<syn::Error>);

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

    /// The same, unless it was said elsewhere: one edit fixes all places.
    pub(crate) fn push_once(
        &mut self,
        tokens: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        let error = error(tokens, message, help);
        let text = error.to_string();
        if !self.0.clone().into_iter().flatten().any(|earlier| earlier.to_string() == text) {
            self.push_syn(error);
        }
    }

    /// A rule broken by the kernels that `of` names, if not by all.
    pub(crate) fn push_diagnostic(
        &mut self,
        tokens: impl ToTokens,
        of: &str,
        diagnostic: &Diagnostic,
    ) {
        let Diagnostic { rule, message, help, .. } = diagnostic;
        self.push(tokens, format!("{of}{message}"), format!("{help}\n= rule: {rule}"));
    }

    /// An error of syn itself.
    pub(crate) fn push_syn(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Whether nothing was reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// All of them as one; `None` if there is none.
    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.0
    }

    /// One `compile_error!` for each error; nothing if there is none.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.0.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }

    /// The texts in order, for tests of a phase.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.0.clone().into_iter().flatten().map(|e| e.to_string()).collect()
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

/// `a`, `b` and `c` in backticks, as the end of a help.
pub(crate) fn list<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
