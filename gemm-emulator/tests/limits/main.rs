//! What no text and no launch can make the emulator do: run for ever, or take all memory.
//!
//! Each limit is tried on both sides. The tests run one after the other and in a program of their own, because they
//! measure the memory of the whole process.

mod decoding;
mod launching;
mod parsing;
mod running;

use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use gemm_emulator::{Module, ParseError};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What one text, or one launch of one block, may take.
const MOST_MEMORY: usize = 512 << 20;
/// After this time a worker counts as one that never ends. It takes a second or so, on a busy machine some
/// more, and without the limits hours.
const MOST_TIME: Duration = Duration::from_secs(900);

/// Runs `f`; fails if that takes too long or too much memory.
fn bounded<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone: MutexGuard<'_, ()> = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let result = f();
        // It is waited for unless it is too late.
        let _ = sender.send(());
        result
    });
    let ended = receiver.recv_timeout(MOST_TIME);
    assert_ne!(ended, Err(mpsc::RecvTimeoutError::Timeout), "it takes too long");
    let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    // Other tests, that wait for their turn, may have given memory back since.
    let taken = MEMORY.peak_usage().saturating_sub(before);
    assert!(taken <= MOST_MEMORY, "it takes {} MiB", taken >> 20);
    result
}

/// The head of a text, then `items`.
fn text(items: &str) -> String {
    format!(".version 8.0\n.target sm_80\n.address_size 64\n{items}")
}

/// A kernel without parameters; its first line is the fourth, that of its body the sixth.
fn kernel(body: &str) -> String {
    text(&format!(".entry test()\n{{\n{body}\n}}"))
}

fn parse(text: String) -> Result<Module, ParseError> {
    bounded(move || Module::parse(&text))
}

/// Parses what is just within a limit, and one more; the latter must be refused for `what`.
fn at_the_limit(within: String, beyond: String, what: &str) {
    if let Err(error) = parse(within) {
        panic!("within the limit: {} in line {}", error.what, error.line);
    }
    let lines = beyond.lines().count();
    let error = parse(beyond).expect_err(what);
    assert_eq!(error.what, what);
    assert!((1..=lines).contains(&(error.line as usize)), "line {}", error.line);
}
