use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::*;

const LIMIT: u64 = 1 << 20;

fn key(text: &str) -> Key {
    let mut key = Key::builder();
    key.add(text);
    key.finish()
}

fn cache(folder: &tempfile::TempDir) -> Cache {
    Cache::open(folder.path(), LIMIT).expect("the folder is private")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The payload of a key, and whether it was compiled.
fn ask(cache: &Cache, key: &Key, image: &[u8]) -> (Vec<u8>, bool) {
    let mut compiled = false;
    let Ok(made) = cache.get_or_make::<Infallible>(key, || {
        compiled = true;
        Ok(image.to_vec())
    });
    (made, compiled)
}

#[test]
fn the_second_time_nothing_is_compiled() {
    let folder = folder();
    assert_eq!(ask(&cache(&folder), &key("k"), b"code"), (b"code".to_vec(), true));
    assert_eq!(ask(&cache(&folder), &key("k"), b"other"), (b"code".to_vec(), false));
    assert!(ask(&cache(&folder), &key("l"), b"code").1);
}

#[test]
fn parts_of_a_key_do_not_run_together() {
    let of = |parts: &[&str]| {
        let mut key = Key::builder();
        parts.iter().for_each(|part| key.add(part));
        key.finish()
    };
    assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
}

/// A damaged entry is compiled again and replaced.
#[track_caller]
fn assert_replaced(damage: impl FnOnce(&Path)) {
    let folder = folder();
    let (cache, key) = (cache(&folder), key("k"));
    ask(&cache, &key, b"code");
    damage(&cache.path(&key));
    assert_eq!(ask(&cache, &key, b"code"), (b"code".to_vec(), true));
    assert_eq!(ask(&cache, &key, b"code"), (b"code".to_vec(), false));
}

#[test]
fn a_truncated_entry_costs_a_compilation() {
    for length in [0, 4, 20, 45] {
        assert_replaced(|path| {
            let file = fs::File::options().write(true).open(path).expect("the entry");
            file.set_len(length).expect("it is shortened");
        });
    }
}

#[test]
fn an_entry_with_a_wrong_checksum_costs_a_compilation() {
    assert_replaced(|path| {
        let mut bytes = fs::read(path).expect("the entry");
        *bytes.last_mut().expect("it is not empty") ^= 1;
        fs::write(path, bytes).expect("it is changed");
    });
}

#[test]
fn the_entry_of_another_key_costs_a_compilation() {
    assert_replaced(|path| {
        fs::write(path, entry::seal(&key("l"), b"evil")).expect("it is changed");
    });
}

/// Waits for a reader or a writer when it is opened.
fn make_fifo(path: &Path) {
    let mode = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a FIFO");
}

#[test]
fn an_entry_that_is_an_endless_file_costs_a_compilation() {
    assert_replaced(|path| {
        fs::remove_file(path).expect("the entry");
        std::os::unix::fs::symlink("/dev/zero", path).expect("a link");
    });
}

#[test]
fn an_entry_that_is_a_fifo_costs_a_compilation() {
    assert_replaced(|path| {
        fs::remove_file(path).expect("the entry");
        make_fifo(path);
    });
}

#[test]
fn a_lock_that_is_a_fifo_is_not_used() {
    let folder = folder();
    let cache = cache(&folder);
    make_fifo(&folder.path().join("lock-tuning"));
    assert!(cache.lock_measuring().is_none());
    (0..64).for_each(|bucket| make_fifo(&folder.path().join(format!("lock-{bucket:02}"))));
    assert_eq!(ask(&cache, &key("k"), b"code"), (b"code".to_vec(), true));
    assert_eq!(ask(&cache, &key("k"), b"code"), (b"code".to_vec(), false));
}

#[test]
fn an_entry_that_cannot_be_read_costs_a_compilation() {
    let folder = folder();
    let (cache, key) = (cache(&folder), key("k"));
    fs::create_dir(cache.path(&key)).expect("a folder where the entry should be");
    assert_eq!(ask(&cache, &key, b"code"), (b"code".to_vec(), true));
}

#[test]
fn a_folder_that_vanishes_costs_a_compilation() {
    let folder = folder();
    let cache = cache(&folder);
    folder.close().expect("it is removed");
    assert_eq!(ask(&cache, &key("k"), b"code"), (b"code".to_vec(), true));
}

#[test]
fn a_folder_that_cannot_be_made_is_not_used() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    assert!(matches!(Cache::open(&file.join("inside"), LIMIT), Err(folder::Problem::Io(_))));
}

