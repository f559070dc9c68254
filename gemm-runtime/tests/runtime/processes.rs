//! Several processes that share a disk cache. Each is this test binary; a variable makes it a child.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use crate::common::scaled;
use gemm_runtime::launch;
use gemm_runtime::prelude::*;

const CHILD: &str = "GEMM_TEST_CHILD";

/// What a child does: compiles the kernel, or takes it from the cache, and says what it costs.
#[test]
fn child() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let report = launch::report(&Device::emulator(), &scaled()).expect("it compiles");
    println!("registers: {}", report.registers);
}

fn command(cache: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("this test"));
    command.args(["processes::child", "--exact", "--nocapture"]);
    command.env(CHILD, "1").env("GEMM_CACHE_DIR", cache).env_remove("GEMM_CACHE_MB");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn spawn(cache: &Path) -> std::process::Child {
    command(cache).spawn().expect("a child")
}

#[track_caller]
fn assert_works(output: &Output) {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stdout.contains("registers: "), "{stdout}\n{stderr}");
}

/// The entries of a cache with their inodes: a use keeps the inode, a replacement changes it.
fn entries(cache: &Path) -> Vec<(String, u64)> {
    use std::os::unix::fs::MetadataExt;
    let mut entries: Vec<(String, u64)> = fs::read_dir(cache)
        .expect("the cache")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "kernel"))
        .map(|entry| {
            let inode = entry.metadata().expect("a file").ino();
            (entry.file_name().to_string_lossy().into_owned(), inode)
        })
        .collect();
    entries.sort();
    entries
}

#[test]
fn processes_that_compile_the_same_kernel_at_once_all_get_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = folder.path().join("cache");
    let children: Vec<_> = (0..4).map(|_| spawn(&cache)).collect();
    for child in children {
        assert_works(&child.wait_with_output().expect("it ends"));
    }
    let made = entries(&cache);
    // The kernel, and the version of NVRTC where that is a file.
    assert!((1..=2).contains(&made.len()), "{made:?}");
    let temporary = fs::read_dir(&cache)
        .expect("the cache")
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(".new-"));
    assert_eq!(temporary.count(), 0);

    // A later process finds the entries and makes none: a rename would change the inode.
    assert_works(&spawn(&cache).wait_with_output().expect("it ends"));
    assert_eq!(entries(&cache), made);
}

#[test]
fn the_next_process_replaces_damaged_entries() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_works(&spawn(folder.path()).wait_with_output().expect("it ends"));
    for (name, _) in entries(folder.path()) {
        let path = folder.path().join(name);
        let half = fs::metadata(&path).expect("an entry").len() / 2;
        let file = fs::File::options().write(true).open(path).expect("an entry");
        file.set_len(half).expect("it is truncated");
    }
    let damaged = entries(folder.path());
    assert_works(&spawn(folder.path()).wait_with_output().expect("it ends"));
    let replaced = entries(folder.path());
    assert_eq!(replaced.len(), damaged.len());
    assert!(replaced.iter().zip(&damaged).all(|(new, old)| new != old));
}

#[test]
fn a_cache_that_cannot_be_used_only_costs_a_compilation() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let shared = folder.path().join("shared");
    fs::create_dir(&shared).expect("a folder");
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).expect("it is ours");

    for cache in [file.join("inside"), shared.clone(), "".into()] {
        assert_works(&spawn(&cache).wait_with_output().expect("it ends"));
    }
    assert_eq!(fs::read_dir(&shared).expect("the folder").count(), 0);
}

#[test]
fn a_profiler_finds_the_lines_of_a_kernel() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cache, sources) = (folder.path().join("cache"), folder.path().join("sources"));
    let kernels = || entries(&cache).len();
    assert_works(&spawn(&cache).wait_with_output().expect("it ends"));
    let without = kernels();
    let child = command(&cache).env("GEMM_LINEINFO_DIR", &sources).spawn().expect("a child");
    assert_works(&child.wait_with_output().expect("it ends"));
    assert_eq!(kernels(), without + 1, "the cubin with lines is another entry");

    let file = sources.join(format!("{}.cu", scaled().entry));
    assert_eq!(fs::read_to_string(&file).expect("the text"), scaled().text);
    // Of a path, debug information has the folder and the name in separate tables.
    let path = sources.to_string_lossy().into_owned().into_bytes();
    let names = |entry: &(String, u64)| {
        let bytes = fs::read(cache.join(&entry.0)).expect("an entry");
        bytes.windows(path.len()).any(|part| part == path)
    };
    assert_eq!(entries(&cache).iter().filter(|entry| names(entry)).count(), 1);
}
