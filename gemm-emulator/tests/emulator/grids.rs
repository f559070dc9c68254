//! Kernels that start before the grids in front have ended: what they touch before they have waited.

use gemm_emulator::{Direction, Fault, Launch, Memory, Module, Operand, Violation};

use crate::device::Value;
use crate::handwritten::kernel;

const WAIT: &str = "griddepcontrol.wait;";
const START: &str = "griddepcontrol.launch_dependents;";
const LOAD: &str = "ld.global.u32 %r0, [%in];";
const STORE: &str = "st.global.u32 [%out], 7;";
const COPY: &str = "mov.u32 %r1, s; cp.async.ca.shared.global [%r1], [%in], 4;";
const ADD: &str = "red.global.add.u32 [%out], 1;";

/// Runs one thread of a kernel of these instructions. `early` says whether what it reads may be read early.
fn run(instructions: &[&str], early: bool) -> Result<(), Violation> {
    let body = format!("    .shared .align 16 .b8 s[16];\n    {}", instructions.join("\n    "));
    let module = Module::parse(&kernel(&body)).expect("parses");
    let memory = Memory::new();
    let [from, to] = [0; 2].map(|_| memory.allocate(16).expect("allocates"));
    for address in [from, to] {
        memory.write(address, &[1; 16]).expect("writes");
    }
    let operand = |name: &str, address, writable| Operand {
        name: name.to_owned(),
        address,
        rows: 1,
        row_bytes: 16,
        pitch_bytes: 0,
        writable,
        early,
    };
    let arguments = [from.bytes(), to.bytes(), 0u32.bytes()];
    let launch = Launch {
        arguments: &arguments,
        operands: Some(&[operand("x", from, false), operand("y", to, true)]),
        ..Launch::new("test", [1, 1, 1], [1, 1, 1])
    };
    match module.launch(&memory, &launch) {
        Ok(_) => Ok(()),
        Err(Fault::Violation { violation, .. }) => Err(violation),
        Err(fault) => panic!("{fault}"),
    }
}

/// The direction and the operand of an access that should have waited.
fn early_access(violation: Violation) -> (Direction, String) {
    match violation {
        Violation::BeforeGridInFront { direction, operand: Some(operand), .. } => {
            (direction, operand)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_kernel_that_waits_first_may_do_anything() {
    for early in [false, true] {
        assert_eq!(run(&[WAIT, START, LOAD, COPY, STORE, ADD], early), Ok(()));
        assert_eq!(run(&[LOAD, COPY, STORE, ADD, START], early), Ok(()), "nothing to wait for");
    }
}

#[test]
fn what_is_early_may_be_read_before_the_wait() {
    for read in [LOAD, COPY] {
        assert_eq!(run(&[read, START, WAIT, STORE], true), Ok(()));
        let violation = run(&[read, WAIT, STORE], false).expect_err(read);
        assert_eq!(early_access(violation), (Direction::Read, "x".to_owned()));
    }
}

#[test]
fn nothing_is_written_before_the_wait() {
    for write in [STORE, ADD] {
        for early in [false, true] {
            let violation = run(&[write, WAIT], early).expect_err(write);
            assert_eq!(early_access(violation), (Direction::Write, "y".to_owned()));
        }
    }
    let violation = run(&[STORE, WAIT], false).expect_err("a store");
    assert!(violation.to_string().ends_with("before griddepcontrol.wait (operand y)"));
}

#[test]
fn every_thread_waits_before_it_ends() {
    let branch = "setp.eq.u32 %p0, %count, 0; @%p0 exit;";
    let ends = Err(Violation::EndsBeforeGridInFront);
    assert_eq!(run(&[branch, WAIT, STORE], true), ends);
    assert_eq!(run(&["setp.ne.u32 %p0, %count, 0;", "@%p0 griddepcontrol.wait;"], true), ends);
    assert_eq!(run(&[WAIT, branch, STORE], true), Ok(()));
}

#[test]
fn an_instruction_of_another_form_is_refused() {
    for (text, what) in [
        ("griddepcontrol;", "griddepcontrol takes .wait or .launch_dependents"),
        (
            "griddepcontrol.wait.launch_dependents;",
            "griddepcontrol takes .wait or .launch_dependents",
        ),
        ("griddepcontrol.wait.all;", "unknown modifier .all"),
    ] {
        assert_eq!(Module::parse(&kernel(text)).expect_err(text).what, what);
    }
}
