//! The search for NVRTC in folders of the tests' own.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;

fn nowhere() -> Search {
    Search { variable: None, sonames: Vec::new(), folders: Vec::new() }
}

fn folder_with(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for file in files {
        std::fs::write(folder.path().join(file), "").expect("a file in it");
    }
    folder
}

fn found(search: &Search) -> (PathBuf, Vec<PathBuf>) {
    match search.find_nvrtc() {
        Ok(Found::File { library, builtins }) => (library, builtins),
        other => panic!("expected a file, got {other:?}"),
    }
}

#[test]
fn a_missing_nvrtc_is_an_error_that_says_where_it_looked_and_how_to_get_it() {
    let search = Search {
        variable: Some("/no/such/place".into()),
        sonames: vec!["libnvrtc.so.0"],
        folders: vec!["/not/here/either".into()],
    };
    let error = search.find_nvrtc().expect_err("there is none");
    let text = error.to_string();
    assert!(matches!(error, Error::LibraryNotFound { name: "libnvrtc", .. }));
    for part in [
        "libnvrtc was not found",
        "/no/such/place (from GEMM_NVRTC_DIR)",
        "libnvrtc.so.0 with the system's loader",
        "/not/here/either",
        "python3 -m pip install",
        "nvidia-cuda-nvrtc==13.1.80",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn the_variable_comes_before_the_folders() {
    let (first, second) = (folder_with(&["libnvrtc.so.12"]), folder_with(&["libnvrtc.so.13"]));
    let search = Search {
        variable: Some(first.path().into()),
        folders: vec![second.path().into()],
        ..nowhere()
    };
    assert_eq!(found(&search).0, first.path().join("libnvrtc.so.12"));
}

#[test]
fn the_variable_may_name_the_folder_that_pip_unpacked_into() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let inside = root.path().join("nvidia/cu13/lib");
    std::fs::create_dir_all(&inside).expect("a folder in it");
    std::fs::write(inside.join("libnvrtc.so.13"), "").expect("a file in it");
    let search = Search { variable: Some(root.path().into()), ..nowhere() };
    assert_eq!(found(&search).0, inside.join("libnvrtc.so.13"));
}

#[test]
fn the_newest_of_a_folder_is_taken_with_its_own_builtins() {
    let folder = folder_with(&[
        "libnvrtc.so.12",
        "libnvrtc.so.13",
        "libnvrtc.so.11.2",
        "libnvrtc.alt.so.13",
        "libnvrtc-builtins.so.12.4",
        "libnvrtc-builtins.so.13.1",
    ]);
    let search = Search { folders: vec![folder.path().into()], ..nowhere() };
    let (library, builtins) = found(&search);
    assert_eq!(library, folder.path().join("libnvrtc.so.13"));
    assert_eq!(builtins, [folder.path().join("libnvrtc-builtins.so.13.1")]);
}

#[test]
fn a_file_that_is_not_a_library_is_an_error_with_the_loader_s_reason() {
    let folder = folder_with(&["libnvrtc.so.13"]);
    let search = Search { folders: vec![folder.path().into()], ..nowhere() };
    let error = search.find_nvrtc().and_then(Found::open).expect_err("it is empty");
    assert!(matches!(&error, Error::LibraryUnusable { path, reason }
        if *path == folder.path().join("libnvrtc.so.13") && reason.contains("file too short")));
}

#[test]
fn versions_older_than_supported_are_not_taken() {
    let folder = folder_with(&["libnvrtc.so.11.2"]);
    let search = Search { folders: vec![folder.path().into()], ..nowhere() };
    assert!(search.find_nvrtc().is_err());
}

/// The result of a search in another thread, which may block on a FIFO: after a minute the FIFO is
/// opened for writing, so that neither that thread nor the end of the process waits for ever.
#[cfg(unix)]
fn found_soon(search: Search, fifo: &Path) -> Result<(), Error> {
    use std::os::unix::fs::OpenOptionsExt;
    let (sender, result) = mpsc::channel();
    let searching = thread::spawn(move || {
        let _ = sender.send(search.find_nvrtc().and_then(Found::open).map(drop));
    });
    result.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| {
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let _writer = std::fs::File::options().write(true).custom_flags(flags).open(fifo);
        let _ = searching.join();
        panic!("the search waits for {}", fifo.display());
    })
}

#[cfg(unix)]
fn make_fifo(path: &Path) {
    let mode = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a FIFO");
}

#[cfg(unix)]
#[test]
fn what_is_not_a_regular_file_is_neither_opened_nor_waited_for() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let make: [fn(&Path); 5] = [
        make_fifo,
        |path| std::fs::create_dir(path).expect("a folder"),
        |path| drop(UnixListener::bind(path).expect("a socket")),
        |path| symlink("/dev/zero", path).expect("a link to a device"),
        |path| {
            let fifo = path.with_file_name("fifo");
            make_fifo(&fifo);
            symlink(fifo, path).expect("a link to a FIFO");
        },
    ];
    for make in make {
        let (first, second) = (folder_with(&[]), folder_with(&[]));
        for folder in [&first, &second] {
            make(&folder.path().join("libnvrtc.so.13"));
        }
        let search = Search {
            variable: Some(first.path().into()),
            folders: vec![second.path().into()],
            ..nowhere()
        };
        let fifo = first.path().join("libnvrtc.so.13");
        let text = found_soon(search, &fifo).expect_err("there is no library").to_string();
        for folder in [&first, &second] {
            let line =
                format!("in {}: libnvrtc.so.13 is not a regular file", folder.path().display());
            assert!(text.contains(&line), "{line:?} is not in:\n{text}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_fifo_beside_a_library_is_passed_over() {
    let folder = folder_with(&["libnvrtc.so.12", "libnvrtc-builtins.so.12.4", "elsewhere"]);
    make_fifo(&folder.path().join("libnvrtc.so.13"));
    make_fifo(&folder.path().join("libnvrtc-builtins.so.12.8"));
    let search = Search { variable: Some(folder.path().into()), ..nowhere() };
    let (library, builtins) = found(&search);
    assert_eq!(library, folder.path().join("libnvrtc.so.12"));
    assert_eq!(builtins, [folder.path().join("libnvrtc-builtins.so.12.4")]);
    // A link to a regular file is how packages name the newest version.
    let link = folder.path().join("libnvrtc.so.13.1");
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), &link).expect("a link");
    assert_eq!(found(&search).0, link);
}
