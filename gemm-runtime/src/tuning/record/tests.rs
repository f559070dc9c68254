//! Records are read as they are written, and refused otherwise.

use super::*;

fn measured(m: usize, fastest: &str) -> Measured {
    let key = Key {
        device: "NVIDIA \"X\", sm_90, 132 multiprocessors".to_owned(),
        function: "linear".to_owned(),
        kernels: "0f6c3e9a55d1b7c2".to_owned(),
        alignment: vec![16, 4],
        copied: Vec::new(),
        shape: Bucket::of([m, 4096, 4096], 1),
    };
    Measured { key, fastest: fastest.to_owned(), microseconds: 11.875 }
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let mut record = Record::default();
    assert_eq!(Record::parse(&record.to_text()).expect("it is empty"), record);
    record.set(measured(64, "linear_1"));
    record.set(measured(4, "linear_2"));
    let text = record.to_text();
    assert_eq!(Record::parse(&text).expect("it is whole"), record, "{text}");
    let expected = format!(
        "{HEADER}
version = 1

[[measured]]
device = 'NVIDIA \"X\", sm_90, 132 multiprocessors'
function = \"linear\"
kernels = \"0f6c3e9a55d1b7c2\"
alignment = [16, 4]
m = 4
n = 4096
k = 4096
batch = 1
fastest = \"linear_2\"
microseconds = 11.875
"
    );
    assert!(text.starts_with(&expected), "{text}");
}

#[test]
fn rows_that_have_to_be_copied_are_a_key_of_their_own() {
    let mut record = Record::default();
    let one = measured(64, "linear_1");
    let mut other = measured(64, "linear_2");
    other.key.copied = vec!["A".to_owned(), "B".to_owned()];
    assert!(other.key.to_string().ends_with("where tensor copies cannot read A and B"));
    [&one, &other].into_iter().for_each(|measured| record.set(measured.clone()));
    let text = record.to_text();
    assert_eq!(text.matches("copied = [\"A\", \"B\"]").count(), 1, "{text}");
    let read = Record::parse(&text).expect("it is whole");
    assert_eq!(read.fastest(&one.key), Some("linear_1"));
    assert_eq!(read.fastest(&other.key), Some("linear_2"));
}

#[test]
fn fields_for_people_may_be_missing() {
    let mut record = Record::default();
    record.set(measured(64, "linear_1"));
    let keep = |line: &&str| !line.starts_with("microseconds");
    let text = record.to_text();
    let short: Vec<&str> = text.lines().filter(keep).collect();
    let read = Record::parse(&short.join("\n")).expect("it is whole");
    assert_eq!(read.fastest(&measured(64, "").key), Some("linear_1"));
}

#[test]
fn a_text_that_is_not_a_record_is_an_error_with_its_line() {
    let error = Record::parse("[[measured]]\ndevice = \"X\n").expect_err("a quote is missing");
    assert!(error.to_string().contains("line 2"), "{error}");
    assert!(Record::parse("half a").is_err());
}

#[test]
fn a_wrong_field_is_an_error_with_its_line() {
    let mut record = Record::default();
    record.set(measured(64, "linear_1"));
    let text = record.to_text();
    for (line, other, error) in [
        ("m = 64\n", "", "line 5: `m` is missing"),
        ("m = 64", "m = -64", "line 10: `m` is not a number from 0 to 2⁶⁴ - 1"),
        ("m = 64", "m = \"64\"", "line 10: `m` is not a number from 0 to 2⁶⁴ - 1"),
        ("[16, 4]", "[16, 4294967296]", "line 9: `alignment` is not an array of numbers below 2³²"),
        ("\"linear\"", "1", "line 7: `function` is not a string"),
        ("11.875", "\"\"", "line 15: `microseconds` is not a number"),
        ("[[measured]]", "[measured]", "line 5: `measured` is not an array of tables"),
        ("[[measured]]", "[x]", "line 5: `x` is neither `version` nor `measured`"),
        ("version = 1", "version = 1.0", "line 3: `version` is not a number below 2³²"),
    ] {
        assert!(text.contains(line), "{line}");
        let parsed = Record::parse(&text.replace(line, other));
        assert_eq!(parsed.expect_err(other).to_string(), error);
    }
    let parsed = Record::parse("measured = [1]").expect_err("1 is not a table");
    assert_eq!(parsed.to_string(), "line 1: a measurement is a table");
}

#[test]
fn what_people_may_write_otherwise_is_read() {
    let mut record = Record::default();
    record.set(measured(64, "linear_1"));
    let text = record.to_text().replace("4096", "4_096").replace("m = 64", "m = 0x40 # tokens");
    assert_eq!(Record::parse(&format!("{text}note = \"of a Tuesday\"\n")).expect("same"), record);
    let whole = Record::parse(&text.replace("11.875", "12")).expect("a number without a fraction");
    assert_eq!(whole.measurements()[0].microseconds, 12.0);
}

#[test]
fn a_record_is_of_the_version_of_this_crate() {
    let parse = |text: &str| Record::parse(text).map_err(|error| error.to_string());
    for text in ["", "# nothing\n", "measured = []"] {
        assert!(matches!(Record::parse(text), Err(RecordError::Empty)), "{text}");
    }
    let other = parse("version = 99").expect_err("it is another one");
    assert_eq!(other, "it is of version 99, expected 1: record it again with this crate");
    assert_eq!(parse("version = 1"), Ok(Record::default()));
    // As it was written before records had versions.
    let mut record = Record::default();
    record.set(measured(64, "linear_1"));
    let text = record.to_text().replace("version = 1\n", "");
    assert_eq!(parse(&text), Ok(record));
}

#[test]
fn known_measurements_stay() {
    let mut record = Record::default();
    record.set(measured(64, "linear_1"));
    let mut other = Record::default();
    other.set(measured(64, "linear_2"));
    other.set(measured(4, "linear_2"));
    record.add_missing(other);
    assert_eq!(record.fastest(&measured(64, "").key), Some("linear_1"));
    assert_eq!(record.fastest(&measured(4, "").key), Some("linear_2"));
    record.set(measured(64, "linear_3"));
    assert_eq!(record.fastest(&measured(64, "").key), Some("linear_3"));
}