#[test]
fn a_new_folder_is_private() {
    let folder = folder();
    let inside = folder.path().join("a/b");
    Cache::open(&inside, LIMIT).expect("it is made");
    for made in [inside.as_path(), &folder.path().join("a")] {
        let mode = fs::metadata(made).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[test]
fn a_folder_that_others_can_write_to_is_not_trusted() {
    for mode in [0o770, 0o702, 0o777] {
        let folder = folder();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("it is ours");
        let problem = Cache::open(folder.path(), LIMIT).expect_err("others can write to it");
        assert!(matches!(problem, folder::Problem::Shared { mode: found } if found == mode));
        assert!(problem.to_string().contains("others can write to it"), "{problem}");
    }
}

#[test]
fn a_folder_of_another_user_is_not_trusted() {
    // The root folder belongs to root; as root, make a folder of another user.
    if rustix::process::geteuid().is_root() {
        let folder = folder();
        std::os::unix::fs::chown(folder.path(), Some(12345), None).expect("root may");
        let problem = Cache::open(folder.path(), LIMIT).expect_err("it is another's");
        assert!(matches!(problem, folder::Problem::Foreign { owner: 12345 }));
    } else {
        let problem = Cache::open(Path::new("/"), LIMIT).expect_err("it is root's");
        assert!(matches!(problem, folder::Problem::Foreign { owner: 0 }));
    }
}

#[test]
fn the_entries_used_least_recently_go_first() {
    let folder = folder();
    let cache = Cache::open(folder.path(), 4096).expect("the folder is private");
    let image = [7; 1000];
    let age = |key: &Key, seconds| {
        let file = fs::File::options().append(true).open(cache.path(key)).expect("the entry");
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).expect("it is aged");
    };
    for (name, seconds) in [("a", 40), ("b", 30), ("c", 20)] {
        ask(&cache, &key(name), &image);
        age(&key(name), seconds);
    }
    // A use makes `a` the youngest; the fourth entry is then one too many.
    assert!(!ask(&cache, &key("a"), &image).1);
    ask(&cache, &key("d"), &image);
    let kept = ["a", "b", "c", "d"].map(|name| cache.path(&key(name)).exists());
    assert_eq!(kept, [true, false, false, true]);
}

#[test]
fn tuning_records_are_evicted_like_entries() {
    let folder = folder();
    let cache = Cache::open(folder.path(), 4096).expect("the folder is private");
    cache.write_text("tuning-1.toml", "old");
    assert_eq!(cache.read_text("tuning-1.toml").as_deref(), Some("old"));
    cache.write_text("tuning-1.toml", "new");
    assert_eq!(cache.read_text("tuning-1.toml").as_deref(), Some("new"));
    let path = folder.path().join("tuning-1.toml");
    let file = fs::File::options().append(true).open(&path).expect("it is there");
    file.set_modified(SystemTime::now() - Duration::from_secs(40)).expect("it is aged");
    ask(&cache, &key("k"), &[7; 4096]);
    assert_eq!(cache.read_text("tuning-1.toml"), None);
}

#[test]
fn one_measures_at_a_time() {
    let folder = folder();
    let held = cache(&folder).lock_measuring().expect("nobody has it");
    std::thread::scope(|scope| {
        let other = scope.spawn(|| cache(&folder).lock_measuring().is_some());
        std::thread::sleep(Duration::from_millis(30));
        assert!(!other.is_finished());
        drop(held);
        assert!(other.join().expect("it ends"));
    });
}

#[test]
fn files_that_dead_processes_left_are_removed() {
    let folder = folder();
    let cache = cache(&folder);
    let left = folder.path().join(".new-abc");
    let file = fs::File::create(&left).expect("a file");
    file.set_modified(SystemTime::now() - Duration::from_secs(7200)).expect("it is aged");
    ask(&cache, &key("k"), b"code");
    assert!(!left.exists());
}

#[test]
fn threads_with_their_own_handles_compile_once() {
    let folder = folder();
    let compilations = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let Ok(made) = cache(&folder).get_or_make::<Infallible>(&key("k"), || {
                    compilations.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(30));
                    Ok(b"code".to_vec())
                });
                assert_eq!(made, b"code");
            });
        }
    });
    assert_eq!(compilations.load(Ordering::Relaxed), 1);
}

#[test]
fn a_failed_compilation_leaves_no_entry() {
    let folder = folder();
    let cache = cache(&folder);
    assert_eq!(cache.get_or_make(&key("k"), || Err("a reason")), Err("a reason"));
    assert!(ask(&cache, &key("k"), b"code").1);
}

/// The README installs NVRTC in a folder of it.
#[test]
#[cfg(target_os = "linux")]
fn the_folder_of_the_user_is_among_the_caches() {
    let written =
        env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache"));
    let caches = written.or_else(home).expect("HOME is set");
    assert_eq!(user_folder(), Some(caches.join("gemm-runtime")));
}
