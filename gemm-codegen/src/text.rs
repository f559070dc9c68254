//! Device text in files whose optional parts stand between the lines `#if NAME`, `#else` and
//! `#endif`: a file is valid CUDA C++ as it lies there, and one file serves every variant.

pub(crate) mod instruction;

/// The sections of an emitted text in their order, an empty line between them.
#[derive(Default)]
pub(crate) struct Sections(Vec<String>);

impl Sections {
    /// Adds a section. One that several levels need stands where the first of them added it.
    pub(crate) fn add(&mut self, section: impl Into<String>) {
        let section = section.into();
        if !self.0.contains(&section) {
            self.0.push(section);
        }
    }

    /// Adds a file with the parts that a plan has.
    pub(crate) fn add_file(&mut self, file: &str, parts: Parts<'_>) {
        self.add(select(file, parts));
    }

    /// The whole text.
    pub(crate) fn join(&self) -> String {
        self.0.join("\n")
    }
}

/// The optional parts of a file: the name of each, and whether a plan has it.
pub(crate) type Parts<'a> = &'a [(&'a str, bool)];

/// The text of a file with the parts that a plan has, without the markers.
pub(crate) fn select(file: &str, parts: Parts<'_>) -> String {
    let mut text = String::with_capacity(file.len());
    let mut open = Vec::new(); // for each open `#if`, whether its lines are kept
    for line in file.split_inclusive('\n') {
        match line.trim_end() {
            "#else" => open.iter_mut().rev().take(1).for_each(|keep: &mut bool| *keep = !*keep),
            "#endif" => drop(open.pop()),
            marker if marker.starts_with("#if ") => open.push(holds(&marker[4..], parts)),
            _ if open.iter().all(|keep| *keep) => text += line,
            _ => {}
        }
    }
    text
}

/// Whether the condition of an `#if` holds: `NAME` or `!NAME`.
fn holds(condition: &str, parts: Parts<'_>) -> bool {
    let name = condition.trim_start_matches('!');
    debug_assert!(parts.iter().any(|(part, _)| *part == name), "`{name}` is not a part");
    parts.contains(&(name, true)) != condition.starts_with('!')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "a\n#if ONE\nb\n#if !TWO\nc\n#endif\n#else\nd\n#endif\ne\n";

    #[test]
    fn parts_are_kept_without_their_markers() {
        let text = |one, two| select(FILE, &[("ONE", one), ("TWO", two)]).replace('\n', "");
        assert_eq!(text(true, true), "abe");
        assert_eq!(text(true, false), "abce");
        assert_eq!([text(false, true), text(false, false)], ["ade", "ade"]);
    }

    #[test]
    fn a_section_stands_once() {
        let mut sections = Sections::default();
        ["a\n", "b\n", "a\n"].into_iter().for_each(|section| sections.add(section));
        assert_eq!(sections.join(), "a\n\nb\n");
    }

    #[test]
    #[should_panic(expected = "`TWO` is not a part")]
    fn a_part_that_the_caller_does_not_know_is_a_mistake() {
        select(FILE, &[("ONE", true)]);
    }
}
