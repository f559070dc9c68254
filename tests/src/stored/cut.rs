//! Cuts a text into the pieces that goldens share.

/// Lines of a text that stand together.
pub(super) struct Piece<'a> {
    /// Each line with its end.
    pub(super) text: &'a str,
    /// It is not shared, even if several texts have it: what a reader of the golden looks for, or too short.
    pub(super) stays: bool,
}

/// The paragraphs of a text, between which an empty line stands, each in pieces.
pub(super) fn cut(text: &str) -> Vec<Vec<Piece<'_>>> {
    paragraphs(text).into_iter().map(pieces).collect()
}

/// Empty lines within a function or a struct separate nothing.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    starts.extend(text.match_indices("\n\n").map(|(at, _)| at + 2).filter(|&start| {
        text[start..].chars().next().is_some_and(|first| !matches!(first, ' ' | '}' | '\n'))
    }));
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

fn pieces(paragraph: &str) -> Vec<Piece<'_>> {
    let lines: Vec<&str> = paragraph.split_inclusive('\n').collect();
    let is_read = ["#[gemm", "constexpr int BLK_M", "__global__"];
    let is_read = is_read.into_iter().any(|part| paragraph.contains(part));
    let mut cuts = if is_read { Vec::new() } else { member_functions(&lines) };
    cuts.extend(assertions(&lines));
    cuts.push(lines.len());
    let mut start = 0;
    let mut pieces = Vec::new();
    for cut in cuts {
        let of_piece = &lines[start..cut];
        let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum();
        let from: usize = bytes(&lines[..start]);
        let text = &paragraph[from..bytes(&lines[..cut])];
        pieces.push(Piece { text, stays: of_piece.len() == 1 || (is_read && start == 0) });
        start = cut;
    }
    pieces
}

/// Where the functions of structs begin, the first with its comment, and what follows the last.
fn member_functions(lines: &[&str]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut of_struct = None; // the cuts before its functions
    for (number, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        if !line.starts_with(' ') && line.contains("struct ") && line.ends_with('{') {
            of_struct = Some(cuts.len());
        } else if line.starts_with('}') {
            of_struct = None;
            cuts.pop_if(|last| *last == number);
        } else if let Some(before) = of_struct {
            if cuts.len() > before {
                cuts.extend((line == "    }").then_some(number + 1));
            } else if begins_function(&lines[number..]) {
                cuts.push(number);
            }
        }
    }
    cuts
}

/// Whether these lines begin with a member function of several lines, or with its comment.
fn begins_function(lines: &[&str]) -> bool {
    let is_before = |line: &&&str| line.starts_with("    //") || line.starts_with("    template");
    let declared = lines.iter().find(|line| !is_before(line));
    declared.is_some_and(|line| {
        let is_member = line.starts_with("    ") && !line.starts_with("     ");
        is_member && line.contains("__device__") && !line.trim_end().ends_with('}')
    })
}

/// Where the assertions begin that end a paragraph.
fn assertions(lines: &[&str]) -> Option<usize> {
    let is_assertion = |line: &&str| line.starts_with("static_assert");
    let others = lines.iter().rposition(|line| !is_assertion(line) && !line.starts_with(' '))?;
    let first = others + 1 + lines[others + 1..].iter().position(is_assertion)?;
    Some(first)
}

/// What a section is named after: the first function, type or constant that it declares.
pub(super) fn name(section: &str) -> &str {
    let is_code = |line: &&str| {
        let is_template = line.starts_with("template") && line.ends_with('>');
        !is_template && !line.is_empty() && !line.starts_with("//")
    };
    let line = section.lines().map(str::trim).find(is_code).unwrap_or_default();
    if line.starts_with("static_assert") {
        return "assertions";
    }
    let declared = match line.split_once("struct ") {
        Some((_, line)) => line.split(['{', ':', ';', '<']).next().unwrap_or_default(),
        None => line.split(['(', '=', ';', '[', '{']).next().unwrap_or_default(),
    };
    // Of a specialisation, what comes before its arguments.
    let declared = match declared.trim_end().strip_suffix('>') {
        Some(specialised) => specialised.rsplit_once('<').map_or("", |(name, _)| name),
        None => declared,
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    declared.trim_end().rsplit(|c| !is_part(c)).next().unwrap_or_default()
}

pub(crate) mod tests {
    use super::*;

    self_tests!(a_section_is_named_after_what_it_declares);

    fn a_section_is_named_after_what_it_declares() {
        let named = |text: &str, expected: &str| assert_eq!(name(text), expected, "{text}");
        named("// Sums.\ntemplate <class T>\nstruct Sums<T, 2> {\n};\n", "Sums");
        named(
            "template <>\n__device__ void to_factor<i4x2>(unsigned (&pairs)[4]) {\n}\n",
            "to_factor",
        );
        named("template <class Tile>\n__device__ int offset(int row, int col) {\n}\n", "offset");
        named("constexpr int STAGES = 4;\n", "STAGES");
        named("static_assert(STAGES > 1);\n", "assertions");
    }
}
