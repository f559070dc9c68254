//! Reading NVRTC's log: the source lines that its errors are about.

/// The numbers of the source lines in the errors of a log (`name(12): error: ..`), each once,
/// ascending.
pub(super) fn error_lines(log: &str, name: &str) -> Vec<usize> {
    let mut lines: Vec<usize> = log
        .lines()
        .filter_map(|line| {
            let (number, rest) = line.strip_prefix(name)?.strip_prefix('(')?.split_once(')')?;
            (rest.contains("error") || rest.contains("catastrophic")).then_some(())?;
            number.parse().ok()
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The numbers of the PTX lines in the assembler's errors of a log, each once, ascending.
pub(super) fn ptx_error_lines(log: &str) -> Vec<usize> {
    let mut lines: Vec<usize> = log
        .lines()
        .filter(|line| line.contains("error") || line.contains("fatal"))
        .filter_map(|line| {
            let (_, rest) = line.split_once("ptx input, line ")?;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The source line that a line of PTX comes from: that of the last `.loc` before it.
pub(super) fn source_line(ptx: &str, line: usize) -> Option<usize> {
    ptx.lines()
        .take(line)
        .filter_map(|line| {
            let mut words = line.trim().strip_prefix(".loc")?.split_whitespace();
            words.nth(1)?.parse().ok()
        })
        .last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_errors_are_found_and_those_of_warnings_are_not() {
        let log = "k.cu(7): error: x\n  y\nk.cu(3): warning #177-D: z\nk.cu(7): error: again\n\
                   other.cu(9): error: x\nk.cu(2): catastrophic error: y";
        assert_eq!(error_lines(log, "k.cu"), [2, 7]);
    }

    #[test]
    fn a_line_of_ptx_leads_to_its_source() {
        let log = "ptxas application ptx input, line 4; error   : Unknown modifier '.bar'";
        let ptx = ".file 1 \"k.cu\"\n.loc 1 12 5\nadd;\nfoo.bar;\n.loc 1 13 1\nret;\n";
        assert_eq!(ptx_error_lines(log), [4]);
        assert_eq!(source_line(ptx, 4), Some(12));
        assert_eq!(source_line(ptx, 1), None);
    }
}
