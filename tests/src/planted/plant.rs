//! Edits of a text, and where they stand in it.

use std::collections::BTreeSet;

use gemm_emulator::{Place, SourceLine};

/// One text in place of another.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// What the golden says.
    pub from: &'static str,
    /// What is planted. `{entry}` stands for the name of the kernel.
    pub to: &'static str,
    /// How often `from` is there; all are replaced.
    pub times: usize,
}

/// A text with bugs.
#[derive(Debug)]
pub struct Planted {
    /// The text.
    pub text: String,
    /// The lines that were edited, from 1.
    lines: BTreeSet<usize>,
}

impl Planted {
    /// Edits a text. All edits are of the text as it was.
    ///
    /// # Errors
    /// An edit's text is not there as often as it says, or edits overlap.
    pub fn new(original: &str, entry: &str, edits: &[Edit]) -> Result<Planted, String> {
        let mut places = Vec::new();
        for edit in edits {
            let Edit { from, times, .. } = edit;
            let found: Vec<usize> = original.match_indices(from).map(|(at, _)| at).collect();
            if found.len() != *times {
                let found = found.len();
                return Err(format!("expected {times} times, found {found} times: {from}"));
            }
            places.extend(found.into_iter().map(|at| (at, edit)));
        }
        places.sort_by_key(|(at, _)| *at);
        let (mut text, mut lines, mut done) = (String::new(), BTreeSet::new(), 0);
        for (at, edit) in places {
            text +=
                original.get(done..at).ok_or_else(|| format!("edits overlap: {}", edit.from))?;
            let first = line_at(&text, text.len());
            text += &edit.to.replace("{entry}", entry);
            lines.extend(first..=line_at(&text, text.len()));
            done = at + edit.from.len();
        }
        text += &original[done..];
        Ok(Planted { text, lines })
    }

    /// The functions, structs or constants that the edited lines belong to.
    pub fn owners(&self) -> BTreeSet<&str> {
        self.lines.iter().filter_map(|line| owner(&self.text, *line)).collect()
    }

    /// Whether the bug was seen where it should be.
    pub(super) fn check_place(
        &self,
        golden: &str,
        place: &Place,
        seen_in: Option<&str>,
    ) -> Result<(), String> {
        let calls: Vec<&SourceLine> = place.source.iter().chain(&place.inlined_at).collect();
        let file = format!("{golden}.cu");
        if calls.is_empty() || !calls.iter().all(|call| call.file.ends_with(&file)) {
            return Err(format!("expected lines of {file}"));
        }
        let names: Vec<&str> = calls.iter().filter_map(|call| name_of(call)).collect();
        // Lines of the kernel itself have no function.
        let in_kernel = names.is_empty();
        let is_right = match seen_in {
            Some(function) => names.contains(&function) || in_kernel && function == golden,
            None => {
                let owners = self.owners();
                calls.iter().any(|call| self.lines.contains(&(call.line as usize)))
                    || names.iter().any(|name| owners.contains(name))
                    || in_kernel && owners.contains(place.kernel.as_str())
            }
        };
        if is_right {
            return Ok(());
        }
        Err(format!("seen in {names:?}, expected {seen_in:?}; planted in {:?}", self.owners()))
    }
}

/// The line of an offset, from 1.
fn line_at(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The name of the function that a line stands in, without its arguments.
fn name_of(line: &SourceLine) -> Option<&str> {
    let function = line.function.as_deref()?;
    let end = function.find(['<', '(']).unwrap_or(function.len());
    function[..end].rsplit([' ', ':']).next()
}

/// How the line with the name of a kernel begins whose blocks form clusters.
const CLUSTERED: &str = "__cluster_dims__(";

/// What a line belongs to: the definition above it that stands at the left.
fn owner(text: &str, line: usize) -> Option<&str> {
    let above: Vec<&str> = text.lines().take(line).collect();
    let head = above.iter().rposition(|line| {
        ["__device__", "struct ", "constexpr ", "extern ", "#define ", "#undef ", CLUSTERED]
            .iter()
            .any(|start| line.starts_with(start))
    })?;
    let line = above[head];
    let line = line.split_once(" : ").map_or(line, |(name, _bases)| name);
    let end = line.find(['(', '{', '=']).unwrap_or(line.len());
    let is_entry = ["extern ", CLUSTERED].iter().any(|start| line.starts_with(start));
    let end = if is_entry { line.trim_end_matches('(').len() } else { end };
    let mut words = line[..end].split_whitespace();
    if line.starts_with('#') { words.nth(1) } else { words.next_back() }
}

pub(crate) mod tests {
    use super::*;

    self_tests!(edits_know_their_lines_and_owners, constants_and_structs_are_owners_too);

    const TEXT: &str = "constexpr int A = 1;
struct Tile : Rows<A, 2> {
    int rows;
};
__device__ __forceinline__ int twice(int x) {
    return x + x;
}
extern \"C\" __global__ void __launch_bounds__(32, 1) entry_0123(
    int m) {
    twice(m);
}
";

    fn edits_know_their_lines_and_owners() {
        let edit = |times, from, to| Edit { from, to, times };
        let edits = [
            edit(1, "twice(m);", "twice(1);\n    twice({entry});"),
            edit(1, "x + x", "x\n+\nx"),
            edit(3, "int x", "int y"),
        ];
        let error = Planted::new(TEXT, "e", &edits).unwrap_err();
        assert_eq!(error, "expected 3 times, found 1 times: int x");
        let overlapping = [edits[0], edit(1, "(m);", ";")];
        assert_eq!(Planted::new(TEXT, "e", &overlapping).unwrap_err(), "edits overlap: (m);");
        let planted = Planted::new(TEXT, "e", &edits[..2]).unwrap();
        assert!(planted.text.contains("    twice(1);\n    twice(e);\n"));
        assert_eq!(planted.lines, BTreeSet::from([6, 7, 8, 12, 13]));
        assert_eq!(planted.owners(), BTreeSet::from(["twice", "entry_0123"]));
    }

    fn constants_and_structs_are_owners_too() {
        let edit = |from, to| Edit { from, to, times: 1 };
        let edits = [edit("= 1;", "= 2;"), edit("int rows;", "int columns;")];
        let planted = Planted::new(TEXT, "e", &edits).unwrap();
        assert_eq!(planted.owners(), BTreeSet::from(["A", "Tile"]));
    }
}
