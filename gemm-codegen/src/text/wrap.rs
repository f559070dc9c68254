//! Line breaking of emitted text.

/// Columns of an emitted line at most, where names are not longer.
pub(crate) const COLUMNS: usize = 100;

/// `line` after `indent` spaces, broken where it would pass [`COLUMNS`]: at the blank
/// inside the fewest parentheses, the last of these that fits, or else after a parenthesis. What
/// follows is indented by four more.
pub(crate) fn wrap(line: &str, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line;
    let mut margin = indent;
    // Parentheses that are open where `rest` begins.
    let mut open = 0;
    while margin + rest.len() > COLUMNS {
        let Some(at) = break_in(rest, COLUMNS.saturating_sub(margin), open) else { break };
        let (head, tail) = rest.split_at(at);
        lines.push(format!("{:margin$}{head}", ""));
        open = depth_after(open, head.as_bytes());
        rest = tail.trim_start();
        margin = indent + 4;
    }
    lines.push(format!("{:margin$}{rest}", ""));
    lines
}

/// A text of statements whose lines are broken where they are too long, by names of the user's.
pub(crate) fn wrap_lines(text: &str) -> String {
    let mut wrapped = String::new();
    for line in text.lines() {
        let code = line.trim_start();
        for part in wrap(code, line.len() - code.len()) {
            wrapped.push_str(part.trim_end());
            wrapped.push('\n');
        }
    }
    wrapped
}

/// A comment of as many lines as it takes.
pub(crate) fn wrap_comment(text: &str) -> String {
    let lines = wrap(text, "// ".len());
    lines.iter().map(|line| format!("// {}\n", line.trim())).collect()
}

/// Where to break a text for a line of `room` columns: as soon after as possible if none
/// fits.
fn break_in(text: &str, room: usize, open: usize) -> Option<usize> {
    let mut depth = open;
    let mut best: Option<(usize, usize)> = None;
    let mut parenthesis = None;
    for (at, byte) in text.bytes().enumerate() {
        let blank = byte == b' ' && breakable(&text[..at]);
        if at > room && (best.is_some() || parenthesis.is_some()) {
            break;
        }
        if blank && best.is_none_or(|(_, least)| depth <= least) {
            best = Some((at, depth));
        }
        if byte == b'(' && at < room {
            parenthesis = Some(at + 1);
        }
        depth = depth_after(depth, &[byte]);
    }
    best.map(|(at, _)| at).or(parenthesis)
}

/// How many parentheses are open after `text` if `open` are before it.
fn depth_after(open: usize, text: &[u8]) -> usize {
    text.iter().fold(open, |open, byte| match byte {
        b'(' => open + 1,
        b')' => open.saturating_sub(1),
        _ => open,
    })
}

/// Whether a line may end in `head`: not in the middle of a declaration, nor before a `?` or `:`
/// has its value.
fn breakable(head: &str) -> bool {
    let last = head.rsplit(' ').next().unwrap_or_default();
    !matches!(
        last,
        "" | "return"
            | "const"
            | "float"
            | "double"
            | "int"
            | "bool"
            | "?"
            | ":"
            | "if"
            | "else"
            | "}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_100_columns_stays() {
        let line = "x".repeat(94) + " y";
        assert_eq!(wrap(&line, 4), [format!("    {line}")]);
        let longer = line + "z";
        assert_eq!(wrap(&longer, 4), [format!("    {}", "x".repeat(94)), "        yz".to_owned()]);
    }

    #[test]
    fn a_comment_has_its_mark_on_each_line() {
        let names = ["`a_long_name`"; 9].join(", ");
        let comment = wrap_comment(&format!("The operands {names}."));
        let lines: Vec<&str> = comment.lines().collect();
        assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("// ")), "{comment}");
        assert!(lines.iter().all(|line| line.len() <= COLUMNS), "{comment}");
        assert_eq!(wrap_comment("Short."), "// Short.\n");
    }

    #[test]
    fn the_outermost_break_wins() {
        let inner = format!("g({}, {})", "a".repeat(40), "b".repeat(40));
        let line = format!("return {inner} + h(c, {});", "d".repeat(10));
        assert_eq!(wrap(&line, 4)[0], format!("    return {inner} +"));
    }

    #[test]
    fn nested_calls_break_behind_a_parenthesis() {
        let line = format!("{}x{};", "wrapping_neg(".repeat(20), ")".repeat(20));
        let lines = wrap(&line, 4);
        assert_eq!(lines.iter().map(|line| line.trim()).collect::<String>(), line);
        assert!(lines.iter().all(|line| line.len() <= COLUMNS), "{lines:?}");
    }

    #[test]
    fn a_name_that_is_too_long_stays_whole() {
        let name = "n".repeat(300);
        let lines = wrap(&format!("const float {name} = a + {name};"), 4);
        assert_eq!(lines.concat().matches(&name).count(), 2);
    }
}
