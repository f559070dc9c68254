//! What a change of the generator changed in the files of goldens.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use super::Stored;

/// The goldens of a section that are named.
const NAMED: usize = 6;

/// What differs between two [`Stored`]: the sections, with the goldens that have them, and the goldens whose
/// own lines differ.
#[derive(Debug)]
pub struct Changes<'a> {
    sections: Vec<Section<'a>>,
    goldens: Vec<(&'a str, Lines)>,
}

/// A section that is in one of them only.
#[derive(Debug)]
struct Section<'a> {
    before: Option<&'a str>,
    after: Option<&'a str>,
    lines: Lines,
    /// Of the new section, if there is one.
    goldens: BTreeSet<&'a str>,
}

/// How many lines were added and removed.
#[derive(Debug)]
struct Lines {
    added: usize,
    removed: usize,
}

impl<'a> Changes<'a> {
    /// From `old` to `new`.
    pub fn new(old: &'a Stored, new: &'a Stored) -> Changes<'a> {
        let own_lines = |stored: &'a Stored| -> BTreeMap<&str, Vec<&str>> {
            stored.goldens().map(|(name, own, _)| (name, own)).collect()
        };
        let [before, after] = [old, new].map(own_lines);
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        let of = |lines: &BTreeMap<&str, Vec<&'a str>>, name| {
            lines.get(name).cloned().unwrap_or_default()
        };
        let goldens = names.into_iter().filter_map(|name| {
            let [before, after] = [of(&before, name), of(&after, name)];
            (before != after).then(|| (name, Lines::changed(before, after)))
        });
        Changes { sections: sections(old, new), goldens: goldens.collect() }
    }
}

fn sections<'a>(old: &'a Stored, new: &'a Stored) -> Vec<Section<'a>> {
    let [old_goldens, new_goldens] = [old, new].map(goldens_of_sections);
    let [before, after]: [BTreeSet<(&str, &str)>; 2] =
        [old, new].map(|all| all.sections().collect());
    let mut added: Vec<_> = after.difference(&before).copied().collect();
    let mut changed = Vec::new();
    for &(name, text) in before.difference(&after) {
        let goldens = &old_goldens[name];
        let in_common = |(_, (other, _)): &(usize, &(&str, &str))| {
            let is_successor = declared(other) == declared(name);
            if is_successor { new_goldens[*other].intersection(goldens).count() } else { 0 }
        };
        let successors = added.iter().enumerate().filter(|other| in_common(other) > 0);
        let successor = successors.max_by_key(in_common).map(|(place, _)| place);
        let successor = successor.map(|place| added.remove(place));
        let (after, new_text) = successor.unzip();
        changed.push(Section {
            before: Some(name),
            after,
            lines: Lines::changed(text.lines(), new_text.unwrap_or_default().lines()),
            goldens: after.map_or(goldens, |name| &new_goldens[name]).clone(),
        });
    }
    changed.extend(added.into_iter().map(|(name, text)| Section {
        before: None,
        after: Some(name),
        lines: Lines::changed([], text.lines()),
        goldens: new_goldens[name].clone(),
    }));
    changed
}

/// The sections, each with the goldens that have it.
fn goldens_of_sections(stored: &Stored) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut goldens: BTreeMap<_, BTreeSet<_>> =
        stored.sections().map(|(name, _)| (name, BTreeSet::new())).collect();
    for (golden, _, sections) in stored.goldens() {
        for section in sections {
            goldens.entry(section).or_default().insert(golden);
        }
    }
    goldens
}

/// The name of a section without its hash.
fn declared(section: &str) -> &str {
    section.rsplit_once('-').map_or(section, |(declared, _)| declared)
}

impl Lines {
    /// As if order did not matter.
    fn changed<'a>(
        before: impl IntoIterator<Item = &'a str>,
        after: impl IntoIterator<Item = &'a str>,
    ) -> Lines {
        let mut counts: HashMap<&str, isize> = HashMap::new();
        after.into_iter().for_each(|line| *counts.entry(line).or_default() += 1);
        before.into_iter().for_each(|line| *counts.entry(line).or_default() -= 1);
        let sum =
            |sign: isize| counts.values().map(|count| (sign * count).max(0).unsigned_abs()).sum();
        Lines { added: sum(1), removed: sum(-1) }
    }
}

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sections, goldens) = (self.sections.len(), self.goldens.len());
        writeln!(
            f,
            "sections that changed: {sections}, goldens whose own lines changed: {goldens}"
        )?;
        self.sections.iter().try_for_each(|section| writeln!(f, "  {section}"))?;
        self.goldens.iter().try_for_each(|(name, lines)| writeln!(f, "  {name}: {lines}"))
    }
}

impl fmt::Display for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match [self.before, self.after] {
            [Some(before), Some(after)] => write!(f, "{before} -> {after}")?,
            [Some(before), None] => write!(f, "{before} is gone")?,
            [None, after] => write!(f, "{} is new", after.unwrap_or_default())?,
        }
        let named: Vec<&str> = self.goldens.iter().take(NAMED).copied().collect();
        let named = if named.is_empty() { "none".to_owned() } else { named.join(", ") };
        write!(f, " ({}), goldens: {named}", self.lines)?;
        match self.goldens.len().saturating_sub(NAMED) {
            0 => Ok(()),
            others => write!(f, " and {others} others"),
        }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} -{}", self.added, self.removed)
    }
}

pub(crate) mod tests {
    use super::*;

    self_tests!(
        a_changed_section_is_named_with_its_goldens,
        a_changed_entry_point_is_its_goldens_own
    );

    /// Two goldens with a function in common.
    fn stored(constant: u32, entry: &str) -> Stored {
        let text = |name| {
            format!(
                "// #[gemm] {name}\n\n// Adds.\nint add(int a) {{\n\n    return a + {constant};\n}}\n\n\
                 __global__ void {name}() {{\n    {entry};\n}}\n"
            )
        };
        let texts = ["one", "two"].map(|name| (name, text(name)));
        let stored = Stored::of(&texts.each_ref().map(|(name, text)| (*name, &**text)));
        texts.iter().for_each(|(name, text)| assert_eq!(stored.text(name).as_ref(), Ok(text)));
        stored
    }

    fn a_changed_section_is_named_with_its_goldens() {
        let (old, new) = (stored(1, "add(1)"), stored(2, "add(1)"));
        let names: Vec<&str> =
            [&old, &new].into_iter().flat_map(Stored::sections).map(|s| s.0).collect();
        let expected = format!(
            "sections that changed: 1, goldens whose own lines changed: 0\n  {} (+1 -1), goldens: one, two\n",
            names.join(" -> ")
        );
        assert_eq!(Changes::new(&old, &new).to_string(), expected);
    }

    fn a_changed_entry_point_is_its_goldens_own() {
        let (old, new) = (stored(1, "add(1)"), stored(1, "add(2)"));
        let changes = Changes::new(&old, &new).to_string();
        assert!(changes.ends_with(": 2\n  one: +1 -1\n  two: +1 -1\n"), "{changes}");
    }
}
