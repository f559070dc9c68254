//! Reads what Nsight Compute writes with `--csv --page raw`.

use std::collections::BTreeMap;
use std::path::Path;

use csv::StringRecord;

/// The counters of one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// The kernel's entry point.
    pub kernel: String,
    /// The value of each metric.
    pub metrics: BTreeMap<String, u64>,
}

/// The launches of a file in their order.
///
/// # Errors
/// A problem of the file. Lines before the table, which `ncu` and the program print, are
/// passed over.
pub fn read(path: &Path) -> Result<Vec<Launch>, csv::Error> {
    parse(&std::fs::read_to_string(path)?)
}

fn parse(text: &str) -> Result<Vec<Launch>, csv::Error> {
    let start = text.find("\"ID\",").unwrap_or(text.len());
    let mut reader = csv::Reader::from_reader(&text.as_bytes()[start..]);
    let header = reader.headers()?.clone();
    let kernel = header.iter().position(|name| name == "Kernel Name");
    let records = reader.records().collect::<Result<Vec<_>, _>>()?;
    // The first record holds the units.
    let launch = |record: &StringRecord| Launch {
        kernel: kernel.and_then(|at| record.get(at)).unwrap_or_default().to_owned(),
        metrics: header.iter().zip(record).filter_map(metric).collect(),
    };
    Ok(records.iter().skip(1).map(launch).collect())
}

/// A column that holds a counter; there are others.
fn metric((name, value): (&str, &str)) -> Option<(String, u64)> {
    let value: f64 = value.replace(',', "").parse().ok()?;
    name.contains("__").then(|| (name.to_owned(), value as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_from_the_table() {
        let text = "==PROF== Connected\n\
            \"ID\",\"Kernel Name\",\"Block Size\",\"sm__a.sum\",\"sm__b.sum\"\n\
            \"\",\"\",\"\",\"inst\",\"\"\n\
            \"0\",\"derived_1\",\"(128, 1, 1)\",\"1,536\",\"7\"\n";
        let metrics = [("sm__a.sum".to_owned(), 1536), ("sm__b.sum".to_owned(), 7)];
        let launch = Launch { kernel: "derived_1".to_owned(), metrics: metrics.into() };
        assert_eq!(parse(text).unwrap(), [launch]);
    }
}
