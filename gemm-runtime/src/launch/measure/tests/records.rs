//! Records of measurements: in the cache, also that of another process, and loaded.

use std::{env, fs};

use super::*;

/// The id of a kernel of [`linear`].
fn id_of(kernel: &Kernel) -> &'static str {
    let mut choices = linear::KERNELS.choices();
    choices.find(|choice| choice.kernel() == kernel).expect("it is one of them").id()
}

#[test]
fn the_record_is_found_by_a_later_tuning_and_by_one_that_loads_it() {
    let (plain, (_folder, cache)) = (Device::emulator(), cache());
    let preferred = another(&plain, SHAPE);
    let (first, _) = tuning(cache, prefer(&preferred.entry));
    let device = plain.clone().with_tuning(first);
    chosen(&device, SHAPE);
    let text = device.tuning().expect("it has one").record();
    let id = id_of(preferred);
    assert!(text.contains("function = \"linear\"") && text.contains(id), "{text}");

    let (second, timed) = tuning(cache, |_| panic!("it was measured before"));
    let device = plain.clone().with_tuning(second);
    assert_eq!((chosen(&device, SHAPE), count(&timed)), (preferred, 0));
    assert_eq!(device.tuning().expect("it has one").record(), text);

    let loaded = Arc::new(Tuning::load(&text).expect("it is whole").only_loaded());
    let device = plain.clone().with_tuning(loaded.clone());
    assert_eq!(chosen(&device, SHAPE), preferred);
    assert_eq!(chosen(&device, [9, 9, 9]), chosen(&plain, [9, 9, 9]), "it is estimated");
    let same = Device::emulator().with_tuning(loaded);
    assert_eq!(chosen(&same, SHAPE), preferred, "another device of the same model");
}

#[test]
fn a_loaded_record_precedes_a_measurement() {
    let (plain, (_folder, cache)) = (Device::emulator(), cache());
    let estimated = chosen(&plain, SHAPE);
    let (measured, _) = tuning(cache, prefer(&another(&plain, SHAPE).entry));
    let device = plain.clone().with_tuning(measured);
    let preferred = chosen(&device, SHAPE);
    let text = device.tuning().expect("it has one").record();
    let edited = text.replace(id_of(preferred), id_of(estimated));
    let device = plain.with_tuning(Tuning::load(&edited).expect("it is whole").with_cache(cache));
    assert_eq!(chosen(&device, SHAPE), estimated);
    assert!(matches!(Tuning::load("measured = 1"), Err(Error::TuningRecord(_))));
}

/// The variable that makes this test binary a child.
const CHILD: &str = "GEMM_TUNING_CHILD";

#[test]
fn child() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let cache = Cache::global().expect("the parent has named a folder");
    let (tuning, timed) = tuning(cache, |_| Ok(1e-6));
    chosen(&Device::emulator().with_tuning(tuning), SHAPE);
    println!("timed: {}", count(&timed));
}

/// The number of kernels that a child with this folder times.
fn timed_by_a_child(folder: &std::path::Path) -> usize {
    let output = std::process::Command::new(env::current_exe().expect("this test"))
        .args(["launch::measure::tests::records::child", "--exact", "--nocapture"])
        .env(CHILD, "1")
        .env("GEMM_CACHE_DIR", folder)
        .output()
        .expect("a child");
    let text = String::from_utf8_lossy(&output.stdout);
    let count = text.lines().find_map(|line| line.split_once("timed: "));
    let count = count.and_then(|(_, count)| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn another_process_finds_the_record_and_replaces_a_damaged_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = timed_by_a_child(folder.path());
    assert!(first > 1);
    assert_eq!(timed_by_a_child(folder.path()), 0);
    let is_record = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "toml");
    let files = fs::read_dir(folder.path()).expect("the folder").flatten().map(|file| file.path());
    let records: Vec<_> = files.filter(is_record).collect();
    let [record] = records.as_slice() else { panic!("{records:?}") };
    let text = fs::read_to_string(record).expect("it is a text");
    for damaged in [&text[..text.len() / 2], "", "\u{0}\u{1}"] {
        fs::write(record, damaged).expect("it is ours");
        assert_eq!(timed_by_a_child(folder.path()), first, "{damaged:?}");
    }
    assert_eq!(timed_by_a_child(folder.path()), 0);
}
