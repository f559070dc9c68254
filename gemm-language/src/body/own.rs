//! What is called by a path: a function of the language or of the module by its name, one of the `impl` after `Self::`.

use gemm_codegen::body::{NodeId, find_function, is_of_language};
use gemm_codegen::spelling::did_you_mean;
use syn::ext::IdentExt;
use syn::{Expr, ExprPath, Ident, PathArguments};

use super::{Reader, plain_name};
use crate::errors::list;
use crate::own::OF_IMPL;

impl Reader<'_> {
    /// The name of the function that a path names.
    ///
    /// # Errors
    /// The node in place of a call that was refused.
    pub(super) fn called(&mut self, path: &ExprPath) -> Result<String, NodeId> {
        if let Some(name) = plain_name(path) {
            let plain = name.unraw().to_string();
            let is_of_impl = self.associated.is_some_and(|names| names.contains(&plain))
                && !is_of_language(&plain)
                && find_function(&self.body, &plain).is_none();
            if !is_of_impl {
                return Ok(plain);
            }
            let message = format!("`{plain}` is a function of the `impl`, not of its module");
            return Err(self.fail(name, &message, &format!("write `{OF_IMPL}{plain}(..)`")));
        }
        if let Some(arguments) = type_arguments(path) {
            let message = "a type argument is not supported in a body";
            return Err(self.fail(arguments, message, "remove it"));
        }
        match after_self(path) {
            Some(name) => self.of_impl(path, &name.unraw().to_string()),
            None => Err(self
                .conversion(path)
                .unwrap_or_else(|| self.unsupported(&Expr::Path(path.clone())))),
        }
    }

    /// `Self::name`
    fn of_impl(&mut self, path: &ExprPath, name: &str) -> Result<String, NodeId> {
        let function = format!("{OF_IMPL}{name}");
        let Some(names) = self.associated else {
            let message = format!("`{function}` is not in scope of the body");
            let help =
                "write `#[gemm]` on the `impl`, too: bodies in it may call its plain functions";
            return Err(self.fail(path, &message, help));
        };
        if names.iter().any(|known| known == name) {
            return Ok(function);
        }
        let message = format!("unknown function `{function}`");
        if find_function(&self.body, name).is_some() || is_of_language(name) {
            return Err(self.fail(path, &message, &format!("write `{name}(..)`")));
        }
        let names: Vec<String> = names.iter().map(|name| format!("{OF_IMPL}{name}")).collect();
        let all = match &names[..] {
            [] => "the `impl` has no plain functions".to_owned(),
            names => format!("the plain functions of the `impl` are {}", list(names)),
        };
        let help = did_you_mean(&function, names.iter().map(String::as_str), all);
        Err(self.fail(path, &message, &help))
    }
}

/// The name in `Self::name`.
fn after_self(path: &ExprPath) -> Option<&Ident> {
    let segments = &path.path.segments;
    let is_self = segments.len() == 2 && segments[0].ident == "Self";
    let is_plain = path.qself.is_none()
        && path.path.leading_colon.is_none()
        && segments.iter().all(|segment| segment.arguments.is_none());
    (is_self && is_plain).then(|| &segments[1].ident)
}

/// The arguments of a function that is called by its plain name: `<f32>` in `gelu::<f32>(x)`.
fn type_arguments(path: &ExprPath) -> Option<&PathArguments> {
    let mut segments = path.path.segments.iter();
    let (only, None) = (segments.next()?, segments.next()) else { return None };
    (path.qself.is_none() && !only.arguments.is_none()).then_some(&only.arguments)
}
