//! The contents of a table, of JSON and of a chart.

use super::{Report, Row, Versus, Work};
use crate::timing::{Clock, Ratio};

fn report() -> Report {
    let versus = |peers_us, ratio| Versus { peers_us, ratio: Ratio::of(vec![ratio]) };
    let square = Row {
        work: Some(Work::Operations(1e9)),
        peer: Some(versus(80.0, 0.8)),
        best: Some(versus(70.0, 0.7)),
        ..Row::new("512×512×512", "derived", 100.0)
    }
    .under(Some(20.0));
    let part = Row { of_whole: Some(Ratio::of(vec![0.4])), ..Row::new("part", "no copies", 40.0) };
    let alone = Row { work: Some(Work::Bytes(5e8)), ..Row::new("DRAM, read", "8 warps", 100.0) };
    Report {
        suite: "squares".into(),
        peer: "cuBLASLt".into(),
        device: "a GPU".to_owned(),
        nvrtc: "13.1".to_owned(),
        clock: Clock::Burst,
        rounds: 1,
        rows: vec![square, alone, part],
    }
}

#[test]
fn a_table_has_the_columns_that_any_line_has() {
    let table = report().table().to_string();
    let head = table.lines().next().unwrap();
    let heads: Vec<&str> = head.split('|').map(str::trim).filter(|name| !name.is_empty()).collect();
    let expected = [
        "case",
        "kernel",
        "µs",
        "of whole",
        "TFLOP/s",
        "TB/s",
        "roof",
        "of roof",
        "cuBLASLt µs",
        "ratio",
        "least",
        "most",
        "best µs",
        "ratio best",
    ];
    assert_eq!(heads, expected);
    // 10⁹ operations in 100 µs are 10 TFLOP/s, half of the roof.
    assert!(table.contains(" 0.500 |"), "{table}");
    assert!(table.contains(" 5.00 |"), "{table}");
    assert!(table.contains(" 0.400 |"), "{table}");
}

#[test]
fn a_line_has_a_ratio_where_there_is_a_peer() {
    let lines: Vec<String> = report().rows.iter().map(super::Row::line).collect();
    assert_eq!(lines[0], "512×512×512, derived: 100.0 µs, 0.800 x");
    assert_eq!(lines[2], "part, no copies: 40.0 µs");
}

#[test]
fn json_has_the_ratios_and_the_times() {
    let json: serde_json::Value = serde_json::to_value(report()).unwrap();
    let row = &json["rows"][0];
    assert_eq!(row["operations"], 1e9);
    assert_eq!(row["peers_us"], 80.0);
    assert_eq!(row["ratio"], 0.8);
    assert_eq!(row["best"]["ratio"], 0.7);
    assert_eq!(row["share_of_roof"], 0.5);
    assert_eq!(json["rows"][1]["bytes"], 5e8);
    assert_eq!(json["rows"][2]["of_whole"]["ratio"], 0.4);
}

#[test]
fn a_chart_draws_what_is_compared() {
    let report = report();
    let svg = super::chart::svg(&report).unwrap();
    for text in [
        "512×512×512 derived",
        "part no copies",
        "share of the roof",
        "share of the whole",
        "time / ours",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(!svg.contains("DRAM"), "{svg}");
}

#[test]
fn a_summary_has_the_mean_and_the_worst_of_each_kernel_that_has_a_peer() {
    let mut report = report();
    let versus = |ratio| Versus { peers_us: 1.0, ratio: Ratio::of(vec![ratio]) };
    report.rows.push(Row { peer: Some(versus(1.25)), ..Row::new("1×1×1", "derived", 1.0) });
    let summaries = report.summaries();
    assert_eq!(summaries.len(), 1, "{summaries:?}");
    let expected = "derived: 1.000 x cuBLASLt, geometric mean of 2; least 0.800, 512×512×512; \
                    0.700 x its best, least 0.700, 512×512×512";
    assert_eq!(summaries[0].line("cuBLASLt"), expected);
}

#[test]
fn json_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let written = report();
    written.write_json(&path).unwrap();
    let read = Report::read_json(&path).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), serde_json::to_value(written).unwrap());
    std::fs::write(&path, "{}").unwrap();
    let error = Report::read_json(&path).unwrap_err().to_string();
    assert!(error.ends_with("report.json does not hold a report"), "{error}");
}

#[test]
fn a_document_has_the_means_and_the_lowest_ratios() {
    let old = "before\n<!-- bench squares -->\nold\n<!-- end -->\nafter\n";
    let new = report().put_into(old).unwrap();
    assert!(new.starts_with("before\n<!-- bench squares -->\n\n| group |"), "{new}");
    assert!(new.ends_with("\n<!-- end -->\nafter\n"), "{new}");
    assert!(!new.contains("old"), "{new}");
    assert!(new.contains("| derived | 1 | 0.800 | 0.800 | 0.700 | 0.700 |\n"), "{new}");
    assert!(
        new.contains("| derived | 512 × 512 × 512 | 100.0 | 80.0 | 0.800 | 0.700 |\n"),
        "{new}"
    );
    assert!(new.contains("bench -- squares --clock burst --rounds 1\n"), "{new}");
    assert!(!new.contains("DRAM"), "a line without a peer: {new}");
    assert_eq!(report().put_into(&new).unwrap(), new, "the same figures change nothing");
    for document in ["", "<!-- bench squares -->\n", "<!-- bench compare -->\n<!-- end -->\n"] {
        assert!(report().put_into(document).is_err(), "{document:?}");
    }
}
