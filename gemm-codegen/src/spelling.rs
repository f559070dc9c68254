//! Names that resemble a misspelt one, for the help of an error.

use std::fmt::Display;

/// Longer names are not misspellings of ours, and the distance takes quadratic time.
const LONGEST: usize = 64;

/// The most letters of a list that follows a suggestion.
const SHORT: usize = 160;

/// The help of an unknown name: ``did you mean `near`?`` if a candidate is spelt like `name`, then
/// `all`, which names the possible ones, if that is short or the only help.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    all: impl Display,
) -> String {
    let all = all.to_string();
    match nearest(name, candidates) {
        Some(near) if all.len() > SHORT => format!("did you mean `{near}`?"),
        Some(near) => format!("did you mean `{near}`? {all}"),
        None => all,
    }
}

/// The candidate whose spelling is nearest to `name`, if at most a third of its letters differ. The
/// case of letters is ignored.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters = |name: &str| name.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    let name = letters(name);
    if name.len() > LONGEST {
        return None;
    }
    // `tf32x3` is another method than `tf32`, not a misspelling of it.
    let is_several_of = |candidate: &str| {
        let rest = name.get(candidate.len()..).unwrap_or_default();
        matches!(rest, ['x', count] if count.is_ascii_digit())
            && name.starts_with(&letters(candidate))
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST && !is_several_of(candidate))
        .map(|candidate| (distance(&name, &letters(candidate)), candidate))
        .filter(|(distance, _)| *distance <= name.len() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_spelling_is_near() {
        assert_eq!(nearest("bais", ["bias", "x", "w"]), Some("bias"));
        assert_eq!(nearest("gelo", ["relu", "gelu", "gelu_tanh"]), Some("gelu"));
        assert_eq!(nearest("TILE", ["tile"]), Some("tile"));
        assert_eq!(nearest("residual", ["bias", "x"]), None);
        assert_eq!(nearest("tf32x3", ["f32", "tf32"]), None);
        assert_eq!(nearest(&"x".repeat(1000), ["x"]), None);
    }

    #[test]
    fn of_a_short_name_nothing_is_near() {
        assert_eq!(nearest("cs", ["ca", "cg"]), None);
        assert_eq!(nearest("y", ["x"]), None);
    }

    #[test]
    fn the_help_lists_what_is_possible() {
        assert_eq!(
            did_you_mean("tiles", ["tile"], "only `tile`"),
            "did you mean `tile`? only `tile`"
        );
        assert_eq!(did_you_mean("warps", ["tile"], "only `tile`"), "only `tile`");
        let many = "`tile`, ".repeat(30);
        assert_eq!(did_you_mean("tiles", ["tile"], &many), "did you mean `tile`?");
        assert_eq!(did_you_mean("warps", ["tile"], &many), many);
    }
}
