//! Replays what fuzzing kept: the corpus, and each input that once failed.

#[allow(unreachable_pub, reason = "elsewhere a crate of its own")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

mod registers;
mod replay;

use fuzz::case::Shape;
use fuzz::{Case, kernels};

/// A kernel as it is, on as many threads as it is for.
fn unedited(kernel: u8, instructions: u16) -> Case {
    let shape = Shape {
        grid: 0,
        block: 0,
        shared: None,
        instructions,
        races_ignored: false,
        profile: true,
        operands: None,
        arguments: Vec::new(),
    };
    Case { kernel, shape, edits: Vec::new() }
}

#[test]
fn the_kernels_run_before_they_are_edited() {
    for (number, kernel) in kernels::all().iter().enumerate() {
        let run = |instructions| unedited(number as u8, instructions).run();
        let statistics = run(10_000).unwrap_or_else(|fault| panic!("{}: {fault}", kernel.entry));
        assert!(statistics.instructions > 5, "{} does nothing", kernel.entry);
        run(3).expect_err("more than three instructions");
    }
}
