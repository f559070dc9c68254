//! Errors of the language, as rustc prints those of the macro.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::files::File;
use crate::find::Annotated;

/// All errors of one function.
pub(crate) fn render(errors: &syn::Error, annotated: &Annotated, file: &File) -> String {
    let path = file.path.display().to_string();
    let each = errors.clone().into_iter().map(|error| {
        // What is not written has no place of its own.
        let place = match error.span().byte_range() {
            range if range.is_empty() => annotated.attribute.clone(),
            range => range,
        };
        let text = error.to_string();
        // The lines after the first are notes: `= help: ..`, `= rule: ..`.
        let (title, notes) = text.split_once('\n').unwrap_or((&text, ""));
        let snippet = Snippet::source(&file.text).path(&path);
        let snippet = snippet.annotation(AnnotationKind::Primary.span(place));
        let title = Level::ERROR.primary_title(title).element(snippet);
        let group = notes.lines().fold(title, note);
        Renderer::plain().render(&[group])
    });
    each.collect::<Vec<_>>().join("\n\n")
}

fn note<'a>(group: Group<'a>, line: &'a str) -> Group<'a> {
    let line = line.strip_prefix("= ").unwrap_or(line);
    match line.split_once(": ") {
        Some(("help", help)) => group.element(Level::HELP.message(help)),
        Some(("rule", rule)) => group.element(Level::NOTE.with_name("rule").message(rule)),
        _ => group.element(Level::NOTE.message(line)),
    }
}
