//! The analysis, on small crates.

use std::path::Path;

use crate::Test;

pub(super) fn tests() -> Vec<Test> {
    tests![
        a_module_and_a_function_may_share_a_name,
        a_circle_through_a_re_export_is_found,
        a_circle_through_a_macro_is_found,
        a_circle_within_a_folder_is_allowed,
        a_circle_of_many_modules_is_found,
        what_is_compiled_for_tests_is_not_counted,
        a_re_export_is_not_a_use
    ]
}

/// The arrows of the circles over several folders in the crate with these files.
fn crossing(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &Path| {
        let (_, text) = files.iter().find(|(name, _)| Path::new(name) == path)?;
        Some((*text).to_owned())
    };
    super::crossing(Path::new("lib.rs"), &read).iter().map(ToString::to_string).collect()
}

const ROOT: &str = "mod a; mod b; pub use a::Made; pub use b::*;";

fn a_circle_through_a_re_export_is_found() {
    let found = crossing(&[
        ("lib.rs", ROOT),
        ("a/mod.rs", "mod made; pub use made::Made;"),
        ("a/made.rs", "use crate::Glob; pub struct Made(Glob);"),
        ("b/mod.rs", "mod glob; pub use glob::Glob;"),
        ("b/glob.rs", "pub struct Glob; fn f(_: &crate::Made) {}"),
    ]);
    let expected = "a circle of 2 modules\n    \
                    crate::a::made uses Glob of crate::b::glob\n    \
                    crate::b::glob uses Made of crate::a::made\n";
    assert_eq!(found, [expected]);
}

fn a_circle_through_a_macro_is_found() {
    let found = crossing(&[
        ("lib.rs", ROOT),
        ("a/mod.rs", "mod made; pub use made::Made;"),
        ("a/made.rs", "pub struct Made; fn f() { assert!(crate::b::g(1) == [1]); }"),
        ("b/mod.rs", "mod h; use crate::a; pub fn g(x: u8) { h::h(a::Made) }"),
        ("b/h.rs", "pub fn h<T>(_: T) {}"),
    ]);
    assert_eq!(found.len(), 1);
}

fn a_module_and_a_function_may_share_a_name() {
    let found = crossing(&[
        ("lib.rs", "mod a; mod b; use b::b;"),
        ("a/mod.rs", "mod x; pub fn a() { crate::b::b() }"),
        ("a/x.rs", ""),
        ("b/mod.rs", "pub mod b; use b::b; pub fn c() { crate::a::a() }"),
        ("b/b.rs", "pub fn b() {}"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

fn a_circle_within_a_folder_is_allowed() {
    let found = crossing(&[
        ("lib.rs", ROOT),
        ("a.rs", "mod one; mod two; pub struct Made(one::One);"),
        ("a/one.rs", "pub struct One; use super::two::Two;"),
        ("a/two.rs", "pub struct Two; use crate::Made;"),
        ("b.rs", ""),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

fn a_circle_of_many_modules_is_found() {
    let circles = |count: usize| {
        let declared: String = (0..count).map(|number| format!("pub mod m{number};")).collect();
        let mut files =
            vec![("lib.rs".to_owned(), "mod a;".to_owned()), ("a/mod.rs".to_owned(), declared)];
        files.extend((0..count).map(|number| {
            let text = format!("pub struct S; use super::m{}::S as T;", (number + 1) % count);
            (format!("a/m{number}.rs"), text)
        }));
        let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        crossing(&files.collect::<Vec<_>>()).len()
    };
    assert_eq!([circles(super::MOST), circles(super::MOST + 1)], [0, 1]);
}

fn what_is_compiled_for_tests_is_not_counted() {
    let found = crossing(&[
        ("lib.rs", ROOT),
        ("a/mod.rs", "mod x; use crate::b::B; pub struct Made(B);"),
        ("a/x.rs", ""),
        (
            "b/mod.rs",
            "mod x; pub struct B;
             #[cfg(test)] use crate::Made;
             #[cfg(all(test, feature = \"f\"))] mod tests { use crate::Made; }
             impl B { #[cfg(test)] fn f(_: crate::Made) {} }",
        ),
        ("b/x.rs", ""),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

fn a_re_export_is_not_a_use() {
    let found = crossing(&[
        ("lib.rs", ROOT),
        ("a/mod.rs", "mod x; pub use crate::b::B; pub struct Made;"),
        ("a/x.rs", ""),
        ("b/mod.rs", "mod x; pub struct B(crate::a::Made);"),
        ("b/x.rs", ""),
    ]);
    assert!(found.is_empty(), "{found:?}");
}
