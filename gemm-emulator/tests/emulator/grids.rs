//! Kernels that overlap their predecessor: what they do before they have waited for it.

use gemm_emulator::{Direction, Launch, Memory, Module, Violation};

use crate::device::{Value, operand, violation};
use crate::handwritten::{kernel, refuses};

const WAIT: &str = "griddepcontrol.wait;";
const START: &str = "griddepcontrol.launch_dependents;";
const LOAD: &str = "ld.global.u32 %r0, [%in];";
const STORE: &str = "st.global.u32 [%out], 7;";
const COPY: &str = "mov.u32 %r1, s; cp.async.ca.shared.global [%r1], [%in], 4;";
const ADD: &str = "red.global.add.u32 [%out], 1;";

/// How a kernel of one thread is launched.
#[derive(Clone, Copy)]
struct How {
    overlaps: bool,
    /// Whether the launch names its operands, and what it reads is early.
    early: Option<bool>,
}

const OVERLAPPING: How = How { overlaps: true, early: Some(false) };
const EARLY: How = How { early: Some(true), ..OVERLAPPING };

/// Runs one thread of a kernel of these instructions.
fn run(instructions: &[&str], How { overlaps, early }: How) -> Result<(), Violation> {
    let body = format!("    .shared .align 16 .b8 s[16];\n    {}", instructions.join("\n    "));
    let module = Module::parse(&kernel(&body)).expect("parses");
    let memory = Memory::new();
    let [from, to] = [0; 2].map(|_| memory.allocate(16).expect("allocates"));
    for address in [from, to] {
        memory.write(address, &[1; 16]).expect("writes");
    }
    let arguments = [from.bytes(), to.bytes(), 0u32.bytes()];
    let mut operands = [operand("x", from, [1, 16, 0], false), operand("y", to, [1, 16, 0], true)];
    operands.iter_mut().for_each(|operand| operand.early = early == Some(true));
    let launch = Launch {
        arguments: &arguments,
        operands: early.map(|_| &operands[..]),
        overlaps,
        ..Launch::new("test", [1, 1, 1], [1, 1, 1])
    };
    violation(module.launch(&memory, &launch))
}

/// The direction and the operand of an access that should have waited.
fn early_access(instructions: &[&str], how: How) -> (Direction, Option<String>) {
    match run(instructions, how) {
        Err(Violation::BeforePredecessor { direction, operand, .. }) => (direction, operand),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_kernel_that_waits_first_may_do_anything() {
    for early in [None, Some(false), Some(true)] {
        let how = How { early, ..OVERLAPPING };
        assert_eq!(run(&[WAIT, START, LOAD, COPY, STORE, ADD], how), Ok(()));
    }
}

#[test]
fn a_launch_that_does_not_overlap_needs_no_wait() {
    for early in [None, Some(false), Some(true)] {
        let how = How { overlaps: false, early };
        assert_eq!(run(&[START, LOAD, COPY, STORE, ADD], how), Ok(()));
        assert_eq!(run(&[LOAD, STORE, START, WAIT], how), Ok(()));
    }
}

#[test]
fn what_is_early_may_be_read_before_the_wait() {
    for read in [LOAD, COPY] {
        assert_eq!(run(&[read, WAIT, START, STORE], EARLY), Ok(()));
        let x = Some("x".to_owned());
        assert_eq!(early_access(&[read, WAIT, STORE], OVERLAPPING), (Direction::Read, x));
        let unnamed = How { early: None, ..OVERLAPPING };
        assert_eq!(early_access(&[read, WAIT], unnamed), (Direction::Read, None));
    }
}

#[test]
fn nothing_is_written_before_the_wait() {
    for write in [STORE, ADD] {
        for how in [OVERLAPPING, EARLY] {
            let y = Some("y".to_owned());
            assert_eq!(early_access(&[write, WAIT], how), (Direction::Write, y));
        }
    }
    let violation = run(&[STORE, WAIT], OVERLAPPING).expect_err("a store");
    assert!(violation.to_string().ends_with("before griddepcontrol.wait (operand y)"));
}

#[test]
fn a_kernel_without_a_wait_reads_nothing_but_what_is_early() {
    let x = Some("x".to_owned());
    assert_eq!(early_access(&[LOAD, STORE], OVERLAPPING), (Direction::Read, x));
    assert_eq!(run(&[LOAD], EARLY), Err(Violation::EndsBeforePredecessor));
}

#[test]
fn every_thread_waits_before_it_ends() {
    let branch = "setp.eq.u32 %p0, %count, 0; @%p0 exit;";
    let ends = Err(Violation::EndsBeforePredecessor);
    assert_eq!(run(&[branch, WAIT, STORE], EARLY), ends);
    assert_eq!(run(&["setp.ne.u32 %p0, %count, 0;", "@%p0 griddepcontrol.wait;"], EARLY), ends);
    assert_eq!(run(&[WAIT, branch, STORE], EARLY), Ok(()));
}

#[test]
fn dependents_are_launched_after_the_wait() {
    for how in [OVERLAPPING, EARLY] {
        assert_eq!(run(&[START, WAIT], how), Err(Violation::DependentsBeforePredecessor));
    }
}

#[test]
fn an_instruction_of_another_form_is_refused() {
    refuses(
        "
        griddepcontrol; -> griddepcontrol takes .wait or .launch_dependents
        griddepcontrol.wait.launch_dependents; -> griddepcontrol takes .wait or .launch_dependents
        griddepcontrol.wait.all; -> unknown modifier .all
        ",
    );
}
