//! Line breaking of emitted text.

/// Columns of an emitted line at most, where names are not longer.
pub(crate) const COLUMNS: usize = 100;

/// `line` with `indent` spaces in front, broken where it would pass [`COLUMNS`]: at the blank
/// inside the fewest parentheses, the last of these that fits. What follows is indented by four
/// more.
pub(crate) fn wrap(line: &str, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line;
    let mut margin = indent;
    // Parentheses that are open where `rest` begins.
    let mut open = 0;
    while margin + rest.len() > COLUMNS {
        let Some((at, depth)) = break_in(rest, COLUMNS.saturating_sub(margin), open) else { break };
        lines.push(format!("{:margin$}{}", "", &rest[..at]));
        rest = &rest[at + 1..];
        open = depth;
        margin = indent + 4;
    }
    lines.push(format!("{:margin$}{rest}", ""));
    lines
}

/// The blank at which to break a line of `room` columns, and the parentheses open there. Without
/// one that fits, the first there is.
fn break_in(text: &str, room: usize, open: usize) -> Option<(usize, usize)> {
    let mut depth = open;
    let mut best: Option<(usize, usize)> = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b' ' if breakable(&text[..at]) => {
                if at > room {
                    return best.or(Some((at, depth)));
                }
                if best.is_none_or(|(_, least)| depth <= least) {
                    best = Some((at, depth));
                }
            }
            _ => {}
        }
    }
    best
}

/// Whether a line may end in `head`: not in the middle of a declaration, nor before a `?` or `:`
/// has its value.
fn breakable(head: &str) -> bool {
    let last = head.rsplit(' ').next().unwrap_or_default();
    !matches!(
        last,
        "" | "return" | "const" | "float" | "int" | "bool" | "?" | ":" | "if" | "else" | "}"
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
    fn the_outermost_break_wins() {
        let inner = format!("g({}, {})", "a".repeat(40), "b".repeat(40));
        let line = format!("return {inner} + h(c, {});", "d".repeat(10));
        assert_eq!(wrap(&line, 4)[0], format!("    return {inner} +"));
    }

    #[test]
    fn a_name_that_is_too_long_stays_whole() {
        let name = "n".repeat(300);
        let lines = wrap(&format!("const float {name} = a + {name};"), 4);
        assert_eq!(lines.concat().matches(&name).count(), 2);
    }
}
