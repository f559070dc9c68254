//! The plans of all goldens, read from their sources.

use std::fs;
use std::path::Path;

use gemm_codegen::Plan;
use gemm_language::read;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The folder of the sources.
const FOLDER: &str = "../tests/src/goldens";

/// The name of each golden and its plan.
pub(crate) fn all() -> Vec<(String, Plan)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let entries = fs::read_dir(folder).expect("the folder of the goldens");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let plans: Vec<_> = files.iter().flat_map(|file| of_file(file)).collect();
    assert!(plans.len() > 100, "only {} goldens were found", plans.len());
    plans
}

/// The functions of a file with their plans.
pub(crate) fn of_file(file: &Path) -> Vec<(String, Plan)> {
    let text = fs::read_to_string(file).expect("a source");
    let mut plans = Vec::new();
    functions(text.parse().expect("Rust"), &mut plans);
    plans
}

/// The functions that `#[gemm]` annotates, those in the arguments of macros, too.
fn functions(tokens: TokenStream, plans: &mut Vec<(String, Plan)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let Some(arguments) = arguments(group.stream()) else { continue };
                let rest = &tokens[at + 1..];
                let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                let Some(end) = rest.iter().position(is_body) else { continue };
                let item = rest[..=end].iter().cloned().collect();
                // Macros have functions in which types are still to be put.
                let Ok(declarations) = read(arguments, item) else { continue };
                plans.extend(declarations.into_iter().map(|one| (one.spec.name, one.plan)));
            }
            TokenTree::Group(group) => functions(group.stream(), plans),
            _ => {}
        }
    }
}

/// The arguments of the attribute `gemm`.
fn arguments(attribute: TokenStream) -> Option<TokenStream> {
    let mut tokens = attribute.into_iter();
    match tokens.next() {
        Some(TokenTree::Ident(name)) if name == "gemm" => {}
        _ => return None,
    }
    match tokens.next() {
        Some(TokenTree::Group(group)) => Some(group.stream()),
        _ => Some(TokenStream::new()),
    }
}
