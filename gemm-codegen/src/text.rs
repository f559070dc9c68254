//! Device text: sections, each a file or written by a level. A file is valid CUDA C++ as it lies there;
//! where variants differ by a line or two, these stand between `#if NAME`, `#else` and `#endif`.

pub(crate) mod instruction;
pub(crate) mod steps;
pub(crate) mod wrap;

use crate::part::Part;

/// The sections of an emitted text in their order, an empty line between them.
#[derive(Default)]
pub(crate) struct Sections(Vec<Section>);

struct Section {
    text: String,
    part: Option<Part>,
}

/// The sections, where those added here belong to one part.
pub(crate) struct OfPart<'a> {
    sections: &'a mut Sections,
    part: Part,
}

impl Sections {
    /// Adds a section that belongs to no part: its functions count as their callers'. One that several
    /// levels need stands where the first of them added it.
    pub(crate) fn add(&mut self, section: impl Into<String>) {
        self.push(section.into(), None);
    }

    /// Adds a file with the parts that a plan has.
    pub(crate) fn add_file(&mut self, file: &str, parts: Parts<'_>) {
        self.add(select(file, parts));
    }

    /// Where sections of this part are added.
    pub(crate) fn of(&mut self, part: Part) -> OfPart<'_> {
        OfPart { sections: self, part }
    }

    fn push(&mut self, text: String, part: Option<Part>) {
        if self.0.iter().all(|section| section.text != text) {
            self.0.push(Section { text, part });
        }
    }

    /// The whole text.
    pub(crate) fn join(&self) -> String {
        self.0.iter().map(|section| &*section.text).collect::<Vec<_>>().join("\n")
    }

    /// The first and the last line of each section that belongs to a part, from 1.
    pub(crate) fn parts(&self) -> Vec<(Part, [u32; 2])> {
        let mut next = 1;
        let of_section = |Section { text, part }: &Section| {
            let first = next;
            next += text.matches('\n').count() as u32 + 1;
            part.map(|part| (part, [first, first + text.lines().count() as u32 - 1]))
        };
        self.0.iter().filter_map(of_section).collect()
    }
}

impl OfPart<'_> {
    /// As [`Sections::add`], of the part.
    pub(crate) fn add(self, section: impl Into<String>) {
        self.sections.push(section.into(), Some(self.part));
    }

    /// As [`Sections::add_file`], of the part.
    pub(crate) fn add_file(self, file: &str, parts: Parts<'_>) {
        self.add(select(file, parts));
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
    fn the_lines_of_a_part_are_those_of_the_joined_text() {
        let mut sections = Sections::default();
        sections.add("a\n");
        sections.of(Part::Copies).add("b\nb\n");
        sections.of(Part::Loads).add("c"); // no empty line follows
        sections.of(Part::Entry).add("d\n");
        let text = sections.join();
        let lines: Vec<&str> = text.lines().collect();
        let of_part = |(part, [first, last]): (Part, [u32; 2])| {
            (part, lines[first as usize - 1..last as usize].concat())
        };
        let parts = [(Part::Copies, "bb"), (Part::Loads, "c"), (Part::Entry, "d")];
        let parts = parts.map(|(part, text)| (part, text.to_owned()));
        assert_eq!(sections.parts().into_iter().map(of_part).collect::<Vec<_>>(), parts);
    }

    #[test]
    #[should_panic(expected = "`TWO` is not a part")]
    fn a_part_that_the_caller_does_not_know_is_a_mistake() {
        select(FILE, &[("ONE", true)]);
    }
}
