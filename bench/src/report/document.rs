//! The ratios of a report as a part of a Markdown document.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use clap::ValueEnum as _;

use super::{Ratios, Report, Row};

/// Problems with the lowest ratios that are listed.
const LISTED: usize = 8;

impl Report {
    /// The document with these ratios between the lines `<!-- bench SUITE -->` and `<!-- end -->`, in place
    /// of what is there.
    ///
    /// # Errors
    /// A document without these lines.
    pub(crate) fn put_into(&self, document: &str) -> Result<String> {
        const END: &str = "<!-- end -->";
        let begin = format!("<!-- bench {} -->\n", self.suite);
        let missing = || format!("the document has no lines {:?} and {END:?}", begin.trim_end());
        let (before, rest) = document.split_once(&begin).with_context(missing)?;
        let (_, after) = rest.split_once(END).with_context(missing)?;
        Ok(format!("{before}{begin}\n{}\n{END}{after}", self.markdown()))
    }

    /// The means of all kernels or groups, the command, and the lowest ratios.
    fn markdown(&self) -> String {
        let Report { suite, peer, clock, rounds, .. } = self;
        let clock = clock.to_possible_value();
        let clock = clock.as_ref().map_or("", |value| value.get_name());
        format!(
            "{}\n\
             ```sh\n\
             cargo run --release -p bench -- {suite} --clock {clock} --rounds {rounds}\n\
             ```\n\n\
             The lowest ratios of this run:\n\n\
             | group | M × N × K | µs | {peer} µs | ratio | to its best |\n\
             | --- | --- | ---: | ---: | ---: | ---: |\n\
             {}",
            self.means(),
            self.lowest(),
        )
    }

    /// A table of the means of each kernel or group.
    fn means(&self) -> String {
        let mut text =
            "| group | products | ratio, geometric mean | least | to its best, geometric \
                        mean | least |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
                .to_owned();
        for summary in self.summaries() {
            let Ratios { count, mean, least, .. } = summary.peer;
            let [best, least_of_best] = match summary.best {
                Some(Ratios { mean, least, .. }) => {
                    [mean, least].map(|ratio| format!("{ratio:.3}"))
                }
                None => [String::new(), String::new()],
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {} | {count} | {mean:.3} | {least:.3} | {best} | {least_of_best} |",
                summary.kernel
            );
        }
        text
    }

    /// The lines of the problems with the lowest ratios, the lowest first; each once.
    fn lowest(&self) -> String {
        let of_peer = |row: &Row| row.peer.map_or(f64::INFINITY, |peer| peer.ratio.ratio);
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| row.peer.is_some()).collect();
        rows.sort_by(|one, other| of_peer(one).total_cmp(&of_peer(other)));
        let mut seen = Vec::new();
        rows.retain(|row| {
            let is_new = !seen.contains(&&row.case);
            seen.push(&row.case);
            is_new
        });
        let line = |row: &Row| {
            let peers_us = row.peer.map_or(0.0, |peer| peer.peers_us);
            let best = row.best.map_or(String::new(), |best| format!("{:.3}", best.ratio.ratio));
            let Row { case, kernel, ours_us, .. } = row;
            let case = case.replace('×', " × ");
            let ratio = of_peer(row);
            format!("| {kernel} | {case} | {ours_us:.1} | {peers_us:.1} | {ratio:.3} | {best} |\n")
        };
        rows.into_iter().take(LISTED).map(line).collect()
    }
}
