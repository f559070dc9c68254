//! Names that the expansion needs for itself.

use gemm_codegen::Element;
use syn::Ident;
use syn::ext::IdentExt;

use crate::errors::{Errors, list};

/// Constants of the generated module, and values of Rust's prelude: as the name of a parameter each
/// would be a pattern that matches the value, and an imported constant would meet it.
const VALUES: [&str; 8] = ["SOURCE", "PLAN", "KERNEL", "KERNELS", "None", "Some", "Ok", "Err"];

/// The types of a signature that are not elements.
const TYPES: [&str; 4] = ["Mat", "Vector", "Batched", "Scalar"];

/// Reports the name of a parameter or of a constant that is one of a value.
pub(crate) fn refuse_value(name: &Ident, of: &str, errors: &mut Errors) {
    if VALUES.iter().any(|value| name.unraw() == value) {
        let message = format!("`{name}` cannot be the name of {of}");
        let help = format!("rename it; the reserved names are {}", list(VALUES));
        errors.push(name, message, help);
    }
}

/// Reports the name of a function whose module would hide a type of signatures.
pub(super) fn refuse_type(function: &Ident, errors: &mut Errors) {
    if hides_a_type(function) {
        let message = format!("the module of `{function}` would hide the type `{function}`");
        errors.push(function, message, "rename the function");
    }
}

/// Whether a module of this name hides a type of signatures.
pub(crate) fn hides_a_type(function: &Ident) -> bool {
    let elements = Element::ALL.into_iter().map(Element::name);
    elements.chain(TYPES).any(|ty| function.unraw() == ty)
}
